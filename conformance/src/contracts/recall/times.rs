//! Which frames were found, and in which order, by their times. The corpus fixes times; ids are the server's own.
//!
//! An item whose time cannot be read is passed over: the requirement on `timestamp` reports it.

use super::frame::{Frame, earlier, same_time, seconds};
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief};
use chrono::{DateTime, FixedOffset};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Times, or objects with a `timestamp`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct All {
    all: Vec<Value>,
}

/// The same for the whole of what may be found.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Of {
    of: Vec<Value>,
}

/// The times that may be found, by the argument that asks for them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfEach {
    times: BTreeMap<String, Vec<Value>>,
}

/// A time that was found, with its place.
struct Found<'p> {
    time: f64,
    at: &'p str,
}

fn found<'p>(items: &'p [Located<'_>]) -> Vec<Found<'p>> {
    items.iter().filter_map(|item| Some(Found { time: Frame(item.value).time()?, at: &item.pointer })).collect()
}

fn times(listed: &[Value]) -> Vec<f64> {
    listed.iter().filter_map(|one| seconds(one).or_else(|| Frame(one).time())).collect()
}

/// Whether there are items, and no time of theirs can be read.
fn unreadable(items: &[Located<'_>], found: &[Found<'_>]) -> Option<Ruling> {
    (found.is_empty() && !items.is_empty()).then(|| Ruling::skip("no time can be read"))
}

/// Each listed frame is found.
pub(super) fn include(args: &All, input: &Input<'_, '_>) -> Ruling {
    let (items, due) = (input.all("value"), times(&args.all));
    let found = found(items);
    if let Some(ruling) = unreadable(items, &found) {
        return ruling;
    }
    let missing = due.iter().filter(|due| !found.iter().any(|one| same_time(one.time, **due)));
    let details = missing.map(|due| is_missing(*due, items));
    Ruling::of(due.len(), details.collect())
}

/// The frames that are found are the listed ones, each as often as it is listed, in any order.
pub(super) fn are(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let items = input.all("value");
    let (found, mut due) = (found(items), times(&args.of));
    if let Some(ruling) = unreadable(items, &found) {
        return ruling;
    }
    let (count, mut details) = (due.len(), Vec::new());
    for one in &found {
        match due.iter().position(|due| same_time(one.time, *due)) {
            Some(at) => drop(due.swap_remove(at)),
            None => details.push(must_not_be_found(one)),
        }
    }
    details.extend(due.into_iter().map(|due| is_missing(due, items)));
    Ruling::of(count, details)
}

/// The frames that are found are the listed ones, in this order.
pub(super) fn in_order(args: &Of, input: &Input<'_, '_>) -> Ruling {
    let (items, due) = (input.all("value"), times(&args.of));
    let found = found(items);
    if let Some(ruling) = unreadable(items, &found) {
        return ruling;
    }
    if found.len() == due.len() && found.iter().zip(&due).all(|(one, due)| same_time(one.time, *due)) {
        return Ruling::pass(due.len());
    }
    let received: Value = found.iter().map(|one| one.time).collect();
    let place = items.first().map_or("", |item| &item.pointer);
    Ruling::fail(Detail::new("the frames or their order differ").at(place).compare(due.into(), received))
}

/// Only listed frames are found.
pub(super) fn only(args: &Of, input: &Input<'_, '_>) -> Ruling {
    only_of(&times(&args.of), &found(input.all("value")))
}

/// Only frames that are listed for the argument `of` are found.
pub(super) fn only_for(args: &OfEach, input: &Input<'_, '_>) -> Ruling {
    let asked = input.one("of").and_then(|node| node.value.as_str());
    match asked.and_then(|asked| args.times.get(asked)) {
        Some(listed) => only_of(&times(listed), &found(input.all("value"))),
        None => Ruling::skip("nothing is listed for this argument"),
    }
}

fn only_of(allowed: &[f64], found: &[Found<'_>]) -> Ruling {
    if found.is_empty() {
        return Ruling::skip("no frames to compare");
    }
    let others = found.iter().filter(|one| !allowed.iter().any(|allowed| same_time(one.time, *allowed)));
    Ruling::of(found.len(), others.map(must_not_be_found).collect())
}

/// None of the listed frames is found.
pub(super) fn lack(args: &All, input: &Input<'_, '_>) -> Ruling {
    let (found, unwanted) = (found(input.all("value")), times(&args.all));
    if found.is_empty() {
        return Ruling::skip("no frames to compare");
    }
    let there = found.iter().filter(|one| unwanted.iter().any(|unwanted| same_time(one.time, *unwanted)));
    Ruling::of(found.len(), there.map(must_not_be_found).collect())
}

/// The same where the listed frames are known to be there, because another window finds them.
pub(super) fn lack_although_there(args: &All, input: &Input<'_, '_>) -> Ruling {
    let elsewhere = found(input.all("elsewhere"));
    match times(&args.all).iter().all(|one| elsewhere.iter().any(|found| same_time(found.time, *one))) {
        true => lack(args, input),
        false => Ruling::skip("no window finds these frames"),
    }
}

/// Without an end of the window, no frame is newer than the call. The clock of the server may be wrong by a day, unless its answer has
/// a date: then a proxy and a database may differ from it by some minutes.
pub(super) fn until_now(input: &Input<'_, '_>) -> Ruling {
    const CLOCKS_DIFFER: f64 = 86_400.0;
    const DATES_DIFFER: f64 = 600.0;
    let moment = |name: &str, read: fn(&str) -> chrono::ParseResult<DateTime<FixedOffset>>| {
        let moment = input.one(name).and_then(|node| read(node.value.as_str()?).ok());
        moment.map(|moment| moment.timestamp() as f64)
    };
    let sent = moment("sent", DateTime::parse_from_rfc3339).filter(|_| input.all("end").is_empty());
    let Some(sent) = sent else {
        return Ruling::skip("the window has an end of its own");
    };
    let latest = sent + CLOCKS_DIFFER;
    let latest = moment("date", DateTime::parse_from_rfc2822).map_or(latest, |date| latest.min(date + DATES_DIFFER));
    let found = found(input.all("value"));
    if found.is_empty() {
        return Ruling::skip("no frames to compare");
    }
    let future = found.iter().filter(|one| one.time > latest);
    let details = future.map(|one| Detail::new(format!("{} is later than now", one.time)).at(one.at));
    Ruling::of(found.len(), details.collect())
}

/// No frame is newer than the one before it.
pub(super) fn newest_first(input: &Input<'_, '_>) -> Ruling {
    let found = found(input.all("value"));
    if found.len() < 2 {
        return Ruling::skip("fewer than two frames to compare");
    }
    let rises = found.windows(2).filter(|pair| earlier(pair[0].time, pair[1].time));
    let details =
        rises.map(|pair| Detail::new(format!("{} comes after {}", pair[1].time, pair[0].time)).at(pair[1].at));
    Ruling::of(found.len() - 1, details.collect())
}

/// The same where nothing is searched for: a missing `q`, or an empty one.
pub(super) fn browsed_newest_first(input: &Input<'_, '_>) -> Ruling {
    match input.one("q").is_none_or(|q| q.value == "") {
        true => newest_first(input),
        false => Ruling::skip("a query has its own order"),
    }
}

/// No frame is older than the start of the window.
pub(super) fn not_before(input: &Input<'_, '_>) -> Ruling {
    outside(input, "start", earlier, "is older than")
}

/// No frame is newer than the end of the window.
pub(super) fn not_after(input: &Input<'_, '_>) -> Ruling {
    outside(input, "end", |time, end| earlier(end, time), "is newer than")
}

/// A window that ends before it starts, or whose bound is no moment, limits nothing in this sense.
fn outside(input: &Input<'_, '_>, bound: &str, is_outside: fn(f64, f64) -> bool, wrong: &str) -> Ruling {
    let moment = |name: &str| input.one(name).and_then(|node| seconds(node.value));
    let Some(limit) = moment(bound) else {
        return Ruling::skip("no bound is given");
    };
    if moment("start").zip(moment("end")).is_some_and(|(start, end)| start > end) {
        return Ruling::skip("the window ends before it starts");
    }
    let found = found(input.all("value"));
    if found.is_empty() {
        return Ruling::skip("no frames to compare");
    }
    let outside = found.iter().filter(|one| is_outside(one.time, limit));
    let details = outside.map(|one| Detail::new(format!("{} {wrong} {limit}", one.time)).at(one.at));
    Ruling::of(found.len(), details.collect())
}

/// Two searches find the same frames in the same order of times.
pub(super) fn same(input: &Input<'_, '_>) -> Ruling {
    let (left, right) = (found(input.all("left")), found(input.all("right")));
    if left.is_empty() && right.is_empty() {
        return Ruling::skip("no frames to compare");
    }
    if let Some((before, now)) = left.iter().zip(&right).find(|(left, right)| !same_time(left.time, right.time)) {
        let detail = Detail::new(format!("differs from {}", before.at)).at(now.at);
        return Ruling::fail(detail.compare(before.time.into(), now.time.into()));
    }
    match left.len() == right.len() {
        true => Ruling::pass(left.len()),
        false => Ruling::fail(
            Detail::new("one search finds more frames")
                .at(right.first().or(left.first()).map_or("", |one| one.at))
                .compare(left.len().into(), right.len().into()),
        ),
    }
}

fn is_missing(due: f64, items: &[Located<'_>]) -> Detail {
    let detail = Detail { expected: Some(due.into()), ..Detail::new(format!("the frame of {due} is missing")) };
    items.first().map_or(detail.clone(), |item| detail.at(&item.pointer))
}

fn must_not_be_found(one: &Found<'_>) -> Detail {
    Detail::new(format!("the frame of {} must not be found", brief(&one.time.into()))).at(one.at)
}
