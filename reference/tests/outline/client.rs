//! A client of the four tools, and the records that it asks for.

use crate::support::{corpus, mcp};
use serde_json::{Value, json};
use std::ops::{Deref, DerefMut};

/// The program over some records.
pub(crate) struct Client(mcp::Client);

impl Client {
    pub(crate) fn of(records: &[Value]) -> Self {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        Self(mcp::Client::over(corpus("outline", &[("records.ndjson", &lines)])))
    }

    /// The one block of an answer that is an outline and nothing else.
    pub(crate) fn outline(&mut self, tool: &str, arguments: Value) -> String {
        let (text, structured) = self.accepted(tool, arguments);
        assert_eq!(structured, Value::Null, "{text}");
        text
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

/// A record with these fields, and what all have.
pub(crate) fn record(fields: Value) -> Value {
    let mut record = json!({ "type": "note", "title": "T", "summary": "", "state": "OPEN", "parent_id": null });
    for (key, value) in fields.as_object().unwrap() {
        record[key] = value.clone();
    }
    record
}
