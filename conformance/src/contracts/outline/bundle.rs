//! The bundle that `activate` answers with, beside the references of a full listing. "Phase 2" of the outline document.
//!
//! The document names the parts of a bundle but for a few; where a part stands is not looked at where it need not be.

use super::family::{Family, collect, list, read, records};
use super::format::{self, BODY_MARK};
use super::full;
use super::ids;
use super::pairs::{Pair, Pairs};
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// The parts that may come as outlines.
const OUTLINES: [&str; 2] = ["/children/other", "/grandchildren"];

/// What makes a text no outline; everything else is a matter of form.
const BINDING: [&str; 8] =
    ["json-instead", "header", "state", "tab-indent", "odd-indent", "depth-jump", "shallow-summary", "astray"];

/// The part of the bundle that is judged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parts {
    of: Part,
    /// Records that are known to have a body: a full record of one of these has the key `body`. A record without a body has
    /// none to give.
    #[serde(default)]
    with_body: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    Target,
    Parent,
    Open,
    Other,
    Grandchildren,
    Outlines,
    Omission,
    /// What `activate` gives in full says what the full listing says.
    Records,
    /// The counts of the full listing are those of the children, where the bundle has the same children.
    Counts,
    /// No list of the bundle has a record twice.
    Once,
    /// `children.open` has no record but these.
    OpenOnly,
    /// `children.other` has no record but these.
    OtherOnly,
    /// `grandchildren` has no record but these and the children above them.
    GrandchildrenOnly,
}

/// The bundle holds what the full listing says of the record.
pub(super) fn bundle_agrees(args: &Parts, input: &Input<'_, '_>) -> Ruling {
    let (Some(bundle), Some(id)) = (input.one("bundle"), input.one("id").and_then(|node| node.value.as_str())) else {
        return Ruling::skip("no record was activated");
    };
    let family = Family::of(id, input.all("full"));
    let told: Vec<Option<Detail>> = match args.of {
        Part::Target => vec![whole(bundle, id, Some("target"), args)],
        Part::Parent => match family.parent {
            Some(parent) => vec![whole(bundle, parent, Some("parent"), args)],
            None => family
                .all
                .get(id)
                .filter(|one| one["parent_id"].is_null())
                .map(|_| no_parent(bundle))
                .into_iter()
                .collect(),
        },
        Part::Open => family.open.iter().map(|child| whole(bundle, child, None, args)).collect(),
        Part::Other => named(bundle, &family.other),
        Part::Grandchildren => named(bundle, &family.grandchildren),
        Part::Outlines => OUTLINES
            .iter()
            .zip([&family.other, &family.grandchildren])
            .filter_map(|(at, due)| outline(bundle, at, due))
            .collect(),
        Part::Omission => omission(bundle, &family),
        Part::OpenOnly => children_only(bundle, "/children/open", id, &family, true),
        Part::OtherOnly => children_only(bundle, "/children/other", id, &family, false),
        Part::GrandchildrenOnly => grandchildren_only(bundle, id, &family),
        Part::Records => full::records(bundle, id, &family),
        Part::Counts => full::counts(bundle, id, &family),
        Part::Once => full::once(bundle),
    };
    match told.len() {
        0 => Ruling::skip("the record has no such relatives"),
        exercised => Ruling::of(exercised, told.into_iter().flatten().collect()),
    }
}

/// A record that an outline marks has a body that is not empty. A title may end in the words of the mark, and then nothing is
/// known.
pub(super) fn body_mark(input: &Input<'_, '_>) -> Ruling {
    let (Some(bundle), Some(id)) = (input.one("bundle"), input.one("id").and_then(|node| node.value.as_str())) else {
        return Ruling::skip("no record was activated");
    };
    let marks = |outline: &Located<'_>| {
        let pairs = Pairs::of(outline, input.all("full"));
        let is_marked = |pair: &Pair<'_>| {
            let ends_so = pair.full["title"].as_str().is_some_and(|title| title.trim_end().ends_with(BODY_MARK));
            pair.id == id && !ends_so && pair.places.iter().any(|at| pairs.records[*at]["has_body"] == true)
        };
        pairs.all.iter().any(is_marked)
    };
    if !input.all("outline").iter().any(marks) {
        return Ruling::skip("no outline marks this record");
    }
    let mut has_body = false;
    collect(bundle.value, "", &mut |_, object| {
        let body = object.get("body").and_then(Value::as_str);
        has_body |= object.get("id").is_some_and(|one| one == id) && body.is_some_and(|body| !body.is_empty());
    });
    let message = || format!("{id} is marked {BODY_MARK} in an outline, and `activate` gives no body of it");
    Ruling::of(1, (!has_body).then(|| Detail::new(message()).at(&bundle.pointer)).into_iter().collect())
}

/// The record stands somewhere in the bundle as an object, with the body that it has, under a name where there is one.
fn whole(bundle: &Located<'_>, id: &str, name: Option<&str>, args: &Parts) -> Option<Detail> {
    let has_body = args.with_body.iter().any(|one| one == id);
    let mut is_there = false;
    collect(bundle.value, "", &mut |key, object| {
        let is_it = object.get("id").is_some_and(|one| one == id) && name.is_none_or(|name| name == key);
        is_there |= is_it && (!has_body || object.get("body").is_some());
    });
    let place = name.map_or_else(String::new, |name| format!(" as `{name}`"));
    let with = if has_body { "its id and its body" } else { "its id" };
    let message = || format!("the bundle has no full record {id}{place}: an object with {with}");
    (!is_there).then(|| Detail::new(message()).at(&bundle.pointer))
}

/// A record without a parent has none in its bundle.
fn no_parent(bundle: &Located<'_>) -> Option<Detail> {
    let id = bundle.value.pointer("/parent/id").filter(|id| id.is_string())?;
    let message = format!("the record has no parent, and the bundle gives {} as `parent`", brief(id));
    Some(Detail::new(message).at(format!("{}/parent", bundle.pointer)))
}

/// The records are named in the bundle, as objects or in text.
fn named(bundle: &Located<'_>, due: &[&str]) -> Vec<Option<Detail>> {
    if due.is_empty() {
        return Vec::new();
    }
    let mut written = BTreeSet::new();
    collect(bundle.value, "", &mut |_, object| {
        written.extend(object.get("id").and_then(Value::as_str).map(str::to_owned));
    });
    for text in texts(bundle.value) {
        let parsed = read(text);
        written.extend(records(&parsed).iter().filter_map(|record| record["id"].as_str()).map(str::to_owned));
    }
    let missing = |id: &&str| Detail::new(format!("the bundle does not name {id}")).at(&bundle.pointer);
    let is_named = |id: &str| written.iter().any(|one| ids::names(one, id));
    due.iter().map(|id| (!is_named(id)).then(|| missing(id))).collect()
}

/// What a part lists is a child of this kind. A part that is not at this place is passed over, and so are records that the
/// list leaves out.
fn children_only(bundle: &Located<'_>, at: &str, id: &str, family: &Family<'_>, is_open: bool) -> Vec<Option<Detail>> {
    let Some(part) = bundle.value.pointer(at) else { return Vec::new() };
    let mut listed = Vec::new();
    list(part, &mut listed);
    let belongs = |one: &Value| one["parent_id"] == id && (one["state"] == "OPEN") == is_open;
    let stranger = |written: &String| {
        let known = family.stranger(written, belongs)?;
        let message = format!("{written} is {} and stands below {}", known["state"], brief(&known["parent_id"]));
        Some(Detail::new(message).at(format!("{}{at}", bundle.pointer)))
    };
    // The part is there, so it was looked at, even where it lists nothing.
    std::iter::once(None).chain(listed.iter().map(stranger)).collect()
}

/// What `grandchildren` has on any level stands below a child. A child is there for the grandchildren below it.
fn grandchildren_only(bundle: &Located<'_>, id: &str, family: &Family<'_>) -> Vec<Option<Detail>> {
    let at = "/grandchildren";
    let Some(part) = bundle.value.pointer(at) else { return Vec::new() };
    let is_child = |one: &Value| one["parent_id"] == id;
    let is_grandchild = |one: &Value| {
        let parent = one["parent_id"].as_str();
        parent.is_some_and(|parent| family.all.get(parent).is_none_or(|parent| is_child(parent)))
    };
    let stranger = |written: &str| {
        let message = format!("{written} is no grandchild of {id}");
        Detail::new(message).at(format!("{}{at}", bundle.pointer))
    };
    let told: Vec<Option<Detail>> = match part {
        Value::String(text) => {
            let parsed = read(text);
            let written = |record: &Value| record["id"].as_str().unwrap_or_default().to_owned();
            let is_above = |child: &Value| {
                let is_one = |record: &Value| family.stranger(&written(record), is_grandchild).is_none();
                records(&parsed).iter().any(|record| record["parent"] == child["id"] && is_one(record))
            };
            let belongs = |record: &Value, one: &Value| is_grandchild(one) || is_child(one) && is_above(record);
            let judged = records(&parsed).iter().map(|record| {
                let written = written(record);
                family.stranger(&written, |one| belongs(record, one)).map(|_| stranger(&written))
            });
            judged.collect()
        }
        _ => {
            let mut listed = Vec::new();
            list(part, &mut listed);
            let belongs = |one: &Value| is_grandchild(one) || is_child(one);
            listed.iter().map(|written| family.stranger(written, belongs).map(|_| stranger(written))).collect()
        }
    };
    std::iter::once(None).chain(told).collect()
}

/// A part is an outline of exactly these records. Nothing is told of a part without records.
fn outline(bundle: &Located<'_>, at: &str, due: &[&str]) -> Option<Option<Detail>> {
    if due.is_empty() {
        return None;
    }
    let part = bundle.value.pointer(at).unwrap_or(&Value::Null);
    let place = format!("{}{at}", bundle.pointer);
    let Some(text) = part.as_str() else {
        return Some(Some(Detail::new(format!("expected an outline as text, came {}", brief(part))).at(place)));
    };
    let parsed = format::parse(&text.split('\n').collect::<Vec<_>>());
    let mut problems = parsed.problems.iter();
    if let Some(problem) = problems.find(|problem| BINDING.contains(&problem.code.as_str())) {
        let message = format!("line {}, column {}: {}", problem.line, problem.column, problem.message);
        return Some(Some(Detail::new(message).at(place)));
    }
    let came: BTreeSet<&str> = records(&parsed.value).iter().filter_map(|record| record["id"].as_str()).collect();
    let due: BTreeSet<&str> = due.iter().copied().collect();
    let has_all = due.iter().all(|id| came.iter().any(|one| ids::names(one, id)));
    let has_no_other = came.iter().all(|one| due.iter().any(|id| ids::names(one, id)));
    let list = |ids: &BTreeSet<&str>| ids.iter().copied().collect::<Value>();
    let differ = || Detail::new("the outline has other records").at(&place).compare(list(&due), list(&came));
    Some((!has_all || !has_no_other).then(differ))
}

/// In the outlines of a bundle, open records have their summaries, and no other has one.
fn omission(bundle: &Located<'_>, family: &Family<'_>) -> Vec<Option<Detail>> {
    let mut told = Vec::new();
    for at in OUTLINES {
        let Some(text) = bundle.value.pointer(at).and_then(Value::as_str) else { continue };
        let parsed = read(text);
        for record in records(&parsed) {
            let id = record["id"].as_str().unwrap_or_default();
            let has_summary = family
                .named(id)
                .first()
                .and_then(|one| one["summary"].as_str())
                .is_some_and(|text| !text.trim().is_empty());
            let due = record["state"] == "OPEN" && has_summary;
            let came = !record["summary"].is_null();
            let said = if due { "is open and has no summary" } else { "is not open and has a summary" };
            let wrong =
                || Detail::new(format!("line {}: {id} {said}", record["line"])).at(format!("{}{at}", bundle.pointer));
            told.push((came != due).then(wrong));
        }
    }
    told
}

/// Every text of a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
