//! Search over memories with the Rust SDK: `sdk-memory-rust FOLDER [--port PORT]`, on standard input and output, or with a port over
//! streamable HTTP.

use axum::Router;
use chrono::{DateTime, FixedOffset};
use clap::Parser;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;

#[derive(Parser)]
struct Options {
    /// A folder with `entries.ndjson` and `contexts.ndjson`
    folder: PathBuf,
    /// Serve streamable HTTP at this port
    #[arg(long)]
    port: Option<u16>,
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Entry {
    memory_id: String,
    entry_id: String,
    creation_time: String,
    summary: String,
    raw_entry: String,
    #[serde(default)]
    score: usize,
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Context {
    memory_id: String,
    context_id: String,
    timestamp: String,
    context: String,
    #[serde(default)]
    score: usize,
}

/// What is asked. The schema that is derived says the ranges; nothing but `search_memories` checks them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// The memory to search.
    #[schemars(length(min = 1))]
    memory_id: String,
    /// What to look for.
    #[schemars(regex(pattern = r"\S"))]
    query: String,
    /// How many entries to return at most; 0 returns contexts only.
    #[serde(default = "five")]
    #[schemars(range(min = 0, max = 10))]
    top_ke: usize,
    /// How many contexts to return at most.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 3))]
    top_kc: usize,
}

fn five() -> usize {
    5
}

fn two() -> usize {
    2
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    entries: Vec<Entry>,
    count: usize,
    latest_context: String,
    latest_context_timestamp: Option<String>,
    contexts: Vec<Context>,
}

/// All that can be found.
#[derive(Clone)]
struct Memories {
    entries: Arc<[Entry]>,
    contexts: Arc<[Context]>,
}

impl Memories {
    fn load(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            entries: lines(&folder.join("entries.ndjson"))?.into(),
            contexts: lines(&folder.join("contexts.ndjson"))?.into(),
        })
    }
}

fn lines<T: DeserializeOwned>(file: &Path) -> io::Result<Vec<T>> {
    fs::read_to_string(file)?.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

#[tool_router]
impl Memories {
    /// Searches one memory for entries and contexts that contain words of a query.
    ///
    /// memory_id and query are required. top_ke is the most entries to return: default 5, range 0 to 10; 0 returns contexts only.
    /// top_kc is the most contexts to return: default 2, range 1 to 3.
    ///
    /// The answer always has these fields: entries (each with summary, rawEntry, score and creationTime), count (the number of entries),
    /// latestContext (the text of the newest context, whatever the query), latestContextTimestamp (its time), and contexts (each with
    /// context, timestamp and score).
    ///
    /// Entries and contexts are sorted by relevance score, descending. Their timestamps show how the memory changed: where two results
    /// contradict each other, the newer one usually holds.
    #[tool(title = "Search memories", annotations(read_only_hint = true, open_world_hint = false))]
    fn search_memories(&self, Parameters(asked): Parameters<Search>) -> Result<Json<Answer>, String> {
        match &asked {
            Search { memory_id, .. } if memory_id.is_empty() => return Err("memory_id must not be empty".to_owned()),
            Search { query, .. } if query.trim().is_empty() => return Err("query must not be empty".to_owned()),
            Search { top_ke: 11.., .. } => return Err("top_ke must be between 0 and 10".to_owned()),
            Search { top_kc: 0 | 4.., .. } => return Err("top_kc must be between 1 and 3".to_owned()),
            _ => {}
        }
        let words: Vec<String> = asked.query.split_whitespace().map(str::to_lowercase).collect();
        let score = |text: &str| {
            let text = text.to_lowercase();
            words.iter().map(|word| text.matches(word.as_str()).count()).sum()
        };
        let entries = self.entries.iter().filter(|entry| entry.memory_id == asked.memory_id);
        let entries = entries
            .map(|entry| Entry { score: score(&format!("{}\n{}", entry.summary, entry.raw_entry)), ..entry.clone() });
        let entries = best(entries.collect(), asked.top_ke, |entry| (entry.score, time(&entry.creation_time)));
        let own = || self.contexts.iter().filter(|context| context.memory_id == asked.memory_id);
        let newest = own().max_by_key(|context| time(&context.timestamp));
        let contexts = own().map(|context| Context { score: score(&context.context), ..context.clone() });
        let contexts = best(contexts.collect(), asked.top_kc, |context| (context.score, time(&context.timestamp)));
        Ok(Json(Answer {
            count: entries.len(),
            entries,
            latest_context: newest.map(|context| context.context.clone()).unwrap_or_default(),
            latest_context_timestamp: newest.map(|context| context.timestamp.clone()),
            contexts,
        }))
    }
}

/// What contains a word of the query, by score: the best first, and the newer of two that are equally good.
fn best<T>(mut items: Vec<T>, most: usize, worth: impl Fn(&T) -> (usize, Option<DateTime<FixedOffset>>)) -> Vec<T> {
    items.retain(|item| worth(item).0 > 0);
    items.sort_by_key(|item| Reverse(worth(item)));
    items.truncate(most);
    items
}

fn time(text: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(text).ok()
}

#[tool_handler(name = "sdk-memory-rust", version = "0.1.0")]
impl ServerHandler for Memories {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let memories = Memories::load(&options.folder)?;
    let Some(port) = options.port else {
        memories.serve(stdio()).await?.waiting().await?;
        return Ok(());
    };
    // The SDK looks at the origin of a request where it is asked to.
    let config = StreamableHttpServerConfig::default().enforce_origin_validation();
    let service: StreamableHttpService<_, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(memories.clone()), Arc::default(), config);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    Ok(axum::serve(listener, Router::new().route_service("/mcp", service)).await?)
}
