//! Bundles beside the references of a full list: what is free, and what is not.

use super::outlines::reference;
use super::trial::{Said, try_rule};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

fn bundle(of: &str, bundle: Value) -> Said {
    bundle_of(&json!({ "of": of }), bundle)
}

fn bundle_of(args: &Value, bundle: Value) -> Said {
    let full = json!([
        reference(json!({ "id": "p" })),
        reference(json!({ "id": "t", "parent_id": "p" })),
        reference(json!({ "id": "o", "parent_id": "t", "summary": "s" })),
        reference(json!({ "id": "d", "parent_id": "t", "state": "RESOLVED", "summary": "s" })),
        reference(json!({ "id": "g", "parent_id": "d", "summary": "s" })),
    ]);
    let select =
        json!({ "bundle": "$[0][0].answer.bundle", "id": "$[0][0].answer.id", "full": "$[0][0].answer.full[*]" });
    try_rule("bundle-agrees", &select, args, &json!({ "bundle": bundle, "id": "t", "full": full }))
}

#[rstest]
#[case::target("target", json!({ "target": { "id": "t", "body": null } }), Pass)]
#[case::target_inside("target", json!({ "bundle": { "target": { "id": "t", "body": "b" } } }), Pass)]
#[case::target_without_body("target", json!({ "target": { "id": "t" } }), Pass)]
#[case::other_target("target", json!({ "target": { "id": "p", "body": "" }, "parent": { "id": "t", "body": "" } }), Fail)]
#[case::parent("parent", json!({ "parent": { "id": "p", "body": "" } }), Pass)]
#[case::open_anywhere("open", json!({ "open_children": [{ "id": "o", "body": "" }] }), Pass)]
#[case::no_open("open", json!({ "children": { "open": [] } }), Fail)]
#[case::other_as_text("other", json!({ "children": { "other": "[d] (R) T\n" } }), Pass)]
#[case::other_as_json("other", json!({ "others": [{ "id": "d" }] }), Pass)]
#[case::other_missing("other", json!({ "children": { "other": "" } }), Fail)]
#[case::grandchildren("grandchildren", json!({ "grandchildren": "[g] (O) T\n  s\n" }), Pass)]
#[case::outlines("outlines", json!({ "children": { "other": "[d]  (RESOLVED) T" }, "grandchildren": "[g] (O) T\n" }), Pass)]
#[case::no_outlines("outlines", json!({ "children": { "other": [] }, "grandchildren": "[g] (O) T\n" }), Fail)]
#[case::stranger("outlines", json!({ "children": { "other": "[d] (R) T\n" }, "grandchildren": "[g] (O) T\n[x] (O) T\n" }), Fail)]
#[case::omission("omission", json!({ "children": { "other": "[d] (R) T\n" }, "grandchildren": "[g] (O) T\n  s\n" }), Pass)]
#[case::too_much("omission", json!({ "children": { "other": "[d] (R) T\n  s\n" }, "grandchildren": "" }), Fail)]
#[case::too_little("omission", json!({ "children": { "other": "" }, "grandchildren": "[g] (O) T\n" }), Fail)]
#[case::json_is_free("omission", json!({ "children": { "other": [] }, "grandchildren": [] }), Skip)]
fn a_bundle_holds_what_is_due(#[case] of: &str, #[case] value: Value, #[case] due: Verdict) {
    let said = bundle(of, value);
    assert_eq!(said.verdict, due, "{}", said.why);
}

/// A record without a body has none to give; one that has a body gives it.
#[test]
fn a_full_record_has_the_body_that_it_is_known_to_have() {
    let of_target =
        |target: Value| bundle_of(&json!({ "of": "target", "with_body": ["t"] }), json!({ "target": target })).verdict;
    assert_eq!(of_target(json!({ "id": "t", "body": "b" })), Pass);
    assert_eq!(of_target(json!({ "id": "t" })), Fail);
}

/// What is called as in a reference says the same, and nothing is lost, whatever it is called.
#[rstest]
#[case::same(json!({ "id": "o", "type": "note", "title": "T", "summary": "s", "state": "OPEN", "parent_id": "t" }), Pass)]
#[case::other_names(json!({ "id": "o", "kind": "note", "name": "T", "text": "s", "status": "open" }), Pass)]
#[case::another_title(json!({ "id": "o", "type": "note", "title": "U", "summary": "s", "state": "OPEN" }), Fail)]
#[case::another_type(json!({ "id": "o", "type": "task", "title": "T", "summary": "s", "state": "OPEN" }), Fail)]
#[case::another_state(json!({ "id": "o", "type": "note", "title": "T", "summary": "s", "state": "LATER" }), Fail)]
#[case::a_state_by_its_letter(json!({ "id": "o", "type": "note", "title": "T", "summary": "s", "state": "O" }), Fail)]
#[case::no_parent(json!({ "id": "o", "type": "note", "title": "T", "summary": "s", "state": "OPEN", "parent_id": null }), Fail)]
#[case::a_cut_summary(json!({ "id": "o", "type": "note", "title": "T", "summary": "...", "state": "OPEN" }), Fail)]
#[case::no_summary(json!({ "id": "o", "type": "note", "title": "T", "state": "OPEN" }), Fail)]
#[case::no_state(json!({ "id": "o", "type": "note", "title": "T", "summary": "s" }), Fail)]
fn a_full_record_is_as_its_reference(#[case] mut record: Value, #[case] expected: Verdict) {
    record["body"] = json!("b");
    let said = bundle("records", json!({ "children": { "open": [record] } }));
    assert_eq!(said.verdict, expected, "{}", said.why);
}

/// References in a bundle may have less, and their summaries may be cut.
#[rstest]
#[case::less(json!([{ "id": "d", "title": "T" }]), Pass)]
#[case::cut(json!([{ "id": "d", "summary": "..." }]), Pass)]
#[case::another_title(json!([{ "id": "d", "title": "U" }]), Fail)]
fn a_reference_in_a_bundle_contradicts_nothing(#[case] others: Value, #[case] expected: Verdict) {
    assert_eq!(bundle("records", json!({ "children": { "other": others } })).verdict, expected);
}

/// The counts of these references are 0.
#[rstest]
#[case::the_same_children(json!({ "open": [{ "id": "o" }], "other": "[d] (R) T\n" }), Fail)]
#[case::other_children(json!({ "open": [{ "id": "o" }], "other": "" }), Skip)]
#[case::other_places(json!([{ "id": "o" }]), Skip)]
fn children_that_list_and_bundle_show_are_counted(#[case] children: Value, #[case] expected: Verdict) {
    assert_eq!(bundle("counts", json!({ "children": children })).verdict, expected);
}

#[rstest]
#[case::open("open-only", json!({ "children": { "open": [{ "id": "o" }] } }), Pass)]
#[case::a_grandchild_among_the_open("open-only", json!({ "children": { "open": [{ "id": "o" }, { "id": "g" }] } }), Fail)]
#[case::grandchild("grandchildren-only", json!({ "grandchildren": "[g] (O) T\n" }), Pass)]
#[case::below_its_parent("grandchildren-only", json!({ "grandchildren": "[d] (R) T\n  [g] (O) T\n" }), Pass)]
#[case::child_alone("grandchildren-only", json!({ "grandchildren": "[d] (R) T\n[g] (O) T\n" }), Fail)]
#[case::another_below("grandchildren-only", json!({ "grandchildren": "[g] (O) T\n  [p] (O) T\n" }), Fail)]
#[case::as_json("grandchildren-only", json!({ "grandchildren": [{ "id": "d" }, { "id": "g" }] }), Pass)]
#[case::a_child_that_is_not_listed("other-only", json!({ "children": { "other": "[d] (R) T\n[x] (D) T\n" } }), Pass)]
#[case::a_grandchild_that_is_not_listed("grandchildren-only", json!({ "grandchildren": "[g] (O) T\n[x] (D) T\n" }), Pass)]
#[case::once("once", json!({ "children": { "open": [{ "id": "o" }], "other": "[d] (R) T\n" } }), Pass)]
#[case::twice("once", json!({ "children": { "open": [{ "id": "o" }, { "id": "o" }] } }), Fail)]
#[case::twice_as_text("once", json!({ "children": { "other": "[d] (R) T\n[d] (R) T\n" } }), Fail)]
fn a_part_has_its_own_records_once(#[case] of: &str, #[case] value: Value, #[case] expected: Verdict) {
    let said = bundle(of, value);
    assert_eq!(said.verdict, expected, "{}", said.why);
}

#[rstest]
#[case::null(json!({ "parent": null }), Pass)]
#[case::absent(json!({}), Pass)]
#[case::itself(json!({ "parent": { "id": "p" } }), Fail)]
fn a_root_has_no_parent(#[case] value: Value, #[case] expected: Verdict) {
    let select =
        json!({ "bundle": "$[0][0].answer.bundle", "id": "$[0][0].answer.id", "full": "$[0][0].answer.full[*]" });
    let full = json!([reference(json!({ "id": "p" }))]);
    let answer = json!({ "bundle": value, "id": "p", "full": full });
    assert_eq!(try_rule("bundle-agrees", &select, &json!({ "of": "parent" }), &answer).verdict, expected);
}

/// Of a child that the list leaves out, nothing is known, nor of what stands below it.
#[test]
fn a_listed_grandchild_may_stand_below_a_child_that_is_not_listed() {
    let select =
        json!({ "bundle": "$[0][0].answer.bundle", "id": "$[0][0].answer.id", "full": "$[0][0].answer.full[*]" });
    let full = json!([reference(json!({ "id": "p" })), reference(json!({ "id": "g", "parent_id": "gone" }))]);
    let answer = json!({ "bundle": { "grandchildren": "[g] (O) T\n" }, "id": "p", "full": full });
    assert_eq!(try_rule("bundle-agrees", &select, &json!({ "of": "grandchildren-only" }), &answer).verdict, Pass);
}

/// Absent, null and empty are no body.
#[rstest]
#[case::same("b", json!({ "id": "o", "body": "b" }), Pass)]
#[case::cut("b and more", json!({ "id": "o", "body": "b" }), Fail)]
#[case::absent("b", json!({ "id": "o" }), Fail)]
#[case::none("", json!({ "id": "o" }), Pass)]
#[case::another_record("b", json!({ "id": "x", "body": "c" }), Skip)]
fn a_record_has_one_body(#[case] body: &str, #[case] again: Value, #[case] expected: Verdict) {
    let bundle =
        json!({ "target": { "id": "o", "body": body }, "children": { "open": [again], "other": [{ "id": "o" }] } });
    let select = json!({ "value": "$[0][0].answer..[?@.id]" });
    let said = try_rule("bodies-agree", &select, &json!({}), &bundle);
    assert_eq!(said.verdict, expected, "{}", said.why);
}

/// A list may leave children out, but it shows none that is not counted.
#[rstest]
#[case::as_many(1, 1, Pass)]
#[case::more_than_listed(3, 2, Pass)]
#[case::too_few(0, 0, Fail)]
#[case::too_few_open(1, 0, Fail)]
#[case::more_open_than_all(1, 2, Fail)]
fn children_are_counted(#[case] all: u64, #[case] open: u64, #[case] expected: Verdict) {
    let full = json!([
        reference(json!({ "id": "a", "children_count": all, "open_children_count": open })),
        reference(json!({ "id": "b", "parent_id": "a" })),
        reference(json!({ "id": "k", "parent_id": "k" })),
    ]);
    let said = try_rule("children-counted", &json!({ "value": "$[0][0].answer[*]" }), &json!({}), &full);
    assert_eq!(said.verdict, expected, "{}", said.why);
}

#[rstest]
#[case::listed(json!({ "properties": { "format": { "enum": ["full", "compact", "minimal"] } } }), Pass)]
#[case::nothing_said(json!({ "type": "object" }), Pass)]
#[case::another_argument(json!({ "required": ["session_id"], "properties": { "session_id": {} } }), Pass)]
#[case::by_reference(json!({ "$defs": { "f": { "enum": ["full", "compact", "minimal"] } }, "properties": { "format": { "$ref": "#/$defs/f" } } }), Pass)]
#[case::one_is_missing(json!({ "properties": { "format": { "enum": ["full", "compact"] } } }), Fail)]
#[case::required(json!({ "required": ["format"] }), Fail)]
#[case::no_format(json!({ "properties": {}, "additionalProperties": false }), Fail)]
fn a_schema_allows_each_format_and_none(#[case] schema: Value, #[case] expected: Verdict) {
    let said = try_rule("formats-allowed", &json!({ "value": "$[0][0].answer" }), &json!({}), &schema);
    assert_eq!(said.verdict, expected, "{}", said.why);
}
