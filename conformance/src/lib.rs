//! Judges implementations of the retrieval contracts.
//!
//! Data flows one way: files become a [`load::Suite`], a [`transport`] turns cases into evidence ([`collect`]), [`judge`]
//! turns evidence into findings, the [`ledger`] turns findings into outcomes and an exit code, and [`report`] renders them.
//! Only `load`, `targets`, `transport`, `collect` and `run` touch the world; everything after them is a pure function.

pub mod collect;
pub mod diff;
pub mod explore;
pub mod format;
pub mod gate;
pub mod judge;
pub mod ledger;
pub mod load;
pub mod model;
mod path;
pub mod prove;
mod redact;
pub mod rejudge;
pub mod report;
mod rules;
pub mod run;
pub mod schemas;
pub mod tap;
pub mod targets;
pub mod text;
pub mod transport;
