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
    let judgement = tea::judged(&step, json!({ "select": select, "equals": true }), &json!([exchanges]));
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
