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
    VALUE
        + match value {
            Value::String(text) => text.capacity() + ALLOCATION,
            Value::Array(values) => {
                ALLOCATION + (values.capacity() - values.len()) * VALUE + values.iter().map(of).sum::<usize>()
            }
            Value::Object(members) => {
                let room = members.len() * (MEMBER - VALUE) + 4 * ALLOCATION;
                room + members.iter().map(|(name, value)| name.len() + of(value)).sum::<usize>()
            }
            _ => 0,
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
