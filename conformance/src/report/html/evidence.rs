//! What a finding shows: its message, what was expected and received, the request and the answer. It goes into a page as text alone.

use crate::model::Detail;
use crate::report::diff::{self, Line};
use crate::text::inert;
use maud::{Markup, html};
use serde_json::Value;
use std::fmt::{self, Write};

/// So many characters of a value are shown.
const MOST_OF_A_VALUE: usize = 4000;
/// A value of more characters is folded.
const MOST_UNFOLDED: usize = 300;
/// So many characters of a message are shown.
const MOST_OF_A_MESSAGE: usize = 1000;
/// A difference of more lines is folded.
const MOST_LINES_UNFOLDED: usize = 12;

/// A sentence with code between its backticks. A backtick without its partner is only a character.
pub(super) fn sentence(sentence: &str) -> Markup {
    let sentence = inert::line(sentence);
    let pieces: Vec<&str> = sentence.split('`').collect();
    // An even number of pieces is an odd number of backticks.
    if pieces.len().is_multiple_of(2) || sentence.contains("``") {
        return html! { (sentence) };
    }
    html! {
        @for (at, piece) in pieces.iter().enumerate() {
            @if at % 2 == 0 { (piece) } @else { code { (piece) } }
        }
    }
}

/// One reason of a finding.
pub(super) fn detail(detail: &Detail) -> Markup {
    html! {
        p {
            (sentence(&inert::short(&detail.message, MOST_OF_A_MESSAGE)))
            // The root of the evidence is no place to look for.
            @if let Some(at) = detail.at.as_ref().filter(|at| !at.is_empty()) {
                " " span class="dim" { "(evidence " code { (inert::short(&inert::line(at), MOST_UNFOLDED)) } ")" }
            }
        }
        @match (&detail.expected, &detail.found) {
            (Some(expected), Some(found)) => { (difference(expected, found)) },
            (Some(expected), None) => { (value("expected", expected)) },
            (None, Some(found)) => { (value("received", found)) },
            (None, None) => {},
        }
    }
}

fn difference(expected: &Value, found: &Value) -> Markup {
    let lines = diff::lines(expected, found, diff::MOST_LINES);
    let shown = html! {
        pre class="diff" {
            span class="dim" { "- expected   + received\n" }
            @for line in &lines {
                @match line {
                    Line::Expected(text) => del { "- " (text) "\n" },
                    Line::Received(text) => ins { "+ " (text) "\n" },
                    Line::Same(text) => { "  " (text) "\n" },
                }
            }
        }
    };
    let [expected, found] = [expected, found].map(|value| size(format_args!("{value}")));
    if lines.len() <= MOST_LINES_UNFOLDED && expected.max(found) <= MOST_OF_A_VALUE {
        return shown;
    }
    html! {
        details class="value" {
            summary { "difference: expected " (characters(expected)) ", received " (characters(found)) }
            (shown)
        }
    }
}

/// A value on one line, folded where it is long.
fn value(name: &str, value: &Value) -> Markup {
    let text = inert::line(&value.to_string());
    let size = text.chars().count();
    if size <= MOST_UNFOLDED {
        return html! { pre { (name) ": " (text) } };
    }
    html! {
        details class="value" {
            summary { (name) ", " (characters(size)) (first(size)) }
            pre { (inert::short(&text, MOST_OF_A_VALUE)) }
        }
    }
}

/// An exchange as indented JSON, folded, and truncated where it is long.
pub(super) fn exchange(exchange: &Value) -> Markup {
    // A little more than is shown, so that it shows where something was left out.
    let beginning = inert::beginning(format_args!("{exchange:#}"), 4 * MOST_OF_A_VALUE + 4);
    let size = size(format_args!("{exchange:#}"));
    html! {
        details class="value" {
            summary { "request and answer, " (characters(size)) (first(size)) }
            pre { (inert::short(&inert::json(&beginning), MOST_OF_A_VALUE)) }
        }
    }
}

/// That only the beginning of a text of this size is shown.
fn first(size: usize) -> String {
    if size > MOST_OF_A_VALUE { format!(", the first {MOST_OF_A_VALUE} shown") } else { String::new() }
}

/// A size with its thousands apart: `12,345 characters`.
fn characters(size: usize) -> String {
    let digits = size.to_string();
    let mut spaced = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            spaced.push(',');
        }
        spaced.push(digit);
    }
    format!("{spaced} character{}", if size == 1 { "" } else { "s" })
}

/// How many characters something shows, without a copy of it.
fn size(shown: fmt::Arguments<'_>) -> usize {
    struct Counted(usize);
    impl Write for Counted {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.chars().count();
            Ok(())
        }
    }
    let mut counted = Counted(0);
    // Counting cannot fail.
    let _ = counted.write_fmt(shown);
    counted.0
}
