//! The recall contract: search over screen frames, and the frame behind an item (ADR-0006 of 2026-02-23).
//! A request is read by `parameters`, answered by `search` from the frames that `store` holds.
//! Where the document is silent, the project's decisions on recall say what is done here.

pub(crate) mod parameters;
pub(crate) mod search;
mod snippet;
pub(crate) mod store;
