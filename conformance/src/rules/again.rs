//! An item that is shown again shows the same time.

use super::moment::{Moment, moment, moments};
use super::times::{share, texts};
use super::{Input, Ruling, brief};
use crate::model::Detail;
use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;

/// What tells an item from others, and which of its members is its time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Again {
    /// The names that an id may have. Without an id, the longest text tells items apart.
    #[serde(default)]
    ids: Vec<String>,
    /// Any member when it is left out.
    member: Option<String>,
}

/// Where an object tells the text and the time of an item.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    text: String,
    time: String,
}

/// One item, as one answer shows it.
struct Shown<'v, 'e> {
    node: &'v Located<'e>,
    id: Option<&'e Value>,
    text: &'e str,
    times: Vec<Moment>,
    /// Whether it is told of beside the items.
    is_told: bool,
}

impl Shown<'_, '_> {
    fn is_same_item(&self, other: &Self) -> bool {
        self.id == other.id && self.text == other.text
    }
}

/// An item that several answers show has the same time in each.
pub(super) fn same_time_again(args: &Again, input: &Input<'_, '_>) -> Ruling {
    let items = input.all("value").iter().filter_map(|node| {
        let id = args.ids.iter().find_map(|name| node.value.get(name)).filter(|id| id.is_string() || id.is_number());
        let times = match &args.member {
            Some(member) => node.value.get(member).and_then(moment).into_iter().collect(),
            None => moments(node.value),
        };
        Some(Shown { node, id, text: longest(node.value)?, times, is_told: false })
    });
    judge(&items.collect::<Vec<_>>())
}

/// An item has the time that is told beside it, in whichever answer.
pub(super) fn same_time_as_told(args: &Told, input: &Input<'_, '_>) -> Ruling {
    let told = input.all("told").iter().filter_map(|node| {
        let text = node.value.get(&args.text)?.as_str()?.trim();
        let times = node.value.get(&args.time).and_then(moment).into_iter().collect();
        Some(Shown { node, id: None, text, times, is_told: true })
    });
    let told: Vec<_> = told.collect();
    let items = input.all("value").iter().filter_map(|node| {
        let text = longest(node.value).filter(|text| told.iter().any(|told| told.text == *text))?;
        Some(Shown { node, id: None, text, times: moments(node.value), is_told: false })
    });
    let items: Vec<_> = items.collect();
    judge(&told.into_iter().chain(items).collect::<Vec<_>>())
}

/// The text that is told is whole: no item of the same time has a text that only begins as it does.
pub(super) fn told_whole(args: &Told, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for told in input.all("told") {
        let Some(time) = told.value.get(&args.time).and_then(moment) else { continue };
        let Some(text) = told.value.get(&args.text).and_then(Value::as_str) else { continue };
        let start = text.trim().trim_end_matches(['.', '\u{2026}']);
        for item in input.all("value").iter().filter(|item| share(&moments(item.value), &[time])) {
            let Some(whole) = longest(item.value).filter(|whole| whole.starts_with(start) && !start.is_empty()) else {
                continue;
            };
            exercised += 1;
            if whole.trim_end_matches(['.', '\u{2026}']) != start {
                let detail = Detail::new(format!("the text is cut: it is whole at {}", item.pointer)).at(&told.pointer);
                details.push(detail.compare(whole.into(), text.into()));
            }
        }
    }
    match exercised {
        0 => Ruling::skip("no item of this time and text is shown"),
        _ => Ruling::of(exercised, details),
    }
}

fn longest(value: &Value) -> Option<&str> {
    texts(value).into_iter().max_by_key(|text| text.len())
}

/// Without ids, two items may have the same text. Where an answer shows both, nothing is said of them. Where each answer shows one,
/// a single item that seems to change its time may be two, and several cannot all be.
fn judge(shown: &[Shown<'_, '_>]) -> Ruling {
    let shown: Vec<_> = shown.iter().filter(|one| !one.times.is_empty()).collect();
    let differ = |one: &Shown<'_, '_>, other: &Shown<'_, '_>| !share(&one.times, &other.times);
    let (mut exercised, mut is_sure, mut details) = (0, false, Vec::new());
    for (at, first) in shown.iter().enumerate() {
        let is_known = shown[..at].iter().any(|earlier| earlier.is_same_item(first));
        let same: Vec<_> = shown[at..].iter().filter(|other| other.is_same_item(first)).collect();
        let are_two = |one: &Shown<'_, '_>, other: &Shown<'_, '_>| {
            !one.is_told && !other.is_told && one.node.is_beside(other.node) && differ(one, other)
        };
        if is_known || same.iter().any(|one| same.iter().any(|other| are_two(one, other))) {
            continue;
        }
        exercised += same.len() - 1;
        if let Some(other) = same.iter().find(|other| differ(first, other)) {
            is_sure |= first.id.is_some() || first.is_told || other.is_told;
            let detail =
                Detail::new(format!("{} has another time at {}", brief(&first.text.into()), first.node.pointer));
            details.push(detail.at(&other.node.pointer).compare(first.node.value.clone(), other.node.value.clone()));
        }
    }
    match (exercised, is_sure || details.len() > 1) {
        (0, _) => Ruling::skip("no item is shown twice"),
        (_, false) => Ruling::pass(exercised),
        (_, true) => Ruling::of(exercised, details),
    }
}
