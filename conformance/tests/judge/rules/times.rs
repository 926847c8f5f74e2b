//! Times, compared as instants.

use super::trial::{Said, try_rule};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

const NOON: &str = "2025-01-04T12:00:00Z";
const NOON_IN_TOKYO: &str = "2025-01-04T21:00:00.000+09:00";
const LATER: &str = "2025-01-04T12:00:01.5Z";

fn two(rule: &str, names: [&str; 2], answer: Value) -> Said {
    let select = json!({ names[0]: format!("$[0][0].answer.{}[*]", names[0]), names[1]: format!("$[0][0].answer.{}[*]", names[1]) });
    try_rule(rule, &select, &json!({}), &answer)
}

#[rstest]
#[case::the_same_instant(json!([NOON_IN_TOKYO]), Pass)]
#[case::another(json!([NOON, LATER]), Fail)]
#[case::no_times(json!(["noon", 12]), Skip)]
fn only_times(#[case] values: Value, #[case] due: Verdict) {
    let said = try_rule("only-times", &json!("$[0][0].answer[*]"), &json!({ "of": [NOON] }), &values);
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[rstest]
#[case::it_came(json!([LATER, NOON_IN_TOKYO]), Pass)]
#[case::it_did_not(json!([LATER]), Fail)]
#[case::nothing_came(json!([]), Fail)]
#[case::no_times(json!([12]), Skip)]
fn includes_times(#[case] values: Value, #[case] due: Verdict) {
    let said = try_rule("includes-times", &json!("$[0][0].answer[*]"), &json!({ "all": [NOON] }), &values);
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[rstest]
#[case::as_new(json!({ "value": [NOON], "bound": [NOON_IN_TOKYO] }), Pass)]
#[case::newer(json!({ "value": [NOON, LATER], "bound": [NOON_IN_TOKYO] }), Fail)]
#[case::no_bound(json!({ "value": [NOON], "bound": [null] }), Skip)]
#[case::no_times(json!({ "value": ["noon"], "bound": [NOON] }), Skip)]
fn not_newer(#[case] answer: Value, #[case] due: Verdict) {
    assert_eq!(two("not-newer", ["value", "bound"], answer).verdict, due);
}

#[rstest]
#[case::in_any_order(json!({ "left": [NOON, LATER], "right": [LATER, NOON_IN_TOKYO] }), Pass)]
#[case::one_twice(json!({ "left": [NOON, LATER], "right": [NOON, NOON] }), Fail)]
#[case::one_missing(json!({ "left": [NOON, LATER], "right": [NOON] }), Fail)]
#[case::no_times_that_are_the_same(json!({ "left": [12, null], "right": [null, 12] }), Pass)]
#[case::nothing(json!({ "left": [], "right": [] }), Skip)]
#[case::one_that_is_the_same_as_two(json!({
    "left": ["2025-01-04T12:00:00.4Z", LATER, "2025-01-04T12:00:01Z"],
    "right": ["2025-01-04T12:00:01Z", LATER, "2025-01-04T12:00:00.4Z"],
}), Pass)]
fn same_times(#[case] answer: Value, #[case] due: Verdict) {
    assert_eq!(two("same-times", ["left", "right"], answer).verdict, due);
}

#[rstest]
#[case::a_blank_for_t(json!("2025-01-04 12:00:00Z"))]
#[case::no_zone(json!("2025-01-04T12:00:00"))]
#[case::another_offset(json!("2025-01-04T13:00:00+0100"))]
#[case::hours_of_an_offset(json!("2025-01-04T13:00:00+01"))]
#[case::a_comma(json!("2025-01-04T12:00:00,000Z"))]
#[case::the_name_of_a_zone(json!("2025-01-04 12:00:00 +0000 UTC"))]
#[case::a_mail(json!("Sat, 04 Jan 2025 12:00:00 GMT"))]
#[case::seconds(json!(1_735_992_000))]
#[case::milliseconds(json!(1_735_992_000_000_i64))]
#[case::digits(json!("1735992000"))]
#[case::less_than_a_second_apart(json!("2025-01-04T12:00:00.4Z"))]
#[case::one_of_several(json!({ "created": "2025-01-04T12:00:00Z", "updated": "2030-01-01T00:00:00Z", "score": 1_735_992_001 }))]
fn noon_in_every_form(#[case] value: Value) {
    assert_eq!(only(&value), Pass);
}

#[rstest]
#[case::a_day(json!("2025-01-04"))]
#[case::a_word(json!("yesterday"))]
#[case::a_score(json!({ "score": 1_735_992_000 }))]
#[case::letters(json!("2025-01-04é12:00"))]
fn what_is_no_time_is_not_compared(#[case] value: Value) {
    assert_eq!(only(&value), Skip);
}

fn only(value: &Value) -> Verdict {
    try_rule("only-times", &json!("$[0][0].answer"), &json!({ "of": [NOON] }), value).verdict
}

#[rstest]
#[case::any_member(json!({}), json!([{ "seen": NOON }]), Pass)]
#[case::no_member(json!({}), json!([{ "seen": "noon" }]), Fail)]
#[case::the_member(json!({ "member": "at" }), json!([{ "at": NOON }]), Pass)]
#[case::another_member(json!({ "member": "at" }), json!([{ "seen": NOON }]), Fail)]
#[case::in_its_place(json!({ "member": "at", "or": [null] }), json!([{ "at": null }]), Pass)]
#[case::a_day(json!({ "member": "at", "or": [null] }), json!([{ "at": "2025-01-04" }]), Fail)]
#[case::nothing(json!({}), json!([]), Skip)]
fn dated(#[case] args: Value, #[case] values: Value, #[case] due: Verdict) {
    assert_eq!(try_rule("dated", &json!("$[0][0].answer[*]"), &args, &values).verdict, due);
}

#[rstest]
#[case::with_a_zone(json!([NOON, { "seen": NOON_IN_TOKYO, "read": 1_735_992_000 }]), Pass)]
#[case::without(json!([NOON, "2025-01-04T12:00:00"]), Fail)]
#[case::no_times(json!(["noon"]), Skip)]
fn rfc_3339(#[case] values: Value, #[case] due: Verdict) {
    assert_eq!(try_rule("rfc-3339", &json!("$[0][0].answer[*]"), &json!({}), &values).verdict, due);
}

#[rstest]
#[case::others(json!([{ "at": LATER, "text": "ours" }]), Pass)]
#[case::its_time(json!([{ "at": NOON_IN_TOKYO }]), Fail)]
#[case::its_text(json!([{ "text": " theirs " }]), Fail)]
#[case::nothing(json!([]), Skip)]
fn shows_none_of(#[case] values: Value, #[case] due: Verdict) {
    let args = json!({ "of": [NOON, "theirs"] });
    assert_eq!(try_rule("shows-none-of", &json!("$[0][0].answer[*]"), &args, &values).verdict, due);
}

#[rstest]
#[case::its_time(json!([{ "at": NOON_IN_TOKYO, "text": "other words" }]), Pass)]
#[case::its_text(json!([{ "at": LATER, "text": "said: our words" }]), Pass)]
#[case::neither(json!([{ "at": LATER, "text": "other words" }]), Fail)]
#[case::no_text(json!([{ "at": LATER }]), Skip)]
fn known_items(#[case] values: Value, #[case] due: Verdict) {
    let args = json!({ "of": [{ "at": NOON, "words": "our words" }] });
    assert_eq!(try_rule("known-items", &json!("$[0][0].answer[*]"), &args, &values).verdict, due);
}

#[rstest]
#[case::its_own(json!({ "summary": "New wick", "creationTime": "2024-12-31T18:00:00-06:00" }), Pass)]
#[case::in_another_zone(json!({ "text": "New wick", "at": "2025-01-01T00:00:00Z" }), Pass)]
#[case::that_of_another(json!({ "summary": "New wick", "creationTime": "2024-12-31T23:45:00Z" }), Fail)]
#[case::the_time_when_it_was_stored(json!({ "summary": "New wick", "creationTime": "2026-02-03T04:05:06Z" }), Pass)]
#[case::two_times(json!({ "summary": "New wick", "created": "2025-01-01T00:00:00Z", "changed": "2024-12-31T23:45:00Z" }), Pass)]
#[case::a_text_of_its_own(json!({ "summary": "Old wick", "creationTime": "2024-12-31T23:45:00Z" }), Skip)]
fn a_text_has_its_own_time(#[case] item: Value, #[case] verdict: Verdict) {
    let of = json!([
        { "summary": "New wick", "creationTime": "2024-12-31T18:00:00-06:00" },
        { "summary": "The lamp flickers", "creationTime": "2024-12-31T23:45:00Z" }
    ]);
    let said = try_rule("own-times", &json!("$[0][0].answer[*]"), &json!({ "of": of }), &json!([item]));
    assert_eq!(said.verdict, verdict);
}

#[rstest]
#[case::another("2025-01-01T18:00:00Z", Fail)]
#[case::without_seconds("2024-12-31T23:45:00Z", Pass)]
#[case::without_a_zone("2024-12-31 23:45:30", Pass)]
fn where_one_has_its_own_time_each_has(#[case] time: &str, #[case] verdict: Verdict) {
    let of = json!([{ "text": "New wick", "at": NOON }, { "text": "The lamp flickers", "at": "2024-12-31T23:45:30Z" }]);
    let items = json!([{ "text": "New wick", "at": NOON }, { "text": "The lamp flickers", "at": time }]);
    assert_eq!(try_rule("own-times", &json!("$[0][0].answer[*]"), &json!({ "of": of }), &items).verdict, verdict);
}
