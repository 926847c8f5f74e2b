//! The addresses on a page. They depend on names alone, so that a link stays true from one run to the next.

use crate::model::ContractKey;

/// The anchor of a requirement: `memory.window`, `memory@2.window`, and `memory/mcp.tools` where its transport asks for it.
pub(super) fn requirement(contract: &ContractKey, id: &str) -> String {
    match id.strip_prefix(contract.name()).filter(|rest| rest.starts_with('.')) {
        Some(rest) => plain(&format!("{contract}{rest}")),
        None => plain(&format!("{contract}/{id}")),
    }
}

/// The anchor of a case: `memory/cases/search/window`.
pub(super) fn case(contract: &ContractKey, case: &str) -> String {
    plain(&format!("{contract}/cases/{case}"))
}

/// A link to an anchor.
pub(super) fn link(anchor: &str) -> String {
    format!("#{anchor}")
}

/// Only characters that an address holds unescaped.
fn plain(text: &str) -> String {
    let kept = |letter: char| letter.is_ascii_alphanumeric() || "-._~/@:".contains(letter);
    text.chars().map(|letter| if kept(letter) { letter } else { '-' }).collect()
}
