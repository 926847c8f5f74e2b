//! Clients of both eras of MCP, on one connection or in one process: each is judged by the text of its own revision.

use super::mcp::{call, found, hello, tools};
use super::{Listening, Report, request, result};
use conformance::model::Outcome;
use conformance::tap::Ended;
use rstest::rstest;
use serde_json::{Value, json};

const META: &str = "io.modelcontextprotocol/";

/// How it passes.
#[derive(Debug, Clone, Copy)]
enum Way {
    Web,
    Program,
}

impl Way {
    fn listening(self) -> Listening {
        match self {
            Self::Web => Listening::web(),
            Self::Program => Listening::program(),
        }
    }

    /// A request and its answer, after these messages of the server.
    fn pass(self, listening: &mut Listening, message: &Value, before: &[Value], answer: &Value) {
        match self {
            Self::Web => {
                let events = before.iter().chain([answer]).map(|said| format!("data: {said}\n\n")).collect::<String>();
                let headers = [("content-type", "text/event-stream")];
                let asked = message.to_string();
                listening.with(&[], ("POST", "/mcp", &asked), (200, &headers, events.as_bytes()), Ended::Whole);
            }
            Self::Program => {
                listening.says(message);
                before.iter().chain([answer]).for_each(|said| listening.hears(&said.to_string()));
            }
        }
    }
}

/// A request as a modern client sends it, with these members of its `_meta`.
fn modern(mut message: Value, capabilities: Value, more: Value) -> Value {
    let mut meta = json!({
        format!("{META}protocolVersion"): "2026-07-28",
        format!("{META}clientInfo"): { "name": "client", "version": "1" },
        format!("{META}clientCapabilities"): capabilities,
    });
    meta.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    message["params"]["_meta"] = meta;
    message
}

/// A result as a modern server sends it.
fn complete(mut value: Value) -> Value {
    value["resultType"] = json!("complete");
    value["_meta"] = json!({ format!("{META}serverInfo"): { "name": "test", "version": "1" } });
    value
}

fn cached(value: Value) -> Value {
    let mut value = complete(value);
    (value["ttlMs"], value["cacheScope"]) = (json!(0), json!("private"));
    value
}

/// One in which a client of each era has listed these tools.
fn begun(way: Way, tools: &Value) -> Listening {
    let mut listening = way.listening();
    way.pass(&mut listening, &request(json!(0), "initialize", json!({})), &[], &result(json!(0), hello()));
    let list = request(json!(1), "tools/list", json!({}));
    way.pass(&mut listening, &list, &[], &result(json!(1), tools.clone()));
    let list = modern(request(json!("1"), "tools/list", json!({})), json!({}), json!({}));
    way.pass(&mut listening, &list, &[], &result(json!("1"), cached(tools.clone())));
    listening
}

/// The violations of each era.
fn violated(report: &Report) -> Vec<String> {
    let rows = report.log.ledger.rows.iter().filter(|row| row.outcome == Outcome::Violated);
    rows.map(|row| format!("{} {}", row.transport.era().unwrap(), row.requirement.id)).collect()
}

#[rstest]
fn each_client_is_judged_by_its_own_text(#[values(Way::Web, Way::Program)] way: Way) {
    let mut listening = begun(way, &tools());
    way.pass(&mut listening, &call(json!(2)), &[], &result(json!(2), found(0)));
    let asked = modern(call(json!("2")), json!({}), json!({}));
    way.pass(&mut listening, &asked, &[], &result(json!("2"), complete(found(0))));
    let report = listening.end();
    assert_eq!(violated(&report), Vec::<String>::new());
    let verified = |era: &str, id: &str| {
        let mut rows = report.log.ledger.rows.iter().filter(|row| row.requirement.id == id);
        rows.any(|row| row.transport.era().unwrap().to_string() == era && row.outcome == Outcome::Verified)
    };
    assert!(verified("legacy", "mcp.initialize") && verified("legacy", "mcp.content-blocks"));
    assert!(verified("modern", "mcp.result-type") && verified("modern", "mcp.cache-hints"));
    assert!(!verified("legacy", "mcp.result-type") && !verified("modern", "mcp.initialize"));
}

/// What is right in one era is not, by the text of the other.
#[rstest]
fn a_modern_result_has_a_type_and_a_legacy_one_need_not(#[values(Way::Web, Way::Program)] way: Way) {
    let mut listening = begun(way, &tools());
    way.pass(&mut listening, &call(json!(2)), &[], &result(json!(2), found(0)));
    let asked = modern(call(json!("2")), json!({}), json!({}));
    way.pass(&mut listening, &asked, &[], &result(json!("2"), found(0)));
    assert_eq!(violated(&listening.end()), ["modern mcp.result-type"]);
}

#[rstest]
fn an_output_schema_of_a_list_is_modern(#[values(Way::Web, Way::Program)] way: Way) {
    let mut tools = tools();
    tools["tools"][0]["outputSchema"] = json!({ "type": "array" });
    assert_eq!(violated(&begun(way, &tools).end()), ["legacy mcp.tool-form"]);
}

#[rstest]
#[case::for_input(json!({ "elicitation": {} }), "elicitation/create", &[])]
#[case::for_a_form(json!({ "elicitation": { "form": {} } }), "elicitation/create", &[])]
#[case::for_a_sample(json!({ "sampling": {} }), "sampling/createMessage", &[])]
#[case::for_roots(json!({ "roots": {} }), "roots/list", &[])]
#[case::for_what_it_did_not_declare(json!({}), "elicitation/create", &["modern mcp.undeclared"])]
#[case::for_something_else(json!({ "elicitation": {} }), "sampling/createMessage", &["modern mcp.undeclared"])]
fn a_modern_client_is_asked_by_a_result(
    #[case] capabilities: Value,
    #[case] method: &str,
    #[case] expected: &[&str],
    #[values(Way::Web, Way::Program)] way: Way,
) {
    let mut listening = begun(way, &tools());
    let inputs = json!({ "a": { "method": method, "params": {} } });
    let asks = json!({ "resultType": "input_required", "inputRequests": inputs, "requestState": "s" });
    let asked = modern(call(json!("2")), capabilities.clone(), json!({}));
    way.pass(&mut listening, &asked, &[], &result(json!("2"), asks));
    let mut again = modern(call(json!("3")), capabilities, json!({}));
    again["params"]["requestState"] = json!("s");
    way.pass(&mut listening, &again, &[], &result(json!("3"), complete(found(0))));
    assert_eq!(violated(&listening.end()), expected);
}

#[rstest]
#[case::declared(json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } }), &[])]
#[case::not_declared(json!({}), &["modern mcp.result-type"])]
#[case::none_declared(json!({ "extensions": {} }), &["modern mcp.result-type"])]
fn a_result_of_the_type_of_an_extension(
    #[case] capabilities: Value,
    #[case] expected: &[&str],
    #[values(Way::Web, Way::Program)] way: Way,
) {
    let mut listening = begun(way, &tools());
    let task = json!({ "resultType": "task", "task": { "taskId": "t", "status": "working" } });
    let asked = modern(call(json!("2")), capabilities, json!({}));
    way.pass(&mut listening, &asked, &[], &result(json!("2"), task));
    assert_eq!(violated(&listening.end()), expected);
}

#[rstest]
#[case::asked_for(json!({ "io.modelcontextprotocol/logLevel": "debug" }), &[])]
#[case::not_asked_for(json!({}), &["modern mcp.unasked-log"])]
fn a_log_message_is_sent_to_who_asks(
    #[case] meta: Value,
    #[case] expected: &[&str],
    #[values(Way::Web, Way::Program)] way: Way,
) {
    let mut listening = begun(way, &tools());
    let log = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "info", "data": 1 } });
    // A legacy client gets them anyway.
    way.pass(&mut listening, &call(json!(2)), std::slice::from_ref(&log), &result(json!(2), found(0)));
    let asked = modern(call(json!("2")), json!({}), meta);
    way.pass(&mut listening, &asked, &[log], &result(json!("2"), complete(found(0))));
    assert_eq!(violated(&listening.end()), expected);
}

#[rstest]
fn a_modern_client_gets_no_requests(
    #[values("ping", "roots/list", "elicitation/create")] method: &str,
    #[values(Way::Web, Way::Program)] way: Way,
) {
    let mut listening = begun(way, &tools());
    let asks = json!({ "jsonrpc": "2.0", "id": "s", "method": method });
    let all = json!({ "roots": {}, "elicitation": {}, "sampling": {} });
    let asked = modern(call(json!("2")), all, json!({}));
    way.pass(&mut listening, &asked, &[asks], &result(json!("2"), complete(found(0))));
    assert_eq!(violated(&listening.end()), ["modern mcp.no-server-requests"]);
}

#[rstest]
#[case::a_ping(json!({}), "ping", &[])]
#[case::what_it_declared(json!({ "roots": { "listChanged": true } }), "roots/list", &[])]
#[case::what_it_did_not(json!({ "sampling": {} }), "roots/list", &["legacy mcp.undeclared"])]
fn a_legacy_client_gets_requests(
    #[case] capabilities: Value,
    #[case] method: &str,
    #[case] expected: &[&str],
    #[values(Way::Web, Way::Program)] way: Way,
) {
    let mut listening = way.listening();
    let begin = request(json!(0), "initialize", json!({ "capabilities": capabilities }));
    way.pass(&mut listening, &begin, &[], &result(json!(0), hello()));
    way.pass(&mut listening, &request(json!(1), "tools/list", json!({})), &[], &result(json!(1), tools()));
    let asks = json!({ "jsonrpc": "2.0", "id": "s", "method": method });
    way.pass(&mut listening, &call(json!(2)), &[asks], &result(json!(2), found(0)));
    assert_eq!(violated(&listening.end()), expected);
}

/// While requests of both eras wait, a message of the server may belong to either.
#[test]
fn what_may_belong_to_another_is_held_against_nobody() {
    let mut listening = begun(Way::Program, &tools());
    listening.says(&call(json!(2)));
    listening.says(&modern(call(json!("2")), json!({}), json!({})));
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": {} }),
        json!({ "jsonrpc": "2.0", "id": "s", "method": "ping" }),
        result(json!("2"), complete(found(0))),
        result(json!(2), found(0)),
    ] {
        listening.hears(&message.to_string());
    }
    assert_eq!(violated(&listening.end()), Vec::<String>::new());
}

/// The contract is judged in both.
#[rstest]
fn a_wrong_answer_is_found_in_the_era_of_its_client(
    #[values(Way::Web, Way::Program)] way: Way,
    #[values(true, false)] is_modern: bool,
) {
    let mut listening = begun(way, &tools());
    let (old, new) = (found(u64::from(!is_modern)), found(u64::from(is_modern)));
    way.pass(&mut listening, &call(json!(2)), &[], &result(json!(2), old));
    let asked = modern(call(json!("2")), json!({}), json!({}));
    way.pass(&mut listening, &asked, &[], &result(json!("2"), complete(new)));
    let era = if is_modern { "modern" } else { "legacy" };
    assert_eq!(violated(&listening.end()), [format!("{era} memory.count-entries")]);
}
