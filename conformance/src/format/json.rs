//! A text that should be one JSON value, read so that keys that occur twice are noticed.

use super::Parsed;
use super::grammar::problem;
pub(crate) use crate::model::size::MOST_VALUES;
use crate::model::size::Part;
use crate::model::{Failure, Problem};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};
use std::fmt;

/// The code of the problem that there are more values than are read.
const TOO_MANY: &str = "too-many-values";
/// The code of the problem that values nest deeper than is read.
const TOO_DEEP: &str = "too-deep";
/// So deep values nest at most that are read: as serde_json has it, which reads them by recursion.
const MOST_DEEP: usize = 127;
/// At most so many keys that occur twice are told.
const MOST_TOLD: usize = 100;

/// Reads JSON; the problem says where it stops being JSON.
pub(super) fn parse(lines: &[&str]) -> Parsed {
    let (value, problems) = read_noticing_duplicates(&lines.join("\n"));
    Parsed { value, problems }
}

/// Why a text was not read to its end that may be JSON: that is our limit, and no fault of the text.
pub(crate) fn unread(problems: &[Problem]) -> Option<Failure> {
    problems.iter().find_map(|problem| match problem.code.as_str() {
        TOO_MANY => Some(Failure::TooMany(MOST_VALUES)),
        TOO_DEEP => Some(Failure::TooDeep(MOST_DEEP)),
        _ => None,
    })
}

/// A JSON value, `null` where the text is none; `json`, `too-many-values`, `too-deep` and `duplicate-key` problems.
pub(crate) fn read_noticing_duplicates(text: &str) -> (Value, Vec<Problem>) {
    let (mut duplicates, mut room) = (Vec::new(), Room { values: MOST_VALUES, ..Room::default() });
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Noticing { duplicates: &mut duplicates, room: &mut room }.deserialize(&mut deserializer);
    let read = read.and_then(|value| deserializer.end().map(|()| value));
    let mut problems: Vec<Problem> = duplicates
        .into_iter()
        .map(|key| problem("duplicate-key", 1, 1, format!("the key {key:?} occurs twice in one object")))
        .collect();
    match read {
        Ok(value) => (value, problems),
        Err(_) if room.is_exceeded => {
            problems.push(problem(TOO_MANY, 1, 1, format!("holds more than {MOST_VALUES} values")));
            (Value::Null, problems)
        }
        // It has no other word for that.
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => {
            problems.push(problem(TOO_DEEP, error.line(), error.column(), format!("nests deeper than {MOST_DEEP}")));
            (Value::Null, problems)
        }
        Err(error) => {
            problems.push(problem("json", error.line(), error.column(), format!("is not JSON: {error}")));
            (Value::Null, problems)
        }
    }
}

/// The same, of a writer whose texts may end in half of a surrogate pair, which JSON's grammar allows: it is read as
/// U+FFFD.
pub(crate) fn read_mending_surrogates(text: &str) -> (Value, Vec<Problem>) {
    let read = read_noticing_duplicates(text);
    match read.1.iter().any(|problem| problem.code == "json") && text.contains("\\u") {
        true => read_noticing_duplicates(&mended(text)),
        false => read,
    }
}

fn mended(text: &str) -> String {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let (mut mended, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let (length, is_half) = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, false),
            (Some(0xd800..=0xdfff), _) => (6, true),
            // The escape and what it escapes.
            _ => (1 + rest[1..].chars().next().map_or(0, char::len_utf8), false),
        };
        mended.push_str(if is_half { "\\ufffd" } else { &rest[..length] });
        rest = &rest[length..];
    }
    mended + rest
}

/// A copy with room for what it holds and no more: a clone of an object has room for as many members as its index.
pub(crate) fn copied(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(copied).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), copied(value))).collect())
        }
        plain => plain.clone(),
    }
}

/// How much more may be read.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    pub(crate) values: usize,
    /// Bytes of memory.
    pub(crate) bytes: usize,
    /// Whether something needed more.
    pub(crate) is_exceeded: bool,
}

impl Default for Room {
    /// As much as there is.
    fn default() -> Self {
        Self { values: usize::MAX, bytes: usize::MAX, is_exceeded: false }
    }
}

impl Room {
    fn take<E: Error>(&mut self, part: Part) -> Result<(), E> {
        let values = self.values.checked_sub(usize::from(matches!(part, Part::Value)));
        match values.zip(self.bytes.checked_sub(part.bytes())) {
            Some(left) => {
                (self.values, self.bytes) = left;
                Ok(())
            }
            None => {
                self.is_exceeded = true;
                Err(E::custom("too many values"))
            }
        }
    }
}

/// Reads a value that finds room, and takes its room off.
pub(crate) struct Within<'r>(pub(crate) &'r mut Room);

impl<'d> DeserializeSeed<'d> for Within<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'d>>(self, from: D) -> Result<Value, D::Error> {
        Noticing { duplicates: &mut Vec::new(), room: self.0 }.deserialize(from)
    }
}

/// Builds a value and notes the keys that occur twice in one object.
struct Noticing<'n> {
    duplicates: &'n mut Vec<String>,
    room: &'n mut Room,
}

impl Noticing<'_> {
    /// The same for a value inside of this one.
    fn inside(&mut self) -> Noticing<'_> {
        Noticing { duplicates: self.duplicates, room: self.room }
    }
}

impl<'d> DeserializeSeed<'d> for Noticing<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'d>>(self, from: D) -> Result<Value, D::Error> {
        self.room.take(Part::Value)?;
        from.deserialize_any(self)
    }
}

impl<'d> Visitor<'d> for Noticing<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.room.take(Part::Text(value.len()))?;
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'d>>(mut self, mut from: A) -> Result<Value, A::Error> {
        self.room.take(Part::List)?;
        let mut values = Vec::new();
        while let Some(value) = from.next_element_seed(self.inside())? {
            values.push(value);
        }
        values.shrink_to_fit();
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'d>>(mut self, mut from: A) -> Result<Value, A::Error> {
        self.room.take(Part::Object)?;
        let mut fields = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            self.room.take(Part::Member(key.len()))?;
            let value = from.next_value_seed(self.inside())?;
            match fields.entry(key) {
                Entry::Vacant(field) => {
                    field.insert(value);
                }
                Entry::Occupied(mut field) => {
                    if self.duplicates.len() < MOST_TOLD {
                        self.duplicates.push(field.key().clone());
                    }
                    field.insert(value);
                }
            }
        }
        // An object that grew has room for more members, which takes more memory than they do.
        Ok(Value::Object(fields.into_iter().collect()))
    }
}
