//! The memory contract: search over the entries and contexts of a memory, with `top_ke` and `top_kc` (ADR-017 of 2025-01-04).
//! A request is read by `arguments`, answered by `search` from the memories that `store` holds.
//! Where the document is silent, the project's decisions on memory say what is done here.

pub(crate) mod arguments;
pub(crate) mod search;
pub(crate) mod store;
