//! What parsers with a grammar share: problems with their places.

use crate::model::Problem;
use pest::RuleType;
use pest::error::{Error, ErrorVariant, LineColLocation};

/// A problem at a place, lines and columns from 1.
pub(crate) fn problem(code: &str, line: usize, column: usize, message: impl Into<String>) -> Problem {
    Problem { code: code.to_owned(), line, column, message: message.into() }
}

/// Turns what the grammar expected into a problem: `expected title, came "Ti…"`.
pub(crate) fn unreadable<R: RuleType>(code: &str, line: usize, text: &str, error: &Error<R>) -> Problem {
    let column = match error.line_col {
        LineColLocation::Pos((_, column)) | LineColLocation::Span((_, column), _) => column,
    };
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } if !positives.is_empty() => positives
            .iter()
            .map(|rule| format!("{rule:?}").replace("EOI", "the end of the line"))
            .collect::<Vec<_>>()
            .join(" or "),
        ErrorVariant::ParsingError { .. } => "something else".to_owned(),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let came: String = text.chars().skip(column - 1).take(24).collect();
    let came = if came.is_empty() { "the line ends".to_owned() } else { format!("came {came:?}") };
    problem(code, line, column, format!("expected {expected}, {came}"))
}
