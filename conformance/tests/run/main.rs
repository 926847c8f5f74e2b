//! From a target to a run: which cases run where, runs from inside a test, and random calls.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod explore;
#[cfg(unix)]
mod gate;
mod hostile;
#[cfg(unix)]
mod legal;
#[cfg(unix)]
mod revisions;
mod routes;
