//! The items of the corpus, and the search for them.

use crate::data::{self, DataError};
use crate::json::{JsonObject, shown};
use crate::quote::shortened;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;

#[derive(Debug, Deserialize, Serialize)]
struct Item {
    id: String,
    text: String,
}

/// All items, in the order of the corpus.
#[derive(Debug, Default)]
pub(super) struct Items(Vec<Item>);

impl Items {
    /// Reads `items.ndjson` in a folder.
    pub(super) fn load(folder: &Path) -> Result<Self, DataError> {
        let file = folder.join("items.ndjson");
        let lines = data::lines(&file)?;
        Ok(Self(lines.map(|line| Ok(line?.1)).collect::<Result<_, DataError>>()?))
    }

    /// The answer to a search, or why its arguments are refused.
    pub(super) fn search(&self, arguments: &JsonObject) -> Result<Value, String> {
        if let Some(name) = arguments.keys().find(|name| *name != "query") {
            return Err(format!("{} is no argument of a search", shortened(name)));
        }
        let query = match arguments.get("query") {
            Some(Value::String(query)) => query,
            Some(other) => return Err(format!("query must be a string, got {}", shown(other))),
            None => return Err("query is required".to_owned()),
        };
        let found: Vec<&Item> = self.0.iter().filter(|item| item.text.contains(query)).collect();
        Ok(json!({ "items": found }))
    }
}
