//! One line of a log: what it is, and its evidence, which is read into no more memory than a case may take.

use crate::format::json::{Room, Within};
use crate::model::{CaseLine, Channel, ContractKey, Entry, Lines as Shelved, Stretch, Totals};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::io::{self, BufReader};

/// A line of a log whose evidence is not read yet.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Line {
    Case(CaseLine),
    Exchange(Reference),
    Finding(Box<Entry>),
    Totals(Totals),
}

/// One exchange of a case, without its evidence.
#[derive(Deserialize)]
pub(super) struct Reference {
    pub(super) contract: ContractKey,
    #[serde(flatten)]
    pub(super) transport: Channel,
    pub(super) case: String,
    pub(super) step: usize,
    pub(super) index: usize,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) evidence: Option<IgnoredAny>,
}

/// What was said of a case then.
pub(super) fn entry(lines: &Shelved, at: Stretch) -> io::Result<Entry> {
    match serde_json::from_reader(BufReader::new(lines.open(at)))? {
        Line::Finding(entry) => Ok(*entry),
        _ => Err(io::Error::other("another line is in its place")),
    }
}

/// The step and the evidence of the exchange that lies at a place of a log; it finds room.
pub(super) fn exchange(lines: &Shelved, at: Stretch, room: &mut Room) -> io::Result<(usize, Value)> {
    let mut from = serde_json::Deserializer::from_reader(BufReader::new(lines.open(at)));
    Ok(Exchange(room).deserialize(&mut from)?)
}

/// Reads a line of an exchange, and what it is the value of.
struct Exchange<'r>(&'r mut Room);

impl<'d> DeserializeSeed<'d> for Exchange<'_> {
    type Value = (usize, Value);

    fn deserialize<D: Deserializer<'d>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'d> Visitor<'d> for Exchange<'_> {
    type Value = (usize, Value);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an exchange")
    }

    fn visit_map<A: MapAccess<'d>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let (mut step, mut evidence) = (0, Value::Null);
        while let Some(key) = from.next_key::<String>()? {
            match key.as_str() {
                "exchange" => (step, evidence) = from.next_value_seed(Exchange(self.0))?,
                "step" => step = from.next_value()?,
                "evidence" => evidence = from.next_value_seed(Within(self.0))?,
                _ => _ = from.next_value::<IgnoredAny>()?,
            }
        }
        Ok((step, evidence))
    }
}
