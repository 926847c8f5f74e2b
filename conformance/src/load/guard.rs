//! What it takes to judge by the schemas of a contract that a user brings, counted before anything is judged.

use crate::files;
use crate::rules::Bounded;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;

/// The schemas of a contract, none of which takes more than its bounds allow.
#[derive(Debug)]
pub(super) struct Guard {
    schemas: Map<String, Value>,
}

impl Guard {
    /// Counts what the schemas of a folder take with any value.
    ///
    /// # Errors
    /// When that is too much, or has no end, for people to read.
    pub(super) fn of(folder: &Path) -> Result<Self, String> {
        let mut schemas = Map::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            // What cannot be read is told where schemas are compiled.
            if name.ends_with(".schema.json")
                && let Some(schema) = files::text(&entry.path()).ok().and_then(|text| serde_json::from_str(&text).ok())
            {
                schemas.insert(name, schema);
            }
        }
        let guard = Self { schemas };
        guard.with(&Value::Bool(true)).map_err(|why| format!("its schemas cannot be used: {why}"))?;
        Ok(guard)
    }

    /// The schema of a check, which may refer to those of the contract.
    ///
    /// # Errors
    /// When it takes too much, or has no end, for people to read.
    pub(super) fn with(&self, schema: &Value) -> Result<Arc<Bounded>, String> {
        let mut own = schema.clone();
        if let Some(keywords) = own.as_object_mut() {
            // What it refers to in itself is found in it.
            keywords.entry("$id").or_insert_with(|| json!("check"));
        }
        Bounded::of(json!({ "$defs": self.schemas, "allOf": [own] })).map(Arc::new)
    }
}
