//! The MCP side: a client calls a tool, one of the contracts answers.
//! The protocol and its errors are the same for all tools: `server` has them, `stdio` serves it on standard input and output,
//! `http` over streamable HTTP.

pub(crate) mod http;
mod server;
pub(crate) mod stdio;
