//! How much memory evidence takes. Values take many times the room of their text: an estimate that is rather too high.

use super::{RawReply, Received};
use serde_json::Value;

/// A value in a list or an object, before what it holds.
const VALUE: usize = size_of::<Value>();
/// A member of an object, with its name and its place in the index.
const MEMBER: usize = VALUE + size_of::<String>() + 4 * size_of::<usize>();
/// An allocation, beside what it holds.
const ALLOCATION: usize = 16;
/// A line of a text and what a parser makes of it.
const LINE: usize = 600;
/// An answer stands in evidence as it came, and a second time as its items.
const COPIES: usize = 2;

/// The memory that the evidence of one case may take, in bytes.
pub(crate) const MOST_OF_A_CASE: usize = 58 << 20;

/// The bytes that a value takes.
pub(crate) fn of(value: &Value) -> usize {
    let within = match value {
        Value::String(text) => Part::Text(text.capacity()).bytes(),
        Value::Array(values) => {
            let free = (values.capacity() - values.len()) * VALUE;
            Part::List.bytes() + free + values.iter().map(of).sum::<usize>()
        }
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| Part::Member(name.len()).bytes() + of(value));
            Part::Object.bytes() + members.sum::<usize>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    Part::Value.bytes() + within
}

/// A part of a value, as a reader of JSON meets it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// Any value, before what it holds.
    Value,
    /// A text of so many bytes.
    Text(usize),
    /// What makes a value a list.
    List,
    /// What makes a value an object.
    Object,
    /// A member of an object, beside its value, with a name of so many bytes.
    Member(usize),
}

impl Part {
    /// The bytes that it takes.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Value => VALUE,
            Self::Text(bytes) => bytes + ALLOCATION,
            Self::List => ALLOCATION,
            Self::Object => 4 * ALLOCATION,
            Self::Member(bytes) => bytes + MEMBER - VALUE,
        }
    }
}

/// The bytes that the exchange of a reply will take, before anything is derived from it.
pub(crate) fn of_reply(reply: &RawReply) -> usize {
    let is_text = matches!(reply.received, Received::Process { .. });
    let beside = match &reply.received {
        Received::Tool { output_schema, .. } => of(output_schema),
        _ => 0,
    };
    beside + reply.received.bodies().iter().map(|body| COPIES * of_text(&body.0, is_text)).sum::<usize>()
}

/// An answer of more values than this is not read, as they need many times the room of their text.
pub(crate) const MOST_VALUES: usize = 200_000;

fn of_text(text: &[u8], is_in_lines: bool) -> usize {
    let of_byte = |byte: &u8| match byte {
        b',' | b'[' => VALUE,
        b'{' => VALUE + 4 * ALLOCATION,
        b':' => MEMBER - VALUE + ALLOCATION,
        b'\n' if is_in_lines => LINE,
        _ => 0,
    };
    text.len() + text.iter().map(of_byte).filter(|bytes| *bytes > 0).take(MOST_VALUES).sum::<usize>()
}
