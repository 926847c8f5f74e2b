//! The outline contract: record trees as indented text, or as JSON with the same content.
//! `tools` takes a call, `arguments` reads it, `answer` answers it from the records that `store` holds: `search` finds them, `tree`
//! puts them below their parents, `text` makes the user's words safe, `cut` shortens them, `render` prints.
//! Where the document is silent, the project's decisions on outline apply.

mod answer;
mod arguments;
mod cut;
mod record;
mod render;
mod search;
mod store;
mod text;
mod tools;
mod tree;

use crate::contract::{Contract, OpenError, Options, Service};
use std::sync::Arc;
use store::Store;

/// Served over MCP.
pub(crate) const CONTRACT: Contract = Contract { name: "outline", open, commands: &[] };

fn open(options: &Options) -> Result<Service, OpenError> {
    let store = options.corpus_of(CONTRACT.name).as_deref().map_or_else(Store::empty, Store::load)?;
    Ok(Service { tools: tools::tools(&Arc::new(store)), ..Service::default() })
}
