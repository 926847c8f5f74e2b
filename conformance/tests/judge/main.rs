//! From evidence to an exit code: what a rule finds, what a check says, and what the ledger makes of the findings.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod items;
mod ledger;
mod rules;
mod sound;
mod tea;
mod unanswered;
