//! Some records as a forest: each below its parent where that is among them, depth first.

use super::store::Store;
use std::collections::HashMap;

/// A record in an outline: its place in the store, and how many records are above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) place: usize,
    pub(crate) depth: usize,
}

/// Puts records in the order of an outline. Siblings keep the order in which they are given; a record whose parent is not
/// among them is a root, and a cycle begins at the first of its records in the store.
pub(crate) fn forest(store: &Store, places: &[usize]) -> Vec<Node> {
    let given: HashMap<usize, usize> = places.iter().enumerate().map(|(at, place)| (*place, at)).collect();
    let parent = |place: usize| store.parent(place).filter(|parent| given.contains_key(parent));
    let first_of_cycles = first_of_cycles(places, &parent);
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
    let mut roots = Vec::new();
    for place in places {
        match parent(*place).filter(|_| !first_of_cycles.contains(place)) {
            Some(parent) => below[given[&parent]].push(*place),
            None => roots.push(*place),
        }
    }
    // A stack of our own, since a tree may be deeper than the program's.
    let mut waiting: Vec<Node> = roots.into_iter().rev().map(|place| Node { place, depth: 0 }).collect();
    let mut nodes = Vec::with_capacity(places.len());
    while let Some(node) = waiting.pop() {
        nodes.push(node);
        let depth = node.depth + 1;
        waiting.extend(below[given[&node.place]].iter().rev().map(|place| Node { place: *place, depth }));
    }
    nodes
}

/// The first record, in the order of the store, of each cycle.
fn first_of_cycles(places: &[usize], parent: &impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    // The walk upwards that a record was first met on.
    let mut met: HashMap<usize, usize> = HashMap::new();
    let mut firsts = Vec::new();
    for (walk, place) in places.iter().enumerate() {
        let mut at = *place;
        while !met.contains_key(&at) {
            met.insert(at, walk);
            match parent(at) {
                Some(above) => at = above,
                None => break,
            }
        }
        if met[&at] == walk && parent(at).is_some() {
            // The walk returned to a record of its own.
            let mut first = at;
            let mut next = parent(at);
            while let Some(above) = next.filter(|above| *above != at) {
                first = first.min(above);
                next = parent(above);
            }
            firsts.push(first);
        }
    }
    firsts
}
