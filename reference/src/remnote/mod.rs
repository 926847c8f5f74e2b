//! The remnote contract: search, search by tag and read over a knowledge base of Rems, answered as a bridge answers.
//! `tools` and `bridge` take a request, `arguments` reads it, `search` answers it from the Rems that `corpus` holds: `rich` renders the `piece`s of
//! rich text, `item` makes the fields that every answer has of a Rem, `content` renders its subtree, `tagged` says what a tag leads to, `page`
//! cuts what was found into pages. `revision` says what the revisions of the document differ in.
//! Where the document is silent, the project's decisions on remnote apply.

mod arguments;
mod bridge;
mod content;
mod corpus;
mod input;
mod item;
mod output;
mod page;
mod piece;
mod rem;
mod revision;
mod rich;
mod search;
mod tagged;
mod tools;
mod variant;

use crate::contract::{Command, Contract, OpenError, Options, Service};
use corpus::Corpus;
use revision::Revision;
use std::sync::Arc;
use strum::VariantNames;
use variant::Variant;

/// Served over MCP; the bridge gives its data to somebody else's server.
pub(crate) const CONTRACT: Contract = Contract {
    name: "remnote",
    open,
    commands: &[Command::of::<bridge::Arguments>()],
    variants: Variant::VARIANTS,
    revisions: Revision::ALL,
};

fn open(options: &Options) -> Result<Service, OpenError> {
    let corpus = Corpus::of(options)?;
    Ok(Service { tools: tools::tools(&Arc::new(corpus)), ..Service::default() })
}
