//! What always applies computes with no argument that means nothing.

use conformance::judge::judge;
use conformance::load::{Case, Suite};
use conformance::model::Verdict;
use rstest::rstest;
use serde_json::{Value, json};
use std::sync::LazyLock;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(testing::root()).unwrap());

/// What a check of every exchange says of one call; nothing where it does not apply.
fn said(requirement: &str, operation: &str, with: Value, items: Value, body: Value) -> Option<Verdict> {
    let suite = SUITE.contract(requirement.split('.').next().unwrap()).unwrap();
    let exchange = json!({ "status": "accepted", "request": { "operation": operation, "with": with }, "items": items,
                           "answer": { "body": body }, "problems": [], "raw": { "bytes": 0 } });
    let judgements = judge(&Case::default(), suite, &[], &json!([[exchange]]));
    judgements.iter().find(|judgement| judgement.requirement == requirement).map(|judgement| judgement.verdict)
}

#[rstest]
#[case::a_number(json!(2), Some(Verdict::Fail))]
#[case::enough(json!(3), Some(Verdict::Pass))]
#[case::a_number_in_a_text(json!("2"), Some(Verdict::Fail))]
#[case::nothing(json!(0), None)]
#[case::below_nothing(json!(-1), None)]
#[case::a_fraction(json!(1.5), None)]
#[case::a_word(json!("two"), None)]
#[case::no_number(json!("NaN"), None)]
#[case::null(Value::Null, None)]
fn a_limit(#[case] limit: Value, #[case] expected: Option<Verdict>) {
    let items = json!([{ "frame_id": 1 }, { "frame_id": 2 }, { "frame_id": 3 }]);
    let with = json!({ "start_time": 1, "limit": limit });
    assert_eq!(said("recall.limit-page-size", "search", with, items, Value::Null), expected);
}

#[rstest]
#[case::epoch_seconds(json!(100), json!(200), Some(Verdict::Fail))]
#[case::in_a_text(json!("100"), json!("200"), Some(Verdict::Fail))]
#[case::infinite(json!("infinity"), json!(200), None)]
#[case::no_number(json!("NaN"), json!(200), None)]
#[case::a_word(json!("yesterday"), json!(200), None)]
#[case::reversed(json!(200), json!(100), None)]
fn a_window(#[case] start: Value, #[case] end: Value, #[case] expected: Option<Verdict>) {
    let items = json!([{ "timestamp": 50 }]);
    let with = json!({ "start_time": start, "end_time": end });
    assert_eq!(said("recall.start-time-limits", "search", with, items, Value::Null), expected);
}

#[rstest]
#[case::in_its_range(json!(2), Some(Verdict::Fail))]
#[case::out_of_range(json!(0), None)]
#[case::a_text_where_the_body_is_json(json!("2"), None)]
fn a_number_of_entries(#[case] top_ke: Value, #[case] expected: Option<Verdict>) {
    let body = json!({ "entries": [{}, {}, {}] });
    let with = json!({ "query": "tea", "memoryId": "m", "top_ke": top_ke });
    assert_eq!(said("memory.entries-limit", "search", with, Value::Null, body), expected);
}

/// The schema of a check may read an argument too.
#[rstest]
#[case::another_mode(json!({ "includeContent": "none" }), Some(Verdict::Fail))]
#[case::the_mode(json!({ "includeContent": "markdown" }), Some(Verdict::Pass))]
#[case::left_out(json!({}), Some(Verdict::Fail))]
#[case::no_mode(json!({ "includeContent": "MARKDOWN" }), None)]
#[case::null(json!({ "includeContent": null }), None)]
fn a_mode(#[case] with: Value, #[case] expected: Option<Verdict>) {
    let items = json!([{ "remId": "r", "content": "- tea", "contentProperties": {} }]);
    assert_eq!(said("remnote.content-only-in-markdown", "search", with, items, Value::Null), expected);
}
