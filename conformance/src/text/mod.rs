//! Texts: what can be shown without acting on a terminal, words of a shell, the nearest known name, fingerprints, and what a text costs an agent.

pub(crate) mod fingerprint;
pub mod inert;
mod plural;
pub(crate) mod pointer;
pub mod shell;
pub mod suggest;
pub mod tokens;
pub(crate) mod typed;

pub(crate) use plural::plural;
