//! What the description of a tool and its input schema, read together, tell of numbers, of the order and of time.
//!
//! A reader takes a number for that of the argument whose name is next to it, so the same is done here. A negated statement
//! states nothing.

use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use crate::text::pointer::parent;
use serde::Deserialize;
use serde_json::Value;

/// The names that a number can belong to.
const ARGUMENTS: [&str; 5] = ["query", "memoryid", "memory_id", "top_ke", "top_kc"];
/// Words between the names of a list: what follows belongs to each of them.
const JOINS: [&str; 4] = ["and", "or", "both", "respectively"];
const NUMBERS: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const NEGATIONS: [&str; 4] = ["not", "never", "no", "cannot"];

/// An argument and the numbers that a reader has to find at it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Numbers {
    argument: String,
    all: Vec<i64>,
    /// What the argument is where it is left out: nothing else may be called its default where it is described.
    default: Option<i64>,
}

/// The numbers are told of the argument: beside its name, or in its part of the input schema.
pub(super) fn argument_says(args: &Numbers, input: &Input<'_, '_>) -> Ruling {
    let Some(first) = input.one("value") else { return nothing_to_read() };
    let (mut told, mut details) = (Vec::new(), Vec::new());
    for node in input.all("value") {
        let place = node.value.get("properties").and_then(|properties| properties.get(&args.argument));
        place.into_iter().for_each(|place| of_schema(place, node.value, 0, &mut told));
        let other = args.default.zip(place).and_then(|(default, place)| other_default(place, &args.argument, default));
        details.extend(other.map(|number| {
            Detail::new(format!("{} is called {number} by default where it is described", args.argument))
                .at(&node.pointer)
        }));
        let mut texts = Vec::new();
        texts_outside_arguments(node.value, &mut texts);
        texts.iter().for_each(|text| {
            of_text(text, &args.argument, &mut told);
            of_results(text, &args.argument, &mut told);
        });
    }
    let missing = args.all.iter().filter(|number| !told.contains(number));
    details.extend(missing.map(|number| {
        Detail::new(format!("{number} is not told of {}, only {}", args.argument, brief(&told.clone().into())))
            .at(parent(&first.pointer))
    }));
    Ruling::of(args.all.len(), details)
}

/// Another number than the default that the description of an argument calls its default. A text that names other arguments may
/// speak of theirs.
fn other_default(place: &Value, argument: &str, default: i64) -> Option<i64> {
    let mut texts = Vec::new();
    all_texts(place, &mut texts);
    let clauses: Vec<Vec<String>> = texts.into_iter().flat_map(clauses).collect();
    let is_other = |word: &String| word != argument && ARGUMENTS.contains(&word.as_str());
    if clauses.iter().flatten().any(is_other) {
        return None;
    }
    clauses.iter().find_map(|clause| {
        let of_default =
            (0..clause.len()).filter(|&at| clause[at].starts_with("default") && !is_negated(clause, at, 3));
        let numbers: Vec<(usize, i64)> = numbers(clause).collect();
        of_default
            .filter_map(|at| {
                let between = |word: &&String| ["is", "to", "of", "value", "being"].contains(&word.as_str());
                let next = at + 1 + clause[at + 1..].iter().take_while(between).count();
                numbers.iter().find(|(place, _)| *place == next).map(|(_, number)| *number)
            })
            .find(|number| *number != default)
    })
}

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
fn is_negated(clause: &[String], at: usize, within: usize) -> bool {
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

/// Every number that a part of a schema holds, in keywords and in texts.
fn of_schema(part: &Value, root: &Value, depth: usize, told: &mut Vec<i64>) {
    const DEEPEST: usize = 8;
    match part {
        _ if depth > DEEPEST => {}
        Value::Number(number) => told.extend(number.as_i64().or(number.as_f64().map(|number| number as i64))),
        Value::String(text) => {
            clauses(text).iter().for_each(|clause| told.extend(numbers(clause).map(|(_, number)| number)))
        }
        Value::Array(parts) => parts.iter().for_each(|part| of_schema(part, root, depth + 1, told)),
        Value::Object(words) => {
            for (keyword, value) in words {
                match (keyword.as_str(), value) {
                    ("exclusiveMinimum", Value::Number(number)) => {
                        told.extend(number.as_i64().map(|number| number + 1))
                    }
                    ("exclusiveMaximum", Value::Number(number)) => {
                        told.extend(number.as_i64().map(|number| number - 1))
                    }
                    ("$ref", Value::String(reference)) => {
                        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
                        target.into_iter().for_each(|target| of_schema(target, root, depth + 1, told));
                    }
                    _ => of_schema(value, root, depth + 1, told),
                }
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// The numbers that a text gives an argument: those after its name up to the next name, over ends of clauses, and those before
/// it in the same clause where no other name is between.
fn of_text(text: &str, argument: &str, told: &mut Vec<i64>) {
    // The names that what follows belongs to, and whether nothing but a join came since.
    let (mut owners, mut is_list): (Vec<String>, bool) = (Vec::new(), false);
    for clause in clauses(text) {
        let mut unowned = Vec::new();
        let found: Vec<(usize, i64)> = numbers(&clause).collect();
        for (at, word) in clause.iter().enumerate() {
            if ARGUMENTS.contains(&word.as_str()) {
                if !is_list {
                    owners.clear();
                }
                owners.push(word.clone());
                if word == argument {
                    told.append(&mut unowned);
                }
                unowned.clear();
                is_list = true;
            } else if let Some((_, number)) = found.iter().find(|(place, _)| *place == at) {
                if owners.iter().any(|owner| owner == argument) {
                    told.push(*number);
                }
                unowned.push(*number);
                is_list = false;
            } else if !JOINS.contains(&word.as_str()) {
                is_list = false;
            }
        }
    }
}

/// The numbers that a text counts the results of an argument with: "5 entries and 2 contexts come" tells of both.
fn of_results(text: &str, argument: &str, told: &mut Vec<i64>) {
    let results = match argument {
        "top_ke" => ["entry", "entries"],
        _ => ["context", "contexts"],
    };
    // "5 knowledge entries" and "five (5) entries" count entries; "5 contexts with entries" counts contexts.
    let between = |word: &String| {
        !ARGUMENTS.contains(&word.as_str()) && !word.starts_with("context") && !word.starts_with("entr")
    };
    for clause in clauses(text) {
        told.extend(
            numbers(&clause)
                .filter(|(at, _)| {
                    let mut behind = clause[at + 1..].iter().take(3);
                    behind.find(|word| !between(word)).is_some_and(|word| results.contains(&word.as_str()))
                })
                .map(|(_, number)| number),
        );
    }
}

/// The numbers of a clause that are not negated, with their places.
fn numbers(clause: &[String]) -> impl Iterator<Item = (usize, i64)> {
    clause.iter().enumerate().filter_map(|(at, word)| {
        let spelled = || NUMBERS.iter().position(|name| name == word).map(|number| number as i64);
        let is_from_zero = || word == "nonnegative" || word == "negative" && at > 0 && clause[at - 1] == "non";
        let number = word.parse().ok().or_else(spelled).or_else(|| is_from_zero().then_some(0))?;
        // "not 5", "not the 5": but "not exceed 10" gives 10.
        let between = at.checked_sub(1).map_or("", |at| clause[at].as_str());
        let within = if ["the", "a", "to", "be", "is", "just", "only", "default"].contains(&between) { 2 } else { 1 };
        // "more than 0" begins with 1; "no more than 10" ends with 10.
        let before = |steps: usize| at.checked_sub(steps).map_or("", |at| clause[at].as_str());
        let is_bare = before(1) == "than" && !NEGATIONS.contains(&before(3));
        let number = match before(2) {
            "more" | "greater" | "larger" if is_bare => number + 1,
            "less" | "fewer" | "smaller" if is_bare => number - 1,
            _ => number,
        };
        // "an array of 0 to top_ke entries" tells what comes, and not what `top_ke` may be.
        let is_named = |word: &String| ARGUMENTS.contains(&word.as_str());
        if clause.get(at + 1).is_some_and(|word| word == "to") && clause.get(at + 2).is_some_and(is_named) {
            return None;
        }
        // "no" counts something: "no 5".
        (!is_negated(clause, at, within)).then_some((at, number))
    })
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
