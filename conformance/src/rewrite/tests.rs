#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

use super::{Opened, Rewriter, Rewriting};
use crate::model::{Body, McpBinding, Operation, RawReply, Received, Recorded, Rewrite};
use rstest::rstest;
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn body(value: &Value) -> Body {
    Body(value.to_string().into_bytes())
}

fn response(value: &Value) -> Received {
    let body = body(value);
    let headers = json!({ "content-type": "application/json", "content-length": body.0.len().to_string() });
    Received::Response { status: 200, headers: headers.as_object().unwrap().clone(), body }
}

fn printed(text: &str) -> Received {
    let stdout = Body(text.as_bytes().to_vec());
    Received::Process { exit: Some(0), signal: None, stdout, stderr: Body::default() }
}

fn called(result: &Value) -> Received {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
    let output_schema = Arc::new(json!({ "properties": { "results": {} } }));
    Received::Tool { message: Some(body(&message)), output_schema, status: None }
}

fn recorded(received: Received) -> Recorded {
    let reply = RawReply::of(received);
    let with = Map::from_iter([("limit".to_owned(), json!(5))]);
    Recorded { operation: "search".to_owned(), with, over: None, reply }
}

fn operation() -> Operation {
    let operation = json!({ "about": "It searches.", "input": "search.input.schema.json", "mcp": { "tool": "find" } });
    let operation: Operation = serde_json::from_value(operation).unwrap();
    assert_eq!(operation.mcp, Some(McpBinding { tool: Some("find".to_owned()), ..McpBinding::default() }));
    operation
}

/// What a reply is after the changes; nothing where they do not apply.
fn after(received: Received, changes: Value) -> Option<Received> {
    let rewrites: Vec<Rewrite> = serde_json::from_value(changes).unwrap();
    let of = ["search".to_owned()];
    let rewritings: Vec<Rewriting> = rewrites.iter().map(|one| Rewriting::read(one, &of).unwrap()).collect();
    Rewriter::of(&rewritings, &["tools"])
        .rewritten(&recorded(received), &Opened::default(), &operation())
        .map(|reply| reply.received)
}

fn json_of(received: &Received) -> Value {
    serde_json::from_slice(&received.bodies()[0].0).unwrap()
}

#[rstest]
#[case(json!({ "do": "rename", "at": "$", "from": "data", "to": "results" }), json!({ "results": [{ "a": 1 }, { "a": 2 }], "n": null }))]
#[case(json!({ "do": "remove", "at": "$.data[0]" }), json!({ "data": [{ "a": 2 }], "n": null }))]
#[case(json!({ "do": "remove", "at": "$.data[*]" }), json!({ "data": [], "n": null }))]
#[case(json!({ "do": "remove", "at": "$.data[?@.a == 2].a" }), json!({ "data": [{ "a": 1 }, {}], "n": null }))]
#[case(json!({ "do": "replace", "at": "$.n", "when": null, "value": "" }), json!({ "data": [{ "a": 1 }, { "a": 2 }], "n": "" }))]
#[case(
    json!({ "do": "replace", "at": "$.*", "when": null, "value": 0 }),
    json!({ "data": [{ "a": 1 }, { "a": 2 }], "n": 0 })
)]
#[case(
    json!({ "do": "replace", "at": "$.data[*].a", "when": { "equals": 2 }, "value": 3 }),
    json!({ "data": [{ "a": 1 }, { "a": 3 }], "n": null })
)]
#[case(
    json!({ "do": "replace", "at": "$.data[*].a", "when": { "valid": { "maximum": 1 } }, "value": 3 }),
    json!({ "data": [{ "a": 3 }, { "a": 2 }], "n": null })
)]
#[case(
    json!({ "do": "wrap", "at": "$.data[*]", "under": "content" }),
    json!({ "data": [{ "content": { "a": 1 } }, { "content": { "a": 2 } }], "n": null })
)]
#[case(json!({ "do": "unwrap", "at": "$", "key": "data" }), json!([{ "a": 1 }, { "a": 2 }]))]
#[case(
    json!({ "do": "add", "at": "$.data", "value": 0, "first": true }),
    json!({ "data": [0, { "a": 1 }, { "a": 2 }], "n": null })
)]
#[case(json!({ "do": "map", "at": "$.data", "with": "reverse" }), json!({ "data": [{ "a": 2 }, { "a": 1 }], "n": null }))]
fn values_are_changed_where_a_path_finds_them(#[case] change: Value, #[case] expected: Value) {
    let before = json!({ "data": [{ "a": 1 }, { "a": 2 }], "n": null });
    let over_http = after(response(&before), json!([change])).unwrap();
    assert_eq!(json_of(&over_http), expected);
    let Received::Response { headers, body, .. } = over_http else { unreachable!() };
    assert_eq!(headers["content-length"], body.0.len().to_string());
    let result = json!({ "content": [{ "type": "text", "text": before.to_string() }], "structuredContent": before });
    let result = json_of(&after(called(&result), json!([change])).unwrap())["result"].take();
    assert_eq!(result["structuredContent"], expected);
    assert_eq!(serde_json::from_str::<Value>(result["content"][0]["text"].as_str().unwrap()).unwrap(), expected);
}

#[test]
fn a_new_member_may_stand_before_the_others() {
    let change = json!([{ "do": "add", "at": "$", "key": "query", "value": [], "first": true }]);
    let changed = after(response(&json!({ "data": [1] })), change).unwrap();
    assert_eq!(changed.bodies()[0].text(), r#"{"query":[],"data":[1]}"#);
}

#[rstest]
#[case(json!({ "do": "rename", "at": { "lines": "^N" }, "from": "a", "to": "o" }), "H a\nN one b\nN two b\n")]
#[case(json!({ "do": "remove", "at": { "lines": "^N one" } }), "H a\nN two b\n")]
#[case(json!({ "do": "replace", "at": { "lines": "^N (\\S+)" }, "value": "N <$1>" }), "H a\nN <one> b\nN <two> b\n")]
#[case(json!({ "do": "replace", "at": { "lines": "^N" }, "pattern": "b$", "value": "c" }), "H a\nN one c\nN two c\n")]
#[case(json!({ "do": "add", "at": { "lines": "^N (o\\S+)" }, "value": "D $1" }), "H a\nN one b\nD one\nN two b\n")]
#[case(json!({ "do": "add", "at": { "lines": "^N t" }, "value": "", "first": true }), "H a\nN one b\n\nN two b\n")]
fn lines_are_changed_where_they_match(#[case] change: Value, #[case] expected: &str) {
    let before = "H a\nN one b\nN two b\n";
    let changed = after(printed(before), json!([change]));
    assert_eq!(changed.map_or_else(|| before.to_owned(), |one| one.bodies()[0].text().into_owned()), expected);
    let result = json!({ "content": [{ "type": "text", "text": before }] });
    let changed =
        after(called(&result), json!([change])).map(|one| json_of(&one)["result"]["content"][0]["text"].take());
    assert_eq!(changed.unwrap_or_else(|| before.into()), expected);
}

#[test]
fn what_no_change_finds_is_not_rewritten() {
    let remove = json!([{ "do": "remove", "at": "$.absent" }]);
    assert_eq!(after(response(&json!({ "data": [] })), remove), None);
    let elsewhere = json!([{ "of": ["read"], "do": "remove", "at": "$.data" }]);
    assert_eq!(after(response(&json!({ "data": [] })), elsewhere), None);
    let asked = json!([{ "asked": { "required": ["page"] }, "do": "remove", "at": "$.data" }]);
    assert_eq!(after(response(&json!({ "data": [] })), asked), None);
    let asked = json!([{ "asked": { "required": ["limit"] }, "do": "remove", "at": "$.data" }]);
    assert_eq!(json_of(&after(response(&json!({ "data": [] })), asked).unwrap()), json!({}));
    let lines_of_json = json!([{ "do": "remove", "at": { "lines": "" } }]);
    assert_eq!(after(printed(r#"{"data":[]}"#), lines_of_json), None);
}

#[test]
fn a_text_is_split_into_blocks() {
    let result = json!({ "content": [{ "type": "text", "text": "é1\né2\n" }] });
    let split = |at: &str| {
        let changed = after(called(&result), json!([{ "do": "split-text", "at": at }])).unwrap();
        let blocks = json_of(&changed)["result"]["content"].take();
        blocks.as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(split("middle"), ["é1\n", "é2\n"]);
    assert_eq!(split("lines"), ["é1\n", "é2\n"]);
}

#[test]
fn another_answer_is_given_in_the_terms_of_the_transport() {
    let refused = json!([{ "do": "answer", "status": "refused", "body": "no" }]);
    let Some(Received::Response { status: 400, headers, body }) = after(response(&json!({})), refused.clone()) else {
        unreachable!()
    };
    assert_eq!((headers["content-type"].as_str(), body.text().as_ref()), (Some("text/plain"), "no"));
    let result = json_of(&after(called(&json!({ "content": [] })), refused.clone()).unwrap());
    let expected = json!({ "content": [{ "type": "text", "text": "no" }], "isError": true });
    assert_eq!(result, json!({ "jsonrpc": "2.0", "id": 1, "result": expected }));
    let Some(Received::Process { exit: Some(2), stderr, .. }) = after(printed("a\n"), refused) else { unreachable!() };
    assert_eq!(stderr.text(), "no");
    let error = json!([{ "do": "answer", "status": -32602, "body": "Invalid params" }]);
    let message = json_of(&after(called(&json!({ "content": [] })), error).unwrap());
    assert_eq!(message["error"], json!({ "code": -32602, "message": "Invalid params" }));
    let only = json!([{ "do": "answer", "at": "$.data", "when": [], "status": 404 }]);
    assert!(matches!(
        after(response(&json!({ "data": [] })), only.clone()),
        Some(Received::Response { status: 404, .. })
    ));
    assert_eq!(after(response(&json!({ "data": [1] })), only), None);
}

#[test]
fn the_schema_of_an_answer_follows_the_list_of_tools() {
    let change = json!([
        { "of": ["tools"], "do": "rename", "at": "$.tools[?@.name == 'find'].outputSchema.properties", "from": "results", "to": "notes" }
    ]);
    let Some(Received::Tool { output_schema, .. }) = after(called(&json!({})), change) else { unreachable!() };
    assert_eq!(*output_schema, json!({ "properties": { "notes": {} } }));
    let gone = json!([{ "of": ["tools"], "do": "remove", "at": "$.tools[*].outputSchema" }]);
    let Some(Received::Tool { output_schema, .. }) = after(called(&json!({})), gone) else { unreachable!() };
    assert_eq!(*output_schema, Value::Null);
}

#[rstest]
#[case(json!({ "do": "renam", "at": "$" }), "unknown variant `renam`")]
#[case(json!({ "do": "remove", "att": "$" }), "unknown field `att`")]
#[case(json!({ "do": "split-text", "at": "centre" }), "unknown variant `centre`")]
#[case(json!({ "do": "remove" }), "missing field `at`")]
fn a_word_that_no_change_knows_is_an_error(#[case] change: Value, #[case] expected: &str) {
    let error = serde_json::from_value::<Rewrite>(change).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[rstest]
#[case(json!({ "do": "remove", "at": "$.a[" }), "/at")]
#[case(json!({ "do": "remove", "at": { "lines": "(" } }), "/at/lines")]
#[case(json!({ "do": "wrap", "at": { "lines": "a" }, "under": "b" }), "/at")]
#[case(json!({ "do": "remove", "at": { "lines": "a" }, "when": "b" }), "/when")]
#[case(json!({ "do": "map", "at": "$", "with": "revers" }), "/with")]
#[case(json!({ "do": "map", "at": { "lines": "a" }, "with": "reverse" }), "/at")]
#[case(json!({ "do": "remove", "at": "$", "asked": { "type": 5 } }), "/asked")]
fn a_change_that_makes_no_sense_is_an_error_with_its_place(#[case] change: Value, #[case] place: &str) {
    let rewrite: Rewrite = serde_json::from_value(change).unwrap();
    assert_eq!(Rewriting::read(&rewrite, &[]).unwrap_err().at, place);
}
