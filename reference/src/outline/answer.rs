//! The answers of the four tools: an outline, or JSON.

use super::arguments::{Format, Listing, Refusal, Search};
use super::record::{Record, State};
use super::render::{Detail, Renderer, Section, Summaries};
use super::search::snippet;
use super::store::Store;
use super::tree::{Node, forest};
use super::version::Version;
use crate::tool::Answer;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Every record, as a tree.
pub(crate) fn list_records(store: &Store, listing: &Listing) -> Answer {
    let nodes = forest(store, &Vec::from_iter(store.places()));
    match listing.format {
        Format::Full => Answer::Json(json!({ "results": references(store, &nodes) })),
        format => {
            let renderer = renderer(store, listing, format, HashMap::new());
            Answer::Text(enveloped(listing, renderer.outline(&nodes)))
        }
    }
}

/// The roots, the open records, and those for later; from revision 2 on, the outline has those that are resolved in place of the roots.
pub(crate) fn project_overview(store: &Store, listing: &Listing) -> Answer {
    let in_state = |state| store.places().filter(move |place| store.record(*place).state == state);
    let tree_of = |state| forest(store, &Vec::from_iter(in_state(state)));
    let roots = store.places().filter(|place| store.parent(*place).is_none());
    let roots: Vec<Node> = roots.map(|place| Node { place, depth: 0 }).collect();
    let (open, later) = (tree_of(State::Open), tree_of(State::Later));
    match listing.format {
        Format::Full => Answer::Json(json!({
            "root_records": references(store, &roots),
            "open_records": references(store, &open),
            "later_records": references(store, &later),
        })),
        format => {
            let sections = match store.version {
                Version::First => [("ROOT", roots), ("OPEN", open), ("LATER", later)],
                Version::Second => [("OPEN", open), ("LATER", later), ("RESOLVED", tree_of(State::Resolved))],
            };
            let sections = sections.map(|(name, nodes)| Section { name, nodes });
            let renderer = renderer(store, listing, format, HashMap::new());
            Answer::Text(enveloped(listing, renderer.sections(&sections)))
        }
    }
}

/// The records that contain every word, best first, but each below its parent if that is found too.
pub(crate) fn search_records(store: &Store, search: &Search) -> Result<Answer, Refusal> {
    let Search { words, listing } = search;
    let places = store.find(words).map_err(Refusal::unreadable)?;
    let nodes = forest(store, &places);
    let found = |node: &Node| snippet(store.record(node.place), words);
    Ok(match listing.format {
        Format::Full => {
            let with_snippet = |node| {
                let mut reference = reference(store, node);
                reference["snippet"] = found(node).into();
                reference
            };
            Answer::Json(json!({ "results": nodes.iter().map(with_snippet).collect::<Value>() }))
        }
        format => {
            let snippets = match format {
                Format::Minimal => HashMap::new(),
                _ => nodes.iter().map(|node| (node.place, found(node))).collect(),
            };
            let renderer = renderer(store, listing, format, snippets);
            Answer::Text(enveloped(listing, renderer.outline(&nodes)))
        }
    })
}

/// A record to work with, and its surroundings: its parent and open children in full, the others as outlines.
pub(crate) fn activate(store: &Store, id: &str) -> Result<Answer, Refusal> {
    let target = store.place(id).ok_or_else(|| Refusal::unknown_record(id))?;
    let is_open = |place: &&usize| store.record(**place).state == State::Open;
    let (open, other): (Vec<&usize>, Vec<&usize>) = store.children(target).iter().partition(is_open);
    let grandchildren: Vec<usize> =
        store.children(target).iter().flat_map(|child| store.children(*child)).copied().collect();
    let summaries = match store.version {
        Version::First => Summaries::Open,
        Version::Second => Summaries::All,
    };
    let detail = Detail { summaries, marks: true, summary_limit: None };
    let renderer = Renderer { store, detail, snippets: HashMap::new() };
    let outline = |places: &[usize]| renderer.outline(&forest(store, places));
    let other: Vec<usize> = other.into_iter().copied().collect();
    Ok(Answer::Json(json!({
        "target": whole(store, target),
        "parent": store.parent(target).map(|parent| whole(store, parent)),
        "children": {
            "open": open.into_iter().map(|child| whole(store, *child)).collect::<Value>(),
            "other": outline(&other),
        },
        "grandchildren": outline(&grandchildren),
    })))
}

fn renderer<'s>(store: &'s Store, listing: &Listing, format: Format, snippets: HashMap<usize, String>) -> Renderer<'s> {
    let is_compact = format == Format::Compact;
    let summaries = if is_compact { Summaries::All } else { Summaries::None };
    let detail = Detail { summaries, marks: is_compact, summary_limit: listing.summary_limit };
    Renderer { store, detail, snippets }
}

/// The outline below the line that names the session and its tick, where one was given.
fn enveloped(listing: &Listing, outline: String) -> String {
    let Some(id) = &listing.session_id else { return outline };
    let tick = listing.tick.map_or_else(String::new, |tick| format!(" | tick: {tick}"));
    let parting = if outline.is_empty() { "" } else { "\n" };
    format!("session: {id}{tick}\n{parting}{outline}")
}

fn references(store: &Store, nodes: &[Node]) -> Value {
    nodes.iter().map(|node| reference(store, node)).collect()
}

/// The `RecordRef` of the document, its keys in its order.
fn reference(store: &Store, node: &Node) -> Value {
    let Record { id, kind, title, summary, state, parent_id, .. } = store.record(node.place);
    json!({
        "id": id, "type": kind, "title": title, "summary": summary, "state": state, "parent_id": parent_id,
        "children_count": store.children(node.place).len(), "open_children_count": store.open_children(node.place),
    })
}

/// A record with its body.
fn whole(store: &Store, place: usize) -> Value {
    let mut record = reference(store, &Node { place, depth: 0 });
    record["body"] = store.record(place).body.as_str().into();
    record
}
