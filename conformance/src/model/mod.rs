//! The nouns of the suite, as plain data.
//!
//! Files hold `contract` (with each `binding`), `case`, `known` and `log`. A call brings a raw `reply`, which becomes
//! `evidence`, then a `finding`, then an `outcome`; `exercised` says how much of a contract that was, and
//! `numbers`, made of what is `measured`, what the answers took and cost. `transport` names the ways to reach a target, `era` the two kinds
//! of MCP.

mod binding;
mod case;
mod client;
mod contract;
pub(crate) mod cut;
mod era;
mod evidence;
mod exercised;
mod explore;
mod finding;
mod frozen;
mod known;
mod legal;
mod log;
mod measured;
mod noticed;
mod numbers;
mod outcome;
mod place;
mod presence;
mod rate;
mod reply;
mod revision;
mod run;
mod selection;
mod sentinel;
mod shard;
mod shelf;
pub(crate) mod size;
mod transport;
mod unreachable;
mod unsteady;

pub use binding::*;
pub use case::*;
pub use client::*;
pub use contract::*;
pub use era::*;
pub use evidence::*;
pub use exercised::*;
pub use explore::*;
pub use finding::*;
pub use frozen::*;
pub use known::*;
pub use legal::*;
pub use log::*;
pub use measured::Measured;
pub(crate) use measured::Read;
pub use noticed::*;
pub use numbers::*;
pub use outcome::*;
pub use place::*;
pub use presence::*;
pub use rate::*;
pub use reply::*;
pub use revision::*;
pub use run::*;
pub use selection::*;
pub use sentinel::*;
pub use shard::*;
pub use shelf::*;
pub use transport::*;
pub use unreachable::*;
pub use unsteady::*;
