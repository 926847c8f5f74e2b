//! Where the items of an answer are, and what an answer without any is.

use conformance::derive::derive;
use conformance::model::{Body, Exchange, Item, Operation, RawReply, Received, Request};
use rstest::rstest;
use serde_json::{Map, Value, json};

/// What is made of an answer over HTTP, of an operation whose items have a name, a price and an origin.
fn derived(status: u16, body: &str, is_one: bool, results: Option<&str>) -> Exchange {
    let operation = json!({ "about": "Lists teas.", "input": "any.schema.json", "output": "teas.schema.json",
        "http": { "method": "GET", "path": "/teas", "arguments": "query", "results": "/teas" } });
    let mut operation: Operation = serde_json::from_value(operation).unwrap();
    operation.found_by = Some(Item { fields: ["name", "price", "origin"].map(str::to_owned).to_vec(), alone: is_one });
    let received = Received::Response { status, headers: Map::new(), body: Body(body.as_bytes().to_vec()) };
    let reply = RawReply::of(received);
    derive(Request::default(), &reply, &operation, results)
}

fn items(body: Value) -> Option<Value> {
    derived(200, &body.to_string(), false, None).items
}

fn tea() -> Value {
    json!({ "name": "oolong", "price": 3, "origin": "Fujian" })
}

#[rstest]
#[case::where_the_contract_says(json!({ "teas": [tea()] }))]
#[case::under_another_key(json!({ "results": [tea()] }))]
#[case::two_levels_down(json!({ "hits": { "hits": [tea()] } }))]
#[case::the_answer_itself(json!([tea()]))]
#[case::beside_the_query(json!({ "query": [{ "word": "oolong" }], "results": [tea()] }))]
#[case::beside_what_shares_a_name(json!({ "facets": [{ "name": "green", "count": 2 }], "results": [tea()] }))]
#[case::each_below_a_key(json!({ "teas": [{ "content": tea() }] }))]
#[case::each_partly_below_a_key(json!({ "teas": [{ "price": 3, "content": { "name": "oolong", "origin": "Fujian" } }] }))]
#[case::each_below_a_key_elsewhere(json!({ "hits": [{ "_source": tea() }] }))]
fn items_are_known_by_their_fields(#[case] body: Value) {
    assert_eq!(items(body), Some(json!([tea()])));
}

#[test]
fn an_item_that_names_another_is_itself() {
    let with_parent = json!({ "name": "oolong", "price": 3, "parent": { "name": "tea", "price": 1 } });
    assert_eq!(items(json!({ "teas": [&with_parent] })), Some(json!([with_parent])));
}

#[rstest]
#[case::a_list(json!({ "teas": [] }))]
#[case::null(json!({ "teas": null, "took": 3 }))]
#[case::a_list_elsewhere(json!({ "results": [] }))]
#[case::beside_the_query(json!({ "query": [{ "word": "oolong" }], "results": [] }))]
#[case::null_elsewhere(json!({ "results": null, "total": 0 }))]
#[case::the_answer_itself(json!([]))]
fn no_items_are_an_empty_list(#[case] body: Value) {
    assert_eq!(items(body), Some(json!([])));
}

#[test]
fn an_answer_without_content_has_no_items() {
    let exchange = derived(204, "", false, None);
    assert_eq!((exchange.items, exchange.problems), (Some(json!([])), Vec::new()));
}

#[rstest]
#[case::nothing(json!({}))]
#[case::a_number(json!(7))]
#[case::other_objects(json!({ "results": [{ "word": "oolong" }] }))]
#[case::texts(json!({ "results": ["oolong"] }))]
#[case::two_nulls(json!({ "results": null, "error": null }))]
fn where_no_items_can_be_found(#[case] body: Value) {
    let exchange = derived(200, &body.to_string(), false, None);
    assert_eq!(exchange.items, None);
    assert_eq!(exchange.problems[0].code, "items");
}

#[test]
fn a_target_file_may_say_where_they_are() {
    let body = json!({ "teas": [tea()], "more": { "cold": [{ "name": "mate", "price": 2 }] } });
    let exchange = derived(200, &body.to_string(), false, Some("/more/cold"));
    assert_eq!(exchange.items, Some(json!([{ "name": "mate", "price": 2 }])));
}

#[rstest]
#[case::itself(tea())]
#[case::below_a_key(json!({ "tea": tea() }))]
#[case::in_a_list(json!({ "result": [tea()] }))]
fn an_answer_may_be_one_item(#[case] body: Value) {
    assert_eq!(derived(200, &body.to_string(), true, None).items, Some(json!([tea()])));
}

#[rstest]
#[case::nothing(json!({}))]
#[case::what_shares_a_name(json!({ "error": { "name": "not found" } }))]
#[case::null(Value::Null)]
fn where_the_one_item_cannot_be_found(#[case] body: Value) {
    assert_eq!(derived(200, &body.to_string(), true, None).items, None);
}
