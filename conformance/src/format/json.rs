//! A text that should be one JSON value, read so that keys that occur twice are noticed.

use super::Parsed;
use super::grammar::problem;
use crate::model::Problem;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reads JSON; the problem says where it stops being JSON.
pub(super) fn parse(lines: &[&str]) -> Parsed {
    let (value, problems) = read_noticing_duplicates(&lines.join("\n"));
    Parsed { value, problems }
}

/// A JSON value, `null` where the text is none; `json` and `duplicate-key` problems.
pub(crate) fn read_noticing_duplicates(text: &str) -> (Value, Vec<Problem>) {
    let mut duplicates = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Noticing(&mut duplicates).deserialize(&mut deserializer);
    let read = read.and_then(|value| deserializer.end().map(|()| value));
    let mut problems: Vec<Problem> = duplicates
        .into_iter()
        .map(|key| problem("duplicate-key", 1, 1, format!("the key {key:?} occurs twice in one object")))
        .collect();
    match read {
        Ok(value) => (value, problems),
        Err(error) => {
            problems.push(problem("json", error.line(), error.column(), format!("is no JSON: {error}")));
            (Value::Null, problems)
        }
    }
}

/// Builds a value and notes the keys that occur twice in one object.
struct Noticing<'n>(&'n mut Vec<String>);

impl<'d> DeserializeSeed<'d> for Noticing<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'d>>(self, from: D) -> Result<Value, D::Error> {
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

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'d>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = from.next_element_seed(Noticing(self.0))? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'d>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            let value = from.next_value_seed(Noticing(self.0))?;
            if fields.insert(key.clone(), value).is_some() {
                self.0.push(key);
            }
        }
        Ok(Value::Object(fields))
    }
}
