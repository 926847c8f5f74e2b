//! What passes: which way, how much of it is judged, and how a request begins and ends.

use chrono::{DateTime, Utc};

/// The largest body, line or event that is judged.
pub const MOST_BYTES: usize = 8 << 20;

/// Which way bytes went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server.
    ToServer,
    /// From the server to the client.
    ToClient,
}

/// The head of a request.
#[derive(Debug)]
pub struct Request {
    /// Its method, upper case.
    pub method: String,
    /// Its path with its query.
    pub target: String,
    /// Its headers, their names in lower case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// When it came.
    pub at: DateTime<Utc>,
}

/// How a request ended.
#[derive(Debug, Clone)]
pub enum Ended {
    /// With the whole answer.
    Whole,
    /// The client went away before.
    ByClient,
    /// The server broke off, in these words.
    Broken(String),
    /// The server was not there, in these words.
    NotReachable(String),
    /// Not all of it was heard, for this reason.
    Unheard(String),
}
