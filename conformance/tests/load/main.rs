//! From files to a suite: every problem with its place, and the cases that a schema implies.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod broken;
mod brought;
mod clients;
mod derived;
mod general;
#[cfg(unix)]
mod inside;
mod legal;
mod literals;
mod revisions;
mod signs;
mod sound;
mod values;
mod words;
