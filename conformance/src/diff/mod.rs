//! Two revisions of the contracts → what changed, whom it breaks, and a document that shows it. [`Side::read`] touches files;
//! all the rest is pure.
//!
//! `side` reads, a view for each revision. `views` says which views are compared, and `compare` compares two. `shape` sees a JSON
//! Schema as its readers do; `schemas`, `operations`, `catalogue`, `sections`, `probes`, `checks` and `grammars` find what changed, `reach` where a
//! requirement is not judged any more, `rest` what a revision says of itself, after
//! `renames` has found what is only called otherwise. `witness` and `sample` find documents, `alone` tells one change from another,
//! `tried` tries checks, and `bounds` looks for what reaches a bound. `approval` reads what was approved, `frozen` makes the list of
//! what a shipped revision promises, and `evidence` has stored evidence judged by both sides.

mod alone;
mod approval;
mod bounds;
mod catalogue;
mod change;
mod checks;
mod compare;
mod evidence;
pub mod frozen;
mod grammars;
mod operations;
mod probes;
mod reach;
mod renames;
pub mod render;
mod rest;
mod sample;
mod schemas;
mod sections;
mod shape;
mod side;
pub mod surface;
mod touch;
mod tried;
mod views;
mod witness;
pub mod words;

pub use approval::{Approval, Pair, Standing};
pub use change::{Change, Class, Witness};
pub use evidence::{Turn, Turned, turns};
pub use shape::{Field, Schemas};
pub(crate) use side::TRANSPORTS;
pub use side::{ContractSide, Side, SideError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the form of the JSON.
pub const FORMAT: &str = "contract-diff/2";

/// Everything that changed between two revisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diff {
    /// `contract-diff/2`.
    pub format: String,
    /// What stood before: a revision of git, a folder, or a contract at a revision.
    pub before: String,
    /// What stands now.
    pub now: String,
    /// The changes, those that break somebody first.
    pub changes: Vec<Reviewed>,
    /// What users of a contract call its revisions: `memory` and `memory@2`, each with its name.
    pub names: BTreeMap<String, String>,
    /// What stored evidence says of them, where there is any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turned: Vec<Turned>,
}

/// A change with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// Between which revisions of the contract it lies; several where views changed alike, and none where the contract itself came or
    /// went.
    pub revisions: Vec<Pair>,
    /// What it is approved by.
    pub fingerprint: String,
    /// Whether it is approved.
    pub standing: Standing,
}

impl Diff {
    /// The changes that need a reason and have none.
    pub fn unapproved(&self) -> impl Iterator<Item = &Reviewed> {
        self.changes.iter().filter(|one| matches!(one.standing, Standing::Unapproved { .. }))
    }
}

/// Documents that were seen, by contract and operation: arguments, answers, and whole exchanges.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Arguments of calls.
    pub arguments: BTreeMap<(String, String), Vec<Value>>,
    /// Answers, as far as they are JSON.
    pub answers: BTreeMap<(String, String), Vec<Value>>,
    /// Exchanges as they are judged, by contract alone.
    pub exchanges: BTreeMap<String, Vec<Value>>,
}
