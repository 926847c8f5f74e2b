//! `--era`: a server of one era as clients of the other find it.

use crate::support::http::Server;
use crate::support::mcp::{Client, hello};
use crate::support::modern::{Asking, VERSION, headers, meta, params, post, request};
use rstest::rstest;
use serde_json::{Value, json};

const MODERN: [&str; 2] = ["--era", "modern"];
const LEGACY: [&str; 2] = ["--era", "legacy"];

/// An error that tells a client which version it could speak.
fn names_the_version(error: &Value, code: i64) {
    assert_eq!(error["code"], code, "{error}");
    assert!(error["message"].as_str().unwrap().contains(VERSION), "{error}");
    assert_eq!(error["data"], json!({ "supported": [VERSION], "requested": "2025-11-25" }));
}

#[test]
fn a_modern_server_refuses_the_handshake_and_names_its_version() {
    let mut client = Client::silent(&MODERN);
    names_the_version(&client.request("initialize", &hello("2025-11-25"))["error"], -32022);
    assert_eq!(client.request("tools/list", &params(json!({})))["result"]["resultType"], "complete");

    let server = Server::start(&MODERN);
    let hello = request("initialize", &hello("2025-11-25"));
    // A client of the other era sends none of the headers, or the one that it knows.
    for (headers, code) in [(vec![], -32020), (vec!["MCP-Protocol-Version: 2025-11-25".to_owned()], -32020)] {
        let answer = post(&server, &hello, &headers);
        assert!(
            answer.status == 400 && !answer.head.to_ascii_lowercase().contains("mcp-session-id"),
            "{}",
            answer.head
        );
        names_the_version(&serde_json::from_str::<Value>(&answer.body).unwrap()["error"], code);
    }
}

#[test]
fn a_modern_server_has_no_handshake_for_a_modern_client_either() {
    for mut asking in Asking::both(&MODERN) {
        let given = params(hello("2025-11-25"));
        names_the_version(&asking.error("initialize", &given, 404), -32601);
    }
}

#[test]
fn a_modern_server_speaks_one_version() {
    for mut asking in Asking::both(&MODERN) {
        assert_eq!(asking.result("server/discover", json!({}))["supportedVersions"], json!([VERSION]));
        let error = asking.error("tools/list", &json!({ "_meta": meta("2025-11-25") }), 400);
        assert_eq!((&error["code"], &error["data"]["supported"]), (&json!(-32022), &json!([VERSION])));
    }
}

#[test]
fn a_legacy_server_knows_no_discovery_and_falls_back_on_its_own_versions() {
    let mut client = Client::silent(&LEGACY);
    let discovery = |client: &mut Client| client.request("server/discover", &params(json!({})))["error"].take();
    assert_eq!(discovery(&mut client)["code"], -32601);
    assert!(client.request("tools/list", &params(json!({})))["error"]["code"].is_i64(), "the handshake comes first");
    assert_eq!(client.request("initialize", &hello(VERSION))["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(discovery(&mut client)["code"], -32601);
}

#[rstest]
#[case::of_the_time(hello("2025-11-25"))]
#[case::oldest(hello("2024-11-05"))]
#[case::newer_than_the_server(hello(VERSION))]
fn a_legacy_answer_has_nothing_of_the_other_era(#[case] hello: Value, #[values("both", "legacy")] era: &str) {
    let mut client = Client::silent(&["--era", era]);
    let mut results = vec![client.request("initialize", &hello)];
    results.push(client.request("tools/list", &json!({})));
    results.push(client.request("tools/call", &json!({ "name": "list_records" })));
    if era == "legacy" {
        results.push(client.request("tools/list", &params(json!({}))));
        results.push(client.request("tools/call", &params(json!({ "name": "list_records" }))));
    }
    for result in results.iter().map(|answer| answer["result"].as_object().unwrap()) {
        for key in ["resultType", "ttlMs", "cacheScope", "_meta"] {
            assert!(!result.contains_key(key), "{key}: {result:?}");
        }
    }
}

#[test]
fn a_legacy_server_answers_modern_requests_over_http_as_such_a_server_would() {
    let server = Server::start(&LEGACY);
    let given = params(json!({}));
    let answer = post(&server, &request("server/discover", &given), &headers("server/discover", &given));
    let error = serde_json::from_str::<Value>(&answer.body).unwrap()["error"].take();
    assert_eq!((answer.status, &error["code"]), (400, &json!(-32601)), "{error}");
    // No code that would make a client of both eras take it for a modern server.
    let answer = post(&server, &request("tools/list", &given), &headers("tools/list", &given));
    let error = serde_json::from_str::<Value>(&answer.body).unwrap()["error"].take();
    assert_eq!((answer.status, &error["code"]), (400, &json!(-32600)), "{error}");
    for method in ["GET", "DELETE"] {
        assert_eq!(server.request(method, "/mcp", &["MCP-Protocol-Version: 2026-07-28"], "").status, 400);
    }
}
