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

    /// What was expected beside what was received, line by line.
    pub fn difference(&mut self, expected: &Value, received: &Value, indent: &str, most: usize) {
        self.line(&self.dim(&format!("{indent}- expected   + received")));
        let width = self.width.max(40).saturating_sub(indent.len() + 3);
        for line in diff::lines(expected, received, most) {
            let (mark, text, colour) = match line {
                Line::Expected(text) => ('-', text, "31"),
                Line::Received(text) => ('+', text, "32"),
                Line::Same(text) => (' ', text, "2"),
            };
            self.line(&self.painted(colour, &format!("{indent}{mark} {}", inert::short(&text, width.max(60)))));
        }
    }

    /// How many lines of a terminal it takes.
    pub fn rows(&self) -> usize {
        let width = self.width.max(40);
        self.text.lines().map(|line| seen_width(line).div_ceil(width).max(1)).sum()
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
            if !line.is_empty() && seen_width(&line) + 1 + seen_width(part) > width {
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

/// The characters of a line that are seen, without the codes of colours.
fn seen_width(line: &str) -> usize {
    let (mut seen, mut in_code) = (0, false);
    for character in line.chars() {
        match (in_code, character) {
            (false, '\u{1b}') => in_code = true,
            (true, 'm') => in_code = false,
            (true, _) => {}
            (false, _) => seen += 1,
        }
    }
    seen
}

/// A value on one line, inert and not too long.
pub fn value(value: &Value) -> String {
    inert::short(&inert::line(&diff::plain(value).to_string()), 300)
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
