//! The MCP side: a client calls a tool, one of the contracts answers.
//! The protocol and its errors are the same for all tools: `server` has them, by the SDK. `stdio` serves it on standard input and
//! output, which `lines` reads and writes, `http` over streamable HTTP. Before the SDK sees a message, `gate` finds its `era`:
//! `message` reads its frame, `modern` what it says of itself, `head` what its headers repeat.

mod era;
mod gate;
mod head;
pub(crate) mod http;
mod lines;
mod message;
mod modern;
mod server;
pub(crate) mod stdio;

pub(crate) use server::{Server, Speaking};
