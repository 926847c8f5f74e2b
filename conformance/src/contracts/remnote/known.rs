//! What answers say of one Rem, beside what others say of it: its place, and whether something is below it.

use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A node with the Rem above it.
struct Nested<'e> {
    above: &'e Value,
    id: &'e str,
    pointer: String,
}

/// The nodes of a note, each with the Rem above it. Portals are passed over: they show what lives elsewhere.
fn nested<'e>(note: &Located<'e>) -> Vec<Nested<'e>> {
    let mut found = Vec::new();
    let mut ahead = vec![(note.value, "contentStructured", note.pointer.clone())];
    while let Some((above, field, pointer)) = ahead.pop() {
        for (at, node) in above[field].as_array().into_iter().flatten().enumerate() {
            let pointer = format!("{pointer}/{field}/{at}");
            if let Some(id) =
                node["remId"].as_str().filter(|_| above["remId"].is_string() && above["remType"] != "portal")
            {
                found.push(Nested { above: &above["remId"], id, pointer: pointer.clone() });
            }
            ahead.push((node, "children", pointer));
        }
    }
    found
}

/// A note that stands below another in a tree has that one as its parent, wherever it is shown by itself.
pub(super) fn parents_as_nested(input: &Input<'_, '_>) -> Ruling {
    let mut notes: BTreeMap<&str, Vec<&Located<'_>>> = BTreeMap::new();
    for note in input.all("value") {
        if let Some(id) = note.value["remId"].as_str() {
            notes.entry(id).or_default().push(note);
        }
    }
    let mut seen = BTreeSet::new();
    let (mut exercised, mut details) = (0, Vec::new());
    for Nested { above, id, pointer } in input.all("value").iter().flat_map(nested) {
        if !seen.insert((id, above.to_string())) {
            continue;
        }
        for note in notes.get(id).into_iter().flatten() {
            exercised += 1;
            let parent = &note.value["parentRemId"];
            if parent != above {
                let detail = Detail::new(format!("{} stands below another Rem at {pointer}", brief(&id.into())));
                details.push(detail.at(format!("{}/parentRemId", note.pointer)).compare(above.clone(), parent.clone()));
            }
        }
    }
    match exercised {
        0 => Ruling::skip("no node is shown by itself too"),
        _ => Ruling::of(exercised, details),
    }
}

/// No Rem is above itself, as far as the parents of those that are shown tell.
pub(super) fn not_above_itself(input: &Input<'_, '_>) -> Ruling {
    let mut parents: BTreeMap<&str, (&str, &Located<'_>)> = BTreeMap::new();
    for note in input.all("value") {
        if let (Some(id), Some(parent)) = (note.value["remId"].as_str(), note.value["parentRemId"].as_str()) {
            parents.entry(id).or_insert((parent, note));
        }
    }
    let mut done = BTreeSet::new();
    let mut details = Vec::new();
    for start in parents.keys().copied() {
        let (mut path, mut at) = (Vec::new(), start);
        while let Some((parent, note)) = parents.get(at).filter(|_| done.insert(at)) {
            path.push(at);
            if path.contains(parent) {
                let detail = Detail::new(format!("{} is above itself", brief(&(*parent).into())));
                details.push(detail.at(format!("{}/parentRemId", note.pointer)));
            }
            at = *parent;
        }
    }
    match parents.len() {
        0 => Ruling::skip("no Rem has a parent"),
        count => Ruling::of(count, details),
    }
}

/// How many Rems are enough.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Enough {
    least: usize,
}

/// Of enough Rems that are called a parent by others with a title, at least one shows something below it. What is below any
/// single one may be rows of properties, which are left out.
pub(super) fn parents_show(args: &Enough, input: &Input<'_, '_>) -> Ruling {
    let has_title = |child: &&Located<'_>| child.value["title"].as_str().is_some_and(|title| !title.trim().is_empty());
    let children = input.all("children").iter().filter(has_title);
    let parents: BTreeSet<&str> = children.filter_map(|child| child.value["parentRemId"].as_str()).collect();
    let is_empty = |value: &Value| {
        value.as_str().is_none_or(|text| text.trim().is_empty()) && value.as_array().is_none_or(Vec::is_empty)
    };
    let shows = |note: &&Located<'_>| !is_empty(&note.value["content"]) || !is_empty(&note.value["contentStructured"]);
    let is_cut = |note: &&Located<'_>| note.value["contentProperties"]["contentTruncated"] == true;
    let is_parent = |note: &&Located<'_>| note.value["remId"].as_str().is_some_and(|id| parents.contains(id));
    let notes: Vec<_> =
        input.all("value").iter().filter(is_parent).filter(|note| shows(note) || !is_cut(note)).collect();
    let different: BTreeSet<&str> = notes.iter().filter_map(|note| note.value["remId"].as_str()).collect();
    match (notes.iter().copied().find(shows), different.len()) {
        (Some(_), count) => Ruling::pass(count),
        (None, count) if count >= args.least => {
            let detail = Detail::new(format!(
                "others name each of {count} Rems as their parent, and none shows anything below it"
            ));
            Ruling::fail(detail.at(&notes[0].pointer))
        }
        _ => Ruling::skip("too few Rems are named as a parent"),
    }
}
