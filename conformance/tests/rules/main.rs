//! Rules, each tried on what it is for and on what is hostile to it.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

#[path = "../support/tea.rs"]
mod tea;

mod advertised;
mod bullets;
mod outlines;
mod relations;
mod times;
mod trial;
mod valid_by;
mod words;
