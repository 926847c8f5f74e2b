//! MCP 2026-07-28, sentence by sentence, over both transports: what every result, every error and each method owes.

use crate::support::FIXTURES;
use crate::support::modern::{Asking, VERSION, meta, params};
use rstest::rstest;
use serde_json::{Value, json};

const CORPUS: [&str; 2] = ["--corpus", FIXTURES];
const TOOL: &str = "search_memories";

#[rstest]
#[case::discovery("server/discover", json!({}))]
#[case::list("tools/list", json!({}))]
#[case::call("tools/call", json!({ "name": TOOL, "arguments": { "memory_id": "orchard", "query": "apple" } }))]
#[case::text("tools/call", json!({ "name": "list_records" }))]
#[case::refused_call("tools/call", json!({ "name": TOOL, "arguments": {} }))]
fn every_result_says_that_it_is_complete_and_who_answers(#[case] method: &str, #[case] given: Value) {
    for mut asking in Asking::both(&CORPUS) {
        let result = asking.result(method, given.clone());
        assert_eq!(result["resultType"], "complete", "{result}");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "reference", "{result}");
        assert!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["version"].is_string(), "{result}");
        // A call is no answer that a client may keep.
        let may_be_kept = method != "tools/call";
        assert_eq!(result["ttlMs"].is_u64(), may_be_kept, "{result}");
        assert_eq!(result["cacheScope"], if may_be_kept { json!("public") } else { Value::Null }, "{result}");
    }
}

#[test]
fn discovery_says_which_versions_and_what_else_is_there() {
    for mut asking in Asking::both(&[]) {
        let found = asking.result("server/discover", json!({}));
        assert_eq!(found["capabilities"], json!({ "tools": {} }));
        let versions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
        assert_eq!(found["supportedVersions"], json!(versions), "the newest first");
    }
}

#[rstest]
#[case::of_the_future("2099-01-01")]
#[case::of_the_past("1999-01-01")]
#[case::no_date("v999.0.0")]
#[case::empty("")]
fn another_version_is_answered_with_those_there_are(
    #[case] version: &str,
    #[values("server/discover", "tools/list", "tools/burn")] method: &str,
) {
    for mut asking in Asking::both(&[]) {
        let supported = asking.result("server/discover", json!({}))["supportedVersions"].take();
        let error = asking.error(method, &json!({ "_meta": meta(version) }), 400);
        assert_eq!(error["code"], -32022, "{error}");
        assert_eq!(error["data"], json!({ "supported": supported, "requested": version }));
    }
}

#[rstest]
#[case::no_parameters(Value::Null)]
#[case::parameters_in_a_list(json!([]))]
#[case::no_meta(json!({}))]
#[case::meta_type(json!({ "_meta": [] }))]
#[case::no_version(json!({ "_meta": { "io.modelcontextprotocol/clientCapabilities": {} } }))]
#[case::version_type(json!({ "_meta": {
    "io.modelcontextprotocol/protocolVersion": 2026, "io.modelcontextprotocol/clientCapabilities": {} } }))]
#[case::no_capabilities(json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": VERSION } }))]
#[case::capabilities_type(json!({ "_meta": {
    "io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": [] } }))]
fn a_request_that_does_not_say_all_of_itself_is_malformed(
    #[case] given: Value,
    #[values("server/discover", "tools/list")] method: &str,
    #[values("both", "modern")] era: &str,
) {
    for mut asking in Asking::both(&["--era", era]) {
        assert_eq!(asking.error(method, &given, 400)["code"], -32602);
        // The connection goes on.
        asking.result("tools/list", json!({}));
    }
}

#[test]
fn a_client_need_not_say_who_it_is() {
    let mut given = meta(VERSION);
    given.as_object_mut().unwrap().remove("io.modelcontextprotocol/clientInfo");
    for mut asking in Asking::both(&[]) {
        let (_, answer) = asking.ask("tools/list", &json!({ "_meta": given }));
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    }
}

#[rstest]
fn a_method_that_is_not_there_is_not_found(
    #[values(
        "tools/burn",
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/list",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "tasks/get",
        "notifications/cancelled"
    )]
    method: &str,
) {
    for mut asking in Asking::both(&[]) {
        let given = params(json!({ "name": "x", "uri": "x:y", "taskId": "x", "requestId": 1 }));
        assert_eq!(asking.error(method, &given, 404)["code"], -32601);
    }
}

#[rstest]
#[case::unknown_tool(json!({ "name": "burn" }))]
#[case::no_name(json!({ "arguments": {} }))]
#[case::name_type(json!({ "name": 1 }))]
#[case::arguments_type(json!({ "name": TOOL, "arguments": [""] }))]
fn a_call_that_cannot_be_meant_is_an_error_of_the_protocol(#[case] given: Value) {
    for mut asking in Asking::both(&[]) {
        assert_eq!(asking.error("tools/call", &params(given.clone()), 200)["code"], -32602);
    }
}

#[test]
fn arguments_that_a_model_can_mend_are_an_error_of_the_tool() {
    for mut asking in Asking::both(&CORPUS) {
        let result = asking.result("tools/call", json!({ "name": TOOL, "arguments": { "memory_id": 1 } }));
        assert_eq!((&result["isError"], &result["content"][0]["type"]), (&json!(true), &json!("text")), "{result}");
    }
}

#[test]
fn a_cursor_that_no_list_gave_is_refused() {
    for mut asking in Asking::both(&[]) {
        assert_eq!(asking.error("tools/list", &params(json!({ "cursor": "2" })), 200)["code"], -32602);
        assert_eq!(asking.result("tools/list", json!({}))["nextCursor"], Value::Null);
    }
}

#[rstest]
#[case::one_on_a_page("1")]
#[case::the_last_page_is_short("3")]
#[case::all_on_one_page("1000")]
fn pages_make_up_the_list(#[case] size: &str) {
    for (mut paged, mut whole) in Asking::both(&["--tools-per-page", size]).into_iter().zip(Asking::both(&[])) {
        let (mut tools, mut cursor) = (Vec::new(), json!({}));
        loop {
            let page = paged.result("tools/list", cursor);
            assert_eq!((&page["cacheScope"], page["ttlMs"].is_u64()), (&json!("public"), true));
            tools.extend(page["tools"].as_array().unwrap().iter().cloned());
            let Some(next) = page.get("nextCursor") else { break };
            assert_eq!(page["tools"].as_array().unwrap().len(), size.parse::<usize>().unwrap());
            cursor = json!({ "cursor": next });
        }
        assert_eq!(json!(tools), whole.result("tools/list", json!({}))["tools"]);
        for beyond in ["0", "0.5", "-1", "", "next", "1001"] {
            assert_eq!(paged.error("tools/list", &params(json!({ "cursor": beyond })), 200)["code"], -32602);
        }
    }
}

#[test]
fn the_list_is_the_same_for_every_connection_and_after_every_request() {
    let mut lists = Vec::new();
    for mut asking in Asking::both(&CORPUS) {
        lists.push(asking.result("tools/list", json!({})));
        asking.result("tools/call", json!({ "name": "list_records" }));
        asking.error("tools/list", &json!({ "_meta": meta("2099-01-01") }), 400);
        lists.push(asking.result("tools/list", json!({})));
    }
    assert!(lists.iter().all(|list| list == &lists[0]));
}

#[test]
fn every_tool_has_a_name_and_schemas_as_the_protocol_wants_them() {
    let [mut asking, _] = Asking::both(&[]);
    for tool in asking.result("tools/list", json!({}))["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        assert!((1..=128).contains(&name.len()) && name.chars().all(is_plain), "{name}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        for schema in [&tool["inputSchema"], &tool["outputSchema"]].into_iter().filter(|schema| !schema.is_null()) {
            assert!(jsonschema::meta::is_valid(schema), "{name}: {schema}");
        }
    }
}
