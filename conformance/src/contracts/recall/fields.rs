//! What single items hold.

use super::frame::{ByTime, Frame};
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A field that every item has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Have {
    field: String,
    #[serde(default)]
    holds: Holds,
}

/// What the field holds.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Holds {
    /// Whatever it is: null, where the value is unknown.
    #[default]
    Anything,
    /// Neither null nor an empty text.
    Something,
    /// A moment in epoch seconds.
    EpochSeconds,
}

/// Each item has the field.
pub(super) fn have(args: &Have, input: &Input<'_, '_>) -> Ruling {
    let items = input.all("value");
    if items.is_empty() {
        return Ruling::skip("no items");
    }
    let details = items.iter().filter_map(|item| Some(Detail::new(lacks(args, Frame(item.value))?).at(&item.pointer)));
    Ruling::of(items.len(), details.collect())
}

/// What is wrong with the field of an item.
fn lacks(args: &Have, frame: Frame<'_>) -> Option<String> {
    let name = &args.field;
    let Some(value) = frame.field(name) else {
        return Some(format!("the item has no `{name}`"));
    };
    match args.holds {
        Holds::Something if value.is_null() || value == "" => Some(format!("`{name}` is {}", brief(value))),
        Holds::EpochSeconds if frame.time().is_none() => {
            Some(format!("`{name}` is not in epoch seconds: {}", brief(value)))
        }
        _ => None,
    }
}

/// Whether focused windows are meant, or those that are not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Focused {
    is: bool,
}

/// Where this focus is asked for, no item is known to have the other one. Where every window has one, an unknown one is not the
/// wanted one either.
pub(super) fn focused(args: &Focused, input: &Input<'_, '_>) -> Ruling {
    if input.one("asked").is_none_or(|asked| asked.value != args.is) {
        return Ruling::skip("this focus is not asked for");
    }
    let items = input.all("value");
    let known: Vec<_> = items.iter().filter_map(|item| Some((item, Frame(item.value).focus()?))).collect();
    if known.is_empty() {
        return Ruling::skip("no item says its focus");
    }
    let wrong = known.iter().filter(|(_, focus)| *focus != args.is);
    let details = wrong.map(|(item, focus)| Detail::new(format!("`focused` is {focus}")).at(&item.pointer));
    Ruling::of(known.len(), details.collect())
}

/// Frames of the corpus.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    of: ByTime,
}

/// Each item carries the values of a listed frame of its time. An unknown address may be empty, and an unknown focus false.
pub(super) fn as_listed(args: &Listed, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for item in input.all("value") {
        let frame = Frame(item.value);
        let Some(time) = frame.time() else { continue };
        let Some(first) = args.of.at(time).next() else { continue };
        exercised += 1;
        if !args.of.at(time).any(|due| carries(due, frame)) {
            let shown = |frame: Frame<'_>| -> Value {
                let names = ["app_name", "window_name", "browser_url", "focused"];
                names.iter().map(|name| ((*name).to_owned(), json!(frame.field(name)))).collect()
            };
            let detail = Detail::new(format!("the item of {time} has other values than its frame")).at(&item.pointer);
            details.push(detail.compare(shown(first), shown(frame)));
        }
    }
    match exercised {
        0 => Ruling::skip("no listed frame was received"),
        _ => Ruling::of(exercised, details),
    }
}

/// Whether an item carries the values of a frame, as far as it has the fields.
fn carries(due: Frame<'_>, found: Frame<'_>) -> bool {
    let same_text = |name: &&str| found.field(name).is_none() || due.text(name) == found.text(name);
    let focus = match due.focus() {
        _ if found.field("focused").is_none() => true,
        None => found.focus() != Some(true),
        known => known == found.focus(),
    };
    focus && ["app_name", "window_name", "browser_url"].iter().all(same_text)
}

/// Frames of different ids have different addresses.
pub(super) fn own_addresses(input: &Input<'_, '_>) -> Ruling {
    let items = input.all("value");
    let named = |item: &Located<'_>| {
        let frame = Frame(item.value);
        Some((frame.text("frame_url")?.to_owned(), frame.id()?, item.pointer.clone()))
    };
    let named: Vec<_> = items.iter().filter_map(named).collect();
    if named.len() < 2 {
        return Ruling::skip("fewer than two frames to compare");
    }
    let mut seen: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let mut details = Vec::new();
    for (url, id, pointer) in &named {
        let (first, place) = *seen.entry(url).or_insert((id, pointer));
        if first != id {
            details.push(Detail::new(format!("{url} is the address at {place} too")).at(pointer));
        }
    }
    Ruling::of(named.len(), details)
}

/// Where the address of one frame is answered, those of the others are not refused. Where none is, the server has no frames
/// to show, which `frames-served` reports once. A call that failed says nothing here.
pub(super) fn answer_alike(input: &Input<'_, '_>) -> Ruling {
    let statuses = input.all("value");
    let answered = statuses.iter().filter(|status| status.value == "accepted").count();
    if answered == 0 {
        return Ruling::skip("no address of a frame is answered");
    }
    let refused = statuses.iter().filter(|status| status.value == "refused");
    let details = refused.map(|status| Detail::new("the address of this frame leads nowhere").at(&status.pointer));
    Ruling::of(statuses.len(), details.collect())
}

/// Where the answer at a frame's address is JSON that names a frame or its time, they are those of its result. `frames` are the
/// calls of the addresses.
pub(super) fn lead_home(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for call in input.all("frames").iter().filter(|call| call.value["status"] == "accepted") {
        let url = &call.value["request"]["with"]["frame_url"];
        let is_own = |item: &&Located<'_>| item.value["frame_url"] == *url;
        let own: Vec<Frame<'_>> = input.all("own").iter().filter(is_own).map(|item| Frame(item.value)).collect();
        let body = &call.value["answer"]["body"];
        let Some(home) = [body, &body["data"], &body["frame"]].into_iter().map(Frame).find(|home| home.id().is_some())
        else {
            continue;
        };
        exercised += 1;
        if !own.is_empty() && !own.iter().any(|own| is_home(*own, home)) {
            let why = format!("{} leads to the frame {}", brief(url), home.id().unwrap_or_default());
            details.push(Detail::new(why).at(format!("{}/answer/body", call.pointer)));
        }
    }
    match exercised {
        0 => Ruling::skip("no answer at an address names its frame"),
        _ => Ruling::of(exercised, details),
    }
}

/// Whether a frame has the id of a result, and its time where both are in seconds.
fn is_home(own: Frame<'_>, home: Frame<'_>) -> bool {
    let is_in_seconds = |time: &f64| (1e8..1e10).contains(time);
    let times = own.time().filter(is_in_seconds).zip(home.time().filter(is_in_seconds));
    let id = |frame: Frame<'_>| frame.id().map(|id| number_in(&id));
    id(own) == id(home) && times.is_none_or(|(own, home)| (own - home).abs() < 1.0)
}

/// What tells ids apart that are written in two ways, such as 7 and `f-7`.
fn number_in(id: &str) -> String {
    let digits: String = id.chars().filter(char::is_ascii_digit).collect();
    if digits.is_empty() { id.to_owned() } else { digits }
}

/// Where the address of a frame ends in a number, it is the id.
pub(super) fn named_by_url(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for item in input.all("value") {
        let frame = Frame(item.value);
        let (Some(url), Some(id)) = (frame.text("frame_url"), frame.id()) else { continue };
        let number: String = url.chars().rev().take_while(char::is_ascii_digit).collect();
        let number: String = number.chars().rev().collect();
        if number.is_empty() || !id.chars().all(|digit| digit.is_ascii_digit()) {
            continue;
        }
        exercised += 1;
        if number != id {
            details.push(Detail::new(format!("{url} is the address of frame {id}")).at(&item.pointer));
        }
    }
    match exercised {
        0 => Ruling::skip("no address ends in a number"),
        _ => Ruling::of(exercised, details),
    }
}

/// At least one address of a frame is answered.
pub(super) fn served(input: &Input<'_, '_>) -> Ruling {
    let statuses = input.all("value");
    match (statuses.first(), statuses.iter().any(|status| status.value == "accepted")) {
        (None, _) => Ruling::skip("no addresses of frames"),
        (_, true) => Ruling::pass(1),
        (Some(first), false) => Ruling::fail(Detail::new("no address of a frame leads anywhere").at(&first.pointer)),
    }
}
