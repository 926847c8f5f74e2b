//! How many there are, where what they are is free.

use super::{Input, Outcome};
use crate::model::Detail;
use crate::path::Located;
use serde_json::Value;

/// Two selections hold as many values.
pub(super) fn as_many(input: &Input<'_, '_>) -> Outcome {
    let (left, right) = (input.all("left"), input.all("right"));
    if left.is_empty() && right.is_empty() {
        return Outcome::skip("nothing to count");
    }
    same_length(left, right)
}

/// Two lists are as long.
pub(super) fn same_length(left: &[Located<'_>], right: &[Located<'_>]) -> Outcome {
    match left.len() == right.len() {
        true => Outcome::pass(left.len()),
        false => Outcome::fail(
            Detail::new("not as many values")
                .at(right.first().or(left.first()).map_or("", |node| &node.pointer))
                .compare(left.len().into(), right.len().into()),
        ),
    }
}

/// Each call on the right is refused, or brings lists as long as those of the call on the left.
pub(super) fn as_many_or_refused(input: &Input<'_, '_>) -> Outcome {
    let Some(left) = input.one("left").filter(|left| left.value["status"] == "accepted") else {
        return Outcome::incomplete(Detail::new("the call to compare with was not accepted"));
    };
    let (mut exercised, mut details) = (0, Vec::new());
    for right in input.all("right") {
        match right.value["status"].as_str() {
            Some("accepted") => {}
            Some("refused") => {
                exercised += 1;
                continue;
            }
            _ => {
                details.push(Detail::new("the call failed, neither answered nor refused").at(&right.pointer));
                continue;
            }
        }
        for pointer in input.list("at").iter().filter_map(Value::as_str) {
            let length = |exchange: &Value| exchange.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len);
            let (due, came) = (length(left.value), length(right.value));
            // Where there is nothing, one number cannot be told from another.
            exercised += usize::from(due + came > 0);
            if due != came {
                let detail = Detail::new(format!("not as many as {}{pointer} has", left.pointer));
                details.push(detail.at(format!("{}{pointer}", right.pointer)).compare(due.into(), came.into()));
            }
        }
    }
    match exercised + details.len() {
        0 => Outcome::skip("nothing to count"),
        _ => Outcome::of(exercised, details),
    }
}
