//! A small server of memories over HTTP and MCP, which says and does what a test wants.

use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::fs;
use testing::{Answer, Request, Server, answer};

/// What a server takes and says.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// The most entries and the most contexts that are given over HTTP.
    pub(super) http: (u64, u64),
    /// The same over MCP.
    pub(super) mcp: (u64, u64),
    /// What the description of the tool says of them; nothing where it says no numbers.
    pub(super) says: Option<(u64, u64)>,
    /// Whether more than the most is read as the most.
    pub(super) clamps: bool,
    /// Whether the most contexts without any entries are refused.
    pub(super) refuses_contexts_alone: bool,
}

impl Manner {
    /// The same in every respect.
    pub(super) fn of(most: (u64, u64)) -> Self {
        Self { http: most, mcp: most, says: Some(most), clamps: false, refuses_contexts_alone: false }
    }
}

/// Serves the corpus at `/v0/search` and `/mcp`.
pub(super) fn serve(manner: Manner) -> Server {
    let memories = Memories::read();
    Server::new(move |request| match (request.target(), request.method()) {
        ("/v0/search", _) => match memories.search(request.message.as_object(), "memoryId", (manner.http, manner)) {
            Ok(found) => sent("200 OK", &found),
            Err(why) => sent("400 Bad Request", &json!({ "error": why })),
        },
        ("/mcp", "GET" | "DELETE") => answer("405 Method Not Allowed", "", ""),
        ("/mcp", "POST") => sent(
            "400 Bad Request",
            &json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "no JSON-RPC" } }),
        ),
        ("/mcp", _) => memories.called(request, manner),
        _ => answer("404 Not Found", "", ""),
    })
}

fn sent(status: &str, body: &Value) -> Answer {
    answer(status, "content-type: application/json\r\n", body.to_string())
}

struct Memories {
    entries: Vec<Value>,
    contexts: Vec<Value>,
}

impl Memories {
    fn read() -> Self {
        let lines = |name: &str| {
            let text = fs::read_to_string(testing::corpus("memory").join(name)).unwrap();
            text.split_terminator('\n').map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        Self { entries: lines("entries.ndjson"), contexts: lines("contexts.ndjson") }
    }

    /// The answer to a message of MCP.
    fn called(&self, request: &Request, manner: Manner) -> Answer {
        let params = &request.message["params"];
        let result = match request.method() {
            _ if request.message.get("id").is_none() => return answer("202 Accepted", "", ""),
            "initialize" => {
                let server = json!({ "name": "memories", "version": "1" });
                json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": server })
            }
            "ping" => json!({}),
            "tools/list" => json!({ "tools": [tool(manner)] }),
            "tools/call" if params["name"] == "search_memories" => {
                match self.search(params["arguments"].as_object(), "memory_id", (manner.mcp, manner)) {
                    Ok(found) => {
                        let text = json!({ "type": "text", "text": found.to_string() });
                        json!({ "content": [text], "structuredContent": found })
                    }
                    Err(why) => json!({ "content": [{ "type": "text", "text": why }], "isError": true }),
                }
            }
            method => {
                let code = if method == "tools/call" { -32602 } else { -32601 };
                let error = json!({ "code": code, "message": "there is no such thing here" });
                return sent("200 OK", &json!({ "jsonrpc": "2.0", "id": request.message["id"], "error": error }));
            }
        };
        sent("200 OK", &request.response(&result))
    }

    /// The best matches first, the newer of two that match equally well; or what is wrong with what is asked.
    fn search(
        &self,
        asked: Option<&Map<String, Value>>,
        memory: &str,
        (most, manner): ((u64, u64), Manner),
    ) -> Result<Value, String> {
        let asked = asked.ok_or("give an object of arguments")?;
        if let Some(name) = asked.keys().find(|name| ![memory, "query", "top_ke", "top_kc"].contains(&name.as_str())) {
            return Err(format!("there is no {name}"));
        }
        let text = |name: &str| {
            let text = asked.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
            text.ok_or_else(|| format!("{name} is required"))
        };
        let number = |name: &str, default: u64, least: u64, most: u64| {
            let number = asked.get(name).map_or(Some(default), Value::as_u64);
            let number = number.map(|number| if manner.clamps { number.min(most) } else { number });
            let number = number.filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("{name} must be from {least} to {most}"))
        };
        let (id, query) = (text(memory)?, text("query")?.to_lowercase());
        let (entries, contexts) = (number("top_ke", 5, 0, most.0)?, number("top_kc", 2, 1, most.1)?);
        if manner.refuses_contexts_alone && (entries, contexts) == (0, most.1) {
            return Err("contexts alone are too many".to_owned());
        }
        let own = |all: &[Value]| all.iter().filter(|one| one["memoryId"] == id).cloned().collect::<Vec<Value>>();
        let best = |all: Vec<Value>, time: &str, texts: &[&str], most: u64| {
            let mut scored: Vec<(usize, Value)> =
                all.into_iter().map(|one| (score(&one, texts, &query), one)).collect();
            scored.retain(|(score, _)| *score > 0);
            scored.sort_by_key(|(score, one)| Reverse((*score, one[time].as_str().unwrap().to_owned())));
            let scored = scored.into_iter().take(usize::try_from(most).unwrap());
            let shown = scored.map(|(score, mut one)| {
                one["score"] = score.into();
                one
            });
            shown.collect::<Vec<Value>>()
        };
        let all = own(&self.contexts);
        let latest = all.iter().max_by_key(|one| instant(&one["timestamp"])).cloned().unwrap_or_default();
        let entries = best(own(&self.entries), "creationTime", &["summary", "rawEntry"], entries);
        Ok(json!({
            "count": entries.len(),
            "entries": entries,
            "latestContext": latest["context"],
            "latestContextTimestamp": latest["timestamp"],
            "contexts": best(all, "timestamp", &["context"], contexts),
        }))
    }
}

fn score(one: &Value, texts: &[&str], query: &str) -> usize {
    let text: String = texts.iter().map(|name| one[*name].as_str().unwrap().to_lowercase() + "\n").collect();
    query.split_whitespace().map(|word| text.matches(word).count()).sum()
}

fn instant(time: &Value) -> i64 {
    chrono::DateTime::parse_from_rfc3339(time.as_str().unwrap()).unwrap().timestamp()
}

/// The tool as a model reads it.
fn tool(manner: Manner) -> Value {
    let numbers = manner.says.map_or_else(String::new, |(entries, contexts)| {
        format!(
            "top_ke: how many entries come at most, 0 to {entries}, default 5. top_kc: how many contexts come at most, 1 to {contexts}, \
             default 2. "
        )
    });
    let fields = "entries: what was found. count: how many entries there are. latestContext: the newest context of the memory. \
                  latestContextTimestamp: the time of that. contexts: earlier contexts that match.";
    let text = |about: &str| json!({ "type": "string", "description": about });
    json!({
        "name": "search_memories",
        "description": format!(
            "Searches a memory. {numbers}The answer has these fields. {fields} Results are sorted by relevance score, descending. Each \
             has a timestamp: what is newer holds where two contradict each other."
        ),
        "inputSchema": {
            "type": "object",
            "required": ["memory_id", "query"],
            "properties": {
                "memory_id": text("The memory to search."),
                "query": text("What to look for."),
                "top_ke": { "type": "integer" },
                "top_kc": { "type": "integer" },
            },
        },
    })
}
