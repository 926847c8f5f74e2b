//! Grammars that are read at run time, and the problems of what they cannot read.

use super::line::{Line, Read};
use crate::model::Problem;
use crate::text::inert;
use pest::error::{Error, ErrorVariant, LineColLocation};
use pest::iterators::Pairs;
use pest_meta::parser::{Rule, consume_rules, parse};
use pest_vm::Vm;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// No text makes a grammar take more steps than this. The published grammars take fewer than eight for each byte, so that
/// the largest answer that is read (8 MiB) stays far below it; it ends a grammar that tries every way to read a text.
const MOST_STEPS: NonZeroUsize = NonZeroUsize::new(1 << 27).unwrap();

/// The rule of a published grammar that reads a line.
const LINE: &str = "line";
/// So many lines are remembered, and none that is longer.
const MOST_LINES: usize = 4096;
const LONGEST_LINE: usize = 512;

/// A [pest](https://pest.rs) grammar.
pub(crate) struct Grammar {
    vm: Vm,
    /// What lines were read as. A proof reads an answer again for each change of it, and most of its lines stay as they were.
    lines: Mutex<HashMap<Box<str>, Arc<Read>>>,
}

impl Grammar {
    /// Reads a grammar.
    ///
    /// # Errors
    /// When it is no grammar, or one that pest refuses (a rule that is missing or recurs without end), with every place.
    pub(crate) fn read(text: &str) -> Result<Self, Vec<Error<Rule>>> {
        let pairs = parse(Rule::grammar_rules, text).map_err(|error| vec![error])?;
        pest_meta::validator::validate_pairs(pairs.clone())?;
        let rules = consume_rules(pairs)?;
        pest::set_call_limit(Some(MOST_STEPS));
        Ok(Self { vm: Vm::new(pest_meta::optimizer::optimize(rules)), lines: Mutex::default() })
    }

    /// A grammar of `schemas/`.
    pub(crate) fn built_in(text: &str) -> Self {
        // A test reads every one of them.
        Self::read(text).expect("the grammars of this repository are grammars")
    }

    /// Reads a text by a rule of the grammar, from its beginning.
    pub(crate) fn parse<'i>(&'i self, rule: &'i str, text: &'i str) -> Result<Pairs<'i, &'i str>, Error<&'i str>> {
        self.vm.parse(rule, text)
    }

    /// Reads a line.
    pub(crate) fn line<'i>(&'i self, text: &'i str) -> Result<Line<'i>, Error<&'i str>> {
        let known = self.lines.lock().unwrap_or_else(PoisonError::into_inner).get(text).map(Arc::clone);
        if let Some(known) = known {
            return Ok(Line::new(text, known));
        }
        let read = Arc::new(Read::of(self.parse(LINE, text)?));
        if text.len() <= LONGEST_LINE {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            if lines.len() >= MOST_LINES {
                lines.clear();
            }
            lines.insert(text.into(), Arc::clone(&read));
        }
        Ok(Line::new(text, read))
    }
}

/// A problem at a place, lines and columns from 1.
pub(crate) fn problem(code: &str, line: usize, column: usize, message: impl Into<String>) -> Problem {
    Problem { code: code.to_owned(), line, column, message: message.into() }
}

/// Turns what the grammar expected into a problem: `expected title, came "Ti…"`.
pub(crate) fn unreadable(code: &str, line: usize, text: &str, error: &Error<&str>) -> Problem {
    let column = match error.line_col {
        LineColLocation::Pos((_, column)) | LineColLocation::Span((_, column), _) => column,
    };
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } if !positives.is_empty() => {
            positives.iter().map(|rule| rule.replace("EOI", "the end of the line")).collect::<Vec<_>>().join(" or ")
        }
        ErrorVariant::ParsingError { .. } => "something else".to_owned(),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let rest = text.char_indices().nth(column - 1).map_or("", |(at, _)| &text[at..]);
    // Where something is left out, a mark says so: a secret may be split there.
    let before = if column > 1 && !rest.is_empty() { "…" } else { "" };
    let came = format!("{before}{}", inert::short(rest, 24));
    let came = if came.is_empty() { "the line ends".to_owned() } else { format!("came {came:?}") };
    problem(code, line, column, format!("expected {expected}, {came}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::no_grammar("line = {")]
    #[case::a_rule_that_is_missing("line = { word }")]
    #[case::recursion_to_the_left("line = { line ~ \"a\" }")]
    #[case::repetition_of_nothing("line = { \"\"* }")]
    fn a_grammar_that_pest_refuses(#[case] text: &str) {
        assert!(Grammar::read(text).is_err());
    }
}
