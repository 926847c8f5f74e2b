//! A client of the three tools.

use crate::corpus::folder;
use crate::support::mcp;
use serde_json::{Value, json};
use std::ops::{Deref, DerefMut};

/// The program over a small knowledge base.
pub(crate) struct Client(mcp::Client);

impl Client {
    pub(crate) fn of(rems: &[Value]) -> Self {
        Self::with_hits(rems, &json!({}))
    }

    pub(crate) fn with_hits(rems: &[Value], hits: &Value) -> Self {
        Self(mcp::Client::over(folder(rems, hits)))
    }

    /// Reads a Rem.
    pub(crate) fn read(&mut self, id: &str) -> Value {
        self.json("remnote_read_note", json!({ "remId": id }))
    }

    /// Reads what is below a Rem, with these limits.
    pub(crate) fn content(&mut self, id: &str, mut limits: Value) -> (String, Value) {
        limits["remId"] = json!(id);
        let answer = self.json("remnote_read_note", limits);
        (answer["content"].as_str().unwrap().to_owned(), answer["contentProperties"].clone())
    }

    /// The results of a search.
    pub(crate) fn search(&mut self, arguments: Value) -> Vec<Value> {
        self.json("remnote_search", arguments)["results"].as_array().unwrap().clone()
    }

    /// The results of a search by tag.
    pub(crate) fn by_tag(&mut self, arguments: Value) -> Vec<Value> {
        self.json("remnote_search_by_tag", arguments)["results"].as_array().unwrap().clone()
    }
}

impl Deref for Client {
    type Target = mcp::Client;

    fn deref(&self) -> &mcp::Client {
        &self.0
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut mcp::Client {
        &mut self.0
    }
}

/// The ids of results.
pub(crate) fn ids(results: &[Value]) -> Vec<&str> {
    results.iter().map(|result| result["remId"].as_str().unwrap()).collect()
}
