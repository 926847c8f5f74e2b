//! Texts: what can be shown without acting on a terminal, words of a shell, the nearest known name, the beginning of a list, media types,
//! fingerprints, and what a text costs an agent.

pub(crate) mod fingerprint;
pub mod inert;
mod listed;
mod media;
mod plural;
pub(crate) mod pointer;
pub mod shell;
pub mod suggest;
pub mod tokens;
pub(crate) mod typed;

pub use listed::listed;
pub(crate) use media::media_type;
pub use plural::plural;
