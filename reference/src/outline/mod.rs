//! The outline contract: record trees as indented text, or as JSON with the same content.
//! `tools` takes a call, `arguments` reads it, `answer` answers it from the records that `store` holds: `search` finds them, `tree`
//! puts them below their parents, `text` makes the user's words safe, `cut` shortens them, `render` prints; `version` tells which
//! revision of the document is spoken.
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
mod variant;
mod version;

use crate::contract::{Contract, OpenError, Options, Service};
use std::sync::Arc;
use store::Store;
use strum::VariantNames;
use variant::Variant;
use version::Version;

/// Served over MCP.
pub(crate) const CONTRACT: Contract =
    Contract { name: "outline", open, commands: &[], variants: Variant::VARIANTS, revisions: &[1, 2, 3] };

fn open(options: &Options) -> Result<Service, OpenError> {
    let folder = options.corpus_of(CONTRACT.name);
    let mut store = folder.as_deref().map_or_else(Store::empty, Store::load)?;
    store.variant = options.switch.variant();
    store.version = Version::of(options.switch.revision(CONTRACT.name));
    Ok(Service { tools: tools::tools(&Arc::new(store)), ..Service::default() })
}
