//! Real servers that do their worst: the run ends, says what happened, and asks nobody but the target.

mod bodies;
mod connections;
mod lifecycle;
mod redirects;
mod repeat;
mod reports;
mod secrets;
mod server;
mod statuses;
mod trial;
mod unreachable;
