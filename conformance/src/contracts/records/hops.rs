//! How far a traversal goes. `--max-hops` of the records document's recommended workflow.

use super::measure::number;
use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use std::collections::{HashMap, VecDeque};

/// Each printed note to which printed links lead from the root is at most `hops` of them away, whichever way they point.
///
/// A link of the store that is printed as well only makes a way shorter. Where no link leads, `edges-complete` speaks.
pub(super) fn within_hops(input: &Input<'_, '_>) -> Ruling {
    let (Some(root), Some(hops)) = (input.one("root"), input.one("hops")) else {
        return Ruling::skip("no limit was given");
    };
    let hops = number(hops.value);
    let mut linked: HashMap<&str, Vec<&str>> = HashMap::new();
    for edge in input.all("edges") {
        if let (Some(from), Some(to)) = (edge.value["from"].as_str(), edge.value["to"].as_str()) {
            linked.entry(from).or_default().push(to);
            linked.entry(to).or_default().push(from);
        }
    }
    let root = root.value.as_str().unwrap_or_default();
    let mut links_to = HashMap::from([(root, 0)]);
    let mut waiting = VecDeque::from([root]);
    while let Some(note) = waiting.pop_front() {
        for neighbour in linked.get(note).into_iter().flatten() {
            if !links_to.contains_key(neighbour) {
                links_to.insert(neighbour, links_to[note] + 1);
                waiting.push_back(neighbour);
            }
        }
    }
    let (mut exercised, mut details) = (1, Vec::new());
    for note in input.all("notes") {
        let Some(links) = note.value.as_str().and_then(|id| links_to.get(id)) else { continue };
        exercised += 1;
        if *links > hops {
            let message = format!("{} is {links} links away, and {hops} are allowed", brief(note.value));
            details.push(Detail::new(message).at(&note.pointer));
        }
    }
    Ruling::of(exercised, details)
}
