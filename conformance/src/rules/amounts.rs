//! How many there are, where what they are is free.

use super::{Input, Ruling};
use crate::model::Detail;
use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;

/// Two selections hold as many values.
pub(super) fn as_many(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (input.all("left"), input.all("right"));
    if left.is_empty() && right.is_empty() {
        return Ruling::skip("nothing to count");
    }
    same_length(left, right)
}

/// Where there are values on the left, there are some on the right.
pub(super) fn some_too(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (input.all("left"), input.all("right"));
    match (left.first(), right.is_empty()) {
        (None, _) => Ruling::skip("nothing that should be there too"),
        (Some(left), true) => Ruling::fail(Detail::new(format!("there are values at {} and none here", left.pointer))),
        (Some(_), false) => Ruling::pass(1),
    }
}

/// How many are enough.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Enough {
    least: usize,
}

/// At least one of the lists has so many values. Where all are empty, nothing can be told.
pub(super) fn reaches(args: &Enough, input: &Input<'_, '_>) -> Ruling {
    let lists = input.all("value");
    let longest = lists.iter().filter_map(|list| list.value.as_array().map(Vec::len)).max().unwrap_or_default();
    match (lists.first(), longest) {
        (None, _) | (_, 0) => Ruling::skip("nothing to count"),
        (Some(first), longest) if longest < args.least => {
            let detail = Detail::new("no list has as many values").at(&first.pointer);
            Ruling::fail(detail.compare(args.least.into(), longest.into()))
        }
        _ => Ruling::pass(lists.len()),
    }
}

/// Of enough calls on the left, at least one brings something on the right.
pub(super) fn some_of_enough(args: &Enough, input: &Input<'_, '_>) -> Ruling {
    match (input.all("left").len(), input.all("right").len()) {
        (calls, 0) if calls >= args.least => {
            Ruling::fail(Detail::new("none of the calls brings anything").at(&input.all("left")[0].pointer))
        }
        (_, 0) => Ruling::skip("too few calls to compare"),
        (_, found) => Ruling::pass(found),
    }
}

/// Two lists are as long.
pub(super) fn same_length(left: &[Located<'_>], right: &[Located<'_>]) -> Ruling {
    match left.len() == right.len() {
        true => Ruling::pass(left.len()),
        false => Ruling::fail(
            Detail::new("not as many values")
                .at(right.first().or(left.first()).map_or("", |node| &node.pointer))
                .compare(left.len().into(), right.len().into()),
        ),
    }
}

/// Where lists stand in an exchange, as JSON Pointers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lists {
    at: Vec<String>,
}

/// Each call on the right is refused, or brings lists as long as those of the call on the left.
pub(super) fn as_many_or_refused(args: &Lists, input: &Input<'_, '_>) -> Ruling {
    let Some(left) = input.one("left").filter(|left| left.value["status"] == "accepted") else {
        return Ruling::incomplete(Detail::new("the call to compare with was not accepted"));
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
        for pointer in &args.at {
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
        0 => Ruling::skip("nothing to count"),
        _ => Ruling::of(exercised, details),
    }
}
