//! Relations of times, compared as instants, in whatever form and zone they are shown. What is not a time is not compared.
//!
//! A value is a time, or an object with times among its members. Where an object has several (created, changed), a relation
//! holds when it holds for one of them.

use super::compare::unexpected;
use super::general::All;
use super::moment::{Moment, moment, moments};
use super::values::Of;
use super::{Input, Ruling, brief};
use crate::model::Detail;
use crate::path::Located;
use chrono::DateTime;
use serde::Deserialize;
use serde_json::Value;

/// Where the time is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// The member of each object; any member when it is left out.
    member: Option<String>,
    /// Values that may stand in place of a time.
    #[serde(default)]
    or: Vec<Value>,
}

/// Each object has a time.
pub(super) fn dated(args: &Place, input: &Input<'_, '_>) -> Ruling {
    let values = input.all("value");
    if values.is_empty() {
        return Ruling::skip("nothing that could have a time");
    }
    let has_time = |value: &Value| match &args.member {
        Some(name) => value.get(name).is_some_and(|value| moment(value).is_some() || args.or.contains(value)),
        None => !moments(value).is_empty(),
    };
    let without = values.iter().filter(|node| !has_time(node.value));
    let details = without.map(|node| {
        let shown = args.member.as_ref().map_or(Some(node.value), |name| node.value.get(name));
        match shown {
            Some(shown) => Detail::new(format!("{} is no date with a time of day", brief(shown))).at(&node.pointer),
            None => Detail::new("the time is missing").at(&node.pointer),
        }
    });
    Ruling::of(values.len(), details.collect())
}

/// Where a value shows times, one of them is an RFC 3339 time with a zone.
pub(super) fn rfc_3339(input: &Input<'_, '_>) -> Ruling {
    let times = timed(input.all("value"));
    if times.is_empty() {
        return Ruling::skip("no times to look at");
    }
    let others = times.iter().filter(|(node, _)| !has_rfc_3339(node.value));
    let details = others.map(|(node, _)| {
        Detail::new(format!("{} has another form than RFC 3339 with a zone", brief(node.value))).at(&node.pointer)
    });
    Ruling::of(times.len(), details.collect())
}

/// Whether it is such a time, or holds one.
fn has_rfc_3339(value: &Value) -> bool {
    match value {
        Value::String(text) => DateTime::parse_from_rfc3339(text).is_ok(),
        Value::Object(members) => members.values().any(has_rfc_3339),
        _ => false,
    }
}

/// Each time is one of the listed ones.
pub(super) fn only_times(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let times = timed(input.all("value"));
    if times.is_empty() {
        return Ruling::skip("no times to compare");
    }
    let allowed: Vec<Moment> = args.of.iter().flat_map(moments).collect();
    let others = times.iter().filter(|(_, times)| !share(times, &allowed));
    let details = others.map(|(node, _)| unexpected(node));
    Ruling::of(times.len(), details.collect())
}

/// Each listed time is there.
pub(super) fn includes_times(args: &All, input: &Input<'_, '_>) -> Ruling {
    let (values, wanted) = (input.all("value"), &args.all);
    let times = timed(values);
    if times.is_empty() && !values.is_empty() {
        return Ruling::skip("no times to compare");
    }
    let is_there = |wanted: &Value| times.iter().any(|(_, times)| share(times, &moments(wanted)));
    let missing = wanted.iter().filter(|wanted| !is_there(wanted));
    let details = missing.map(|wanted| {
        let detail = Detail { expected: Some(wanted.clone()), ..Detail::new("is missing") };
        values.first().map_or(detail.clone(), |first| detail.at(&first.pointer))
    });
    Ruling::of(wanted.len(), details.collect())
}

/// No time is newer than the bound.
pub(super) fn not_newer(input: &Input<'_, '_>) -> Ruling {
    let Some((bound, newest)) = input.one("bound").and_then(|node| Some((node, moment(node.value)?))) else {
        return Ruling::skip("no time is given as the bound");
    };
    let times = timed(input.all("value"));
    if times.is_empty() {
        return Ruling::skip("no times to compare");
    }
    let newer = times.iter().filter(|(_, times)| times.iter().all(|time| time.is_newer(newest)));
    let details = newer.map(|(node, _)| {
        Detail::new(format!("{} is newer than {}", brief(node.value), brief(bound.value))).at(&node.pointer)
    });
    Ruling::of(times.len(), details.collect())
}

/// Two selections hold the same times, in whatever order; what is not a time is the same when it is the same value.
pub(super) fn same_times(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (input.all("left"), input.all("right"));
    if left.is_empty() && right.is_empty() {
        return Ruling::skip("nothing to compare");
    }
    let is_same = |left: &Value, right: &Value| share(&moments(left), &moments(right));
    let mut unmatched: Vec<&Located<'_>> = left.iter().collect();
    // A time without a fraction is the same as several with one, so what is equal is matched first.
    let mut matches = |node: &&Located<'_>, is_match: &dyn Fn(&Value, &Value) -> bool| {
        let found = unmatched.iter().position(|other| is_match(other.value, node.value));
        found.map(|at| unmatched.swap_remove(at)).is_some()
    };
    let mut alone: Vec<&Located<'_>> = right.iter().collect();
    alone.retain(|node| !matches(node, &|left, right| left == right));
    alone.retain(|node| !matches(node, &is_same));
    alone.extend(unmatched);
    let details = alone
        .into_iter()
        .map(|node| Detail::new(format!("{} is here alone", brief(node.value))).at(&node.pointer))
        .collect();
    Ruling::of(left.len().max(right.len()), details)
}

/// No object shows, in any member, one of the listed times or texts.
pub(super) fn shows_none_of(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let values = input.all("value");
    if values.is_empty() {
        return Ruling::skip("nothing to look into");
    }
    let foreign: Vec<Moment> = args.of.iter().flat_map(moments).collect();
    let texts: Vec<&str> = args.of.iter().filter(|one| moment(one).is_none()).filter_map(Value::as_str).collect();
    let is_listed = |value: &Value| value.as_str().is_some_and(|text| texts.contains(&text.trim()));
    let shows = |value: &Value| {
        share(&moments(value), &foreign) || value.as_object().is_some_and(|members| members.values().any(is_listed))
    };
    let strangers = values.iter().filter(|node| shows(node.value));
    let details = strangers.map(unexpected);
    Ruling::of(values.len(), details.collect())
}

/// Each object that shows a text of several words shares one with the listed objects, or a time.
pub(super) fn known_items(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let times: Vec<Moment> = args.of.iter().flat_map(moments).collect();
    let known: Vec<&str> = args.of.iter().flat_map(texts).collect();
    let shown: Vec<_> = input.all("value").iter().filter(|node| !texts(node.value).is_empty()).collect();
    if shown.is_empty() {
        return Ruling::skip("nothing with a text to compare");
    }
    // A target may shorten a text, or show it within another.
    let shares = |text: &&str| known.iter().any(|known| known.contains(*text) || text.contains(known));
    let is_known = |value: &Value| share(&moments(value), &times) || texts(value).iter().any(shares);
    let strangers = shown.iter().filter(|node| !is_known(node.value));
    let details = strangers.map(|node| unexpected(node));
    Ruling::of(shown.len(), details.collect())
}

/// An object that shows a text of a listed one does not show the time of another, unless it shows the time of its own too. A target
/// may set times itself. Where it shows the time of its own on some objects, it does on all, to the minute.
pub(super) fn own_times(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut are_kept, mut details, mut others_shown) = (0, false, Vec::new(), Vec::new());
    for node in input.all("value") {
        let shown = texts(node.value);
        let is_own = |listed: &&Value| texts(listed).iter().any(|text| shown.contains(text));
        let (own, others): (Vec<&Value>, Vec<&Value>) = args.of.iter().partition(is_own);
        if own.is_empty() {
            continue;
        }
        exercised += 1;
        let times = moments(node.value);
        let has_time_of = |listed: &[&Value]| listed.iter().any(|listed| share(&times, &moments(listed)));
        let is_about = |listed: &&Value| times.iter().any(|time| moments(listed).iter().any(|own| time.is_about(*own)));
        let detail = |what: &str| Detail::new(what).at(&node.pointer).compare(own[0].clone(), node.value.clone());
        if has_time_of(&own) {
            are_kept = true;
        } else if has_time_of(&others) {
            details.push(detail("shows the time of another"));
        } else if !times.is_empty() && !own.iter().any(is_about) {
            others_shown.push(detail("shows another time than its own"));
        }
    }
    if are_kept {
        details.append(&mut others_shown);
    }
    match exercised {
        0 => Ruling::skip("nothing shows a listed text"),
        _ => Ruling::of(exercised, details),
    }
}

/// The members of an object that are texts of several words.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    let members = value.as_object().into_iter().flat_map(|members| members.values());
    let texts = members.filter(|value| moment(value).is_none()).filter_map(Value::as_str).map(str::trim);
    texts.filter(|text| text.contains(char::is_whitespace)).collect()
}

pub(super) fn share(left: &[Moment], right: &[Moment]) -> bool {
    left.iter().any(|one| right.iter().any(|other| one.is_same(*other)))
}

/// The values that show times, with their times.
fn timed<'v, 'e>(values: &'v [Located<'e>]) -> Vec<(&'v Located<'e>, Vec<Moment>)> {
    values.iter().map(|node| (node, moments(node.value))).filter(|(_, times)| !times.is_empty()).collect()
}
