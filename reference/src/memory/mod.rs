//! The memory contract: search over the entries and contexts of a memory, with `top_ke` and `top_kc` (ADR-017 of 2025-01-04, and
//! the wider ranges of ADR-020 as revision 2).
//! `routes` and `tools` take a request, `arguments` reads it, `search` answers it from the memories that `store` holds.
//! Where the document is silent, the project's decisions on memory apply.

mod arguments;
mod ranges;
mod routes;
mod search;
mod store;
mod tools;
mod variant;

use ranges::Ranges;

use crate::contract::{Contract, OpenError, Options, Service};
use std::sync::Arc;
use store::Store;
use strum::VariantNames;
use variant::Variant;

/// Served over HTTP and MCP.
pub(crate) const CONTRACT: Contract =
    Contract { name: "memory", open, commands: &[], variants: Variant::VARIANTS, revisions: &[1, 2] };

fn open(options: &Options) -> Result<Service, OpenError> {
    let folder = options.corpus_of(CONTRACT.name);
    let mut store = folder.as_deref().map_or_else(Store::empty, Store::load)?;
    store.decide(options.switch.variant())?;
    store.ranges = Ranges::of(options.switch.revision(CONTRACT.name));
    let store = Arc::new(store);
    Ok(Service { tools: tools::tools(&store), routes: routes::routes(store, options.token.as_deref()) })
}
