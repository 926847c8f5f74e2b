//! Times, compared as instants.

use super::trial::{Said, try_rule};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

const NOON: &str = "2025-01-04T12:00:00Z";
const NOON_IN_TOKYO: &str = "2025-01-04T21:00:00.000+09:00";
const LATER: &str = "2025-01-04T12:00:00.5Z";

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
fn same_times(#[case] answer: Value, #[case] due: Verdict) {
    assert_eq!(two("same-times", ["left", "right"], answer).verdict, due);
}
