//! Which revision a tap judges by: the one that was asked for, the one that the tools show, or none that is certain.

use super::mcp::{hello, tools};
use super::{Listening, Report, request, result};
use conformance::model::{ContractKey, Keep, KnownBy, Outcome};
use conformance::tap::{Behind, Options};
use serde_json::{Value, json};

/// The tools of the memory contract as ADR-020 has them.
fn wider() -> Value {
    let mut tools = tools();
    let tool = &mut tools["tools"][0];
    let description = tool["description"].as_str().unwrap().replace("0 to 10", "0 to 25").replace("1 to 3", "1 to 10");
    tool["description"] = json!(description);
    tool["inputSchema"]["properties"]["top_ke"]["maximum"] = json!(25);
    tool["inputSchema"]["properties"]["top_kc"]["maximum"] = json!(10);
    tools
}

/// An answer of so many entries.
fn found(count: usize) -> Value {
    let entry = |at: usize| {
        json!({ "entryId": at.to_string(), "summary": format!("apple {at}"), "rawEntry": format!("apple {at}"), "score": 100 - at,
                "creationTime": format!("2025-01-01T00:00:{at:02}Z") })
    };
    json!({ "entries": (0..count).map(entry).collect::<Value>(), "contexts": [], "count": count, "latestContext": null,
            "latestContextTimestamp": null })
}

fn listed(tools: Value) -> Listening {
    let mut listening = Listening::web();
    listening.post(&request(json!(0), "initialize", json!({})), &result(json!(0), hello()));
    listening.post(&request(json!(1), "tools/list", json!({})), &result(json!(1), tools));
    listening
}

/// A search for so many entries over MCP, and how many came.
fn ask(listening: &mut Listening, (most, count): (usize, usize)) {
    let arguments = json!({ "memory_id": "m-1", "query": "apple", "top_ke": most });
    let call = request(json!(2), "tools/call", json!({ "name": "search_memories", "arguments": arguments }));
    let body = found(count);
    let answer = json!({ "content": [{ "type": "text", "text": body.to_string() }], "structuredContent": body });
    listening.post(&call, &result(json!(2), answer));
}

/// The same over HTTP for what both documents allow, and one more than the first of them lets come.
fn searched(mut listening: Listening) -> Report {
    let asked = json!({ "memoryId": "m-1", "query": "apple", "top_ke": 10 }).to_string();
    listening.http(("POST", "/v0/search", &asked), (200, "application/json", found(11).to_string().as_bytes()));
    listening.end()
}

#[test]
fn a_server_of_the_later_document_is_recognised_by_its_tools() {
    let mut listening = listed(wider());
    ask(&mut listening, (20, 11));
    let report = listening.end();
    assert_eq!(report.violated(), Vec::<&str>::new());
    assert!(report.verified("memory.tool-schema") && report.verified("memory.most-entries"));
    let [speaks] = report.log.header.speaks.as_slice() else { panic!("{:?}", report.log.header.speaks) };
    assert_eq!((&speaks.place.contract, speaks.by), (&ContractKey::from("memory@2"), KnownBy::Recognised));
    assert_eq!(speaks.signs, ["search_memories says 25 entries and 10 contexts"]);
}

#[test]
fn it_is_held_to_what_it_shows() {
    let mut listening = listed(wider());
    ask(&mut listening, (25, 26));
    assert!(listening.end().violated().contains(&"memory.most-entries"));
    let mut listening = listed(tools());
    ask(&mut listening, (10, 11));
    assert!(listening.end().violated().contains(&"memory.most-entries"), "it shows the first document");
}

/// Nothing over HTTP says which document it implements, and one of them permits it.
#[test]
fn what_another_revision_permits_condemns_nobody() {
    let report = searched(Listening::web());
    assert!(!report.violated().contains(&"memory.most-entries"), "{}", report.log.summary());
    assert!(report.with(Outcome::Incomplete).contains(&"memory.most-entries"), "{}", report.log.summary());
    let summary = report.log.summary().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(summary.contains("give --revision memory@1 or --revision memory@2"), "{summary}");
}

#[test]
fn what_no_revision_permits_is_a_violation() {
    let mut body = found(3);
    body["count"] = json!(4);
    let mut listening = Listening::web();
    let asked = json!({ "memoryId": "m-1", "query": "apple" }).to_string();
    listening.http(("POST", "/v0/search", &asked), (200, "application/json", body.to_string().as_bytes()));
    assert!(listening.end().violated().contains(&"memory.count-entries"));
}

#[test]
fn what_was_asked_for_counts() {
    let pinned = vec![ContractKey::from("memory@1")];
    let options = Options { keep: Keep::All, pinned, ..Options::default() };
    let report = searched(Listening::to(&Behind::Address("http://127.0.0.1:1".to_owned()), &options));
    assert!(report.violated().contains(&"memory.most-entries"), "{}", report.log.summary());
}
