//! The tool: the same search, as a model finds it.

use crate::program::{Server, Tools};
use rstest::rstest;
use serde_json::{Value, json};

#[test]
fn the_tool_answers_as_http_does() {
    let (server, mut tools) = (Server::with_corpus(), Tools::with_corpus());
    for (memory, query, top_ke, top_kc) in
        [("orchard", "apple", 10, 3), ("lighthouse", "lamp", 0, 1), ("blank", "x", 1, 1)]
    {
        let result = tools.call(&json!({ "memory_id": memory, "query": query, "top_ke": top_ke, "top_kc": top_kc }));
        let over_http =
            server.search(&json!({ "memoryId": memory, "query": query, "top_ke": top_ke, "top_kc": top_kc }));
        assert_eq!(result["structuredContent"], over_http);
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!((text, result["content"].as_array().unwrap().len()), (over_http, 1));
    }
}

#[rstest]
#[case(json!({ "memory_id": "orchard", "query": "apple", "top_ke": 11 }), "top_ke must be between 0 and 10")]
#[case(json!({ "query": "apple" }), "memory_id is required: the memory to search")]
#[case(json!({ "memoryId": "orchard", "query": "apple" }), "memoryId is no argument of a search; it takes memory_id, query, top_ke, top_kc")]
fn a_refusal_is_an_error_of_the_tool(#[case] arguments: Value, #[case] message: &str) {
    let result = Tools::with_corpus().call(&arguments);
    assert_eq!((&result["isError"], &result["content"][0]["text"]), (&json!(true), &json!(message)));
}

#[test]
fn the_schemas_are_for_clients() {
    let tools = Tools::with_corpus().rpc("tools/list", json!({}));
    let tool = tools["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "search_memories").unwrap();
    let input = &tool["inputSchema"];
    assert_eq!(input["required"], json!(["memory_id", "query"]));
    assert_eq!(input["properties"]["top_kc"]["default"], 2);
    assert!(
        !tool.to_string().contains("x-requirements")
            && !tool.to_string().contains("memoryId\":{\"description\":\"The memory to")
    );
    assert_eq!(tool["outputSchema"]["required"].as_array().unwrap().len(), 5);
}
