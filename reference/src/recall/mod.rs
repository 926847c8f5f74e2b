//! The recall contract: search over screen frames, and the frame behind an item (ADR-0006 of 2026-02-23).
//! `routes` takes a request, `parameters` reads it, `search` answers it from the frames that `store` holds.
//! Where the document is silent, the project's decisions on recall apply.

mod parameters;
mod routes;
mod search;
mod snippet;
mod store;
mod variant;

use crate::contract::{Contract, OpenError, Options, Service};
use std::sync::Arc;
use store::Store;
use strum::VariantNames;
use variant::Variant;

/// Served over HTTP.
pub(crate) const CONTRACT: Contract =
    Contract { name: "recall", open, commands: &[], variants: Variant::VARIANTS, revisions: &[1] };

fn open(options: &Options) -> Result<Service, OpenError> {
    let store = options.corpus_of(CONTRACT.name).as_deref().map_or_else(Store::empty, Store::load)?;
    Ok(Service { routes: routes::routes(Arc::new(store), options.switch.variant()), ..Service::default() })
}
