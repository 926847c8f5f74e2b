//! The modes `link.tree`, `link.path` and `link.list`, and the section "Edge inclusion control".
//!
//! Each note printed has its `N`, its `S` and then the `E` lines of the links that start from it, so that an edge never
//! stands before the note that it belongs to. Edges keep their own direction whichever way they were followed.
//! `truncated` speaks of the budget alone: notes beyond `max_hops` were not asked for.

use super::graph::{Direction, Edge, Graph};
use super::record::{Answer, Field, Record, header};
use super::refusal::Refusal;
use super::store::Store;
use std::collections::BTreeSet;

/// Answers `link tree`: what can be reached from `root`, breadth first, and the links among it.
pub(crate) fn tree(store: &Store, root: &str, direction: Direction, max_hops: usize) -> Result<Answer, Refusal> {
    let graph = Graph::of(store);
    let notes = graph.reach(store.place(root)?, direction, max_hops);
    let mut header = header(&store.relative, "link.tree");
    header.extend([
        ("root", Field::Text(root.to_owned())),
        ("direction", Field::Text(direction.to_string())),
        ("max_hops", Field::Number(max_hops)),
        ("truncated", Field::Truncated),
    ]);
    Ok(Answer { header, records: among(store, &graph, &notes), is_pack: false })
}

/// Answers `link path`: the notes on a shortest path and the links among them; nothing if there is no path.
pub(crate) fn path(
    store: &Store,
    from: &str,
    to: &str,
    direction: Direction,
    max_hops: usize,
) -> Result<Answer, Refusal> {
    let graph = Graph::of(store);
    let (start, end) = (store.place(from)?, store.place(to)?);
    let way = graph.way(start, end, direction, max_hops);
    let mut header = header(&store.relative, "link.path");
    header.extend([
        ("from", Field::Text(from.to_owned())),
        ("to", Field::Text(to.to_owned())),
        ("direction", Field::Text(direction.to_string())),
        ("found", Field::Flag(way.is_some())),
        ("length", Field::Number(way.as_ref().map_or(0, |way| way.len() - 1))),
        ("truncated", Field::Truncated),
    ]);
    Ok(Answer { header, records: among(store, &graph, &way.unwrap_or_default()), is_pack: false })
}

/// Answers `link list`: the note, the notes that it is linked with, and the links that join it to them.
pub(crate) fn list(store: &Store, id: &str, direction: Direction) -> Result<Answer, Refusal> {
    let graph = Graph::of(store);
    let place = store.place(id)?;
    let mut notes = vec![place];
    notes.extend(graph.neighbours(place, direction));
    let mut header = header(&store.relative, "link.list");
    header.extend([
        ("id", Field::Text(id.to_owned())),
        ("direction", Field::Text(direction.to_string())),
        ("truncated", Field::Truncated),
    ]);
    let records = print(store, &graph, &notes, |edge| {
        (direction.goes_out() && edge.from == place) || (direction.goes_in() && edge.to == place)
    });
    Ok(Answer { header, records, is_pack: false })
}

/// The notes with all links that start and end among them.
fn among(store: &Store, graph: &Graph, notes: &[usize]) -> Vec<Record> {
    let printed: BTreeSet<usize> = notes.iter().copied().collect();
    print(store, graph, notes, |edge| printed.contains(&edge.to))
}

fn print(store: &Store, graph: &Graph, notes: &[usize], wanted: impl Fn(&Edge) -> bool) -> Vec<Record> {
    let mut records = Vec::new();
    for place in notes {
        let note = &store.notes[*place];
        records.push(Record::note(note));
        records.extend(Record::summary(note));
        let edges = graph.edges.iter().filter(|edge| edge.from == *place && wanted(edge));
        records.extend(edges.map(|edge| Record::E {
            from: note.id.clone(),
            kind: edge.kind.clone(),
            to: store.notes[edge.to].id.clone(),
            typed: edge.typed,
            inline: edge.inline,
        }));
    }
    records
}
