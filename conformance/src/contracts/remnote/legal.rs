//! What legal answers of remnote do to values.

use crate::contracts::{Function, NamedFunction};
use serde_json::Value;

pub(super) const FUNCTIONS: &[NamedFunction] = &[("other-bullets", Function::Value(other_bullets))];

/// Stars in place of dashes, and a tab for each level.
fn other_bullets(value: &mut Value) {
    let Some(text) = value.as_str() else { return };
    let line = |line: &str| {
        let inner = line.trim_start_matches(' ');
        let tabs = "\t".repeat((line.len() - inner.len()) / 2);
        let inner = inner.strip_prefix("- ").map_or_else(|| inner.to_owned(), |rest| format!("* {rest}"));
        format!("{tabs}{inner}")
    };
    *value = text.split('\n').map(line).collect::<Vec<_>>().join("\n").into();
}
