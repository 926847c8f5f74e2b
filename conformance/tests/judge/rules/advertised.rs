//! What an advertised schema says, whichever way it is written.

use super::trial::{Said, try_rule};
use conformance::model::Verdict::{self, Fail, Incomplete, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn advertises(schema: Value) -> Said {
    let select = json!({ "value": "$[0][0].answer.schema" });
    let args = json!({ "fields": ["list/*/a", "list/*/tree/*/tree/*/a"] });
    try_rule("advertises", &select, &args, &json!({ "schema": schema }))
}

fn list_of(item: Value) -> Value {
    json!({ "properties": { "list": { "type": "array", "items": item } } })
}

fn tree() -> Value {
    json!({ "properties": { "a": {}, "tree": { "items": { "$ref": "#/$defs/tree" } } } })
}

fn with_defs(mut schema: Value) -> Value {
    schema["$defs"] = json!({ "tree": tree() });
    schema
}

#[rstest]
#[case::by_reference(with_defs(list_of(json!({ "$ref": "#/$defs/tree" }))), Pass)]
#[case::in_place(with_defs(list_of(tree())), Pass)]
#[case::put_together(with_defs(list_of(json!({ "allOf": [{ "properties": { "b": {} } }, { "$ref": "#/$defs/tree" }] }))), Pass)]
#[case::one_of_several(with_defs(list_of(json!({ "anyOf": [{ "type": "null" }, { "oneOf": [tree()] }] }))), Pass)]
#[case::a_field_is_missing(list_of(json!({ "properties": { "a": {} } })), Fail)]
#[case::anything_goes(json!({}), Fail)]
#[case::a_reference_to_itself(json!({ "$ref": "#" }), Fail)]
#[case::a_reference_elsewhere(json!({ "$ref": "https://example.com/" }), Fail)]
#[case::no_schema(Value::Null, Skip)]
fn fields(#[case] schema: Value, #[case] due: Verdict) {
    let said = advertises(schema);
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[rstest]
#[case::in_the_list(with_defs(list_of(tree())), Pass)]
#[case::under_any_name(with_defs(json!({ "properties": { "count": {}, "data": { "properties": { "notes": { "items": { "$ref": "#/$defs/tree" } } } } } })), Pass)]
#[case::the_answer_itself(tree(), Pass)]
#[case::nowhere(list_of(json!({ "properties": { "b": {} } })), Fail)]
#[case::a_reference_to_itself(json!({ "properties": { "b": { "$ref": "#" } } }), Fail)]
fn fields_wherever_they_are(#[case] schema: Value, #[case] expected: Verdict) {
    let select = json!({ "value": "$[0][0].answer.schema" });
    let args = json!({ "from": "a", "fields": ["a"] });
    assert_eq!(try_rule("advertises", &select, &args, &json!({ "schema": schema })).verdict, expected);
}

fn same(left: Value, right: Value) -> Said {
    let select = json!({ "left": "$[0][0].answer.left", "right": "$[0][0].answer.right" });
    try_rule("same-schema", &select, &json!({}), &json!({ "left": left, "right": right }))
}

#[rstest]
#[case::equal(tree(), tree(), Pass)]
#[case::by_reference(with_defs(list_of(json!({ "$ref": "#/$defs/tree" }))), with_defs(list_of(tree())), Pass)]
#[case::other_words(json!({ "title": "A", "description": "x" }), json!({ "description": "y", "$id": "z" }), Pass)]
#[case::a_property_called_title(json!({ "properties": { "title": {} } }), json!({ "properties": {} }), Fail)]
#[case::another_order(json!({ "required": ["a", "b"], "enum": [1, 2] }), json!({ "enum": [2, 1], "required": ["b", "a"] }), Pass)]
#[case::ways_in_another_order(json!({ "anyOf": [{ "type": "null" }, tree()] }), json!({ "anyOf": [tree(), { "type": "null" }] }), Pass)]
#[case::another_type(json!({ "properties": { "a": { "type": "string" } } }), json!({ "properties": { "a": {} } }), Fail)]
#[case::one_more_property(json!({ "properties": { "a": {}, "b": {} } }), json!({ "properties": { "a": {} } }), Fail)]
#[case::one_more_value(json!({ "enum": [1, 2] }), json!({ "enum": [1] }), Fail)]
#[case::another_bound(json!({ "maximum": 2000 }), json!({ "maximum": 1000 }), Fail)]
#[case::one_is_missing(json!({}), Value::Null, Fail)]
#[case::both_are_missing(Value::Null, Value::Null, Skip)]
fn schemas(#[case] left: Value, #[case] right: Value, #[case] due: Verdict) {
    let said = same(left.clone(), right.clone());
    assert_eq!(said.verdict, due, "{}", said.why);
    assert_eq!(same(right, left).verdict, due, "the other way round");
}

#[test]
fn schemas_that_nobody_would_write_come_to_an_end() {
    let start = Instant::now();
    let chain: serde_json::Map<String, Value> =
        (0..5000).map(|at| (at.to_string(), json!({ "items": { "$ref": format!("#/$defs/{}", at + 1) } }))).collect();
    let chain = json!({ "$ref": "#/$defs/0", "$defs": chain });
    assert_eq!(same(chain.clone(), chain).verdict, Incomplete);
    let doubling = |last: u64| {
        (0..12).fold(json!({ "maximum": last }), |inner, _| json!({ "anyOf": [inner.clone(), { "not": inner }] }))
    };
    assert_ne!(same(doubling(1), doubling(2)).verdict, Pass);
    assert_eq!(same(json!({ "$ref": "#" }), json!({ "$ref": "#" })).verdict, Pass);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
