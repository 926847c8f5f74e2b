//! An answer that is text → lines, and what a parser makes of them.

use crate::contracts;
use crate::format::Parsed;
use crate::model::{Contract, Exchange, Failure, Operation, Problem, Status};
use serde_json::{Value, json};

/// A text of more lines is not judged: they would take many times the room of the text.
const MOST_LINES: usize = 22_000;
/// So many lines of it are kept.
const KEPT_LINES: usize = 20;

/// Keeps the lines of a text, or the first of too many.
pub(super) fn keep(text: &str, exchange: &mut Exchange) {
    let text = match text.match_indices('\n').nth(MOST_LINES) {
        None => text,
        Some((end, _)) => {
            exchange.status = Status::Failed;
            exchange.raw.failure.get_or_insert(Failure::TooMany(MOST_LINES));
            // Nothing of it will be judged, so little of it is kept.
            let beginning = text.match_indices('\n').nth(KEPT_LINES).map_or(end, |(end, _)| end);
            &text[..beginning]
        }
    };
    exchange.lines = Some(text.split('\n').map(str::to_owned).collect());
}

/// Makes `parsed`, and problems of the form, from the lines of an accepted answer.
pub(crate) fn read(exchange: &mut Exchange, operation: &Operation) {
    let lines = exchange.lines.as_ref().filter(|_| exchange.status == Status::Accepted);
    if let Some(parsed) = lines.and_then(|lines| parse(operation, lines.iter().map(String::as_str))) {
        exchange.parsed = parsed.value;
        exchange.problems.extend(parsed.problems);
    }
    Problem::keep_some(&mut exchange.problems);
}

/// Makes `parsed` and `problems` of an exchange again from its `lines`, after a patch.
pub fn read_again(exchange: &mut Value, contract: &Contract) {
    let operation = exchange["request"]["operation"].as_str().and_then(|name| contract.operations.get(name));
    let (Some(operation), Some(lines)) = (operation, exchange["lines"].as_array()) else { return };
    // A patch may put something other than a text in the place of a line.
    let lines: Vec<String> =
        lines.iter().map(|line| line.as_str().map_or_else(|| line.to_string(), str::to_owned)).collect();
    if let Some(parsed) = parse(operation, lines.iter().map(String::as_str)) {
        exchange["parsed"] = parsed.value;
        exchange["problems"] = json!(parsed.problems);
    }
}

/// Nothing where the answers of an operation are no text.
fn parse<'l>(operation: &Operation, lines: impl Iterator<Item = &'l str>) -> Option<Parsed> {
    let format = contracts::format(operation.format.as_deref()?)?;
    Some((format.parse)(&lines.collect::<Vec<_>>()))
}
