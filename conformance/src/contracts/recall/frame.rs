//! An item of a search, read in whatever form the document allows.
//!
//! The document names the fields and the unit of the time. Their JSON types are our own decision.

use serde::Deserialize;
use serde_json::Value;

/// Times that differ by less are equal: what a number loses on its way through another type.
const SAME_TIME: f64 = 0.0005;

/// So many seconds around an item's own time, paging and the bounds of a window hide nothing.
pub(super) const AROUND: f64 = 1.0;

/// An item.
#[derive(Clone, Copy)]
pub(super) struct Frame<'v>(pub(super) &'v Value);

impl<'v> Frame<'v> {
    /// A field of the item.
    pub(super) fn field(self, name: &str) -> Option<&'v Value> {
        self.0.get(name)
    }

    /// Epoch seconds, as a number or in decimal digits.
    pub(super) fn time(self) -> Option<f64> {
        seconds(self.field("timestamp")?)
    }

    /// A text that says something. An empty one says as little as null.
    pub(super) fn text(self, name: &str) -> Option<&'v str> {
        self.field(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// Whether it is known to be focused, or known not to be.
    pub(super) fn focus(self) -> Option<bool> {
        match self.field("focused")? {
            Value::Bool(focused) => Some(*focused),
            Value::Number(number) => match number.as_f64()? {
                1.0 => Some(true),
                0.0 => Some(false),
                _ => None,
            },
            Value::String(text) => match text.as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// The id as text, whatever type it has.
    pub(super) fn id(self) -> Option<String> {
        match self.field("frame_id")? {
            Value::String(id) => Some(id.clone()),
            id @ Value::Number(_) => Some(id.to_string()),
            _ => None,
        }
    }
}

/// A moment in epoch seconds, as a number or in decimal digits; nothing of words such as NaN.
pub(super) fn seconds(value: &Value) -> Option<f64> {
    let of_text = || {
        let text = value.as_str()?.trim();
        let is_plain = text.chars().all(|character| character.is_ascii_digit() || "+-.eE".contains(character));
        text.parse().ok().filter(|_| is_plain)
    };
    value.as_f64().or_else(of_text).filter(|number: &f64| number.is_finite())
}

/// Whether two moments are the same.
pub(super) fn same_time(left: f64, right: f64) -> bool {
    (left - right).abs() < SAME_TIME
}

/// Whether a moment is earlier than another.
pub(super) fn earlier(left: f64, right: f64) -> bool {
    left < right && !same_time(left, right)
}

/// Frames in the order of their times.
#[derive(Deserialize)]
#[serde(from = "Vec<Value>")]
pub(super) struct ByTime(Vec<(f64, Value)>);

impl From<Vec<Value>> for ByTime {
    fn from(frames: Vec<Value>) -> Self {
        let timed = frames.into_iter().filter_map(|frame| Some((Frame(&frame).time()?, frame)));
        let mut timed: Vec<_> = timed.collect();
        timed.sort_by(|left, right| left.0.total_cmp(&right.0));
        Self(timed)
    }
}

impl ByTime {
    /// The frames of a moment.
    pub(super) fn at(&self, time: f64) -> impl Iterator<Item = Frame<'_>> {
        let first = self.0.partition_point(|(other, _)| earlier(*other, time));
        self.0[first..].iter().take_while(move |(other, _)| same_time(*other, time)).map(|(_, frame)| Frame(frame))
    }
}
