//! What may be written or shown: evidence and messages without their secrets.
//!
//! Everything is judged as it was received. What is kept of it afterwards passes through here, once: `secrets` collects what is
//! secret (`names` says which headers and arguments are), `forms` knows the ways in which programs write a secret, `redactor`
//! finds them in a text, also where a text was `cut`, `decoder` finds any other spelling in the `views` that a reader has of it,
//! and `kept` goes through evidence and findings, `errors` through errors. `unknown` is for messages from before any secret is
//! known, by what `looks` like one, and `fields` goes through bodies.

mod cut;
mod decoder;
mod errors;
mod fields;
mod forms;
mod kept;
mod looks;
mod names;
mod redactor;
mod secrets;
mod unknown;
mod views;

pub(crate) use names::is_secret;
pub use redactor::Redactor;
pub use secrets::Secrets;
pub use unknown::without_secrets;
