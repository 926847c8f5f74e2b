//! The {{name}} contract: what it is about (its document).
//! `routes` and `tools` take a request, and `search` answers it.

mod routes; // if http
mod search;
mod tools; // if mcp

use crate::contract::{Contract, OpenError, Options, Service};
use search::Items;
use std::sync::Arc;

pub(crate) const CONTRACT: Contract = Contract { name: "{{name}}", open, commands: &[], variants: &[], revisions: &[1] };

fn open(options: &Options) -> Result<Service, OpenError> {
    let items = options.corpus_of(CONTRACT.name).as_deref().map_or_else(|| Ok(Items::default()), Items::load)?;
    let items = Arc::new(items);
    Ok(Service { tools: tools::tools(&items), routes: routes::routes(items) }) // if http and mcp
    Ok(Service { routes: routes::routes(items), ..Service::default() }) // if http alone
    Ok(Service { tools: tools::tools(&items), ..Service::default() }) // if mcp alone
}
