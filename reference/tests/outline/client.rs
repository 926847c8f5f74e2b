//! A client of the four tools, and the records that it asks for.

use crate::support::{corpus, mcp, over};
use serde_json::{Value, json};
use std::ops::{Deref, DerefMut};
use tempfile::TempDir;

/// The program over some records.
pub(crate) struct Client {
    client: mcp::Client,
    _corpus: Option<TempDir>,
}

impl Client {
    pub(crate) fn of(records: &[Value]) -> Self {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        let client = mcp::Client::over(corpus("outline", &[("records.ndjson", &lines)]));
        Self { client, _corpus: None }
    }

    /// The program at a later revision.
    pub(crate) fn speaking(revision: u32, records: &[Value]) -> Self {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        let corpus = corpus("outline", &[("records.ndjson", &lines)]);
        let spoken = format!("outline@{revision}");
        let arguments = [&over(&corpus)[..], &["--revision", &spoken]].concat();
        Self { client: mcp::Client::start(&arguments), _corpus: Some(corpus) }
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
        &self.client
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut mcp::Client {
        &mut self.client
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
