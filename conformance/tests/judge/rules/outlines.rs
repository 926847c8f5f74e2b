//! Outlines beside the JSON that they stand for: what is free, and what is not.

use super::trial::{Said, try_rule};
use conformance::contracts;
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn agrees(of: &str, only: Option<&str>, text: &str, full: &Value) -> Said {
    let mut args = json!({ "of": of });
    if let Some(only) = only {
        args["only"] = json!(only);
    }
    let parsed = (contracts::format("outline").unwrap().parse)(&text.split('\n').collect::<Vec<_>>()).value;
    let select = json!({ "outline": "$[0][0].answer.outline", "full": "$[0][0].answer.full[*]" });
    try_rule("outline-agrees", &select, &args, &json!({ "outline": parsed, "full": full }))
}

/// A reference with these fields, and what all have.
pub(super) fn reference(fields: Value) -> Value {
    let mut reference = json!({ "type": "note", "title": "T", "summary": "", "state": "OPEN", "parent_id": null,
                                "children_count": 0, "open_children_count": 0 });
    for (key, value) in fields.as_object().unwrap() {
        reference[key] = value.clone();
    }
    reference
}

fn titled(title: &str) -> Value {
    json!([reference(json!({ "id": "a", "title": title }))])
}

fn summarised(summary: &str) -> Value {
    json!([reference(json!({ "id": "a", "summary": summary }))])
}

#[rstest]
#[case::same("One two", "One two", Pass)]
#[case::spaces(" One  two ", "One two", Pass)]
#[case::line_end("One\ntwo", "One two", Pass)]
#[case::case("One two", "one two", Fail)]
#[case::cut("One two", "One", Fail)]
#[case::blank(" ", "(no title)", Skip)]
fn a_title_is_whole(#[case] stored: &str, #[case] shown: &str, #[case] due: Verdict) {
    let said = agrees("title", None, &format!("[a] (O) {shown}\n"), &titled(stored));
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[rstest]
#[case::whole("One two three.", "  One two three.\n", Pass)]
#[case::dots("One two three.", "  One two...\n", Pass)]
#[case::one_sign("One two three.", "  One two…\n", Pass)]
#[case::dots_behind_a_space("One two three.", "  One two ...\n", Pass)]
#[case::first_line("One two.\nThree.", "  One two.\n", Pass)]
#[case::joined("One two.\nThree.", "  One two. Three.\n", Pass)]
#[case::lines("One two.\n\nThree.", "  One two.\n  Three.\n", Pass)]
#[case::silent("One two three.", "  One two\n", Fail)]
#[case::dots_alone("One two three.", "  ...\n", Fail)]
#[case::other("One two three.", "  Two three...\n", Fail)]
#[case::missing("One two three.", "", Fail)]
#[case::half_a_character("One für three.", "  One f\u{FFFD}...\n", Fail)]
#[case::invented("", "  One\n", Skip)]
#[case::blank(" \n", "", Skip)]
#[case::lines_with_a_mark_between("One.\nTwo.", "  One. / Two.\n", Pass)]
#[case::lines_with_an_escape_between("One.\nTwo.", "  One.\\nTwo.\n", Pass)]
#[case::marks_with_backslashes("A [link] (to) it's end", "  A \\[link\\] \\(to\\) it\\'s end\n", Pass)]
#[case::another_word("One.\nTwo.", "  One. / Too.\n", Fail)]
#[case::other_symbols("→ ←", "  ← →\n", Fail)]
fn a_summary_is_whole_or_cut_where_it_shows(#[case] stored: &str, #[case] shown: &str, #[case] due: Verdict) {
    let said = agrees("summary", None, &format!("[a] (O) T\n{shown}"), &summarised(stored));
    assert_eq!(said.verdict, due, "{}", said.why);
}

/// Words for a summary that is not there are a matter of form.
#[rstest]
#[case::nothing("", Pass)]
#[case::words("  (no summary)\n", Fail)]
fn a_blank_summary_has_no_line(#[case] shown: &str, #[case] due: Verdict) {
    assert_eq!(agrees("blank-summary", None, &format!("[a] (O) T\n{shown}"), &summarised(" ")).verdict, due);
}

/// A record that stands in two sections may show its summary in one of them.
#[test]
fn a_summary_is_shown_at_one_of_the_places_of_its_record() {
    let text = "# ROOT\n[a] (O) T\n\n# OPEN\n[a] (O) T\n  One.\n";
    assert_eq!(agrees("summary", None, text, &summarised("One.")).verdict, Pass);
}

#[rstest]
#[case::dots_within_fifty(50, "x".repeat(47) + "...", Fail)]
#[case::whole(50, "x".repeat(50), Pass)]
#[case::longer(51, "x".repeat(47) + "...", Skip)]
fn a_short_summary_is_not_cut(#[case] length: usize, #[case] shown: String, #[case] due: Verdict) {
    let said = agrees("short-summary", None, &format!("[a] (O) T\n  {shown}\n"), &summarised(&"x".repeat(length)));
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[test]
fn places_are_those_of_parents_but_for_knots_and_orphans() {
    let full = json!([
        reference(json!({ "id": "a" })),
        reference(json!({ "id": "b", "parent_id": "a" })),
        reference(json!({ "id": "k", "parent_id": "l" })),
        reference(json!({ "id": "l", "parent_id": "k" })),
        reference(json!({ "id": "o", "parent_id": "gone" })),
    ]);
    let text = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let sound = text(&["[a] (O) T", "  [b] (O) T", "[l] (O) T", "  [k] (O) T", "  [o] (O) T"]);
    let said = agrees("parent", None, &sound, &full);
    assert_eq!((said.verdict, said.exercised), (Pass, 2));
    assert_eq!(agrees("orphan", None, &sound, &full).verdict, Fail);
    let flat = text(&["[a] (O) T", "[b] (O) T"]);
    assert_eq!(
        agrees("parent", None, &flat, &full).why,
        "line 2: the place below of b is not that of the full answer\n"
    );
    let below_another = text(&["[k] (O) T", "  [b] (O) T"]);
    assert_eq!(agrees("below-parent", None, &below_another, &full).verdict, Fail);
}

/// An overview may show a record below the nearest of its ancestors.
#[rstest]
#[case::parent("[b] (O) T\n  [c] (O) T\n", Pass, Pass)]
#[case::grandparent("[a] (O) T\n  [c] (O) T\n", Pass, Fail)]
#[case::stranger("[d] (O) T\n  [c] (O) T\n", Fail, Fail)]
#[case::child("[c] (O) T\n  [b] (O) T\n", Fail, Fail)]
#[case::knot("[d] (O) T\n  [k] (O) T\n", Pass, Skip)]
#[case::ancestors_that_are_not_listed("[d] (O) T\n  [o] (O) T\n", Pass, Fail)]
fn a_record_stands_below_an_ancestor(#[case] text: &str, #[case] ancestor: Verdict, #[case] parent: Verdict) {
    let below = |id: &str, above: &str| reference(json!({ "id": id, "parent_id": above }));
    let root = |id: &str| reference(json!({ "id": id }));
    let full = json!([root("a"), below("b", "a"), below("c", "b"), root("d"), below("k", "k"), below("o", "gone")]);
    assert_eq!(agrees("below-ancestor", None, text, &full).verdict, ancestor);
    assert_eq!(agrees("below-parent", None, text, &full).verdict, parent);
}

/// A listing may leave records out, so that only the words of a known record show that another one is forged.
#[test]
fn a_record_made_of_words_is_forged_and_one_that_is_not_listed_is_not() {
    let full = titled("T\n[x] (O) y");
    assert_eq!(agrees("forged", None, "[a] (O) T\n[x] (O) y\n", &full).verdict, Fail);
    assert_eq!(agrees("forged", None, "[a] (O) T\n[z] (O) y\n", &full).verdict, Pass);
}

#[test]
fn no_record_stands_twice_but_for_knots_and_odd_ids() {
    let full = json!([
        reference(json!({ "id": "a" })),
        reference(json!({ "id": "b-c" })),
        reference(json!({ "id": "k", "parent_id": "k" })),
    ]);
    assert_eq!(
        agrees("once", None, "[a] (O) T\n[b-c] (O) T\n[k] (O) T\n[b-c] (O) T\n[k] (O) T\n", &full).verdict,
        Pass
    );
    let said = agrees("once", None, "[a] (O) T\n[a] (O) T\n", &full);
    assert_eq!(said.why, "line 2: a stands in line 1 already\n");
}

/// A section of an overview has a record once; a record that is in two arrays stands in two sections.
#[rstest]
#[case::in_its_sections("# ROOT\n[a] (O) T\n# OPEN\n[a] (O) T\n  [b] (O) T\n", Pass)]
#[case::twice_in_one("# OPEN\n[a] (O) T\n  [b] (O) T\n[b] (O) T\n", Fail)]
#[case::the_whole_tree_in_one("# ROOT\n[a] (O) T\n  [b] (O) T\n# OPEN\n[b] (O) T\n", Pass)]
#[case::sections_that_are_not_named("[a] (O) T\n[a] (O) T\n[b] (O) T\n[b] (O) T\n", Skip)]
fn a_section_has_a_record_once(#[case] text: &str, #[case] expected: Verdict) {
    let full = json!([reference(json!({ "id": "a" })), reference(json!({ "id": "b", "parent_id": "a" }))]);
    assert_eq!(agrees("once-a-section", None, text, &full).verdict, expected);
}

/// A search may show a record for each of its matches, but not one match twice.
#[rstest]
#[case::two_matches("[a] (O) T\n  > one\n[a] (O) T\n  > two\n", Pass)]
#[case::one_match("[a] (O) T\n  > one\n[a] (O) T\n  > one\n", Fail)]
fn a_hit_comes_once_with_the_same_words(#[case] text: &str, #[case] expected: Verdict) {
    assert_eq!(agrees("once-alike", None, text, &titled("T")).verdict, expected);
}

/// A record that stands right below its parent is two spaces deeper; below another ancestor nothing is fixed.
#[rstest]
#[case::two("[a] (O) T\n  [b] (O) T\n", Pass)]
#[case::all_indented("    [a] (O) T\n      [b] (O) T\n", Pass)]
#[case::four("[a] (O) T\n    [b] (O) T\n", Fail)]
#[case::one("[a] (O) T\n [b] (O) T\n", Fail)]
#[case::below_a_grandparent("[a] (O) T\n    [c] (O) T\n", Skip)]
#[case::flat("[a] (O) T\n[b] (O) T\n", Skip)]
fn a_level_is_two_spaces(#[case] text: &str, #[case] expected: Verdict) {
    let below = |id: &str, above: &str| reference(json!({ "id": id, "parent_id": above }));
    let full = json!([reference(json!({ "id": "a" })), below("b", "a"), below("c", "b")]);
    let said = agrees("step", None, text, &full);
    assert_eq!(said.verdict, expected, "{}", said.why);
}

/// A title with marks may be escaped in any way, and loses no word.
#[rstest]
#[case::as_it_is("Tides (in spring) [sic]", "Tides (in spring) [sic]", Pass)]
#[case::backslashes("Tides (in spring)", "Tides \\(in spring\\)", Pass)]
#[case::entities("Tides (in spring)", "Tides &#40;in spring&#41;", Pass)]
#[case::removed("Tides (in spring)", "Tides in spring", Pass)]
#[case::cut("Tides (in spring)", "Tides", Fail)]
#[case::other_words("Tides (in spring)", "Tides (in autumn)", Fail)]
#[case::plain("Tides", "Tide", Fail)]
#[case::a_mark_of_a_body("Tides [+body]", "Tides", Skip)]
#[case::a_line_end("Tides\n(in spring)", "Tides", Skip)]
#[case::a_tab("One\ttwo", "One\\ttwo", Skip)]
fn a_title_with_marks_keeps_its_words(#[case] stored: &str, #[case] shown: &str, #[case] expected: Verdict) {
    let said = agrees("title", Some("plain-texts"), &format!("[a] (O) {shown}\n"), &titled(stored));
    assert_eq!(said.verdict, expected, "{}", said.why);
}

/// A snippet may stand in the line of a summary, so only the summary of another record is wrong there.
#[rstest]
#[case::own("  The mill is dry.\n", Pass)]
#[case::cut("  The mill...\n", Pass)]
#[case::a_snippet_besides("  The mill is dry. > a **word** of the body\n", Pass)]
#[case::a_snippet_alone("  a word of the body\n", Pass)]
#[case::nothing("", Pass)]
#[case::of_another("  The school is damp.\n", Fail)]
fn a_hit_shows_no_summary_of_another_record(#[case] shown: &str, #[case] expected: Verdict) {
    let full = json!([
        reference(json!({ "id": "a", "summary": "The mill is dry." })),
        reference(json!({ "id": "b", "summary": "The school is damp." })),
    ]);
    assert_eq!(agrees("own-summary", None, &format!("[a] (O) T\n{shown}"), &full).verdict, expected);
}

/// What is shown for a blank summary is free, but it is not the summary of another record.
#[rstest]
#[case::words("  (no summary)\n", Skip)]
#[case::of_another("  The school is damp.\n", Fail)]
fn a_blank_summary_is_not_that_of_another_record(#[case] shown: &str, #[case] expected: Verdict) {
    let full =
        json!([reference(json!({ "id": "a" })), reference(json!({ "id": "b", "summary": "The school is damp." }))]);
    assert_eq!(agrees("summary", None, &format!("[a] (O) T\n{shown}"), &json!([full[0], full[1]])).verdict, expected);
}

/// What an outline says of a record holds at each place where the record stands.
#[rstest]
#[case::state("state", "# ROOT\n[a] (O) T\n# OPEN\n[a] (L) T\n")]
#[case::title("title", "# ROOT\n[a] (O) T\n# OPEN\n[a] (O) U\n")]
#[case::count("open-count", "# ROOT\n[a] (O) T\n# OPEN\n[a] (O+3) T\n")]
fn the_second_place_of_a_record_counts_too(#[case] of: &str, #[case] text: &str) {
    assert_eq!(agrees(of, None, text, &titled("T")).verdict, Fail);
}

#[test]
fn the_letter_case_of_an_id_counts() {
    let full = json!([reference(json!({ "id": "R004" }))]);
    assert_eq!(agrees("present", None, "[r004] (O) T\n", &full).verdict, Fail);
    assert_eq!(agrees("stored", None, "[r004] (O) T\n", &full).verdict, Fail);
}

/// Bold marks the matches of a search, wherever they are.
#[test]
fn bold_in_a_title_is_free_where_it_is_said() {
    let select = json!({ "outline": "$[0][0].answer.outline", "full": "$[0][0].answer.full[*]" });
    let parsed = (contracts::format("outline").unwrap().parse)(&["[a] (O) One **two**", ""]).value;
    let answer = json!({ "outline": parsed, "full": titled("One two") });
    let verdict = |args: Value| try_rule("outline-agrees", &select, &args, &answer).verdict;
    assert_eq!(verdict(json!({ "of": "title", "bold": "free" })), Pass);
    assert_eq!(verdict(json!({ "of": "title" })), Fail);
}

/// The grammar of the document knows letters and digits alone.
#[test]
fn ids_without_hyphens_name_their_records() {
    let full = json!([reference(json!({ "id": "a-1" })), reference(json!({ "id": "B2", "parent_id": "a-1" }))]);
    for of in ["present", "state", "parent", "stored"] {
        assert_eq!(agrees(of, None, "[a1] (O) T\n  [B2] (O) T\n", &full).verdict, Pass, "{of}");
    }
    assert_eq!(agrees("whole-id", None, "[a1] (O) T\n  [B2] (O) T\n", &full).verdict, Fail);
    let ambiguous = json!([reference(json!({ "id": "a-1" })), reference(json!({ "id": "a1" }))]);
    assert_eq!(agrees("present", None, "[a1] (O) T\n", &ambiguous).verdict, Fail);
}

#[test]
fn numbered_ids_may_be_numbers() {
    let full = json!([reference(json!({ "id": "R007" })), reference(json!({ "id": "R010", "parent_id": "R007" }))]);
    let text = "[7] (O) T\n  [10] (O) T\n";
    for of in ["present", "state", "parent"] {
        assert_eq!(agrees(of, None, text, &full).verdict, Pass, "{of}");
    }
    assert_eq!(agrees("stored", None, text, &full).verdict, Pass);
    assert_eq!(agrees("whole-id", None, text, &full).verdict, Fail);
    let others = json!([reference(json!({ "id": "R007" })), reference(json!({ "id": "x" }))]);
    assert_eq!(agrees("stored", None, text, &others).verdict, Fail);
    assert_eq!(agrees("stored", None, "[7] (O) T\n[x] (O) T\n", &others).verdict, Pass);
}

#[rstest]
#[case::state("state", "[a] (R) T\n", Fail)]
#[case::shown_count("open-count", "[a] (O+2) T\n", Pass)]
#[case::wrong_count("open-count", "[a] (O+3) T\n", Fail)]
#[case::no_count("open-count", "[a] (O) T\n", Skip)]
#[case::count_is_due("open-shown", "[a] (O) T\n", Fail)]
#[case::missing("present", "[b] (O) T\n", Fail)]
#[case::stranger("stored", "[a] (O) T\n[b] (O) T\n", Fail)]
#[case::json("present", "{}", Skip)]
fn fields_agree(#[case] of: &str, #[case] text: &str, #[case] due: Verdict) {
    let full = json!([reference(json!({ "id": "a", "open_children_count": 2 }))]);
    let said = agrees(of, None, text, &full);
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[test]
fn other_ids_are_left_out_where_only_plain_ones_are_asked_for() {
    let full = json!([reference(json!({ "id": "a-b" }))]);
    assert_eq!(agrees("present", Some("plain-ids"), "", &full).verdict, Skip);
    assert_eq!(agrees("present", None, "", &full).verdict, Fail);
}

#[test]
fn siblings_stand_in_the_order_of_the_full_answer() {
    let full: Value = ["a", "b", "c"].map(|id| reference(json!({ "id": id }))).into_iter().collect();
    assert_eq!(agrees("order", None, "[a] (O) T\n[b] (O) T\n[c] (O) T\n", &full).verdict, Pass);
    let said = agrees("order", None, "[a] (O) T\n[c] (O) T\n[b] (O) T\n", &full);
    assert_eq!(said.why, "c comes before b, which is before it in /0/0/answer/full/1\n");
}

/// Thousands of records are compared in a moment, however they hang together.
#[rstest]
#[case::chain(|at: usize| (at > 0).then(|| at - 1))]
#[case::ring(|at: usize| Some((at + 1) % 3_000))]
#[case::star(|at: usize| (at > 0).then_some(0))]
fn large_listings_are_compared(#[case] parent: fn(usize) -> Option<usize>) {
    let record = |at: usize| {
        let parent = parent(at).map(|parent| format!("a{parent}"));
        reference(json!({ "id": format!("a{at}"), "parent_id": parent }))
    };
    let full: Value = (0..3_000).map(record).collect();
    let text: String = (0..3_000).map(|at| format!("[a{at}] (O) T\n")).collect();
    let started = Instant::now();
    for of in ["parent", "order", "orphan"] {
        agrees(of, None, &text, &full);
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

fn overview(text: &str, full: &Value) -> Said {
    let parsed = (contracts::format("outline").unwrap().parse)(&text.split('\n').collect::<Vec<_>>()).value;
    let select = json!({ "outline": "$[0][0].answer.outline", "full": "$[0][0].answer.full[*]" });
    try_rule("overview-shows", &select, &json!({}), &json!({ "outline": parsed, "full": full }))
}

#[test]
fn an_overview_shows_a_record_where_one_belongs_into_it() {
    let open = json!([reference(json!({ "id": "a" }))]);
    let done = json!([reference(json!({ "id": "a", "parent_id": "b", "state": "RESOLVED" }))]);
    assert_eq!(overview("# OPEN\n[a] (O) T\n", &open).verdict, Pass);
    assert_eq!(overview("Nothing is open.\n", &open).verdict, Fail);
    assert_eq!(overview("", &done).verdict, Skip);
}

fn tokens(lines: Value, full: &Value) -> Said {
    let select = json!({ "lines": "$[0][0].answer.lines", "full": "$[0][0].answer.full" });
    try_rule("half-the-tokens", &select, &json!({}), &json!({ "lines": lines, "full": full }))
}

#[test]
fn an_outline_takes_half_the_tokens_or_says_how_many() {
    let full = json!({ "results": [reference(json!({ "id": "R001", "title": "Caching strategy" }))] });
    assert_eq!(tokens(json!(["[R001] (O) Caching strategy", ""]), &full).verdict, Pass);
    let said = tokens(json!(["word ".repeat(100)]), &full);
    assert_eq!(said.verdict, Fail);
    assert!(
        said.why.contains("tokens, where the JSON takes") && said.why.contains("without white space"),
        "{}",
        said.why
    );
}

/// What would take the tokenizer for ever is not counted.
#[rstest]
#[case::spaces(" ".repeat(100_000))]
#[case::letters("a".repeat(100_000))]
fn a_text_unlike_words_is_not_counted(#[case] text: String) {
    assert_eq!(tokens(json!([text]), &json!({})).verdict, Verdict::Incomplete);
}
