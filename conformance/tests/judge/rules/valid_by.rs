//! Values and the schemas that somebody else advertises for them.

use super::trial::{Said, try_rule};
use conformance::model::Verdict::{Fail, Incomplete, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn valid_by(schema: Value, values: Value) -> Said {
    let select = json!({ "value": "$[0][0].answer.values[*]", "schema": "$[0][0].answer.schema" });
    try_rule("valid-by", &select, &json!({}), &json!({ "values": values, "schema": schema }))
}

#[test]
fn what_is_valid_passes_and_what_is_not_fails_with_its_place() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let said = valid_by(schema.clone(), json!([{ "a": "x" }, {}]));
    assert_eq!((said.verdict, said.exercised), (Pass, 2));
    let said = valid_by(schema, json!([{ "a": "x" }, { "a": 1 }]));
    assert_eq!(said.verdict, Fail);
    assert_eq!(said.why, "1 is not of type \"string\" (schema: /properties/a/type)\n");
}

#[rstest]
#[case::no_schema(Value::Null, json!([{}]))]
#[case::no_values(json!({}), json!([]))]
fn where_there_is_nothing_to_judge_by_it_is_skipped(#[case] schema: Value, #[case] values: Value) {
    assert_eq!(valid_by(schema, values).verdict, Skip);
}

#[test]
fn a_dialect_that_is_not_known_is_skipped() {
    let said = valid_by(json!({ "$schema": "https://schemas.invalid/mine", "type": "object" }), json!([{}]));
    assert_eq!((said.verdict, said.exercised), (Skip, 0), "{}", said.why);
    assert!(said.why.contains("https://schemas.invalid/mine"), "{}", said.why);
}

#[rstest]
#[case::the_newest_draft_when_none_is_named(json!({ "prefixItems": [{ "type": "string" }] }))]
#[case::an_older_draft_by_its_name(json!({ "$schema": "http://json-schema.org/draft-07/schema#",
                                           "items": [{ "type": "string" }] }))]
fn drafts(#[case] schema: Value) {
    assert_eq!(valid_by(schema.clone(), json!([["x"]])).verdict, Pass);
    assert_eq!(valid_by(schema, json!([[1]])).verdict, Fail);
}

#[rstest]
#[case::the_newest_draft(json!({ "prefixItems": [{ "type": "string" }] }), Pass)]
#[case::an_older_form_of_no_dialect(json!({ "items": [{ "type": "string" }] }), Pass)]
#[case::an_older_form_of_the_newest(
    json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{ "type": "string" }] }), Fail)]
#[case::a_dialect_of_its_own(json!({ "$schema": "https://schemas.invalid/mine", "type": "integr" }), Skip)]
#[case::a_type_that_does_not_exist(json!({ "properties": { "a": { "type": "integr" } } }), Fail)]
#[case::a_number_as_text(json!({ "minimum": "1" }), Fail)]
fn a_schema_by_its_dialect(#[case] schema: Value, #[case] verdict: conformance::model::Verdict) {
    let said = try_rule("valid-schema", &json!({ "value": "$[0][0].answer" }), &json!({}), &schema);
    assert_eq!(said.verdict, verdict, "{}", said.why);
}

#[test]
fn formats_are_free() {
    assert_eq!(valid_by(json!({ "format": "date-time" }), json!(["yesterday"])).verdict, Pass);
}

#[rstest]
#[case::a_tree_that_refers_to_itself(json!({ "$ref": "#/$defs/node", "$defs": { "node": {
    "type": "object", "required": ["id"], "properties": { "id": { "type": "string" },
    "children": { "type": "array", "items": { "$ref": "#/$defs/node" } } } } } }))]
#[case::the_same_by_an_anchor(json!({ "$ref": "#node", "$defs": { "n": { "$anchor": "node",
    "type": "object", "required": ["id"], "properties": { "id": { "type": "string" },
    "children": { "type": "array", "items": { "$ref": "#node" } } } } } }))]
#[case::the_same_by_an_id(json!({ "$ref": "node.json", "$id": "https://example.com/root.json", "$defs": { "n": {
    "$id": "node.json", "type": "object", "required": ["id"], "properties": { "id": { "type": "string" },
    "children": { "type": "array", "items": { "$ref": "#" } } } } } }))]
#[case::the_same_with_a_dynamic_anchor(json!({ "$dynamicAnchor": "node", "type": "object", "required": ["id"],
    "properties": { "id": { "type": "string" },
    "children": { "type": "array", "items": { "$dynamicRef": "#node" } } }, "unevaluatedProperties": false }))]
fn trees(#[case] schema: Value) {
    let tree = |leaf: Value| json!([{ "id": "a", "children": [{ "id": "b", "children": [leaf] }] }]);
    let said = valid_by(schema.clone(), tree(json!({ "id": "c" })));
    assert_eq!(said.verdict, Pass, "{}", said.why);
    assert_eq!(valid_by(schema, tree(json!({ "name": "c" }))).verdict, Fail);
}

#[rstest]
#[case::to_itself(json!({ "$ref": "#" }))]
#[case::to_itself_within(json!({ "allOf": [{ "anyOf": [{ "$ref": "#" }] }] }))]
#[case::to_one_another(json!({ "$ref": "#/$defs/a b", "$defs": { "a b": { "$ref": "#/$defs/c" },
                               "c": { "$ref": "#/$defs/a%20b" } } }))]
#[case::dynamically(json!({ "$dynamicAnchor": "x", "not": { "$dynamicRef": "#x" } }))]
fn a_schema_without_end_is_a_failure(#[case] schema: Value) {
    let said = valid_by(schema, json!([{}]));
    assert_eq!(said.verdict, Fail);
    assert!(said.why.contains("without end"), "{}", said.why);
}

#[rstest]
#[case::of_another_server(json!({ "$ref": "https://example.com/schema.json" }), "cannot fetch")]
#[case::of_a_file(json!({ "$ref": "file:///etc/hostname" }), "cannot fetch")]
#[case::to_nowhere(json!({ "$ref": "#/$defs/gone" }), "gone")]
#[case::no_such_type(json!({ "type": "objekt" }), "objekt")]
#[case::no_schema_at_all(json!("object"), "cannot be used")]
#[case::a_broken_pattern(json!({ "pattern": "(" }), "(")]
#[case::a_pattern_too_large_to_compile(json!({ "pattern": "(((a{1,99}){1,99}){1,99}){1,99}" }), "regex")]
fn a_schema_that_cannot_be_used_is_a_failure(#[case] schema: Value, #[case] why: &str) {
    let said = valid_by(schema, json!([{}]));
    assert_eq!(said.verdict, Fail);
    assert!(said.why.contains("the schema cannot be used") && said.why.contains(why), "{}", said.why);
}

#[rstest]
#[case::doubles_with_every_line(doubling(60), json!([{}]))]
#[case::doubles_with_every_level(json!({ "properties": { "a": { "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] } } }),
                                 json!([nested(100)]))]
#[case::doubles_where_it_looks_twice(looking_twice(50), json!([{}]))]
#[case::refers_on_and_on(chain(9_000, |next| json!({ "$ref": next })), json!([{}]))]
#[case::is_too_large(chain(40_000, |next| json!({ "items": { "$ref": next } })), json!([[]]))]
#[case::goes_back_without_end(json!({ "pattern": "^(?=(a|b|ab)*\\1c)(a|ab|b)*(a|b)*(ab|a|b)*\\1c" }),
                              json!(["ab".repeat(40)]))]
fn what_nobody_would_wait_for_is_not_judged(#[case] schema: Value, #[case] values: Value) {
    let start = Instant::now();
    let said = valid_by(schema, values);
    assert_eq!(said.verdict, Incomplete, "{}", said.why);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// A schema of so many parts, each of which lays the next one on the same value twice.
fn doubling(parts: usize) -> Value {
    chain(parts, |next| json!({ "allOf": [{ "$ref": next }, { "$ref": next }] }))
}

/// A schema that looks for what is unevaluated on so many levels.
fn looking_twice(levels: usize) -> Value {
    (0..levels).fold(json!({}), |inner, _| json!({ "allOf": [inner], "unevaluatedProperties": false }))
}

/// A schema of so many parts, each of which is made of the reference to the next.
fn chain(parts: usize, part: impl Fn(String) -> Value) -> Value {
    let mut all: serde_json::Map<String, Value> =
        (0..parts).map(|at| (at.to_string(), part(format!("#/$defs/{}", at + 1)))).collect();
    all.insert(parts.to_string(), json!({}));
    json!({ "$ref": "#/$defs/0", "$defs": all })
}

/// An object in an object, so many times.
fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }))
}
