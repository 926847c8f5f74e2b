//! Ids to activate, taken from outlines beside the references that name their records.

use super::ids::{self, Names};
use super::pairs::text;
use crate::path::Located;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// How many ids are taken.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Most {
    pub(super) most: usize,
}

/// The records of outlines and the references of full answers, which stand in one selection.
fn parted<'v>(nodes: &[Located<'v>]) -> (Vec<&'v Value>, Vec<&'v Value>) {
    let values = nodes.iter().map(|node| node.value).filter(|value| value["id"].is_string());
    let (records, others): (Vec<&Value>, Vec<&Value>) = values.partition(|value| value["line"].is_u64());
    (records, others.into_iter().filter(|value| value.get("parent_id").is_some()).collect())
}

/// The ids of records that an outline marks: those first whose parent is marked too, open ones before others. Where there is one, an
/// open child behind another marked one is among them: a server may give the first alone in full.
pub(super) fn marked(args: &Most, nodes: &[Located<'_>]) -> Vec<Value> {
    let (records, references) = parted(nodes);
    let written: Vec<&str> = records.iter().map(|record| text(record, "id")).collect();
    let known: Vec<&str> = references.iter().map(|reference| text(reference, "id")).collect();
    let names = Names::of(&written, &known);
    let marked: Vec<&Value> = records.into_iter().filter(|record| record["has_body"] == true).collect();
    let ids: BTreeSet<&str> = marked.iter().map(|record| text(record, "id")).collect();
    let is_later = later_children(&references, &marked.iter().map(|one| names.whole(text(one, "id"))).collect());
    // The order of an overview is free, and a record may stand in it more than once.
    let rank = |record: &&'_ Value| {
        let is_below_another = ids.contains(text(record, "parent"));
        let (id, is_no_child, is_done) = (text(record, "id"), record["parent"].is_null(), record["state"] != "OPEN");
        (!is_below_another, is_no_child, is_done, !is_later.contains(names.whole(id)), id.to_owned())
    };
    let mut ranked = marked;
    ranked.sort_by_key(rank);
    ranked.dedup_by_key(|record| text(record, "id"));
    // The first and the last have little in common.
    let (last, count) = (ranked.len().saturating_sub(1), args.most.min(ranked.len()));
    let chosen = (0..count).map(|at| ranked[at * last / count.saturating_sub(1).max(1)]);
    let mut taken: Vec<&str> = chosen.map(|record| names.whole(text(record, "id"))).collect();
    taken.dedup();
    let later = ranked.iter().map(|record| names.whole(text(record, "id"))).find(|id| is_later.contains(id));
    if let (Some(later), Some(last)) =
        (later.filter(|_| !taken.iter().any(|id| is_later.contains(id))), taken.last_mut())
    {
        *last = later;
    }
    taken.into_iter().map(Value::from).collect()
}

/// The open records of these that stand behind another open one of these below the same parent.
fn later_children<'v>(references: &[&'v Value], ids: &BTreeSet<&str>) -> BTreeSet<&'v str> {
    let open = references.iter().filter(|one| one["state"] == "OPEN" && ids.contains(text(one, "id")));
    let mut parents = BTreeSet::new();
    let later = open.filter_map(|one| Some((one["parent_id"].as_str()?, text(one, "id"))));
    later.filter(|(parent, _)| !parents.insert(*parent)).map(|(_, id)| id).collect()
}

/// Ids that outlines write and no reference has. Numbers alone may be shortened ids, and other ids may have lost characters
/// that the grammar of the document does not know.
pub(super) fn unlisted(args: &Most, nodes: &[Located<'_>]) -> Vec<Value> {
    let (records, references) = parted(nodes);
    let known: BTreeSet<&str> = references.iter().map(|reference| text(reference, "id")).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let is_free = |id: &str| {
        !ids::is_plain(id)
            || id.chars().all(|one| one.is_ascii_digit())
            || known.iter().any(|known| ids::names(id, known))
    };
    let written: BTreeSet<&str> = records.into_iter().map(|record| text(record, "id")).collect();
    let unlisted = written.into_iter().filter(|id| !known.contains(id) && !is_free(id));
    unlisted.take(args.most).map(Value::from).collect()
}
