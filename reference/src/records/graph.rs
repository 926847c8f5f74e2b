//! The notes as a graph: which links there are, and the ways that follow them.
//!
//! Notes are known by their place in the store, so that the order of places, creation time then id, is the order in
//! which neighbours are visited. A link to a missing note is ignored.

use super::markdown::inline_links;
use super::store::Store;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use strum::{Display, EnumString, VariantNames};

/// What an inline link means: the document gives it no words of its own.
const INLINE_KIND: &str = "related";

/// Which way links are followed; its words are those of a header and of the command line.
#[derive(Clone, Copy, Display, EnumString, PartialEq, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Direction {
    /// From a note to those that it names.
    Out,
    /// From a note to those that name it.
    In,
    /// Both ways.
    Both,
}

impl Direction {
    /// Whether links are followed from their start.
    pub(crate) fn goes_out(self) -> bool {
        self != Direction::In
    }

    /// Whether links are followed from their end.
    pub(crate) fn goes_in(self) -> bool {
        self != Direction::Out
    }
}

/// A link between two notes; front matter and body may both state it.
pub(crate) struct Edge {
    /// The place of the note that it starts from.
    pub(crate) from: usize,
    /// The place of the note that it leads to.
    pub(crate) to: usize,
    /// What it means.
    pub(crate) kind: String,
    /// Whether the front matter states it.
    pub(crate) typed: bool,
    /// Whether the body states it.
    pub(crate) inline: bool,
}

/// All links of a store.
pub(crate) struct Graph {
    /// The links in order of their start, their end and their type, each once.
    pub(crate) edges: Vec<Edge>,
    out: Vec<BTreeSet<usize>>,
    into: Vec<BTreeSet<usize>>,
}

impl Graph {
    /// Gathers the links of all notes.
    pub(crate) fn of(store: &Store) -> Graph {
        // Of the two flags the first is for front matter, the second for the body.
        let mut stated = BTreeMap::<(usize, usize, String), [bool; 2]>::new();
        for (from, note) in store.notes.iter().enumerate() {
            let typed = note.links.iter().map(|link| (link.id.clone(), link.kind.clone(), 0));
            let inline = inline_links(&note.body).into_iter().map(|id| (id, INLINE_KIND.to_owned(), 1));
            for (id, kind, source) in typed.chain(inline) {
                if let Ok(to) = store.place(&id) {
                    stated.entry((from, to, kind)).or_default()[source] = true;
                }
            }
        }
        let mut graph = Graph {
            edges: Vec::new(),
            out: vec![BTreeSet::new(); store.notes.len()],
            into: vec![BTreeSet::new(); store.notes.len()],
        };
        for ((from, to, kind), [typed, inline]) in stated {
            graph.out[from].insert(to);
            graph.into[to].insert(from);
            graph.edges.push(Edge { from, to, kind, typed, inline });
        }
        graph
    }

    /// What is at most `max_hops` links away from `root`, breadth first, `root` itself in front.
    pub(crate) fn reach(&self, root: usize, direction: Direction, max_hops: usize) -> Vec<usize> {
        self.walk(root, direction, max_hops).into_iter().map(|step| step.place).collect()
    }

    /// A shortest way of at most `max_hops` links, both ends included; among equals the first in breadth-first order.
    pub(crate) fn way(&self, from: usize, to: usize, direction: Direction, max_hops: usize) -> Option<Vec<usize>> {
        let steps = self.walk(from, direction, max_hops);
        let mut way = vec![to];
        let mut step = steps.iter().find(|step| step.place == to)?;
        while let Some(before) = step.before {
            step = &steps[before];
            way.push(step.place);
        }
        way.reverse();
        Some(way)
    }

    /// The other notes at the ends of this note's links, in order of their places.
    pub(crate) fn neighbours(&self, place: usize, direction: Direction) -> BTreeSet<usize> {
        let out = self.out[place].iter().filter(|_| direction.goes_out());
        let into = self.into[place].iter().filter(|_| direction.goes_in());
        out.chain(into).copied().filter(|neighbour| *neighbour != place).collect()
    }

    fn walk(&self, root: usize, direction: Direction, max_hops: usize) -> Vec<Step> {
        let mut steps = vec![Step { place: root, hops: 0, before: None }];
        let mut seen = BTreeSet::from([root]);
        let mut waiting = VecDeque::from([0]);
        while let Some(current) = waiting.pop_front() {
            let (place, hops) = (steps[current].place, steps[current].hops);
            if hops == max_hops {
                continue;
            }
            for neighbour in self.neighbours(place, direction) {
                if seen.insert(neighbour) {
                    waiting.push_back(steps.len());
                    steps.push(Step { place: neighbour, hops: hops + 1, before: Some(current) });
                }
            }
        }
        steps
    }
}

/// A note reached, how far it is, and the step that it was reached from.
struct Step {
    place: usize,
    hops: usize,
    before: Option<usize>,
}
