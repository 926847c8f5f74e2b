//! The output with a budget beside the one without, and how long they are.
//!
//! The document says "characters" and names no unit, so a text has room only if it has so in the longest of the units in use,
//! UTF-16. A header may say more when there is a budget, so it counts at its longer form, with [`GROWTH`] for a count or two.

use crate::rules::{Input, equal};
use serde_json::Value;

/// How many characters the header may grow by when a budget is given.
const GROWTH: u64 = 16;

/// What a rule about budgets compares.
pub(super) struct Outputs<'e> {
    /// The records with the budget.
    pub(super) cut: &'e [Value],
    /// The records without.
    pub(super) full: &'e [Value],
    /// The lines with the budget.
    lines: &'e [Value],
    /// The lines without.
    whole: &'e [Value],
    pub(super) budget: u64,
}

impl<'e> Outputs<'e> {
    /// From the selections `cut`, `full`, `lines`, `whole` and `budget`.
    pub(super) fn of(input: &Input<'_, 'e>) -> Option<Self> {
        let value = |name| input.one(name).map(|node| node.value);
        let (cut, full) = (array(value("cut")?), array(value("full")?));
        let (lines, whole) = (array(value("lines")?), array(value("whole")?));
        Some(Self { cut, full, lines, whole, budget: number(value("budget")?) })
    }

    /// How many records of the whole output are missing, each as often as it is there.
    pub(super) fn missing(&self) -> usize {
        let mut rest: Vec<&Value> = self.cut.iter().collect();
        let mut missing = 0;
        for record in self.full {
            match rest.iter().position(|other| same_record(record, other)) {
                Some(at) => drop(rest.remove(at)),
                None => missing += 1,
            }
        }
        missing
    }

    /// The most characters that the whole output can be said to need.
    pub(super) fn needed(&self) -> u64 {
        (size(self.whole) - headers(self.whole)) + self.longer_headers() + GROWTH
    }

    /// The characters of the whole output as it was printed.
    pub(super) fn printed(&self) -> u64 {
        size(self.whole)
    }

    /// Whether the budget holds the output without a budget, and what was printed with it, should its header say `truncated=false`,
    /// which is one character longer than `truncated=true`.
    pub(super) fn fits_as_printed(&self) -> bool {
        size(self.whole).max(size(self.lines) + 1) <= self.budget
    }

    /// Whether the header and the first record fit.
    pub(super) fn has_room_for_one(&self) -> bool {
        let first = self.full.first().map_or(0, |record| size(lines_of(record, self.whole)));
        self.longer_headers() + first + GROWTH <= self.budget
    }

    /// Whether a record is a piece of one of the whole output. Free text is one where it begins as a line there does.
    pub(super) fn is_piece(&self, record: &Value) -> bool {
        if self.full.iter().any(|whole| same_record(record, whole)) {
            return false;
        }
        let (Some(kind), at) = (record["kind"].as_str(), number(&record["line"]) as usize) else { return false };
        let line = |lines: &'e [Value], at: usize| lines.get(at.saturating_sub(1)).and_then(Value::as_str);
        match kind {
            "D" | "W" | "?" => line(self.lines, at).is_some_and(|piece| {
                self.full
                    .iter()
                    .filter_map(|whole| line(self.whole, number(&whole["line"]) as usize))
                    .any(|whole| whole.len() > piece.len() && whole.starts_with(piece))
            }),
            _ => true,
        }
    }

    fn longer_headers(&self) -> u64 {
        headers(self.whole).max(headers(self.lines))
    }
}

/// The header lines of an output: the first line and the last one, where they are headers.
fn headers(lines: &[Value]) -> u64 {
    let is_header = |line: &Value| line.as_str().is_some_and(|line| line.starts_with("H "));
    let ends: &[Value] = if lines.len() > 2 { &lines[lines.len() - 2..] } else { &[] };
    let last = ends.iter().filter(|line| is_header(line));
    lines.first().into_iter().filter(|line| is_header(line)).chain(last).map(units).sum()
}

/// The UTF-16 units of lines, line ends included. The empty text behind the last line end counts as nothing.
fn size(lines: &[Value]) -> u64 {
    let lines = lines.split_last().filter(|(last, _)| *last == "").map_or(lines, |(_, lines)| lines);
    lines.iter().map(units).sum()
}

fn units(line: &Value) -> u64 {
    line.as_str().map_or(0, |line| line.encode_utf16().count() as u64) + 1
}

fn lines_of<'l>(record: &Value, lines: &'l [Value]) -> &'l [Value] {
    let (first, count) = (number(&record["line"]) as usize, number(&record["lines"]) as usize);
    let start = first.saturating_sub(1).min(lines.len());
    &lines[start..(start + count).min(lines.len())]
}

/// Equal but for the line that they stand on, which a header may shift.
pub(super) fn same_record(left: &Value, right: &Value) -> bool {
    match (left.as_object(), right.as_object()) {
        (Some(left), Some(right)) => {
            let without_line = |(key, _): &(&String, &Value)| key.as_str() != "line";
            left.len() == right.len()
                && left
                    .iter()
                    .filter(without_line)
                    .all(|(key, value)| right.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => false,
    }
}

/// The characters that a record takes in the full output, line ends included.
pub(super) fn size_of(record: &Value, lines: &Value) -> u64 {
    let (first, count) = (number(&record["line"]) as usize, number(&record["lines"]) as usize);
    let taken = array(lines).iter().skip(first.saturating_sub(1)).take(count);
    taken.map(|line| line.as_str().map_or(0, |line| line.chars().count() as u64) + 1).sum()
}

pub(super) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

pub(super) fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
