//! A value of another form than a rule compares says nothing to it: the requirement on the form reports it.

use super::trial::try_rule;
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

fn over(rule: &str, select: Value, answer: &Value) -> Verdict {
    try_rule(rule, &select, &json!({}), answer).verdict
}

#[rstest]
#[case::numbers(json!([3, 1]), Pass)]
#[case::numbers_in_texts(json!(["3", 1]), Pass)]
#[case::rising(json!([1, "3"]), Fail)]
#[case::other_forms_between(json!([3, null, "soon", "NaN", "inf", [9], 1]), Pass)]
#[case::rising_past_other_forms(json!([1, "NaN", 3]), Fail)]
#[case::one_number(json!(["infinity", 1, {}]), Skip)]
fn descending(#[case] values: Value, #[case] expected: Verdict) {
    assert_eq!(over("descending", json!("$[0][0].answer[*]"), &values), expected);
}

#[rstest]
#[case::different(json!([{ "id": 1 }, { "id": "1" }]), Pass)]
#[case::twice(json!([{ "id": 1 }, { "id": 1 }]), Fail)]
#[case::null_is_no_value(json!([{ "id": null }, { "id": null }, { "id": 1 }]), Pass)]
#[case::absent(json!([{}, {}]), Skip)]
#[case::all_null(json!([{ "id": null }, { "id": null }]), Skip)]
fn unique(#[case] values: Value, #[case] expected: Verdict) {
    assert_eq!(over("unique", json!("$[0][0].answer[*].id"), &values), expected);
}

#[rstest]
#[case::no_id(json!([{ "title": "a" }, { "title": "a" }]), Skip)]
#[case::null(json!([{ "id": null }, { "id": null }]), Skip)]
#[case::twice(json!([{ "id": 1 }, { "id": 1 }]), Fail)]
fn a_walk(#[case] items: Value, #[case] expected: Verdict) {
    let pages = json!([{ "status": "accepted", "items": items }, { "status": "accepted", "items": [] }]);
    let said = try_rule("walk-unique", &json!({ "pages": "$[0][0].answer[*]" }), &json!({ "key": "id" }), &pages);
    assert_eq!(said.verdict, expected);
}

#[rstest]
#[case::a_part(json!(["green tea"]), "een T", Pass)]
#[case::accents(json!(["Café"]), "cafe", Pass)]
#[case::accents_in_the_part(json!(["Cafe\u{301}s"]), "café", Pass)]
#[case::width(json!(["\u{ff34}\u{ff45}\u{ff41}"]), "tea", Pass)]
#[case::blanks(json!(["green\u{a0} \n tea"]), "green tea", Pass)]
#[case::another_text(json!(["green tea", "coffee"]), "tea", Fail)]
#[case::other_forms(json!([null, 7, { "a": "coffee" }, "tea"]), "tea", Pass)]
#[case::no_text(json!([null, 7]), "tea", Skip)]
fn contains(#[case] values: Value, #[case] part: &str, #[case] expected: Verdict) {
    let select = json!({ "value": "$[0][0].answer.values[*]", "part": "$[0][0].answer.part" });
    assert_eq!(over("contains", select, &json!({ "values": values, "part": part })), expected);
}

#[rstest]
#[case::number(json!(2), Pass)]
#[case::digits(json!("2"), Pass)]
#[case::another_number(json!(3), Fail)]
#[case::null(Value::Null, Skip)]
#[case::word(json!("two"), Skip)]
#[case::no_number(json!("NaN"), Skip)]
fn a_count(#[case] count: Value, #[case] expected: Verdict) {
    let select = json!({ "count": "$[0][0].answer.count", "of": "$[0][0].answer.of[*]" });
    assert_eq!(over("count", select, &json!({ "count": count, "of": [1, 2] })), expected);
}

#[rstest]
#[case::short(json!([1]), json!(1), Pass)]
#[case::long(json!([1, 2]), json!("1"), Fail)]
#[case::no_list(json!({ "a": 1 }), json!(1), Skip)]
#[case::no_number(json!([1, 2]), json!("NaN"), Skip)]
fn no_longer_than(#[case] items: Value, #[case] limit: Value, #[case] expected: Verdict) {
    let select = json!({ "items": "$[0][0].answer.items", "limit": "$[0][0].answer.limit" });
    assert_eq!(over("no-longer-than", select, &json!({ "items": items, "limit": limit })), expected);
}
