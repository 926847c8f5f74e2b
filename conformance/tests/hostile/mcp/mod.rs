//! MCP servers that do their worst: each call says what happened, the run ends, and leaves nothing behind.

mod bodies;
mod clients;
mod lifecycle;
mod lines;
mod modern;
mod program;
mod refusals;
mod repeat;
mod runs;
mod server;
mod sessions;
mod small;
mod speed;
mod statuses;
mod streams;
mod talk;
mod tools;
mod values;
mod ways;
