//! What is refused, and in which words.

use crate::client::Client;
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case::too_many_entries(json!({ "top_ke": 11 }), "top_ke must be between 0 and 10")]
#[case::negative(json!({ "top_ke": -1 }), "top_ke must be between 0 and 10")]
#[case::far_outside(json!({ "top_ke": 1e300 }), "top_ke must be between 0 and 10")]
#[case::no_contexts(json!({ "top_kc": 0 }), "top_kc must be between 1 and 3")]
#[case::text(json!({ "top_ke": "5" }), "top_ke must be a whole number between 0 and 10, got \"5\"")]
#[case::truth(json!({ "top_kc": true }), "top_kc must be a whole number between 1 and 3, got true")]
#[case::fraction(json!({ "top_ke": 5.5 }), "top_ke must be a whole number between 0 and 10, got 5.5")]
#[case::null(json!({ "top_ke": null }), "top_ke must be a whole number between 0 and 10, got null")]
#[case::top_k(json!({ "topK": 5 }), "topK is gone; use top_ke for entries and top_kc for contexts")]
#[case::ke(json!({ "ke": 5 }), "ke is gone; use top_ke")]
#[case::kc(json!({ "kc": 2 }), "kc is gone; use top_kc")]
#[case::unknown(json!({ "limit": 5 }), "limit is no argument of a search; it takes memoryId, query, top_ke, top_kc")]
#[case::of_the_other_transport(
    json!({ "memory_id": "a" }),
    "memory_id is no argument of a search; it takes memoryId, query, top_ke, top_kc"
)]
#[case::query_of_another_type(json!({ "query": 7 }), "query must be a string, got 7")]
#[case::blank_query(json!({ "query": " \t" }), "query must not be empty")]
#[case::empty_memory(json!({ "memoryId": "" }), "memoryId must not be empty")]
fn what_cannot_be_meant_is_refused(#[case] more: Value, #[case] message: &str) {
    let mut body = json!({ "memoryId": "orchard", "query": "apple" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let refused = Client::start().ask(&[], &body.to_string());
    assert_eq!(refused, (400, json!({ "error": "Bad Request", "code": 400, "message": message })));
}

#[rstest]
#[case::no_memory(r#"{ "query": "apple" }"#, "memoryId is required: the memory to search")]
#[case::no_query(r#"{ "memoryId": "orchard" }"#, "query is required: what to look for")]
#[case::no_object("[]", "the request must be a JSON object")]
#[case::no_json("{", "the request is not JSON: EOF while parsing an object at line 1 column 1")]
#[case::nothing("", "the request is not JSON: EOF while parsing a value at line 1 column 0")]
fn what_is_not_there_is_named(#[case] body: &str, #[case] message: &str) {
    let (status, answer) = Client::start().ask(&[], body);
    assert_eq!((status, answer["message"].as_str().unwrap()), (400, message));
}

#[test]
fn a_whole_number_may_be_written_with_a_point() {
    let answer = Client::start().search(&json!({ "memoryId": "orchard", "query": "apple", "top_ke": 3.0 }));
    assert_eq!(answer["count"], 3);
}

#[rstest]
#[case::none(&[], 401)]
#[case::another(&["Authorization: Bearer another"], 401)]
#[case::another_scheme(&["Authorization: Basic s3cret"], 401)]
#[case::the_one(&["Authorization: Bearer s3cret"], 400)]
#[case::the_one_in_another_case(&["authorization: bearer s3cret"], 400)]
fn the_token_is_asked_for_before_the_body_is_read(#[case] headers: &[&str], #[case] due: u16) {
    let client = Client::with(&["--token", "s3cret"]);
    let (status, answer) = client.ask(headers, "no JSON");
    assert_eq!((status, &answer["code"]), (due, &json!(due)));
}
