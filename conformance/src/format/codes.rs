//! The codes of errors in JSON-RPC, and those that MCP 2026-07-28 adds.

/// The message is not JSON.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// The message is no request.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are wrong.
pub(crate) const INVALID_PARAMS: i64 = -32602;
/// Something went wrong in the server. Every other error may be the client's own.
pub(crate) const INTERNAL_ERROR: i64 = -32603;
/// The headers do not say what the body says.
pub(crate) const HEADER_MISMATCH: i64 = -32020;
/// The client lacks a capability.
pub(crate) const MISSING_CAPABILITY: i64 = -32021;
/// The version of the protocol is not supported.
pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;
