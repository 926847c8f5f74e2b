//! Modern servers with a single fault in what they answer: its requirement names it, and no other one that does not follow from it.

use super::program;
use super::server::{OURS, Reply, modern, tried_at, tried_but};
use crate::mcp::server::answer;
use conformance::model::Eras;
use rstest::rstest;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::Request;

const NOTHING: Value = Value::Null;

fn is_call(request: &Request) -> bool {
    request.method() == "tools/call"
}

fn is_refusal(reply: &Reply) -> bool {
    reply.body["result"]["isError"] == true
}

/// Puts a value where a pointer leads; null takes away what is there.
fn put(body: &mut Value, pointer: &str, value: &Value) {
    let (above, name) = pointer.rsplit_once('/').unwrap();
    let above = body.pointer_mut(above).unwrap();
    match value {
        Value::Null => _ = above.as_object_mut().unwrap().remove(name),
        value => above[name.replace("~1", "/")] = value.clone(),
    }
}

#[rstest]
#[case::no_type_of_a_call("tools/call", "/result/resultType", NOTHING, "mcp.result-type")]
#[case::no_type_of_a_list("tools/list", "/result/resultType", NOTHING, "mcp.result-type")]
#[case::no_type_of_discovery("server/discover", "/result/resultType", NOTHING, "mcp.result-type")]
#[case::a_type_that_nobody_knows("tools/list", "/result/resultType", json!("partial"), "mcp.result-type")]
#[case::a_type_of_a_call_that_nobody_knows("tools/call", "/result/resultType", json!("task"), "mcp.result-type")]
#[case::a_type_that_is_none("tools/list", "/result/resultType", json!(7), "mcp.result-type")]
#[case::a_list_that_asks_for_input("tools/list", "/result/resultType", json!("input_required"), "mcp.input-required")]
#[case::a_call_that_asks_for_nothing("tools/call", "/result/resultType", json!("input_required"), "mcp.input-required")]
#[case::no_time("tools/list", "/result/ttlMs", NOTHING, "mcp.cache-hints")]
#[case::a_negative_time("tools/list", "/result/ttlMs", json!(-1), "mcp.cache-hints")]
#[case::half_a_millisecond("tools/list", "/result/ttlMs", json!(0.5), "mcp.cache-hints")]
#[case::a_time_as_text("tools/list", "/result/ttlMs", json!("60"), "mcp.cache-hints")]
#[case::no_scope("tools/list", "/result/cacheScope", NOTHING, "mcp.cache-hints")]
#[case::another_scope("tools/list", "/result/cacheScope", json!("session"), "mcp.cache-hints")]
#[case::no_time_of_discovery("server/discover", "/result/ttlMs", NOTHING, "mcp.cache-hints")]
#[case::another_scope_of_discovery("server/discover", "/result/cacheScope", json!("none"), "mcp.cache-hints")]
#[case::no_capabilities("server/discover", "/result/capabilities", NOTHING, "mcp.discover")]
#[case::no_tools("server/discover", "/result/capabilities/tools", NOTHING, "mcp.discover")]
#[case::no_versions("server/discover", "/result/supportedVersions", NOTHING, "mcp.discover")]
#[case::versions_that_are_numbers("server/discover", "/result/supportedVersions", json!([2026]), "mcp.discover")]
#[case::a_version_as_a_text("server/discover", "/result/supportedVersions", json!(OURS), "mcp.discover")]
#[case::a_version_that_it_does_not_speak("server/discover", "/result/supportedVersions", json!(["2025-11-25"]), "mcp.discover")]
#[case::a_schema_of_a_list("tools/list", "/result/tools/0/inputSchema/type", json!("array"), "mcp.tool-form")]
#[case::no_schema("tools/list", "/result/tools/0/inputSchema/type", NOTHING, "mcp.tool-form")]
#[case::a_schema_that_is_none("tools/list", "/result/tools/0/inputSchema/properties/limit", json!({ "type": "integr" }), "mcp.schemas-valid")]
#[case::an_annotation_of_a_list("tools/list", "/result/tools/0/inputSchema/properties/limit", json!({ "type": "array", "x-mcp-header": "Limit" }), "mcp.header-annotations")]
#[case::an_annotation_that_is_no_token("tools/list", "/result/tools/0/inputSchema/properties/limit", json!({ "type": "integer", "x-mcp-header": "my limit" }), "mcp.header-annotations")]
#[case::an_empty_annotation("tools/list", "/result/tools/0/inputSchema/properties/limit", json!({ "type": "integer", "x-mcp-header": "" }), "mcp.header-annotations")]
#[case::two_annotations_of_one_name("tools/list", "/result/tools/0/inputSchema/properties", json!({
    "limit": { "type": "integer", "x-mcp-header": "A" }, "query": {}, "more": { "type": "string", "x-mcp-header": "a" },
}), "mcp.header-annotations")]
#[case::an_annotation_of_a_fraction("tools/list", "/result/tools/0/inputSchema/properties/limit", json!({ "enum": [0.5], "x-mcp-header": "Limit" }), "mcp.header-annotations")]
#[case::an_annotation_of_what_may_be_a_list("tools/list", "/result/tools/0/inputSchema/properties/limit", json!({ "type": ["string", "array"], "x-mcp-header": "Limit" }), "mcp.header-annotations")]
#[case::an_annotation_of_anything("tools/list", "/result/tools/0/inputSchema/properties/limit", json!({ "x-mcp-header": "Limit" }), "mcp.header-annotations")]
#[case::no_name_of_the_server_of_a_list("tools/list", "/result/_meta/io.modelcontextprotocol~1serverInfo", json!({}), "mcp.server-info-form")]
#[case::no_name_of_the_server_of_discovery("server/discover", "/result/_meta/io.modelcontextprotocol~1serverInfo", json!({}), "mcp.server-info-form")]
#[case::an_id_of_another("tools/call", "/id", json!(7), "mcp.response-id")]
#[case::no_version_of_the_envelope("tools/call", "/jsonrpc", NOTHING, "mcp.envelope")]
#[case::a_block_without_a_type("tools/call", "/result/content", json!([{ "type": "text", "text": "{}" }, {}]), "mcp.content-blocks")]
#[case::another_output_schema("tools/list", "/result/tools/1/outputSchema", json!({ "required": ["no"] }), "mcp.structured-valid")]
fn a_fault_of_an_answer(
    #[case] method: &'static str,
    #[case] pointer: &'static str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let trial = tried_but(move |request, reply| {
        if request.method() == method && reply.status == "200 OK" && !is_refusal(reply) {
            put(&mut reply.body, pointer, &value);
        }
    });
    let mut violated = trial.violated();
    // What changes the content is no copy of the structured content any more.
    violated.retain(|id| expected != "mcp.content-blocks" || *id != "mcp.text-copy");
    assert_eq!(violated, [expected], "{}", trial.everything_said());
    assert_eq!(trial.log.totals.exit_code, 1);
}

/// Nothing is valid by it either.
#[test]
fn an_output_schema_that_is_none() {
    let trial = tried_but(|request, reply| {
        if request.method() == "tools/list" && reply.status == "200 OK" {
            reply.body["result"]["tools"][1]["outputSchema"] = json!({ "properties": 7 });
        }
    });
    assert_eq!(trial.violated(), ["mcp.schemas-valid", "mcp.structured-valid"]);
}

#[test]
fn pages_of_two_scopes() {
    let trial = tried_but(|request, reply| {
        if request.method() == "tools/list" && reply.status == "200 OK" {
            let is_first = request.message["params"]["cursor"].is_null();
            let tool = reply.body["result"]["tools"][usize::from(!is_first)].clone();
            reply.set("tools", json!([tool]));
            reply.set("cacheScope", json!(if is_first { "public" } else { "private" }));
            if is_first {
                reply.set("nextCursor", json!("2"));
            }
        }
    });
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (vec!["mcp.one-cache-scope"], 1));
}

#[rstest]
#[case::what_the_client_did_not_declare("elicitation/create")]
#[case::a_sample("sampling/createMessage")]
#[case::roots("roots/list")]
fn a_call_that_asks_for_what_was_not_declared(#[case] method: &'static str) {
    let trial = tried_but(move |request, reply| {
        if is_call(request) && reply.status == "200 OK" {
            reply.set("resultType", json!("input_required"));
            reply.set("inputRequests", json!({ "a": { "method": method, "params": {} } }));
        }
    });
    assert_eq!(trial.violated(), ["mcp.undeclared"], "{}", trial.everything_said());
}

#[test]
fn a_call_that_asks_by_a_list() {
    let trial = tried_but(|request, reply| {
        if is_call(request) && reply.status == "200 OK" {
            reply.set("resultType", json!("input_required"));
            reply.set("inputRequests", json!([{ "method": "elicitation/create" }]));
        }
    });
    assert_eq!(trial.violated(), ["mcp.input-required"], "{}", trial.everything_said());
}

/// A response is one object: there are no batches since 2025-06-18.
#[rstest]
fn an_answer_in_an_array(#[values(false, true)] is_streamed: bool) {
    let (trial, _) = tried_at(Eras::Auto, move |request| {
        let mut reply = modern(request);
        if is_call(request) && reply.status == "200 OK" {
            reply.body = json!([reply.body]);
        }
        if is_streamed { reply.streamed("") } else { reply.answer() }
    });
    assert_eq!(trial.violated(), ["mcp.envelope"], "{}", trial.everything_said());
}

#[rstest]
#[case::with_the_status_of_success("200 OK", json!({ "requiredCapabilities": { "sampling": {} } }), "mcp-http.refusal-status")]
#[case::that_it_does_not_name("400 Bad Request", json!({ "requiredCapabilities": {} }), "mcp.missing-capability")]
fn an_error_for_a_capability(#[case] status: &'static str, #[case] data: Value, #[case] expected: &str) {
    let trial = tried_but(move |request, reply| {
        if request.message["params"]["name"] == "read" && reply.status == "200 OK" {
            *reply = Reply::error(request, status, -32021, data.clone());
        }
    });
    assert_eq!(trial.violated(), [expected], "{}", trial.everything_said());
}

/// It cannot be told from a list that changes in time, unless the server says that it never does.
#[rstest]
#[case::silently(false, &["mcp.tools-change"])]
#[case::as_it_declares(true, &[])]
fn tools_that_change_after_a_call(#[case] is_declared: bool, #[case] expected: &[&str]) {
    let calls = AtomicUsize::new(0);
    let trial = tried_but(move |request, reply| {
        calls.fetch_add(usize::from(is_call(request)), Ordering::Relaxed);
        if request.method() == "tools/list" && calls.load(Ordering::Relaxed) > 0 {
            let more = json!({ "name": "more", "inputSchema": { "type": "object" } });
            reply.body["result"]["tools"].as_array_mut().unwrap().push(more);
        }
        if request.method() == "server/discover" && is_declared {
            reply.body["result"]["capabilities"]["tools"]["listChanged"] = json!(true);
        }
    });
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (expected.to_vec(), 0), "{}", trial.everything_said());
}

#[rstest]
#[case::a_request(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#, "mcp.no-server-requests")]
#[case::a_ping(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#, "mcp.no-server-requests")]
#[case::a_log(
    r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#,
    "mcp.unasked-log"
)]
#[case::progress(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#, "mcp.unasked-notification")]
#[case::a_list_that_changed(
    r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
    "mcp.unasked-notification"
)]
#[case::no_message("hello", "mcp.no-noise")]
fn what_a_stream_may_not_carry(#[case] event: &'static str, #[case] expected: &str) {
    let (trial, _) = tried_at(Eras::Auto, move |request| {
        let reply = modern(request);
        if is_call(request) && reply.status == "200 OK" {
            return reply.streamed(&format!("data: {event}\n\n"));
        }
        reply.answer()
    });
    assert_eq!(trial.violated(), [expected], "{}", trial.everything_said());
}

#[test]
fn a_media_type_of_its_own() {
    let trial = tried_but(|request, reply| {
        if is_call(request) && reply.status == "200 OK" {
            reply.headers = "content-type: text/plain\r\n".to_owned();
        }
    });
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (vec!["mcp-http.content-type"], 1));
}

#[test]
fn tools_that_differ_by_connection() {
    let seen = AtomicUsize::new(0);
    let trial = tried_but(move |request, reply| {
        // The list of the beginning, the list of the case, and the same on another connection.
        if request.method() == "tools/list" && seen.fetch_add(1, Ordering::Relaxed) == 2 {
            reply.body["result"]["tools"][1]["name"] = json!("read_it");
        }
    });
    assert_eq!(trial.violated(), ["mcp-http.same-tools"], "{}", trial.everything_said());
}

#[test]
fn tools_in_another_order() {
    let seen = AtomicUsize::new(0);
    let trial = tried_but(move |request, reply| {
        if request.method() == "tools/list" && seen.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            reply.body["result"]["tools"].as_array_mut().unwrap().reverse();
        }
    });
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (vec!["mcp.tools-order"], 0));
}

/// That the call fails is one thing, and that it fails by such an error another.
#[rstest]
#[case::of_the_headers("400 Bad Request", -32020, true)]
#[case::of_the_version("400 Bad Request", -32022, true)]
#[case::a_reserved_one("200 OK", -32099, true)]
#[case::a_retired_one("200 OK", -32042, true)]
#[case::one_of_its_own("200 OK", -32000, false)]
fn an_error_that_a_right_call_cannot_have(#[case] status: &'static str, #[case] code: i64, #[case] is_reserved: bool) {
    let trial = tried_but(move |request, reply| {
        if request.message["params"]["name"] == "read" && reply.status == "200 OK" {
            *reply = Reply::error(request, status, code, Value::Null);
        }
    });
    let violated: Vec<&str> = trial.violated().into_iter().filter(|id| !id.starts_with("small.")).collect();
    let expected: &[&str] = match (is_reserved, status) {
        // Who refuses the request has answered.
        (true, "400 Bad Request") => &["mcp.error-codes"],
        (true, _) => &["mcp.answers", "mcp.error-codes"],
        (false, _) => &["mcp.answers"],
    };
    assert_eq!(violated, expected, "{}", trial.everything_said());
}

#[test]
fn an_error_of_the_server() {
    let (trial, _) = tried_at(Eras::Auto, |request| match is_call(request) {
        true => answer("500 Internal Server Error", "", ""),
        false => modern(request).answer(),
    });
    let violated: Vec<&str> = trial.violated().into_iter().filter(|id| !id.starts_with("small.")).collect();
    assert_eq!(violated, ["mcp.answers"]);
}

#[rstest]
#[case::no_name("tools/call", "/result/_meta", NOTHING, "mcp.server-info")]
#[case::no_copy_as_text("tools/call", "/result/content", json!([]), "mcp.text-copy")]
#[case::two_tools_of_one_name("tools/list", "/result/tools/1/name", json!("find"), "mcp.tool-names-unique")]
#[case::no_word_to_legacy_clients("initialize", "/error/data", NOTHING, "mcp.refused-initialize")]
fn what_is_advice_alone(
    #[case] method: &'static str,
    #[case] pointer: &'static str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let trial = tried_but(move |request, reply| {
        if request.method() == method && !is_refusal(reply) && (reply.status == "200 OK" || method == "initialize") {
            put(&mut reply.body, pointer, &value);
        }
    });
    assert_eq!(trial.violated(), [expected], "{}", trial.everything_said());
    assert!(matches!(trial.log.totals.exit_code, 0 | 3), "{}", trial.log.totals.exit_code);
}

#[rstest]
#[case::no_type("complete() { result \"$1\"; }", &["mcp.result-type", "mcp.server-info"])]
#[case::no_time("CACHE='\"cacheScope\":\"public\"'", &["mcp.cache-hints"])]
#[case::another_scope("CACHE='\"ttlMs\":0,\"cacheScope\":\"user\"'", &["mcp.cache-hints"])]
#[case::no_tools("discover() { cached \"{\\\"supportedVersions\\\":$VERSIONS,\\\"capabilities\\\":{}}\"; }", &["mcp.discover"])]
#[case::a_request("called() { say '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}'; answer; }", &["mcp.no-server-requests"])]
#[case::a_log("called() { say '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}'; answer; }", &["mcp.unasked-log"])]
#[case::noise("called() { say hello; answer; }", &["mcp.no-noise"])]
#[case::in_an_array("say() { case $1 in *'\"result\"'*) echo \"[$1]\" ;; *) echo \"$1\" ;; esac; }", &["mcp.envelope"])]
#[case::without_a_version("fine() { case $line in *'protocolVersion\":\"1900'*) unsupported; return 1 ;; *'/clientCapabilities\":{'*) ;; *'_meta'*) error '{\"code\":-32602,\"message\":\"refused\"}'; return 1 ;; esac; }", &["mcp.required-meta"])]
#[case::every_method("unknown() { answer; }", &["mcp.unknown-method"])]
#[case::a_reserved_code("unknown() { error '{\"code\":-32099,\"message\":\"no\"}'; }", &["mcp.error-codes", "mcp.unknown-method"])]
#[case::no_word_to_legacy_clients("initialize() { unknown; }", &["mcp.refused-initialize"])]
#[case::an_id_as_text("called() { id=\"\\\"$id\\\"\"; answer; }", &["mcp.response-id"])]
fn a_fault_of_a_program(#[case] lines: &str, #[case] expected: &[&str]) {
    let trial = program::run(&program::modern(lines), Eras::Auto);
    assert_eq!(trial.violated(), expected, "{}", trial.everything_said());
}
