//! Relations of times, compared as instants, whatever their offset. What is no RFC 3339 time is not compared.

use super::general::All;
use super::values::Of;
use super::{Input, Ruling, brief};
use crate::model::Detail;
use crate::path::Located;
use chrono::{DateTime, FixedOffset};
use serde_json::Value;

/// Each time is one of the listed ones.
pub(super) fn only_times(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let times = times(input.all("value"));
    if times.is_empty() {
        return Ruling::skip("no times to compare");
    }
    let allowed: Vec<_> = args.of.iter().filter_map(time).collect();
    let strangers = times.iter().filter(|(_, time)| !allowed.contains(time));
    let details =
        strangers.map(|(node, _)| Detail::new(format!("{} must not be there", brief(node.value))).at(&node.pointer));
    Ruling::of(times.len(), details.collect())
}

/// Each listed time came.
pub(super) fn includes_times(args: &All, input: &Input<'_, '_>) -> Ruling {
    let (values, wanted) = (input.all("value"), &args.all);
    let times = times(values);
    if times.is_empty() && !values.is_empty() {
        return Ruling::skip("no times to compare");
    }
    let came = |wanted: &Value| times.iter().any(|(_, came)| Some(*came) == time(wanted));
    let missing = wanted.iter().filter(|wanted| !came(wanted));
    let details = missing.map(|wanted| {
        let detail = Detail { expected: Some(wanted.clone()), ..Detail::new("did not come") };
        values.first().map_or(detail.clone(), |first| detail.at(&first.pointer))
    });
    Ruling::of(wanted.len(), details.collect())
}

/// No time is newer than the bound.
pub(super) fn not_newer(input: &Input<'_, '_>) -> Ruling {
    let Some((bound, newest)) = input.one("bound").and_then(|node| Some((node, time(node.value)?))) else {
        return Ruling::skip("no time is given as the bound");
    };
    let times = times(input.all("value"));
    if times.is_empty() {
        return Ruling::skip("no times to compare");
    }
    let newer = times.iter().filter(|(_, time)| *time > newest);
    let details = newer.map(|(node, _)| {
        Detail::new(format!("{} is newer than {}", brief(node.value), brief(bound.value))).at(&node.pointer)
    });
    Ruling::of(times.len(), details.collect())
}

/// Two selections hold the same times, in whatever order; what is no time is the same when it is the same value.
pub(super) fn same_times(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (input.all("left"), input.all("right"));
    if left.is_empty() && right.is_empty() {
        return Ruling::skip("nothing to compare");
    }
    let is_same = |left: &Value, right: &Value| match (time(left), time(right)) {
        (Some(left), Some(right)) => left == right,
        _ => left == right,
    };
    let mut unmatched: Vec<&Located<'_>> = left.iter().collect();
    let mut details = Vec::new();
    for node in right {
        match unmatched.iter().position(|other| is_same(other.value, node.value)) {
            Some(at) => _ = unmatched.swap_remove(at),
            None => {
                details.push(Detail::new(format!("{} came here alone", brief(node.value))).at(&node.pointer));
            }
        }
    }
    let alone = |node: &Located<'_>| Detail::new(format!("{} came here alone", brief(node.value))).at(&node.pointer);
    details.extend(unmatched.into_iter().map(alone));
    Ruling::of(left.len().max(right.len()), details)
}

/// The values that are times, with their places.
fn times<'v, 'e>(values: &'v [Located<'e>]) -> Vec<(&'v Located<'e>, DateTime<FixedOffset>)> {
    values.iter().filter_map(|node| Some((node, time(node.value)?))).collect()
}

fn time(value: &Value) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(value.as_str()?).ok()
}
