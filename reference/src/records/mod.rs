//! The records contract: a store of Markdown notes, answered as line records small enough for a context window.
//! `commands` reads a `request`, which `answer` answers: `store` and `note` read, `graph` and `summary` find, `context`, `prime`,
//! `links` and `pack` choose what to say, `record` names the things said, `line`, `human` and `budget` make text of them.

mod answer;
mod budget;
mod commands;
mod context;
mod graph;
mod human;
mod line;
mod links;
mod markdown;
mod note;
mod pack;
mod prime;
mod record;
mod refusal;
mod request;
mod store;
mod summary;
mod variant;

use crate::contract::{Command, Contract, Service};
use strum::VariantNames;
use variant::Variant;

/// Served as a command line, over the store that the current directory is in.
pub(crate) const CONTRACT: Contract = Contract {
    name: "records",
    open: |_| Ok(Service::default()),
    commands: &[Command::of::<commands::Arguments>()],
    variants: Variant::VARIANTS,
    revisions: &[1, 2],
};
