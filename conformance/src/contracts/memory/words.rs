//! What the description of a tool and its input schema, read together, say of the order and of time. A negated statement says
//! nothing.

use crate::model::Detail;
use crate::rules::{Input, Ruling};
use crate::text::pointer::parent;
use serde_json::Value;

/// The numbers from 0 on, as words.
pub(super) const NUMBERS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];
pub(super) const NEGATIONS: [&str; 4] = ["not", "never", "no", "cannot"];

/// Some sentence, or a part of one, tells that what scores highest comes first.
pub(super) fn says_order(input: &Input<'_, '_>) -> Ruling {
    said_in(input, "the order by score, descending", sentences, |sentence| {
        // "not by time but by score" and "you need not sort: they come by score" tell it in their last parts.
        let starts = (0..sentence.len()).filter(|&at| sentence[at] == "but" || sentence[at] == PAUSE);
        std::iter::once(0).chain(starts).any(|start| tells_order(&sentence[start..]))
    })
}

fn tells_order(words: &[String]) -> bool {
    let subject = ["scor", "relevan", "similar", "rank"];
    let none = ["unsorted", "unordered", "unranked", "any", "arbitrary", "random", "unspecified", "yourself"];
    words.iter().any(|word| subject.iter().any(|start| word.starts_with(start)))
        && direction(words).is_some_and(|at| !is_negated(words, at, 4))
        && !words.iter().enumerate().any(|(at, word)| is_promise(word) && is_negated(words, at, 4))
        && !words.iter().any(|word| none.contains(&word.as_str()))
}

/// Some clause tells that results carry times. Names of fields alone do not.
pub(super) fn says_time(input: &Input<'_, '_>) -> Ruling {
    said_by(input, "the times of results", |clause| (0..clause.len()).any(|at| speaks_of_time(clause, at)))
}

pub(super) fn said_by(input: &Input<'_, '_>, what: &str, tells: impl Fn(&[String]) -> bool) -> Ruling {
    said_in(input, what, clauses, tells)
}

fn said_in(
    input: &Input<'_, '_>,
    what: &str,
    split: fn(&str) -> Vec<Vec<String>>,
    tells: impl Fn(&[String]) -> bool,
) -> Ruling {
    let Some(first) = input.one("value") else { return nothing_to_read() };
    let mut texts = Vec::new();
    input.all("value").iter().for_each(|node| all_texts(node.value, &mut texts));
    match texts.iter().flat_map(|text| split(text)).any(|words| tells(&words)) {
        true => Ruling::pass(1),
        false => Ruling::fail(Detail::new(format!("the text does not tell {what}")).at(parent(&first.pointer))),
    }
}

pub(super) fn nothing_to_read() -> Ruling {
    Ruling::incomplete(Detail::new(
        "the server lists no tool that takes query, memoryId (or memory_id) and top_ke or top_kc",
    ))
}

/// Where a clause names the better end as the first.
fn direction(clause: &[String]) -> Option<usize> {
    let best =
        ["highest", "high", "best", "top", "most", "closest", "strongest", "greatest", "largest", "better", "higher"];
    let worst = ["lowest", "low", "least", "worst", "lower", "weakest", "smallest"];
    let says = |at: usize, words: &[&str]| clause.get(at).is_some_and(|word| words.contains(&word.as_str()));
    (0..clause.len()).find(|&at| {
        let word = clause[at].as_str();
        let rest = || at + 1..clause.len().min(at + 8);
        word == "desc"
            || word.starts_with("descend")
            || word.starts_with("decreas")
            || word.starts_with("fall")
            || (best.contains(&word)
                && rest().any(|next| {
                    says(next, &["first"]) || (says(next, &worst) && clause[at..next].iter().any(|word| word == "to"))
                }))
            || (best.contains(&word)
                && rest().any(|next| says(next, &["at", "on"]) && clause[next..].iter().any(|word| word == "top")))
    })
}

/// Words that promise an order, unless they are negated.
fn is_promise(word: &str) -> bool {
    ["sort", "order", "rank", "guarantee"].iter().any(|start| word.starts_with(start))
}

/// Whether a negation stands within so many words before a word.
pub(super) fn is_negated(clause: &[String], at: usize, within: usize) -> bool {
    clause[at.saturating_sub(within)..at].iter().any(|word| NEGATIONS.contains(&word.as_str()) || word.ends_with("n't"))
}

fn speaks_of_time(clause: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| clause[at].as_str());
    let after = clause.get(at + 1).map_or("", String::as_str);
    // "three times", "at a time", "time out" and "up to date" speak of something else.
    let counts = ["other", "several", "many", "every", "each", "a", "real", "run", "multiple", "to", "some", "most"];
    let word = clause[at].as_str();
    match word {
        "time" | "times" | "date" | "dates" => {
            !counts.contains(&before)
                && !NUMBERS.contains(&before)
                && before.parse::<f64>().is_err()
                && !["out", "outs", "limit", "complexity"].contains(&after)
        }
        "dated" | "recent" | "recency" | "newer" | "newest" | "older" | "oldest" | "timestamp" | "timestamps" => true,
        "created" | "written" => clause[..at].iter().any(|word| word == "when"),
        _ => word.starts_with("chronolog") || word.starts_with("temporal"),
    }
}

/// The texts of a description, or of an input schema apart from its arguments.
pub(super) fn texts_outside_arguments<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::Object(words) => {
            let others = words.iter().filter(|(keyword, _)| *keyword != "properties" && *keyword != "$defs");
            others.for_each(|(_, value)| all_texts(value, texts));
        }
        _ => all_texts(value, texts),
    }
}

pub(super) fn all_texts<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| all_texts(value, texts)),
        Value::Object(members) => members.values().for_each(|value| all_texts(value, texts)),
        _ => {}
    }
}

const PAUSES: [char; 3] = [',', ';', ':'];
/// One of them among the words of a sentence.
const PAUSE: &str = ",";

/// The sentences of a text as words in lower case, with their pauses.
fn sentences(text: &str) -> Vec<Vec<String>> {
    let mut sentences: Vec<Vec<String>> = vec![Vec::new()];
    for (at, clause) in text.split_inclusive(PAUSES).enumerate() {
        let mut parts = clauses(clause.trim_end_matches(PAUSES)).into_iter();
        if let (Some(last), Some(part)) = (sentences.last_mut(), parts.next()) {
            last.extend((at > 0).then(|| PAUSE.to_owned()));
            last.extend(part);
        }
        sentences.extend(parts);
    }
    sentences
}

/// The clauses of a text as words in lower case. A full stop, a semicolon and an end of line end one; the point of a name, a
/// fraction or a range does not.
pub(super) fn clauses(text: &str) -> Vec<Vec<String>> {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let mut ends: Vec<usize> = lower.match_indices([';', '\n']).map(|(at, _)| at).collect();
    let stops = lower.match_indices(['.', '!', '?']).map(|(at, _)| at);
    ends.extend(stops.filter(|at| lower[at + 1..].chars().next().is_none_or(char::is_whitespace)));
    ends.sort_unstable();
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    starts.zip(ends.iter().copied().chain([lower.len()])).map(|(start, end)| words(&lower[start..end])).collect()
}

fn words(clause: &str) -> Vec<String> {
    let parts = clause.split(|character: char| !character.is_alphanumeric() && character != '_' && character != '\'');
    parts.map(|word| word.trim_matches('\'').to_owned()).filter(|word| !word.is_empty()).collect()
}
