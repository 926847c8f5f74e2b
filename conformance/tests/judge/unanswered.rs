//! What a check says where a call was refused, was not made, or asked for something that is not there.

use crate::tea;
use conformance::model::Verdict;
use rstest::rstest;
use serde_json::{Value, json};

/// Judges one check over the exchanges of one step, which may sweep.
fn verdict(select: &str, sweeps: bool, exchanges: &[Value]) -> (Verdict, String) {
    let mut step = json!({ "call": "brew" });
    if sweeps {
        step["sweep"] = json!({ "argument": "leaf", "over": ["", "oolong"] });
    }
    let judgement = tea::judged(&json!([step]), json!({ "select": select, "equals": true }), &json!([exchanges]));
    (judgement.verdict, judgement.details.first().map_or_else(String::new, |detail| detail.message.clone()))
}

fn exchange(status: &str, body: Value, failure: Value) -> Value {
    json!({ "status": status, "request": { "operation": "brew", "with": {} }, "answer": { "body": body },
            "items": [body], "raw": { "bytes": 0, "failure": failure } })
}

fn hot() -> Value {
    exchange("accepted", json!({ "hot": true }), Value::Null)
}

fn refused() -> Value {
    exchange("refused", json!({ "hot": false, "error": "no leaf" }), Value::Null)
}

#[rstest]
#[case::items("$[0][*].items[*].hot")]
#[case::body("$[0][*].answer.body.hot")]
fn a_refusal_among_the_answers_of_a_sweep_is_an_answer_of_its_own(#[case] select: &str) {
    assert_eq!(verdict(select, true, &[refused(), hot()]).0, Verdict::Pass);
    assert_eq!(verdict(select, true, &[refused(), refused()]).0, Verdict::Incomplete, "nothing was answered");
    let (told, why) = verdict(select, false, &[refused()]);
    assert_eq!(
        (told, why.as_str()),
        (Verdict::Incomplete, "the call was refused: {\"hot\":false,\"error\":\"no leaf\"}")
    );
}

#[rstest]
#[case::not_asked("not-asked", "another revision", Verdict::Incomplete)]
#[case::no_such_tool("no-such-tool", "brew", Verdict::Incomplete)]
#[case::broken("broken", "the pot fell", Verdict::Incomplete)]
fn what_was_not_answered(#[case] kind: &str, #[case] detail: &str, #[case] due: Verdict) {
    let failed = exchange("failed", Value::Null, json!({ "kind": kind, "detail": detail }));
    let (told, why) = verdict("$[0][0].answer.body.hot", false, &[failed]);
    assert_eq!(told, due);
    assert!(why.contains(detail), "{why}");
}

/// Judges a probe whose twin is the first step.
fn probed(check: &Value, twin: Value, probe: Value) -> (Verdict, String) {
    let steps = json!([{ "call": "brew" }, { "call": "brew", "twin": 0 }]);
    let judgement = tea::judged(&steps, check.clone(), &json!([[twin], [probe]]));
    (judgement.verdict, judgement.details.first().map_or_else(String::new, |detail| detail.message.clone()))
}

#[rstest]
#[case::select(json!({ "select": "$[1][0].status", "equals": "refused" }))]
#[case::each(json!({ "each": "$[1][*].status", "select": "@", "equals": "refused" }))]
#[case::answer(json!({ "select": "$[1][*].answer.body.error", "schema": { "type": "string" } }))]
#[case::rule(json!({ "select": "$[*][0].status", "rule": "sequence", "args": { "of": ["accepted", "refused"] } }))]
fn a_refusal_counts_only_beside_an_accepted_twin(#[case] check: Value) {
    let failed = || exchange("failed", Value::Null, json!({ "kind": "server-error", "detail": 500 }));
    assert_eq!(probed(&check, hot(), refused()).0, Verdict::Pass);
    assert_eq!(probed(&check, hot(), hot()).0, Verdict::Fail, "what was accepted is judged");
    for twin in [refused(), failed()] {
        for probe in [refused(), failed()] {
            let (verdict, why) = probed(&check, twin.clone(), probe);
            assert_eq!(verdict, Verdict::Incomplete);
            assert!(why.contains("its twin"), "{why}");
        }
    }
}

#[test]
fn what_was_accepted_is_judged_whatever_became_of_its_twin() {
    let check = json!({ "select": "$[1][0].status", "equals": "refused" });
    assert_eq!(probed(&check, refused(), hot()).0, Verdict::Fail);
}

#[test]
fn a_probe_whose_twin_the_data_has_nothing_to_ask_with_exercises_nothing() {
    let steps = json!([{ "call": "brew" }, { "call": "brew" }, { "call": "brew", "twin": 1 }]);
    let check = || json!({ "select": "$[2][0].status", "equals": "refused" });
    let verdict = |source| tea::judged(&steps, check(), &json!([[source], [], [refused()]])).verdict;
    assert_eq!(verdict(hot()), Verdict::Skip);
    assert_eq!(verdict(refused()), Verdict::Incomplete);
}

/// What a check of `path` says in a case of these steps, and why.
fn told(steps: &Value, path: &str, evidence: &Value) -> (Verdict, String) {
    let judgement = tea::judged(steps, json!({ "select": path, "equals": true }), evidence);
    (judgement.verdict, judgement.details.first().map_or_else(String::new, |detail| detail.message.clone()))
}

#[rstest]
#[case::body("$[0][*].answer.body.hot")]
#[case::items("$[0][*].items[*].hot")]
fn a_free_call_that_is_refused_exercises_nothing(#[case] path: &str) {
    let step = json!([{ "call": "brew", "free": true }]);
    assert_eq!(told(&step, path, &json!([[hot()]])).0, Verdict::Pass);
    assert_eq!(told(&step, path, &json!([[refused()]])).0, Verdict::Skip);
    assert_eq!(told(&step, path, &json!([[refused(), hot()]])).0, Verdict::Pass, "the others are judged");
}

#[test]
fn the_status_of_a_free_call_is_free() {
    let steps = json!([{ "call": "brew", "free": true }]);
    let check = |exchange| {
        tea::judged(&steps, json!({ "select": "$[0][0].status", "equals": "accepted" }), &json!([[exchange]]))
    };
    assert_eq!(check(refused()).verdict, Verdict::Skip);
    assert_eq!(check(hot()).verdict, Verdict::Pass);
    assert_eq!(check(exchange("failed", Value::Null, Value::Null)).verdict, Verdict::Fail);
}

#[test]
fn an_answer_where_a_refusal_is_expected_need_not_be_there() {
    let steps = json!([{ "call": "brew" }, { "call": "brew", "twin": 0 }]);
    assert_eq!(told(&steps, "$[1][0].items[*].hot", &json!([[hot()], [refused()]])).0, Verdict::Skip);
    assert_eq!(told(&steps, "$[1][0].items[*].hot", &json!([[refused()], [refused()]])).0, Verdict::Incomplete);
}

#[rstest]
#[case::not_found(json!([[hot()], []]), Verdict::Skip, "only where")]
#[case::the_source_was_refused(json!([[refused()], []]), Verdict::Incomplete, "refused")]
#[case::found(json!([[hot()], [hot()]]), Verdict::Pass, "")]
fn a_conditional_call_is_judged_where_it_was_made(
    #[case] evidence: Value,
    #[case] expected: Verdict,
    #[case] why: &str,
) {
    let steps = json!([{ "call": "brew" }, { "call": "brew", "when": "$[0][0].answer.body.leaves" }]);
    let (verdict, message) = told(&steps, "$[1][0].answer.body.hot", &evidence);
    assert_eq!(verdict, expected);
    assert!(message.contains(why), "{message}");
}

#[rstest]
#[case::accepted(vec![hot(), hot()], Some(Verdict::Pass))]
#[case::refused_once(vec![hot(), refused()], Some(Verdict::Fail))]
#[case::failed(vec![exchange("failed", Value::Null, Value::Null)], Some(Verdict::Incomplete))]
#[case::not_made(vec![], None)]
fn a_call_that_is_allowed_is_not_refused(#[case] exchanges: Vec<Value>, #[case] expected: Option<Verdict>) {
    let steps = json!([{ "call": "brew", "answered": "tea.served" }]);
    let check = json!({ "select": "$[0][*].answer.body.hot", "equals": true });
    let judgements = tea::judgements(&steps, check, &json!([exchanges]));
    let served = judgements.iter().find(|judgement| judgement.requirement == "tea.served");
    assert_eq!(served.map(|judgement| judgement.verdict), expected);
}

/// An accepted answer that has a problem of this code.
fn unreadable(code: &str) -> Value {
    let mut exchange = exchange("accepted", json!({ "hot": false }), Value::Null);
    exchange["problems"] = json!([{ "code": code, "line": 1, "column": 1, "message": "no tea leaves" }]);
    exchange
}

#[rstest]
#[case::items(json!({ "select": "$[0][*].items[*].hot", "equals": true }))]
#[case::body(json!({ "select": "$[0][*].answer.body.hot", "equals": true }))]
#[case::anything_in_the_body(json!({ "select": "$[0][*].answer[?@.hot != null].hot", "equals": true }))]
#[case::each(json!({ "each": "$[0][*].answer.body", "select": "@.hot", "equals": true }))]
#[case::each_exchange(json!({ "each": "$[0][*]", "select": "@.answer.body.hot", "equals": true }))]
#[case::whole_exchanges(json!({ "select": "$[0][*]", "schema": { "properties": { "items": { "maxItems": 0 } } } }))]
fn what_an_answer_says_that_cannot_be_read_is_not_judged(#[case] check: Value, #[values("json", "items")] code: &str) {
    let judgement = tea::judged(&json!([{ "call": "brew" }]), check, &json!([[unreadable(code)]]));
    let reasons: Vec<&str> = judgement.details.iter().map(|detail| detail.message.as_str()).collect();
    assert_eq!((judgement.verdict, reasons), (Verdict::Incomplete, vec!["the answer cannot be read: no tea leaves"]));
}

#[rstest]
#[case::problems(json!({ "select": "$[0][*].problems[*]", "rule": "absent" }))]
#[case::status(json!({ "select": "$[0][*].status", "equals": "failed" }))]
#[case::status_of_each_exchange(json!({ "each": "$[0][*]", "select": "@.status", "equals": "failed" }))]
fn the_form_of_an_answer_that_cannot_be_read_is_judged(#[case] check: Value, #[values("json", "items")] code: &str) {
    let judgement = tea::judged(&json!([{ "call": "brew" }]), check, &json!([[unreadable(code)]]));
    assert_eq!(judgement.verdict, Verdict::Fail);
}

#[rstest]
fn what_an_answer_that_cannot_be_read_was_to_feed_is_incomplete(#[values("json", "items")] code: &str) {
    let steps = json!([{ "call": "brew" }, { "call": "brew", "with": { "leaf": { "$from": "/0/0/items/0/leaf" } } }]);
    assert_eq!(told(&steps, "$[1][*].items[*].hot", &json!([[unreadable(code)], []])).0, Verdict::Incomplete);
}
