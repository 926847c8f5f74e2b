//! What legal answers of outline do to lines.

use crate::contracts::{Function, NamedFunction};

pub(super) const FUNCTIONS: &[NamedFunction] = &[("long-states", Function::Line(long_states))];

/// The state of a header as a word.
fn long_states(line: &str) -> String {
    let words = [("(O", "(OPEN"), ("(L", "(LATER"), ("(R", "(RESOLVED"), ("(D", "(DISCARDED")];
    let Some(at) = line.find("] (") else { return line.to_owned() };
    let (head, state) = line.split_at(at + 2);
    let word = words.iter().find_map(|(short, long)| Some(format!("{head}{long}{}", state.strip_prefix(short)?)));
    word.unwrap_or_else(|| line.to_owned())
}
