//! Bullets as text and as nodes: what is free in them, what depth and limits leave, and what a length clips.

use super::trial::{Said, try_rule};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

const DUE: &str = "- A :: b\n  - C\n  - D\n    - E\n- F\n";

fn outline(is: &str, value: Value) -> Said {
    let select = json!({ "value": "$[0][0].answer.value" });
    try_rule("outline", &select, &json!({ "is": is }), &json!({ "value": value }))
}

#[rstest]
#[case::the_same(DUE, Pass)]
#[case::no_line_end("- A :: b\n  - C\n  - D\n    - E\n- F", Pass)]
#[case::other_bullets("* A :: b\n  + C\n  + D\n    - E\n* F\n", Pass)]
#[case::tabs("- A :: b\n\t- C\n\t- D\n\t\t- E\n- F\n", Pass)]
#[case::four_spaces("- A :: b\n    - C\n    - D\n        - E\n- F\n", Pass)]
#[case::carriage_returns("- A :: b\r\n  - C\r\n  - D\r\n    - E\r\n- F\r\n", Pass)]
#[case::more_spaces("-  A  ::  b\n  -  C\n  - D\n    - E\n- F\n", Pass)]
#[case::flat("- A :: b\n- C\n- D\n- E\n- F\n", Fail)]
#[case::a_level_lost("- A :: b\n  - C\n  - D\n  - E\n- F\n", Fail)]
#[case::a_line_lost("- A :: b\n  - C\n  - D\n- F\n", Fail)]
#[case::a_line_more("- A :: b\n  - C\n  - D\n    - E\n- F\n- G\n", Fail)]
#[case::another_order("- A :: b\n  - D\n    - E\n  - C\n- F\n", Fail)]
#[case::no_back("- A\n  - C\n  - D\n    - E\n- F\n", Fail)]
#[case::nothing("", Fail)]
fn a_text_of_bullets(#[case] text: &str, #[case] due: Verdict) {
    let said = outline(DUE, json!(text));
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[test]
fn nodes_are_the_text_that_they_print() {
    let nodes = json!([{ "headline": "A :: b", "children": [
        { "headline": "C" }, { "headline": "D", "children": [{ "headline": "E" }] }] }, { "headline": "F" }]);
    assert_eq!(outline(DUE, nodes).verdict, Pass);
    assert_eq!(outline(DUE, json!([{ "headline": "A :: b" }])).verdict, Fail);
    assert_eq!(outline(DUE, json!(7)).verdict, Fail);
    assert_eq!(outline("", json!([])).verdict, Pass);
}

#[rstest]
#[case::in_one_line("- A - b\n- C\n", Pass)]
#[case::as_it_is("- A\n- b\n- C\n", Pass)]
#[case::cut_at_the_break("- A\n- C\n", Fail)]
fn a_headline_of_two_lines(#[case] text: &str, #[case] due: Verdict) {
    let select = json!({ "left": "$[0][0].answer.left", "right": "$[0][0].answer.right" });
    let answer = json!({ "left": [{ "headline": "A\n- b" }, { "headline": "C" }], "right": text });
    assert_eq!(try_rule("same-outline", &select, &json!({}), &answer).verdict, due);
}

#[rstest]
#[case::none_empty(DUE, Pass)]
#[case::one_inside("- A\n-\n- C\n", Pass)]
#[case::one_with_children_at_the_end("- A\n- \n  - B\n", Pass)]
#[case::the_first_level_indented("  - A\n    - B\n  - \n  - C\n", Pass)]
#[case::at_the_end("- A\n- \n", Fail)]
#[case::at_the_end_of_an_inner_list("- A\n  - B\n  -\n- C\n", Fail)]
#[case::alone("- A\n  - \n- C\n", Fail)]
#[case::nothing("", Skip)]
fn empty_leaves(#[case] text: &str, #[case] due: Verdict) {
    let select = json!({ "value": "$[0][0].answer.value" });
    let said = try_rule("no-empty-ends", &select, &json!({}), &json!({ "value": text }));
    assert_eq!(said.verdict, due, "{}", said.why);
}

fn cut(rule: &str, by: &str, at: u64, value: &str) -> Verdict {
    let select = json!({ "value": "$[0][0].answer.value", "whole": "$[0][0].answer.whole", by: "$[0][0].answer.at" });
    try_rule(rule, &select, &json!({}), &json!({ "value": value, "whole": DUE, "at": at })).verdict
}

#[rstest]
#[case::one_level(1, "- A :: b\n- F\n", Pass)]
#[case::two_levels(2, "- A :: b\n  - C\n  - D\n- F\n", Pass)]
#[case::all(9, DUE, Pass)]
#[case::one_too_many(1, "- A :: b\n  - C\n  - D\n- F\n", Fail)]
#[case::one_too_few(2, "- A :: b\n- F\n", Fail)]
#[case::not_all_of_a_level(2, "- A :: b\n  - C\n- F\n", Fail)]
fn levels_that_come(#[case] depth: u64, #[case] value: &str, #[case] due: Verdict) {
    assert_eq!(cut("cut-at-depth", "depth", depth, value), due);
}

#[rstest]
#[case::one_of_each(1, "- A :: b\n  - C\n", Pass)]
#[case::two_of_each(2, DUE, Pass)]
#[case::one_of_the_first_level_alone(1, "- A :: b\n  - C\n  - D\n    - E\n", Fail)]
#[case::the_last_ones(1, "- F\n", Fail)]
fn children_that_come(#[case] limit: u64, #[case] value: &str, #[case] due: Verdict) {
    assert_eq!(cut("cut-at-children", "limit", limit, value), due);
}

const WHOLE: &str = "- one é\n  - two\n- a longer line\n- x\n";

/// What the rules of clipped texts say, in the order in which they are named.
fn clipped(value: &str, truncated: bool, limit: u64) -> Vec<Verdict> {
    let place = |name: &str| format!("$[0][0].answer.{name}");
    let answer = json!({ "value": value, "whole": WHOLE, "limit": limit, "truncated": truncated });
    let all = json!({ "value": place("value"), "whole": place("whole"), "limit": place("limit") });
    let in_characters = json!({ "unit": "characters" });
    let mut said: Vec<Verdict> = [("whole-lines", json!({})), ("first-lines", json!({}))]
        .into_iter()
        .chain([("whole-when-it-fits", in_characters), ("most-lines", json!({}))])
        .map(|(rule, args)| try_rule(rule, &all, &args, &answer).verdict)
        .collect();
    let length = json!({ "value": place("value"), "limit": place("limit") });
    said.push(try_rule("within-length", &length, &json!({}), &answer).verdict);
    let mut told = all;
    told["truncated"] = json!(place("truncated"));
    for when in ["clipped", "whole"] {
        said.push(try_rule("tells-clipping", &told, &json!({ "when": when }), &answer).verdict);
    }
    said
}

#[rstest]
// "- one é\n" has 8 characters, and "  - two\n" 8 as well; the whole text 36.
#[case::one_line("- one é\n", true, 15, [Pass, Pass, Skip, Pass, Pass, Pass, Skip])]
#[case::two_lines_that_fit_to_the_end("- one é\n  - two\n", true, 16, [Pass, Pass, Skip, Pass, Pass, Pass, Skip])]
#[case::the_last_line_end_does_not_count("- one é\n  - two", true, 15, [Pass, Pass, Skip, Pass, Pass, Pass, Skip])]
#[case::all_of_it(WHOLE, false, 36, [Pass, Pass, Pass, Skip, Pass, Skip, Pass])]
#[case::nothing_fits("", true, 5, [Skip, Skip, Skip, Pass, Pass, Pass, Skip])]
#[case::too_long("- one é\n  - two\n", true, 14, [Pass, Pass, Skip, Pass, Fail, Pass, Skip])]
#[case::half_a_line("- one é\n  - t", true, 15, [Fail, Fail, Skip, Pass, Pass, Pass, Skip])]
#[case::a_later_line("- one é\n  - two\n- x\n", true, 20, [Pass, Fail, Skip, Pass, Pass, Pass, Skip])]
#[case::a_line_too_few("- one é\n", true, 16, [Pass, Pass, Skip, Fail, Pass, Pass, Skip])]
#[case::clipped_though_it_fits("- one é\n  - two\n- a longer line\n", true, 36, [Pass, Pass, Fail, Fail, Pass, Pass, Skip])]
#[case::not_told("- one é\n", false, 15, [Pass, Pass, Skip, Pass, Pass, Fail, Skip])]
#[case::told_for_nothing(WHOLE, true, 40, [Pass, Pass, Pass, Skip, Pass, Skip, Fail])]
fn a_limit_of_length(#[case] value: &str, #[case] truncated: bool, #[case] limit: u64, #[case] due: [Verdict; 7]) {
    assert_eq!(clipped(value, truncated, limit), due);
}

#[rstest]
#[case::characters(36, json!({ "unit": "characters" }), Fail)]
#[case::not_in_bytes(36, json!({}), Skip)]
#[case::in_bytes(37, json!({}), Fail)]
fn a_text_fits_in_the_unit_that_is_meant(#[case] limit: u64, #[case] args: Value, #[case] expected: Verdict) {
    let select = json!({ "value": "$[0][0].answer.value", "whole": "$[0][0].answer.whole",
        "limit": "$[0][0].answer.limit" });
    let answer = json!({ "value": "- one é\n", "whole": WHOLE, "limit": limit });
    assert_eq!(try_rule("whole-when-it-fits", &select, &args, &answer).verdict, expected);
}

#[test]
fn without_a_limit_the_default_is_one() {
    let select = json!({ "value": "$[0][0].answer.value", "limit": "$[0][0].answer.limit" });
    let said = |length: usize| {
        try_rule("within-length", &select, &json!({ "otherwise": 10 }), &json!({ "value": "x".repeat(length) })).verdict
    };
    assert_eq!((said(10), said(11)), (Pass, Fail));
}

#[test]
fn lines_are_counted_on_all_levels() {
    let select = json!({ "count": "$[0][0].answer.counts[*]", "of": "$[0][0].answer.texts[*]" });
    let said = |counts: Value, texts: Value| {
        try_rule("counts-lines", &select, &json!({}), &json!({ "counts": counts, "texts": texts })).verdict
    };
    assert_eq!(said(json!([5, 0]), json!([DUE, ""])), Pass);
    assert_eq!(said(json!([2, 0]), json!([DUE, ""])), Fail);
    assert_eq!(said(json!([]), json!([])), Skip);
}

/// The nodes that a line of words names, `_` for an empty one.
fn nodes(words: &str) -> Vec<Value> {
    words.split_whitespace().map(|word| json!({ "headline": word.replace('_', "") })).collect()
}

#[rstest]
#[case::exactly("A B C", ["A", "A B", "A B C"], Pass)]
#[case::empty_ones_count("A _ C D", ["A", "A", "A _ C"], Pass)]
#[case::empty_ones_are_dropped_first("A C D", ["A", "A C", "A C D"], Pass)]
#[case::all_empty_ones_are_dropped_after("A C D", ["A", "A", "A C"], Pass)]
#[case::one_too_many("A B C", ["A B", "A B", "A B C"], Fail)]
#[case::the_last_ones("A B C", ["C", "B C", "A B C"], Fail)]
#[case::one_too_few("A B C D", ["", "A", "A B"], Fail)]
#[case::nothing("A B C", ["", "", ""], Fail)]
fn one_two_and_three_children_of_unknown_data(#[case] whole: &str, #[case] cuts: [&str; 3], #[case] expected: Verdict) {
    let note = |words: &str| json!([{ "remId": "a", "contentStructured": nodes(words) }]);
    let exchange =
        |(at, words): (usize, &str)| json!({ "request": { "with": { "childLimit": at + 1 } }, "items": note(words) });
    let exchanges: Vec<Value> = cuts.into_iter().enumerate().map(exchange).collect();
    let select = json!({ "value": "$[0][0].answer.cut[*]", "whole": "$[0][0].answer.whole[*]" });
    let said = try_rule("first-children", &select, &json!({}), &json!({ "cut": exchanges, "whole": note(whole) }));
    assert_eq!(said.verdict, expected);
}

#[rstest]
#[case::exactly(["- A\n", "- A\n- B\n", "- A\n- B\n- C\n"], Pass)]
#[case::one_too_many(["- A\n- B\n", "- A\n- B\n", "- A\n- B\n- C\n"], Fail)]
#[case::one_too_few(["", "- A\n", "- A\n- B\n"], Fail)]
fn one_two_and_three_lines_of_unknown_data(#[case] cuts: [&str; 3], #[case] expected: Verdict) {
    let note = |content: &str, rendered: usize| json!([{ "content": content, "contentProperties": { "childrenRendered": rendered, "contentTruncated": false } }]);
    let exchange = |(at, content): (usize, &str)| json!({ "request": { "with": { "childLimit": at + 1 } }, "items": note(content, content.lines().count()) });
    let exchanges: Vec<Value> = cuts.into_iter().enumerate().map(exchange).collect();
    let select = json!({ "value": "$[0][0].answer.cut[*]", "whole": "$[0][0].answer.whole[*]" });
    let said = |whole: Value| {
        try_rule("first-children", &select, &json!({}), &json!({ "cut": exchanges, "whole": whole })).verdict
    };
    let whole = "- A\n- B\n- C\n- D\n";
    assert_eq!(said(note(whole, 4)), expected);
    assert_eq!(said(note(whole, 3)), Skip, "a headline of several lines says nothing");
}

#[test]
fn a_count_may_be_below_what_is_read_where_headlines_have_line_breaks() {
    let select = json!({ "count": "$[0][0].answer.count", "of": "$[0][0].answer.text" });
    let said = |count: Value| {
        try_rule("counts-lines", &select, &json!({ "at_most": true }), &json!({ "count": count, "text": DUE })).verdict
    };
    assert_eq!([4, 5, 6].map(|count| said(json!(count))), [Pass, Pass, Fail]);
    assert_eq!(said(json!("9")), Pass, "another form is another requirement");
}

#[test]
fn a_note_without_nodes_has_an_empty_tree_where_that_is_asked_for() {
    let select = json!({ "left": "$[0][0].answer.left[*]", "right": "$[0][0].answer.right[*]" });
    let answer = json!({ "left": [{ "id": 1 }], "right": [{ "id": 1, "content": "- A\n" }] });
    let by = json!({ "key": "id", "fields": ["contentStructured", "content"] });
    let mut args = json!({ "by": by });
    assert_eq!(try_rule("same-outline", &select, &args, &answer).verdict, Skip);
    args["by"]["absent_is_empty"] = true.into();
    assert_eq!(try_rule("same-outline", &select, &args, &answer).verdict, Fail);
}

#[test]
fn outlines_that_cannot_be_counted_are_not_compared() {
    let select = json!({
        "value": "$[0][0].answer.cut[*]", "whole": "$[0][0].answer.whole[*]", "depth": "$[0][0].answer.depth",
    });
    let note = |content: &str, count: usize| json!([{ "id": 1, "content": content, "count": count }]);
    let said = |count: usize| {
        let answer = json!({ "cut": note("- A\n- B\n", count), "whole": note("- A\n  - B\n", 2), "depth": 1 });
        let by = json!({ "key": "id", "fields": "content", "counted": "count" });
        try_rule("cut-at-depth", &select, &json!({ "by": by }), &answer).verdict
    };
    assert_eq!((said(2), said(1)), (Fail, Skip));
}
