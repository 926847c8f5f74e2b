//! Outlines of the second version of the document beside the JSON that they stand for.

use super::outlines::reference;
use super::trial::{Said, try_rule};
use conformance::contracts;
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

fn agrees(of: &str, text: &str, full: &Value) -> Said {
    let parsed = (contracts::format("outline-2").unwrap().parse)(&text.split('\n').collect::<Vec<_>>()).value;
    let select = json!({ "outline": "$[0][0].answer.outline", "full": "$[0][0].answer.full[*]" });
    try_rule("outline-agrees", &select, &json!({ "of": of }), &json!({ "outline": parsed, "full": full }))
}

/// An open record and one in another state, each with a summary.
fn two(state: &str) -> Value {
    json!([
        reference(json!({ "id": "a", "summary": "One two three." })),
        reference(json!({ "id": "b", "state": state, "summary": "Four.\nFive." }))
    ])
}

#[rstest]
#[case::whole("LATER", "  One two three.\n", "  Four.\n  Five.\n", Pass)]
#[case::broken_elsewhere("LATER", "  One two\n  three.\n", "  Four. Five.\n", Pass)]
#[case::cut("LATER", "  One two...\n", "  Four.\n  Five.\n", Fail)]
#[case::first_line("LATER", "  One two three.\n", "  Four.\n", Fail)]
#[case::none_for_later("LATER", "  One two three.\n", "", Fail)]
#[case::none_of_one_that_is_done("RESOLVED", "  One two three.\n", "", Pass)]
#[case::none_of_one_that_is_discarded("DISCARDED", "  One two three.\n", "", Pass)]
#[case::cut_of_one_that_is_done("RESOLVED", "  One two three.\n", "  Four...\n", Fail)]
#[case::titles_alone("LATER", "", "", Skip)]
#[case::dots_of_a_deep_tree("LATER", "  ...\n", "  ...\n", Pass)]
#[case::of_the_other("LATER", "  Four. Five.\n", "  Four. Five.\n", Fail)]
fn a_summary_is_whole_where_summaries_are_shown(
    #[case] state: &str,
    #[case] first: &str,
    #[case] second: &str,
    #[case] due: Verdict,
) {
    let letter = &state[..1];
    let said = agrees("whole-summary", &format!("[a] (O) T\n{first}\n[b] ({letter}) T\n{second}"), &two(state));
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[rstest]
#[case::one("[a] (O) T\n  One two three.\n\n[b] (R) T\n", Pass)]
#[case::none("[a] (O) T\n[b] (R) T\n", Fail)]
#[case::what_is_done_alone("[b] (R) T\n", Skip)]
fn some_summary_is_shown(#[case] text: &str, #[case] due: Verdict) {
    assert_eq!(agrees("any-summary", text, &two("RESOLVED")).verdict, due);
}

#[rstest]
#[case::brackets("A [b] (c)", "A [b] (c)", Pass)]
#[case::mark("Ends in [+body]", "Ends in [+body]", Pass)]
#[case::escaped("Ends in [+body]", r"Ends in \[+body]", Fail)]
#[case::marked("A [b]", "A [b] [+body]", Fail)]
#[case::line_end("A [b]\nc", "A", Skip)]
#[case::plain("A", "B", Skip)]
fn a_title_with_brackets_stands_as_it_is(#[case] stored: &str, #[case] shown: &str, #[case] due: Verdict) {
    let full = json!([reference(json!({ "id": "a", "title": stored }))]);
    let said = agrees("title-as-is", &format!("[a] (O) {shown}\n"), &full);
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[rstest]
#[case::all_hidden("[a] (O) T\n  [+2 children]\n", Pass, Pass)]
#[case::one_shown("[a] (O) T\n  [+1 child]\n\n  [b] (O) T\n", Pass, Pass)]
#[case::too_many("[a] (O) T\n  [+3 children]\n", Fail, Pass)]
#[case::nothing_said("[a] (O) T\n", Skip, Fail)]
fn hidden_children_are_counted_and_need_not_be_there(
    #[case] text: &str,
    #[case] hidden: Verdict,
    #[case] present: Verdict,
) {
    let below = |id: &str, above: &str| reference(json!({ "id": id, "parent_id": above }));
    let full = json!([
        reference(json!({ "id": "a", "children_count": 2 })),
        below("b", "a"),
        below("c", "a"),
        below("d", "c")
    ]);
    let said = agrees("hidden", text, &full);
    assert_eq!(said.verdict, hidden, "{}", said.why);
    assert_eq!(agrees("present", text, &full).verdict, present);
}
