//! What clients refuse although the protocol allows it: requirements of their own kind, each with its clients and their sources.

use super::Problems;
use crate::model::{Client, Level, Requirement};
use std::path::{Path, PathBuf};

/// Where they stand.
pub(super) fn file(root: &Path) -> PathBuf {
    root.join("schemas/suite/clients.json")
}

/// Whether a requirement is one of them, by its id.
pub(super) fn has(id: &str) -> bool {
    id.starts_with(Client::PREFIX)
}

/// Each binds nobody, and names clients with the addresses of who says so.
pub(super) fn lint(requirements: &[Requirement], found: &mut Problems<'_>) {
    for (at, one) in requirements.iter().enumerate() {
        let place = format!("/requirements/{at}");
        if !one.is_of_clients() || one.level != Level::May {
            found.add(&place, format!("`{}` has the level `may` and the origin `clients`", one.id));
        }
        if one.clients.is_empty() {
            found.add(&place, format!("`{}` names no client", one.id));
        }
        for (client, said) in one.clients.iter().enumerate() {
            if !said.source.starts_with("https://") {
                found.add(format!("{place}/clients/{client}/source"), "is not an address that begins with https://");
            }
        }
    }
}

/// A requirement of a document is none of clients.
pub(super) fn stays_out(one: &Requirement, at: usize, found: &mut Problems<'_>) {
    if one.is_of_clients() || !one.clients.is_empty() {
        let message = format!("`{}` is about clients; it belongs to schemas/suite/clients.json", one.id);
        found.add(format!("/requirements/{at}"), message);
    }
}
