//! What a bundle says in full of a record, beside the reference of that record. "For Reasoning (Full Record)".
//!
//! The document does not define a full record. What it calls as a reference does says the same, and nothing that a reference
//! has is lost.

use super::family::{Family, collect, list};
use super::ids;
use super::texts::words;
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief, whole};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The texts of a reference that a full record has, under whatever name.
const TEXTS: [&str; 3] = ["type", "title", "summary"];

/// Every record that the bundle names by its id is as its reference, and those that it gives in full lack nothing.
pub(super) fn records(bundle: &Located<'_>, id: &str, family: &Family<'_>) -> Vec<Option<Detail>> {
    let mut told = Vec::new();
    let mut lacking = Vec::new();
    collect(bundle.value, "", &mut |key, object| {
        let known = object.get("id").and_then(Value::as_str).and_then(|one| family.all.get_key_value(one));
        let Some((own, reference)) = known else { return };
        let is_full = key == "target" && *own == id
            || key == "parent" && family.parent == Some(*own)
            || object.contains_key("body") && family.open.contains(own);
        told.push(contradiction(object, reference, is_full).map(|(field, came)| {
            let message = format!("`{field}` of {own} differs from its reference");
            Detail::new(message).at(&bundle.pointer).compare(reference[field].clone(), came)
        }));
        if is_full {
            lacking.push((*own, lacks(object, reference)));
        }
    });
    // A record may stand in a bundle more than once, and be whole at one place.
    let is_whole = |own: &str| lacking.iter().any(|(one, lack)| *one == own && lack.is_none());
    let missing = lacking.iter().filter(|(own, _)| !is_whole(own)).filter_map(|(own, lack)| Some((own, (*lack)?)));
    told.extend(missing.map(|(own, field)| {
        Some(Detail::new(format!("the full record {own} lacks the `{field}` of its reference")).at(&bundle.pointer))
    }));
    told
}

/// A field of a reference that an object has with another value.
fn contradiction(object: &Map<String, Value>, reference: &Value, is_full: bool) -> Option<(&'static str, Value)> {
    let same_words = |due: &Value, came: &Value| match (due.as_str(), came.as_str()) {
        (Some(due), Some(came)) => words(due) == words(came),
        _ => true,
    };
    let same = |field: &str, due: &Value, came: &Value| match (field, due, came) {
        // A summary may be cut in references.
        ("summary", ..) => !is_full || same_words(due, came),
        ("state", _, Value::String(came)) => is_state(came, due, is_full),
        ("parent_id", Value::String(due), Value::String(came)) => due == came,
        ("parent_id", Value::String(_), Value::Null) | ("parent_id", Value::Null, Value::String(_)) => false,
        ("state" | "parent_id", ..) => true,
        _ => same_words(due, came),
    };
    let differs = |field: &'static str| {
        let came = object.get(field)?;
        (!same(field, &reference[field], came)).then(|| (field, came.clone()))
    };
    ["type", "title", "summary", "state", "parent_id"].into_iter().find_map(differs)
}

/// Whether a text names a state. A reference may do so by its letter.
fn is_state(text: &str, state: &Value, is_full: bool) -> bool {
    let (text, state) = (text.trim(), state.as_str().unwrap_or_default());
    let letter = || state.get(..1).is_some_and(|letter| letter.eq_ignore_ascii_case(text));
    text.eq_ignore_ascii_case(state) || !is_full && letter()
}

/// A field of a reference whose value a full record has nowhere.
fn lacks(object: &Map<String, Value>, reference: &Value) -> Option<&'static str> {
    let fields = || object.iter().filter(|(key, _)| *key != "id");
    let has = |is_it: &dyn Fn(&str) -> bool| fields().filter_map(|(_, value)| value.as_str()).any(is_it);
    let is_lost = |field: &&&'static str| {
        let due = words(reference[**field].as_str().unwrap_or_default());
        !due.is_empty() && !has(&|came| words(came) == due)
    };
    let text = TEXTS.iter().find(|field| is_lost(field)).copied();
    text.or_else(|| (!has(&|came| is_state(came, &reference["state"], true))).then_some("state"))
}

/// Where a bundle has the children that the list has, the reference counts them. Nothing is known of records that only one of
/// them shows.
pub(super) fn counts(bundle: &Located<'_>, id: &str, family: &Family<'_>) -> Vec<Option<Detail>> {
    let Some(reference) = family.all.get(id) else { return Vec::new() };
    let listed = |at: &str| {
        let mut listed = Vec::new();
        list(bundle.value.pointer(at)?, &mut listed);
        Some(listed)
    };
    let (Some(open), Some(other)) = (listed("/children/open"), listed("/children/other")) else { return Vec::new() };
    let same = |written: &[String], known: &[&str]| {
        written.len() == known.len() && known.iter().all(|id| written.iter().any(|one| ids::names(one, id)))
    };
    if !same(&open, &family.open)
        || !same(&other, &family.other)
        || family.open.contains(&id)
        || family.other.contains(&id)
    {
        return Vec::new();
    }
    let is_counted = |field: &str, count: usize| {
        let detail = || {
            let message =
                format!("`{field}` of {id} is not the number of its children, which the list and `activate` show");
            Detail::new(message).at(&bundle.pointer).compare(count.into(), reference[field].clone())
        };
        (whole(&reference[field]) != Some(count as u64)).then(detail)
    };
    vec![is_counted("children_count", open.len() + other.len()), is_counted("open_children_count", open.len())]
}

/// No list of a bundle has a record twice.
pub(super) fn once(bundle: &Located<'_>) -> Vec<Option<Detail>> {
    let lists = ["/children/open", "/children/other", "/grandchildren"];
    let parts = lists.iter().filter_map(|at| Some((at, bundle.value.pointer(at)?)));
    let told = parts.map(|(at, part)| {
        let mut listed = Vec::new();
        list(part, &mut listed);
        let mut seen = BTreeSet::new();
        let again = listed.iter().find(|id| !seen.insert(id.as_str()))?;
        let message =
            format!("{} stands twice in `{}`", brief(&Value::from(again.as_str())), at.trim_start_matches('/'));
        Some(Detail::new(message).at(format!("{}{at}", bundle.pointer)))
    });
    told.collect()
}

/// A record has the same body wherever bundles give it in full. One that is absent, null or empty is no body.
pub(super) fn bodies_agree(input: &Input<'_, '_>) -> Ruling {
    let is_full = |node: &&Located<'_>| {
        let is_named = node.pointer.ends_with("/target") || node.pointer.ends_with("/parent");
        is_named || node.pointer.contains("/children/open/") || node.value.get("body").is_some()
    };
    let mut known: BTreeMap<&str, &Located<'_>> = BTreeMap::new();
    let (mut exercised, mut details) = (0, Vec::new());
    for node in input.all("value").iter().filter(is_full) {
        let Some(id) = node.value["id"].as_str() else { continue };
        let Some(first) = known.get(id) else {
            known.insert(id, node);
            continue;
        };
        exercised += 1;
        let [due, came] = [first, node].map(|node| node.value["body"].as_str().unwrap_or_default());
        if due != came {
            let message = format!("the body of {id} differs from that at {}", first.pointer);
            details.push(Detail::new(message).at(&node.pointer).compare(due.into(), came.into()));
        }
    }
    match exercised {
        0 => Ruling::skip("no record was given twice in full"),
        _ => Ruling::of(exercised, details),
    }
}
