//! What legal answers of records do to lines.

use crate::contracts::{Function, NamedFunction};

pub(super) const FUNCTIONS: &[NamedFunction] =
    &[("reverse-tags", Function::Line(reverse_tags)), ("edges-last", Function::Lines(edges_last))];

/// The tags of a note in another order.
fn reverse_tags(line: &str) -> String {
    let turned = |field: &str| match field.strip_prefix("tags=") {
        Some(tags) => format!("tags={}", tags.split(',').rev().collect::<Vec<_>>().join(",")),
        None => field.to_owned(),
    };
    line.split(' ').map(turned).collect::<Vec<_>>().join(" ")
}

/// All edges behind all notes, and the end of the text where it was.
fn edges_last(lines: &mut Vec<String>) {
    let (edges, mut others): (Vec<String>, Vec<String>) =
        std::mem::take(lines).into_iter().partition(|line| line.starts_with("E "));
    let end = others.pop_if(|line| line.is_empty());
    others.extend(edges);
    others.extend(end);
    *lines = others;
}
