//! What the description of a tool and its input schema, read together, say of the numbers that an argument takes.
//!
//! A reader takes a number for that of the argument whose name is next to it, so the same is done here. A negated statement
//! says nothing.

use super::words::{NEGATIONS, NUMBERS, all_texts, clauses, is_negated, nothing_to_read, texts_outside_arguments};
use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use crate::text::pointer::parent;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The names that a number can belong to.
const ARGUMENTS: [&str; 5] = ["query", "memoryid", "memory_id", "top_ke", "top_kc"];
/// Words between the names of a list: what follows belongs to each of them.
const JOINS: [&str; 4] = ["and", "or", "both", "respectively"];
/// Words between "default" or "range" and its numbers.
const LINKS: [&str; 9] = ["is", "to", "of", "value", "values", "being", "from", "between", "allowed"];

/// An argument and the numbers that a reader has to find at it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Numbers {
    argument: String,
    all: Vec<i64>,
    /// What the argument is where it is left out: nothing else may be called its default where it is described.
    default: Option<i64>,
    /// Numbers that are not told of it.
    #[serde(default)]
    none: Vec<i64>,
}

/// The numbers are told of the argument: beside its name, or in its part of the input schema.
pub(super) fn argument_says(args: &Numbers, input: &Input<'_, '_>) -> Ruling {
    let Some(first) = input.one("value") else { return nothing_to_read() };
    let (mut told, mut details) = (Vec::new(), Vec::new());
    let listed = input.all("value").iter().filter_map(|node| node.value.get("properties")?.as_object());
    let listed: Vec<String> = listed.flat_map(Map::keys).map(|name| name.to_lowercase()).collect();
    let is_other =
        |word: &str| word != args.argument && (ARGUMENTS.contains(&word) || listed.iter().any(|name| name == word));
    for node in input.all("value") {
        let place = node.value.get("properties").and_then(|properties| properties.get(&args.argument));
        place.into_iter().for_each(|place| of_schema(place, node.value, 0, &mut told));
        let mut texts = Vec::new();
        place.into_iter().for_each(|place| all_texts(place, &mut texts));
        // A text that names other arguments may speak of theirs.
        let described: Vec<Vec<String>> = texts.iter().map(|text| clauses(text).concat()).collect();
        let of_itself = described.iter().filter(|words| !words.iter().any(|word| is_other(word)));
        let mut other: Option<String> = of_itself.filter_map(|words| args.denied_by(words)).next();
        texts.clear();
        texts_outside_arguments(node.value, &mut texts);
        let stretches = texts.iter().flat_map(|text| stretches(text, &args.argument, &is_other));
        other = other.or_else(|| stretches.filter_map(|words| args.denied_by(&words)).next());
        details.extend(other.map(|other| Detail::new(other).at(&node.pointer)));
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
    let beyond = args.none.iter().filter(|number| told.contains(number));
    details.extend(
        beyond.map(|number| Detail::new(format!("{number} is told of {}", args.argument)).at(parent(&first.pointer))),
    );
    Ruling::of(args.all.len(), details)
}

impl Numbers {
    /// What a text about the argument says against its numbers: another default, or another range.
    fn denied_by(&self, words: &[String]) -> Option<String> {
        let numbers: BTreeMap<usize, i64> = numbers(words).collect();
        let links = |at: usize| words[at..].iter().take_while(|word| LINKS.contains(&word.as_str())).count();
        let argument = &self.argument;
        (0..words.len()).filter(|&at| !is_negated(words, at, 3)).find_map(|at| {
            let first = at + 1 + links(at + 1);
            match (self.default, self.all.as_slice()) {
                (Some(default), _) if words[at].starts_with("default") => {
                    let is_before = at > 0 && words[at - 1] == "by";
                    let place = if is_before { at.checked_sub(2)? } else { first };
                    // A number beside another, or beside "to", is an end of a range.
                    let beside = if is_before { place.checked_sub(1) } else { Some(place + 1) };
                    let is_end =
                        |at: usize| numbers.contains_key(&at) || words.get(at).is_some_and(|word| word == "to");
                    let number = numbers.get(&place).filter(|_| !beside.is_some_and(is_end))?;
                    (*number != default)
                        .then(|| format!("{argument} is called {number} by default where it is described"))
                }
                (None, [least, most]) if words[at] == "range" || words[at] == "ranges" => {
                    let joined = words.get(first + 1).is_some_and(|word| ["to", "and"].contains(&word.as_str()));
                    let (from, to) = numbers.get(&first).zip(numbers.get(&(first + 1 + usize::from(joined))))?;
                    let is_another = from < to && (from, to) != (least, most);
                    is_another.then(|| format!("{argument} is said to range from {from} to {to} where it is described"))
                }
                _ => None,
            }
        })
    }
}

/// The parts of a text that speak of an argument alone: in a line, what follows its name up to the name of another.
fn stretches(text: &str, argument: &str, is_other: &dyn Fn(&str) -> bool) -> Vec<Vec<String>> {
    let mut stretches = Vec::new();
    for line in text.lines() {
        let words = clauses(line).concat();
        let is_named = |word: &String| word == argument || is_other(word);
        let names: Vec<usize> = (0..words.len()).filter(|&at| is_named(&words[at])).collect();
        for (nth, &at) in names.iter().enumerate() {
            let end = names.get(nth + 1).copied().unwrap_or(words.len());
            // "top_ke and top_kc default to 5 and 2" speaks of both.
            let is_joined = |between: &[String]| between.iter().all(|word| JOINS.contains(&word.as_str()));
            let follows = nth.checked_sub(1).is_some_and(|before| is_joined(&words[names[before] + 1..at]));
            if words[at] == argument && !follows {
                stretches.push(words[at + 1..end].to_vec());
            }
        }
    }
    stretches
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

/// The number that a word begins: `twenty-five` is two words and one number.
fn spelled(clause: &[String], at: usize) -> Option<i64> {
    const TWENTY: i64 = 20;
    let number = |word: &String| NUMBERS.iter().position(|name| name == word).map(|number| number as i64);
    let unit = |word: &String| number(word).filter(|unit| (1..10).contains(unit));
    let is_second = at > 0 && number(&clause[at - 1]) == Some(TWENTY) && unit(&clause[at]).is_some();
    match number(&clause[at])? {
        _ if is_second => None,
        TWENTY => Some(TWENTY + clause.get(at + 1).and_then(unit).unwrap_or(0)),
        number => Some(number),
    }
}

/// The numbers of a clause that are not negated, with their places.
fn numbers(clause: &[String]) -> impl Iterator<Item = (usize, i64)> {
    clause.iter().enumerate().filter_map(|(at, word)| {
        let spelled = || spelled(clause, at);
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
