//! Servers of MCP 2026-07-28, and clients' ways with them: how the era is found, what is a fault and what is none.

mod detection;
mod eras;
mod faults;
mod legal;
mod manners;
mod program;
mod refusals;
mod repeat;
mod server;
mod started;
