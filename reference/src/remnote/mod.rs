//! The remnote contract: search, search by tag and read over a knowledge base of Rems, answered as a bridge answers.
//! `tools` and `bridge` take a request, `arguments` reads it, `search` answers it from the Rems that `corpus` holds: `rich` renders the `piece`s of
//! rich text, `item` makes the fields that every answer has of a Rem, `content` renders its subtree.
//! Where the document is silent, the project's decisions on remnote apply.

mod arguments;
mod bridge;
mod content;
mod corpus;
mod item;
mod output;
mod piece;
mod rem;
mod revision;
mod rich;
mod search;
mod tools;
mod variant;

use crate::contract::{Command, Contract, OpenError, Options, Service};
use corpus::Corpus;
use std::sync::Arc;
use strum::VariantNames;
use variant::Variant;

/// Served over MCP; the bridge gives its data to somebody else's server.
pub(crate) const CONTRACT: Contract = Contract {
    name: "remnote",
    open,
    commands: &[Command::of::<bridge::Arguments>()],
    variants: Variant::VARIANTS,
    revisions: &[1, 2],
};

fn open(options: &Options) -> Result<Service, OpenError> {
    let corpus = Corpus::of(options)?;
    Ok(Service { tools: tools::tools(&Arc::new(corpus)), ..Service::default() })
}
