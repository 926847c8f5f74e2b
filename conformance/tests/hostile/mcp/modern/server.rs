//! Servers at an address: strict ones of each era, of which a test changes what it wants to be different.

use crate::mcp::server::answer;
use crate::mcp::small::{target_in, tried};
use crate::mcp::talk::initialize;
use crate::trial::Trial;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use conformance::model::{Era, Eras, Outcome};
use conformance::targets::Address;
use serde_json::{Value, json};
use testing::{Answer, Request, Server};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// The revision that these servers speak.
pub(crate) const OURS: &str = "2026-07-28";

/// An answer before it is written down.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: &'static str,
    /// Its header lines.
    pub(crate) headers: String,
    pub(crate) body: Value,
}

impl Reply {
    pub(crate) fn of(status: &'static str, body: Value) -> Self {
        Self { status, headers: "content-type: application/json\r\n".to_owned(), body }
    }

    /// A response with a result.
    pub(crate) fn result(request: &Request, result: &Value) -> Self {
        Self::of("200 OK", request.response(result))
    }

    /// A response with an error.
    pub(crate) fn error(request: &Request, status: &'static str, code: i64, data: Value) -> Self {
        let error = json!({ "code": code, "message": "refused", "data": data });
        Self::of(status, json!({ "jsonrpc": "2.0", "id": request.message["id"], "error": error }))
    }

    pub(crate) fn nothing(status: &'static str) -> Self {
        Self { status, headers: String::new(), body: Value::Null }
    }

    pub(crate) fn answer(&self) -> Answer {
        let body = if self.body.is_null() { String::new() } else { self.body.to_string() };
        answer(self.status, &self.headers, body)
    }

    /// The same as the last event of a stream, after these lines.
    pub(crate) fn streamed(&self, before: &str) -> Answer {
        let body = format!("{before}data: {}\n\n", self.body);
        answer(self.status, "content-type: text/event-stream\r\n", body)
    }

    /// Its result.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.body["result"][name] = value;
    }

    /// Its result without a member.
    pub(crate) fn without(&mut self, name: &str) {
        self.body["result"].as_object_mut().map(|result| result.remove(name));
    }
}

/// The era of a request.
pub(crate) fn era(request: &Request) -> Era {
    if request.message["params"]["_meta"][VERSION].is_string() { Era::Modern } else { Era::Legacy }
}

/// What a strict server answers that speaks modern versions alone.
pub(crate) fn modern(request: &Request) -> Reply {
    let message = &request.message;
    if message["id"].is_null() {
        return Reply::nothing(if message["method"].is_string() { "202 Accepted" } else { "405 Method Not Allowed" });
    }
    let supported = json!({ "supported": [OURS], "requested": message["params"]["_meta"][VERSION] });
    let method = message["method"].as_str().unwrap_or_default();
    if method == "initialize" {
        return Reply::error(request, "400 Bad Request", -32022, json!({ "supported": [OURS] }));
    }
    let version = message["params"]["_meta"][VERSION].as_str();
    let name = request.header("mcp-name").map(decoded);
    let wants_name = message["params"]["name"].as_str().filter(|_| method == "tools/call");
    if request.header("mcp-protocol-version") != version
        || request.header("mcp-method") != Some(method)
        || name.as_deref() != wants_name
    {
        return Reply::error(request, "400 Bad Request", -32020, Value::Null);
    }
    if version != Some(OURS) {
        return Reply::error(request, "400 Bad Request", -32022, supported);
    }
    if !message["params"]["_meta"][CAPABILITIES].is_object() {
        return Reply::error(request, "400 Bad Request", -32602, Value::Null);
    }
    let mut result = match method {
        "server/discover" => json!({ "supportedVersions": [OURS], "capabilities": { "tools": {} } }),
        "tools/list" => tools(),
        // The name that the suite asks for: other tests rename the tools.
        "tools/call" if message["params"]["name"] == "no-such-tool" => {
            return Reply::error(request, "400 Bad Request", -32602, Value::Null);
        }
        "tools/call" => called(request),
        _ => return Reply::error(request, "404 Not Found", -32601, Value::Null),
    };
    result["resultType"] = json!("complete");
    result["_meta"] = json!({ SERVER: { "name": "test", "version": "1" } });
    if method != "tools/call" {
        (result["ttlMs"], result["cacheScope"]) = (json!(1000), json!("public"));
    }
    Reply::result(request, &result)
}

/// What a strict server answers that speaks legacy revisions alone.
pub(crate) fn legacy(request: &Request) -> Reply {
    if request.message["id"].is_null() {
        let is_message = request.message["method"].is_string();
        return Reply::nothing(if is_message { "202 Accepted" } else { "405 Method Not Allowed" });
    }
    match request.method() {
        "initialize" => Reply::result(request, &initialize()),
        "tools/list" => Reply::result(request, &tools()),
        "tools/call" => Reply::result(request, &called(request)),
        "ping" => Reply::result(request, &json!({})),
        _ => Reply::error(request, "200 OK", -32601, Value::Null),
    }
}

/// What a server answers that speaks both.
pub(crate) fn dual(request: &Request) -> Reply {
    match era(request) {
        Era::Modern => modern(request),
        Era::Legacy => legacy(request),
    }
}

/// The tools of the small contract.
pub(crate) fn tools() -> Value {
    let tool = |name: &str, arguments: &[&str]| {
        let properties: serde_json::Map<_, _> = arguments.iter().map(|one| ((*one).to_owned(), json!({}))).collect();
        json!({ "name": name, "inputSchema": { "type": "object", "properties": properties } })
    };
    json!({ "tools": [tool("find", &["query", "limit"]), tool("read", &["id"])] })
}

/// What a tool of the small contract answers: its limit must be above 0.
fn called(request: &Request) -> Value {
    let params = &request.message["params"];
    let body = match (params["name"].as_str(), &params["arguments"]["limit"]) {
        (Some("read"), _) => json!({ "title": "a" }),
        (_, Value::Null) => json!({ "results": [{ "n": 1 }] }),
        _ => return json!({ "content": [{ "type": "text", "text": "limit must be above 0" }], "isError": true }),
    };
    json!({ "content": [{ "type": "text", "text": body.to_string() }], "structuredContent": body })
}

/// A header in its plain form.
pub(crate) fn decoded(value: &str) -> String {
    let encoded = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    encoded.map_or_else(|| value.to_owned(), |text| String::from_utf8(STANDARD.decode(text).unwrap()).unwrap())
}

/// A run of the small contract against a server that answers so, with the server.
pub(crate) fn tried_at(eras: Eras, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> (Trial, Server) {
    let mut server = Server::new(answer);
    server.address += "/mcp";
    (tried(&target_in(Address::McpHttp(server.address.clone()), eras)), server)
}

/// A run against a modern server that answers otherwise in one thing.
pub(crate) fn tried_but(change: impl Fn(&Request, &mut Reply) + Send + Sync + 'static) -> Trial {
    let answer = move |request: &Request| {
        let mut reply = modern(request);
        change(request, &mut reply);
        reply.answer()
    };
    tried_at(Eras::Auto, answer).0
}

/// The eras that a run found a server to speak, and whether the contract is judged elsewhere.
pub(crate) fn spoken(trial: &Trial) -> Vec<(Era, bool)> {
    let spoken = trial.log.header.spoken.iter().filter(|spoken| spoken.revision.is_some());
    spoken.map(|spoken| (spoken.place.transport.era().unwrap(), spoken.beside)).collect()
}

/// The requirements with an outcome, as `era id`.
pub(crate) fn with(trial: &Trial, outcome: Outcome) -> Vec<String> {
    let rows = trial.log.ledger.rows.iter().filter(|row| row.outcome == outcome);
    rows.map(|row| format!("{} {}", row.transport.era().unwrap(), row.requirement.id)).collect()
}

/// Every requirement with its outcome and how often it was exercised.
pub(crate) fn outcomes(trial: &Trial) -> Vec<(String, Outcome, usize)> {
    let rows = trial.log.ledger.rows.iter();
    rows.map(|row| (format!("{} {}", row.transport, row.requirement.id), row.outcome, row.exercised)).collect()
}
