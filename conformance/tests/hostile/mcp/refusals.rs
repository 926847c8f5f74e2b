//! What turns down the arguments of a call, and what is a failure of the server.

use super::talk::{assert_failed, codes};
use super::ways::{Answers, Way};
use conformance::model::Status;
use rstest::rstest;
use serde_json::{Value, json};

fn error(code: i64, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message } })
}

fn is_error(text: &str) -> Value {
    json!({ "result": { "content": [{ "type": "text", "text": text }], "isError": true } })
}

#[rstest]
#[case::in_words(is_error("limit must be at most 150"))]
#[case::without_words(json!({ "result": { "content": [], "isError": true } }))]
#[case::something_was_not_found(is_error("Note rTx7 not found"))]
#[case::in_the_words_of_a_framework(is_error("Error executing tool find: Note rTx7 not found"))]
#[case::in_the_words_of_another(is_error("Error calling tool 'find': not found"))]
#[case::in_the_words_of_a_third(is_error("Tool find failed: the note does not exist"))]
#[case::with_the_code(is_error("MCP error -32602: Input validation error: Invalid arguments for tool find"))]
#[case::by_its_code(error(-32602, "Invalid params"))]
#[case::by_its_code_without_words(error(-32602, ""))]
#[case::by_its_code_and_what_was_not_found(error(-32602, "note_id: no note of this tool was found"))]
#[case::a_list_of_problems(error(-32603, r#"[{"code":"too_small","minimum":1,"path":["limit"],"message":"Number must be greater than or equal to 1"}]"#))]
#[case::a_type(error(-32603, r#"[{"code":"invalid_type","expected":"string","path":["query"],"message":"Required"}]"#))]
#[case::the_name_that_the_tool_has_for_it(error(-32603, "note_id: expected a text"))]
#[case::a_code_of_its_own(error(-32000, "`limit` is required"))]
#[case::what_it_names_is_not_there(error(-32002, "Resource not found: R999"))]
#[case::the_name_in_capitals(error(-32603, "LIMIT: invalid"))]
fn a_refusal(#[case] answer: Value, #[values(Way::Stdio, Way::Web)] way: Way) {
    let reply = Answers::call(answer.clone()).over(way).find();
    assert_eq!(reply.status, Status::Refused, "{reply:?}");
    assert_eq!(codes(&reply), [""; 0]);
    assert_eq!(reply.answer.get("error"), answer.get("error"));
    assert_eq!(reply.answer.get("result"), answer.get("result"));
}

#[rstest]
#[case::unknown_tool(is_error("Unknown tool: find"))]
#[case::unknown_tool_with_a_code(is_error("MCP error -32602: Tool find not found"))]
#[case::tool_not_found(is_error("Tool find not found"))]
#[case::tool_in_quotes_not_found(is_error("Tool 'find' was not found."))]
#[case::no_such_tool(is_error("no such tool"))]
#[case::by_code(error(-32602, "Unknown tool: find"))]
#[case::by_code_in_quotes(error(-32602, "Tool \"find\" not found"))]
#[case::by_code_of_another(error(-32602, "MCP error -32602: Tool find not found"))]
#[case::by_code_lower_case(error(-32602, "tool not found"))]
#[case::no_such_method(error(-32601, "Method not found"))]
#[case::no_such_method_about_arguments(error(-32601, "limit is required, but there is no such method"))]
#[case::no_request(error(-32600, "Invalid request: query is required"))]
#[case::no_json(error(-32700, "Parse error: expected query"))]
#[case::an_exception(error(-32603, "Cannot read properties of undefined (reading 'limit')"))]
#[case::an_exception_without_a_name(error(-32603, "must not happen"))]
#[case::a_name_inside_of_a_word(error(-32603, "unlimited: invalid state"))]
#[case::out_of_order(error(-32000, "The database is locked"))]
#[case::no_session(error(-32001, "Session not found"))]
#[case::not_found_inside(error(-32603, "module not found"))]
#[case::nothing_said(error(-32603, ""))]
#[case::an_error_that_is_a_text(json!({ "error": "limit is invalid" }))]
#[case::an_error_without_a_code(json!({ "error": { "message": "The database is locked" } }))]
fn no_refusal(#[case] answer: Value, #[values(Way::Stdio, Way::Web)] way: Way) {
    let reply = Answers::call(answer.clone()).over(way).find();
    assert_failed(&reply);
    assert_eq!(reply.answer.get("error"), answer.get("error"));
}
