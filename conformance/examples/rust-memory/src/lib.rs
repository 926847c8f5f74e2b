//! An example: `POST /v0/search` over memories that are held in memory, as small as it can be and still conform.

use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use chrono::{DateTime, FixedOffset};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// What was remembered: a line of `entries.ndjson`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    memory_id: String,
    entry_id: String,
    creation_time: DateTime<FixedOffset>,
    summary: String,
    raw_entry: String,
}

/// What a memory was about at some time: a line of `contexts.ndjson`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    memory_id: String,
    timestamp: DateTime<FixedOffset>,
    context: String,
}

/// Everything that can be found.
pub struct Memories {
    entries: Vec<Entry>,
    contexts: Vec<Context>,
}

impl Memories {
    /// Reads a folder with `entries.ndjson` and `contexts.ndjson`, such as the corpus of the contract.
    ///
    /// # Errors
    /// When a file cannot be read, or a line of it is of another form.
    pub fn load(folder: &Path) -> io::Result<Self> {
        Ok(Self { entries: lines(&folder.join("entries.ndjson"))?, contexts: lines(&folder.join("contexts.ndjson"))? })
    }
}

fn lines<T: DeserializeOwned>(file: &Path) -> io::Result<Vec<T>> {
    fs::read_to_string(file)?.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

/// The server as a router, to be served or called.
pub fn app(memories: Memories) -> Router {
    Router::new().route("/v0/search", post(answer)).with_state(Arc::new(memories))
}

/// What is asked, with the defaults of the document. Names that are gone, such as `topK`, are refused as unknown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    #[serde(rename = "memoryId")]
    memory_id: String,
    query: String,
    #[serde(default = "five")]
    top_ke: usize,
    #[serde(default = "two")]
    top_kc: usize,
}

fn five() -> usize {
    5
}

fn two() -> usize {
    2
}

async fn answer(
    State(memories): State<Arc<Memories>>,
    asked: Result<Json<Search>, JsonRejection>,
) -> Result<Json<Value>, Response> {
    let Json(asked) = asked.map_err(|rejection| refused(&rejection.body_text()))?;
    let wrong = match &asked {
        Search { memory_id, .. } if memory_id.is_empty() => Some("memoryId must not be empty"),
        Search { query, .. } if query.trim().is_empty() => Some("query must not be empty"),
        Search { top_ke: 11.., .. } => Some("top_ke must be between 0 and 10"),
        Search { top_kc: 0 | 4.., .. } => Some("top_kc must be between 1 and 3"),
        _ => None,
    };
    match wrong {
        Some(message) => Err(refused(message)),
        None => Ok(Json(memories.search(&asked))),
    }
}

/// Whatever is wrong with a request is a 400 that says so.
fn refused(message: &str) -> Response {
    let body = json!({ "error": "Bad Request", "code": 400, "message": message });
    (StatusCode::BAD_REQUEST, Json(body)).into_response()
}

impl Memories {
    /// The best matches first; the newer of two that match equally well.
    fn search(&self, asked: &Search) -> Value {
        let words: Vec<String> = asked.query.split_whitespace().map(str::to_lowercase).collect();
        let score = |text: &str| {
            let text = text.to_lowercase();
            words.iter().map(|word| text.matches(word.as_str()).count()).sum::<usize>()
        };
        let mut entries: Vec<(usize, &Entry)> = self
            .entries
            .iter()
            .filter(|entry| entry.memory_id == asked.memory_id)
            .map(|entry| (score(&format!("{}\n{}", entry.summary, entry.raw_entry)), entry))
            .filter(|(score, _)| *score > 0)
            .collect();
        entries.sort_by_key(|(score, entry)| std::cmp::Reverse((*score, entry.creation_time)));
        entries.truncate(asked.top_ke);
        let own: Vec<&Context> = self.contexts.iter().filter(|context| context.memory_id == asked.memory_id).collect();
        let latest = own.iter().max_by_key(|context| context.timestamp);
        let mut contexts: Vec<(usize, &Context)> =
            own.iter().map(|context| (score(&context.context), *context)).filter(|(score, _)| *score > 0).collect();
        contexts.sort_by_key(|(score, context)| std::cmp::Reverse((*score, context.timestamp)));
        contexts.truncate(asked.top_kc);
        json!({
            "entries": entries.iter().map(|(score, entry)| json!({
                "entryId": entry.entry_id,
                "memoryId": entry.memory_id,
                "summary": entry.summary,
                "rawEntry": entry.raw_entry,
                "score": score,
                "creationTime": entry.creation_time.to_rfc3339(),
            })).collect::<Vec<_>>(),
            "count": entries.len(),
            "latestContext": latest.map_or("", |context| &context.context),
            "latestContextTimestamp": latest.map(|context| context.timestamp.to_rfc3339()),
            "contexts": contexts.iter().map(|(score, context)| json!({
                "context": context.context,
                "timestamp": context.timestamp.to_rfc3339(),
                "score": score,
            })).collect::<Vec<_>>(),
        })
    }
}
