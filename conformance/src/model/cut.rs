//! Leaving out what nobody reads to its end: reports show the beginning of a value, and nothing keeps the rest of it.

use super::{Detail, Finding};
use serde_json::{Map, Value};

/// So many characters of the sentence of a reason are kept.
const MOST_OF_A_MESSAGE: usize = 2000;
/// So many characters of the values of all reasons of a finding are kept, as an indented report writes them.
pub(crate) const MOST_OF_A_FINDING: usize = 20_000;
/// So many characters of the answer of an exchange are kept for the reports.
pub(crate) const MOST_OF_AN_ANSWER: usize = 8000;
/// A value takes about so many characters of an indented report beside its text: a line of its own.
const A_LINE: usize = 16;

/// Cuts the reasons of a finding to so many characters of values in all. All of what was received stands in the evidence.
pub(crate) fn details(details: &mut [Detail], most: usize) {
    let values = details.iter().map(|detail| detail.expected.iter().chain(&detail.found).count()).sum::<usize>();
    let each = most / values.max(2);
    for detail in details {
        text(&mut detail.message, MOST_OF_A_MESSAGE);
        for value in [&mut detail.expected, &mut detail.found].into_iter().flatten() {
            *value = beginning(value, &mut { each });
        }
    }
}

/// A copy of a value that one reason of a finding may hold, for values that are too large to be copied as a whole.
pub(crate) fn copy(value: &Value) -> Value {
    beginning(value, &mut { MOST_OF_A_FINDING })
}

/// What reports show of evidence: the exchanges that findings point to, and the first one, which says how to repeat a case. The
/// answers in them are cut, and `null` is in the place of the others.
pub(crate) fn evidence(evidence: &Value, findings: &[Finding]) -> Value {
    if findings.iter().all(|finding| finding.details.is_empty()) {
        return Value::Null;
    }
    let places: Vec<(usize, usize)> =
        findings.iter().flat_map(|finding| &finding.details).filter_map(Detail::exchange).collect();
    let Some(steps) = evidence.as_array() else { return Value::Null };
    let kept =
        |step: usize, (index, one): (usize, &Value)| match (step, index) == (0, 0) || places.contains(&(step, index)) {
            true => exchange(one, MOST_OF_AN_ANSWER),
            false => Value::Null,
        };
    let steps = steps.iter().enumerate().map(|(step, exchanges)| {
        let exchanges = exchanges.as_array().into_iter().flatten().enumerate();
        let mut exchanges: Vec<Value> = exchanges.map(|one| kept(step, one)).collect();
        exchanges.truncate(exchanges.iter().rposition(|one| !one.is_null()).map_or(0, |last| last + 1));
        Value::Array(exchanges)
    });
    steps.collect()
}

/// An exchange with an answer that is cut to so many characters.
pub(crate) fn exchange(exchange: &Value, most: usize) -> Value {
    let Some(members) = exchange.as_object() else { return exchange.clone() };
    let mut left = most;
    let cut = members.iter().map(|(name, member)| match name.as_str() {
        "answer" | "items" | "lines" | "parsed" => (name.clone(), beginning(member, &mut left)),
        _ => (name.clone(), member.clone()),
    });
    Value::Object(cut.collect())
}

fn text(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
}

/// A copy of the beginning of a value: texts are cut and values left out once `left` is used up.
fn beginning(value: &Value, left: &mut usize) -> Value {
    *left = left.saturating_sub(A_LINE);
    match value {
        Value::String(all) => Value::String(beginning_of_text(all, left)),
        Value::Array(values) => {
            let mut kept = Vec::new();
            for value in values {
                if *left == 0 {
                    kept.push(format!("… and {} more", values.len() - kept.len()).into());
                    break;
                }
                kept.push(beginning(value, left));
            }
            Value::Array(kept)
        }
        Value::Object(fields) => {
            let mut kept = Map::new();
            for (name, value) in fields {
                if *left == 0 {
                    kept.insert("…".to_owned(), format!("and {} more", fields.len() - kept.len()).into());
                    break;
                }
                let name = beginning_of_text(name, left);
                kept.insert(name, beginning(value, left));
            }
            Value::Object(kept)
        }
        plain => plain.clone(),
    }
}

fn beginning_of_text(all: &str, left: &mut usize) -> String {
    let end = all.char_indices().nth(*left).map_or(all.len(), |(end, _)| end);
    let mut kept = all[..end].to_owned();
    if end < all.len() {
        kept.push('…');
    }
    *left = left.saturating_sub(end);
    kept
}
