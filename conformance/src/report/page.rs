//! A page of text for people at a terminal: lines, sentences broken to the width, colours where they are wanted.

use super::diff::{self, Line};
use crate::model::Outcome;
use crate::text::inert;
use serde_json::Value;
use std::fmt::Write;

/// A page that is being written.
#[derive(Debug)]
pub struct Page {
    /// What stands on it.
    pub text: String,
    colour: bool,
    width: usize,
}

impl Page {
    /// An empty page of this width, in characters.
    pub fn new(colour: bool, width: usize) -> Self {
        Self { text: String::new(), colour, width }
    }

    /// What was due beside what came, line by line.
    pub fn difference(&mut self, due: &Value, came: &Value, indent: &str) {
        self.line(&self.dim(&format!("{indent}- due   + came")));
        for line in diff::lines(due, came) {
            let (mark, text, colour) = match line {
                Line::Due(text) => ('-', text, "31"),
                Line::Came(text) => ('+', text, "32"),
                Line::Same(text) => (' ', text, "2"),
            };
            self.line(&self.painted(colour, &format!("{indent}{mark} {text}")));
        }
    }

    /// A line, without spaces at its end.
    pub fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    /// A sentence, broken at spaces to fit the width.
    pub fn wrapped(&mut self, sentence: &str, indent: &str) {
        self.filled(sentence.split(' '), indent);
    }

    /// Parts with a space between them, broken between parts alone to fit the width.
    pub fn filled<'p>(&mut self, parts: impl IntoIterator<Item = &'p str>, indent: &str) {
        let width = self.width.max(40) - indent.len();
        let mut line = String::new();
        for part in parts {
            if !line.is_empty() && line.chars().count() + 1 + part.chars().count() > width {
                self.line(&format!("{indent}{line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(part);
        }
        self.line(&format!("{indent}{line}"));
    }

    /// The text in a colour, by its ANSI code, where colours are wanted.
    pub fn painted(&self, code: &str, text: &str) -> String {
        match self.colour {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }

    /// The text in bold.
    pub fn bold(&self, text: &str) -> String {
        self.painted("1", text)
    }

    /// The text dimmed.
    pub fn dim(&self, text: &str) -> String {
        self.painted("2", text)
    }
}

/// A value on one line, inert and not too long.
pub fn value(value: &Value) -> String {
    inert::short(&inert::line(&value.to_string()), 300)
}

/// The colour of an outcome, as the code that `Page::painted` takes.
pub fn colour(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Verified => "32",
        Outcome::Violated => "1;31",
        Outcome::Incomplete | Outcome::Unsteady => "35",
        Outcome::KnownFailure | Outcome::Advice | Outcome::ClientAdvice => "33",
        Outcome::NotExercised | Outcome::Unsupported => "2",
    }
}
