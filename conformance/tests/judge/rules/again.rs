//! An item that is shown again shows the same time.

use crate::tea;
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

const NOON: &str = "2025-01-04T12:00:00Z";
const NOON_IN_TOKYO: &str = "2025-01-04T21:00:00+09:00";
const LATER: &str = "2025-01-04T13:00:00Z";

/// Judges answers, each of an exchange of its own.
fn judged(rule: &str, select: &Value, args: &Value, answers: &[Value]) -> Verdict {
    let exchange = |answer: &Value| json!({ "status": "accepted", "request": { "operation": "brew", "with": {} }, "answer": answer });
    let steps: Vec<Value> = answers.iter().map(|_| json!({ "call": "brew" })).collect();
    let evidence: Vec<Value> = answers.iter().map(|answer| json!([exchange(answer)])).collect();
    let check = json!({ "select": select, "rule": rule, "args": args });
    tea::judged(&json!(steps), check, &json!(evidence)).verdict
}

fn item(text: &str, time: &str) -> Value {
    json!({ "text": format!("the {text} of all"), "at": time })
}

fn with_id(id: &str, time: &str) -> Value {
    json!({ "id": id, "text": "the same of all", "at": time })
}

#[rstest]
#[case::the_same(vec![json!([with_id("a", NOON), with_id("b", LATER)]), json!([with_id("a", NOON_IN_TOKYO)])], Pass)]
#[case::another(vec![json!([with_id("a", NOON)]), json!([with_id("a", LATER)])], Fail)]
#[case::of_other_ids(vec![json!([with_id("a", NOON)]), json!([with_id("b", LATER)])], Skip)]
#[case::one_may_be_two(vec![json!([item("tea", NOON)]), json!([item("tea", LATER)])], Pass)]
#[case::two_are_not_four(vec![json!([item("tea", NOON), item("cup", LATER)]), json!([item("tea", LATER), item("cup", NOON)])], Fail)]
#[case::two_of_one_text(vec![json!([item("tea", NOON), item("tea", LATER), item("cup", NOON)]), json!([item("tea", LATER), item("cup", LATER)])], Pass)]
#[case::no_times(vec![json!([{ "text": "the tea of all" }]), json!([{ "text": "the tea of all" }])], Skip)]
fn of_an_item(#[case] answers: Vec<Value>, #[case] verdict: Verdict) {
    assert_eq!(judged("same-time-again", &json!("$[*][0].answer[*]"), &json!({ "ids": ["id"] }), &answers), verdict);
}

fn told(time: &str, items: Value) -> Value {
    json!({ "newest": "the tea of all", "when": time, "items": items })
}

#[rstest]
#[case::the_same(vec![told(NOON, json!([item("tea", NOON_IN_TOKYO), item("cup", LATER)]))], Pass)]
#[case::another(vec![told(NOON, json!([item("tea", LATER)]))], Fail)]
#[case::in_another_answer(vec![told(NOON, json!([])), told(NOON, json!([item("tea", LATER)]))], Fail)]
#[case::of_the_search(vec![told(NOON, json!([])), told(LATER, json!([]))], Fail)]
#[case::two_of_one_text(vec![told(NOON, json!([item("tea", LATER)])), told(NOON, json!([item("tea", NOON), item("tea", LATER)]))], Skip)]
#[case::of_others(vec![told(NOON, json!([item("cup", LATER)]))], Skip)]
fn as_told(#[case] answers: Vec<Value>, #[case] verdict: Verdict) {
    let select = json!({ "value": "$[*][0].answer.items[*]", "told": "$[*][0].answer" });
    assert_eq!(judged("same-time-as-told", &select, &json!({ "text": "newest", "time": "when" }), &answers), verdict);
}

#[rstest]
#[case::whole(json!([item("tea", NOON_IN_TOKYO), item("cup", LATER)]), Pass)]
#[case::cut(json!([{ "text": "the tea of all and more", "at": NOON }]), Fail)]
#[case::of_another_time(json!([{ "text": "the tea of all and more", "at": LATER }]), Skip)]
#[case::of_another_text(json!([item("cup", NOON)]), Skip)]
fn whole(#[case] items: Value, #[case] verdict: Verdict) {
    let select = json!({ "value": "$[*][0].answer.items[*]", "told": "$[*][0].answer" });
    let args = json!({ "text": "newest", "time": "when" });
    assert_eq!(judged("told-whole", &select, &args, &[told(NOON, items)]), verdict);
}
