//! The tool: the same search, as a model finds it.

use crate::client::Client;
use crate::support::{FIXTURES, mcp};
use rstest::rstest;
use serde_json::{Value, json};

const TOOL: &str = "search_memories";

fn tools() -> mcp::Client {
    mcp::Client::start(&["--corpus", FIXTURES])
}

#[test]
fn the_tool_answers_as_http_does() {
    let (client, mut tools) = (Client::start(), tools());
    for (memory, query, top_ke, top_kc) in
        [("orchard", "apple", 10, 3), ("lighthouse", "lamp", 0, 1), ("blank", "x", 1, 1)]
    {
        let arguments = json!({ "memory_id": memory, "query": query, "top_ke": top_ke, "top_kc": top_kc });
        let body = json!({ "memoryId": memory, "query": query, "top_ke": top_ke, "top_kc": top_kc });
        assert_eq!(tools.json(TOOL, arguments), client.search(&body));
    }
}

#[rstest]
#[case(json!({ "memory_id": "orchard", "query": "apple", "top_ke": 11 }), "top_ke must be between 0 and 10")]
#[case(json!({ "query": "apple" }), "memory_id is required: the memory to search")]
#[case(json!({ "memoryId": "orchard", "query": "apple" }), "memoryId is no argument of a search; it takes memory_id, query, top_ke, top_kc")]
fn a_refusal_is_an_error_of_the_tool(#[case] arguments: Value, #[case] message: &str) {
    assert_eq!(tools().refusal(TOOL, arguments), message);
}

#[test]
fn the_schemas_are_for_clients() {
    let tool = tools().tool(TOOL);
    let input = &tool["inputSchema"];
    assert_eq!(input["required"], json!(["memory_id", "query"]));
    assert_eq!(input["properties"]["top_kc"]["default"], 2);
    assert!(
        !tool.to_string().contains("x-requirements")
            && !tool.to_string().contains("memoryId\":{\"description\":\"The memory to")
    );
    assert_eq!(tool["outputSchema"]["required"].as_array().unwrap().len(), 5);
}
