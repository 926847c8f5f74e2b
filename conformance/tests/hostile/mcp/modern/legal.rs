//! What is peculiar about a modern server and legal: nothing of it is held against it.

use super::program;
use super::server::{Reply, decoded, modern, tools, tried_at, tried_but, with};
use conformance::model::{Eras, Outcome, Verdict};
use rstest::rstest;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use testing::Request;

fn is_accepted(reply: &Reply) -> bool {
    reply.status == "200 OK" && reply.body["result"]["isError"] != true
}

/// Nothing is wrong, not even by advice.
fn assert_clean(trial: &crate::trial::Trial) {
    // What clients refuse is right by the protocol.
    let violated: Vec<&str> =
        trial.violated().into_iter().filter(|requirement| !requirement.starts_with("client.")).collect();
    assert_eq!((violated, trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
}

#[rstest]
#[case::at_once("")]
#[case::after_a_comment(": hello\n\n")]
#[case::after_an_empty_event("id: 7\ndata:\n\n")]
#[case::after_an_event_of_its_own("event: heartbeat\ndata: 1\n\n")]
#[case::after_a_time_to_retry("retry: 10\n\n")]
fn an_answer_as_a_stream(#[case] before: &'static str) {
    let (trial, _) = tried_at(Eras::Auto, move |request| match modern(request) {
        reply if reply.status == "200 OK" => reply.streamed(before),
        reply => reply.answer(),
    });
    assert_clean(&trial);
    assert_eq!(trial.verdict_in("1-find", "mcp.result-type"), Verdict::Pass);
}

#[rstest]
#[case::other_case("Content-Type: application/json\r\n")]
#[case::with_a_charset("content-type: application/json; charset=utf-8\r\n")]
#[case::with_a_session("content-type: application/json\r\nmcp-session-id: 7\r\n")]
#[case::with_more("CONTENT-TYPE: APPLICATION/JSON\r\nx-own: 1\r\ncache-control: no-store\r\n")]
fn headers_of_an_answer(#[case] headers: &'static str) {
    assert_clean(&tried_but(move |_, reply| {
        if reply.status == "200 OK" {
            reply.headers = headers.to_owned();
        }
    }));
}

#[rstest]
#[case::no_time_at_all("ttlMs", json!(0))]
#[case::a_long_time("ttlMs", json!(9_007_199_254_740_991_i64))]
#[case::a_time_as_a_float("ttlMs", json!(60.0))]
#[case::private("cacheScope", json!("private"))]
#[case::a_title("title", json!("A server"))]
#[case::what_nobody_knows("x-own", json!({ "a": [1] }))]
#[case::instructions("instructions", json!("Call find first."))]
#[case::extensions("capabilities", json!({ "tools": { "listChanged": true }, "logging": {}, "extensions": { "com.example/own": {} } }))]
#[case::more_versions("supportedVersions", json!(["2024-11-05", "2026-07-28", "2027-01-01", "DRAFT-2027"]))]
#[case::more_meta("_meta", json!({
    "io.modelcontextprotocol/serverInfo": { "name": "test", "version": "1", "title": "T", "icons": [{ "src": "data:," }] },
    "com.example/own": null,
}))]
fn what_discovery_and_lists_may_say(#[case] name: &'static str, #[case] value: Value) {
    assert_clean(&tried_but(move |request, reply| {
        let is_of_discovery = matches!(name, "capabilities" | "supportedVersions" | "instructions");
        if is_accepted(reply) && (request.method() == "server/discover" || !is_of_discovery) {
            reply.set(name, value.clone());
        }
    }));
}

#[test]
fn tools_in_pages() {
    let trial = tried_but(|request, reply| {
        if request.method() == "tools/list" && is_accepted(reply) {
            let is_first = request.message["params"]["cursor"].is_null();
            let tool = reply.body["result"]["tools"][usize::from(!is_first)].clone();
            reply.set("tools", json!([tool]));
            if is_first {
                reply.set("nextCursor", json!("2"));
            }
        }
    });
    assert_clean(&trial);
    assert_eq!(trial.verdict_in("4-tools", "mcp.one-cache-scope"), Verdict::Pass);
}

#[test]
fn tools_with_all_that_they_may_have() {
    assert_clean(&tried_but(|request, reply| {
        if request.method() == "tools/list" && is_accepted(reply) {
            let tool = &mut reply.body["result"]["tools"][0];
            tool["title"] = json!("Find");
            tool["description"] = json!("Finds");
            tool["icons"] = json!([{ "src": "https://example.com/a.png", "sizes": ["48x48"] }]);
            tool["annotations"] = json!({ "readOnlyHint": true });
            tool["_meta"] = json!({ "com.example/own": 1 });
            tool["inputSchema"]["allOf"] = json!([{ "if": { "required": ["limit"] }, "then": {} }]);
            tool["inputSchema"]["$defs"] = json!({ "a": { "type": "string" } });
        }
    }));
}

/// A server may refuse by a stream too.
#[rstest]
#[case::at_once("")]
#[case::after_a_comment(": no\n\n")]
fn a_refusal_as_a_stream(#[case] before: &'static str) {
    let (trial, _) = tried_at(Eras::Auto, move |request| match modern(request) {
        reply if reply.body.is_null() => reply.answer(),
        reply => reply.streamed(before),
    });
    assert_clean(&trial);
    assert_eq!(trial.verdict_in("protocol/unknown-method-over-http", "mcp-http.refusal-status"), Verdict::Pass);
}

/// What has no header is not text, integer or truth value by its schema; the rest is open.
#[rstest]
#[case::one_of_some(json!({ "enum": ["a", "b"], "x-mcp-header": "Limit" }))]
#[case::a_text_or_null(json!({ "type": ["string", "null"], "x-mcp-header": "Limit" }))]
#[case::one_or_the_other(json!({ "anyOf": [{ "type": "string" }, { "type": "null" }], "x-mcp-header": "Limit" }))]
#[case::described_elsewhere(json!({ "$ref": "#/properties/query", "x-mcp-header": "Limit" }))]
fn an_annotation_of_what_may_be_mirrored(#[case] property: Value) {
    assert_clean(&tried_but(move |request, reply| {
        if request.method() == "tools/list" && is_accepted(reply) {
            reply.body["result"]["tools"][0]["inputSchema"]["properties"]["limit"] = property.clone();
        }
    }));
}

/// What we cannot read is held against nobody.
#[test]
fn an_output_schema_of_a_dialect_that_is_not_known() {
    let trial = tried_but(|request, reply| {
        if request.method() == "tools/list" && is_accepted(reply) {
            let schema = json!({ "$schema": "https://example.com/dialect", "type": "object" });
            reply.body["result"]["tools"][1]["outputSchema"] = schema;
        }
    });
    assert_clean(&trial);
    let skipped = with(&trial, Outcome::NotExercised);
    assert!(skipped.contains(&"modern mcp.structured-valid".to_owned()), "{skipped:?}");
}

#[test]
fn an_answer_that_nests_deeper_than_is_read() {
    let deep = || (0..200).fold(json!(1), |inner, _| json!([inner]));
    let trial = tried_but(move |request, reply| {
        if request.message["params"]["name"] == "read" && is_accepted(reply) {
            reply.body["result"]["structuredContent"]["deep"] = deep();
        }
    });
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 3), "{}", trial.everything_said());
    let why = trial.why_in("3-read", "small.title");
    assert!(why.contains("nest deeper than 127"), "{why}");
}

/// Of a schema of any type, and content of any type: the contract alone wants an object.
#[rstest]
#[case::a_list(json!({ "type": "array" }), json!([1]))]
#[case::a_text(json!({ "type": "string" }), json!("a"))]
#[case::a_number(json!({ "type": "number" }), json!(7))]
#[case::no(json!({ "type": "boolean" }), json!(false))]
#[case::nothing(json!({ "type": "null" }), json!(null))]
#[case::one_of_two(json!({ "oneOf": [{ "type": "array" }, { "type": "string" }] }), json!("a"))]
fn structured_content_of_any_type(#[case] schema: Value, #[case] content: Value) {
    let trial = tried_but(move |request, reply| {
        if request.method() == "tools/list" && is_accepted(reply) {
            reply.body["result"]["tools"][1]["outputSchema"] = schema.clone();
        }
        if request.message["params"]["name"] == "read" && is_accepted(reply) {
            reply.set("content", json!([{ "type": "text", "text": content.to_string() }]));
            reply.set("structuredContent", content.clone());
        }
    });
    assert_eq!(trial.violated(), ["small.title"], "{}", trial.everything_said());
}

/// A server that has an argument mirrored refuses calls without it: our client sends it.
#[test]
fn an_argument_that_is_mirrored() {
    let trial = tried_but(|request, reply| {
        if request.method() == "tools/list" && is_accepted(reply) {
            let tools = &mut reply.body["result"]["tools"];
            tools[0]["inputSchema"]["properties"]["query"] = json!({ "type": "string", "x-mcp-header": "Query" });
            tools[1]["inputSchema"]["properties"]["id"] = json!({ "type": "string", "x-mcp-header": "X-Id" });
        }
        for (argument, header) in [("query", "mcp-param-query"), ("id", "mcp-param-x-id")] {
            let value = request.message["params"]["arguments"][argument].as_str();
            if is_accepted(reply) && request.header(header).map(decoded).as_deref() != value {
                *reply = Reply::error(request, "400 Bad Request", -32020, Value::Null);
            }
        }
    });
    assert_clean(&trial);
}

/// It is asked again with the state, and with another id, as often as it asks for that.
#[rstest]
#[case::once(1, true)]
#[case::five_times(5, true)]
#[case::without_end(6, false)]
fn a_state_that_is_sent_back(#[case] rounds: usize, #[case] is_answered: bool) {
    let seen: Arc<Mutex<Vec<Value>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let trial = tried_but(move |request, reply| {
        if request.message["params"]["name"] != "read" || !is_accepted(reply) {
            return;
        }
        noted.lock().unwrap().push(request.message.clone());
        let before = request.message["params"]["requestState"].as_str().map_or(0, |state| state[2..].parse().unwrap());
        if before < rounds {
            reply.set("resultType", json!("input_required"));
            reply.set("requestState", json!(format!("s-{}", before + 1)));
            ["content", "structuredContent"].iter().for_each(|name| reply.without(name));
        }
    });
    assert_eq!(trial.violated(), Vec::<&str>::new(), "{}", trial.everything_said());
    let expected = if is_answered { Verdict::Pass } else { Verdict::Skip };
    assert_eq!(trial.verdict_in("3-read", "small.title"), expected, "{}", trial.why_in("3-read", "small.title"));
    let seen = seen.lock().unwrap();
    let calls: Vec<&Value> = seen.iter().take(rounds.min(5) + 1).collect();
    for (at, pair) in calls.windows(2).enumerate() {
        assert_eq!(pair[1]["params"]["requestState"], format!("s-{}", at + 1));
        assert_eq!(pair[1]["params"]["arguments"], pair[0]["params"]["arguments"]);
        assert_ne!(pair[1]["id"], pair[0]["id"]);
    }
    if !is_answered {
        let first = seen[0]["params"]["requestState"].is_null();
        let states = seen.iter().skip(1).take_while(|call| !call["params"]["requestState"].is_null()).count();
        assert!(first && states == 5, "it was asked {states} times again");
    }
}

/// What it needs was not offered: nothing can be said of the contract, and nothing is wrong.
#[test]
fn a_call_that_needs_a_capability() {
    let trial = tried_but(|request, reply| {
        if request.message["params"]["name"] == "read" && is_accepted(reply) {
            let data = json!({ "requiredCapabilities": { "elicitation": {} } });
            *reply = Reply::error(request, "400 Bad Request", -32021, data);
        }
    });
    assert_eq!(trial.violated(), Vec::<&str>::new(), "{}", trial.everything_said());
    let skipped = with(&trial, Outcome::NotExercised);
    assert!(skipped.contains(&"modern small.title".to_owned()), "{skipped:?}");
    assert_eq!(trial.verdict_in("1-find", "small.results"), Verdict::Pass);
}

#[rstest]
#[case::words_for_people("echo 'listening' >&2")]
#[case::no_time("CACHE='\"ttlMs\":0,\"cacheScope\":\"private\"'")]
#[case::blank_lines("called() { say ''; answer; say ''; }")]
fn a_program(#[case] lines: &str) {
    assert_clean(&program::run(&program::modern(lines), Eras::Auto));
}

/// The order of the members, and of the answers, is the server's own affair.
#[test]
fn tools_that_are_more_than_the_contract_knows() {
    assert_clean(&tried_but(|request: &Request, reply: &mut Reply| {
        if request.method() == "tools/list" && is_accepted(reply) {
            let mut more = tools()["tools"].as_array().unwrap().clone();
            more.push(json!({ "name": "a.b-c_D", "inputSchema": { "type": "object" } }));
            reply.set("tools", json!(more));
        }
    }));
}
