//! The fixed table of edits: every field of every answer is damaged in the same few ways, to find what no check notices.
//!
//! Counterexamples show that a check catches the mistake that its author had in mind. The table asks the other way round:
//! which change of an answer would pass unseen? Each that does is a missing check, or something that the contract leaves
//! free. Pure: it reads evidence that was collected before.

use crate::derive;
use crate::judge::judge;
use crate::load::{Always, Case, ContractSuite};
use crate::model::Verdict;
use crate::text::pointer::{escaped, split};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use strum::VariantArray;

/// At so many places of one answer an edit of one field is tried: the first, the last, and one between.
const PLACES: usize = 3;
/// So often an edit is tried in all the cases of a contract before it counts as unnoticed.
const MOST_TRIALS: usize = 60;
/// So many exchanges of a sweep or a walk are edited.
const MOST_EXCHANGES: usize = 3;

/// One way to damage a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Edit {
    /// It is not there.
    Remove,
    /// It is `null`.
    Null,
    /// It has another JSON type.
    #[strum(to_string = "other type")]
    OtherType,
    /// A number is one more; a text has one character more.
    More,
    /// A number is one less; a text has one character less.
    Less,
    /// An entry of a list changes places with the next one.
    Swap,
    /// An entry of a list is there twice.
    Duplicate,
    /// An object has a field, or a list an entry, that nobody knows.
    Stranger,
}

/// A field of the answers of an operation, and an edit of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FieldEdit {
    /// The operation.
    pub operation: String,
    /// The field, `*` for any entry of a list: `/entries/*/score`.
    pub field: String,
    /// What was done to it.
    pub edit: Edit,
}

/// What became of the edits of one contract.
#[derive(Debug, Default)]
pub struct Survey {
    tried: BTreeMap<FieldEdit, Tried>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tried {
    /// So often, and nothing noticed it.
    InVain(usize),
    Noticed,
}

impl Survey {
    /// Edits the answers in the evidence of one case, as far as nothing noticed the same edits before: small cases
    /// first is fastest.
    pub fn case(&mut self, case: &Case, suite: &ContractSuite, transports: &[&Always], evidence: &Value) {
        let sound = violated(case, suite, transports, evidence);
        let mut ground = evidence.clone();
        for (step, exchanges) in evidence.as_array().into_iter().flatten().enumerate() {
            let exchanges = exchanges.as_array().map_or(&[][..], Vec::as_slice);
            for (index, exchange) in exchanges.iter().enumerate().take(MOST_EXCHANGES) {
                let Some(answer) = Answer::of(exchange) else { continue };
                let operation = exchange["request"]["operation"].as_str().unwrap_or_default();
                for ((pointer, field), edit) in answer
                    .places()
                    .into_iter()
                    .flat_map(|at| Edit::VARIANTS.iter().map(move |edit| (at.clone(), *edit)))
                {
                    let place = FieldEdit { operation: operation.to_owned(), field, edit };
                    let trials = match self.tried.get(&place) {
                        None => 0,
                        Some(Tried::InVain(trials)) if *trials < MOST_TRIALS => *trials,
                        Some(_) => continue,
                    };
                    let Some(edited) = answer.edited(&pointer, edit) else { continue };
                    ground[step][index] = answer.put(edited, exchange, suite);
                    let found = violated(case, suite, transports, &ground);
                    ground[step][index].clone_from(exchange);
                    let tried = match found.is_subset(&sound) {
                        true => Tried::InVain(trials + 1),
                        false => Tried::Noticed,
                    };
                    self.tried.insert(place, tried);
                }
            }
        }
    }

    /// How many edits were tried.
    pub fn len(&self) -> usize {
        self.tried.len()
    }

    /// Whether no edit was tried.
    pub fn is_empty(&self) -> bool {
        self.tried.is_empty()
    }

    /// The edits that no check noticed anywhere.
    pub fn unnoticed(&self) -> impl Iterator<Item = &FieldEdit> {
        self.tried.iter().filter(|(_, tried)| **tried != Tried::Noticed).map(|(place, _)| place)
    }
}

fn violated(case: &Case, suite: &ContractSuite, transports: &[&Always], evidence: &Value) -> BTreeSet<String> {
    let judgements = judge(case, suite, transports, evidence).into_iter();
    // What cannot be told any more was noticed too: such a target does not conform either.
    judgements
        .filter(|judgement| matches!(judgement.verdict, Verdict::Fail | Verdict::Incomplete))
        .map(|judgement| judgement.requirement)
        .collect()
}

/// What an exchange answers: a JSON value, or lines of text.
struct Answer {
    value: Value,
    is_text: bool,
    /// Where its items are in it.
    items: Option<String>,
}

impl Answer {
    fn of(exchange: &Value) -> Option<Self> {
        if exchange["status"] != "accepted" {
            return None;
        }
        if let Some(lines) = exchange.get("lines") {
            return Some(Self { value: lines.clone(), is_text: true, items: None });
        }
        let value = exchange["answer"].get("body").filter(|body| !body.is_null())?.clone();
        let items = exchange.get("items").and_then(|items| pointer_to(&value, items, ""));
        Some(Self { value, is_text: false, items })
    }

    /// Pointers of values with the kind of their field, a few of each kind.
    fn places(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        walk(&self.value, String::new(), String::new(), self.is_text, &mut all);
        let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (pointer, field) in all {
            kinds.entry(field).or_default().push(pointer);
        }
        let mut places = Vec::new();
        for (field, pointers) in kinds {
            let chosen: BTreeSet<usize> = (0..PLACES).map(|part| part * (pointers.len() - 1) / (PLACES - 1)).collect();
            places.extend(chosen.into_iter().map(|at| (pointers[at].clone(), field.clone())));
        }
        places
    }

    /// The answer with one value damaged; nothing where the edit makes no sense or no difference.
    fn edited(&self, pointer: &str, edit: Edit) -> Option<Value> {
        let mut edited = self.value.clone();
        let (parent, key) = split(pointer)?;
        let old = self.value.pointer(pointer)?;
        let parent = edited.pointer_mut(parent)?;
        match edit {
            Edit::Remove => match parent {
                Value::Object(fields) => drop(fields.shift_remove(&key)),
                Value::Array(entries) => drop(entries.remove(key.parse().ok()?)),
                _ => return None,
            },
            Edit::Swap | Edit::Duplicate => {
                let entries = parent.as_array_mut()?;
                let at: usize = key.parse().ok()?;
                match edit {
                    Edit::Swap if at + 1 < entries.len() => entries.swap(at, at + 1),
                    Edit::Swap => return None,
                    _ => entries.insert(at, old.clone()),
                }
            }
            _ => {
                let new = changed(old, edit).filter(|new| !self.is_text || new.is_string())?;
                *edited.pointer_mut(pointer)? = new;
            }
        }
        (edited != self.value).then_some(edited)
    }

    /// The exchange with the damaged answer, wherever the answer stands in it.
    fn put(&self, edited: Value, exchange: &Value, suite: &ContractSuite) -> Value {
        let mut exchange = exchange.clone();
        if self.is_text {
            exchange["lines"] = edited;
            derive::read_again(&mut exchange, &suite.contract);
            return exchange;
        }
        if let Some(pointer) = &self.items {
            exchange["items"] = edited.pointer(pointer).cloned().unwrap_or_default();
        }
        let result = &mut exchange["answer"]["result"];
        if result["structuredContent"] == self.value {
            result["structuredContent"] = edited.clone();
        }
        if let Some(text) = result.pointer_mut("/content/0/text")
            && text
                .as_str()
                .is_some_and(|text| serde_json::from_str(text).is_ok_and(|value: Value| value == self.value))
        {
            *text = Value::from(edited.to_string());
        }
        exchange["answer"]["body"] = edited;
        derive::find_again(&mut exchange, &suite.contract);
        exchange
    }
}

fn changed(old: &Value, edit: Edit) -> Option<Value> {
    match (edit, old) {
        (Edit::Null, _) => Some(Value::Null),
        (Edit::OtherType, Value::String(text)) => Some(text.parse::<i64>().map_or(json!(7), Value::from)),
        (Edit::OtherType, Value::Array(_)) => Some(json!({})),
        (Edit::OtherType, Value::Object(_)) => Some(json!([])),
        (Edit::OtherType, other) => Some(Value::from(other.to_string())),
        (Edit::More, Value::String(text)) => Some(Value::from(format!("{text}x"))),
        (Edit::Less, Value::String(text)) => {
            let mut shorter = text.clone();
            shorter.pop().map(|_| Value::from(shorter))
        }
        (Edit::More | Edit::Less, Value::Number(number)) => {
            let step = if edit == Edit::More { 1 } else { -1 };
            match number.as_i64() {
                Some(whole) => Some(json!(whole.checked_add(step)?)),
                None => Some(json!(number.as_f64()? + step as f64)),
            }
        }
        (Edit::More | Edit::Less, Value::Bool(flag)) => (*flag == (edit == Edit::Less)).then(|| json!(!flag)),
        (Edit::Stranger, Value::Object(fields)) => {
            let mut fields: Map<String, Value> = fields.clone();
            fields.insert("stranger".to_owned(), json!(true));
            Some(Value::Object(fields))
        }
        (Edit::Stranger, Value::Array(entries)) => {
            let mut entries = entries.clone();
            entries.push(json!("stranger"));
            Some(Value::Array(entries))
        }
        _ => None,
    }
}

/// All values below one, with their pointers and the kind of their place.
fn walk(value: &Value, pointer: String, field: String, is_text: bool, fields: &mut Vec<(String, String)>) {
    match value {
        Value::Object(all) => {
            for (key, below) in all {
                let key = escaped(key);
                fields.push((format!("{pointer}/{key}"), format!("{field}/{key}")));
                walk(below, format!("{pointer}/{key}"), format!("{field}/{key}"), is_text, fields);
            }
        }
        Value::Array(all) => {
            for (at, below) in all.iter().enumerate() {
                let kind = if is_text { kind_of_line(below) } else { "*".to_owned() };
                fields.push((format!("{pointer}/{at}"), format!("{field}/{kind}")));
                walk(below, format!("{pointer}/{at}"), format!("{field}/{kind}"), is_text, fields);
            }
        }
        _ => {}
    }
}

/// What kind of line it is, by its first word, when that is a mark and no prose.
fn kind_of_line(line: &Value) -> String {
    let line = line.as_str().unwrap_or_default();
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_mark = !first.is_empty() && first.len() <= 5 && first.chars().all(|c| c.is_ascii_uppercase() || c == '-');
    match (is_mark, first.chars().next()) {
        (true, _) => format!("line {first}"),
        (false, Some(mark)) if !mark.is_alphanumeric() => format!("line {mark}"),
        (false, Some(_)) => "line of text".to_owned(),
        (false, None) => "empty line".to_owned(),
    }
}

/// Where a value stands in another one.
fn pointer_to(whole: &Value, part: &Value, pointer: &str) -> Option<String> {
    if whole == part {
        return Some(pointer.to_owned());
    }
    let fields = whole.as_object()?;
    fields.iter().find_map(|(key, below)| pointer_to(below, part, &format!("{pointer}/{key}")))
}
