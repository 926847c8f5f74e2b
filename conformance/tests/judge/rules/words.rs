//! What a text says, by its words.

use super::trial::try_rule;
use conformance::model::Verdict::{self, Fail, Incomplete, Pass};
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case("Returns entries (matches), count and contexts.", Pass)]
#[case("entries: the matches; count: how many; contexts: up to top_kc of them", Pass)]
#[case("Returns entries and up to top_kc contexts. count: number of entries", Pass)]
#[case("Returns entries and contexts, which may count towards a quota.", Fail)]
#[case("top_ke (0-10), top_kc (1-3), gives entries, count, contexts", Pass)]
#[case("Returns entries and count.\ntop_kc: how many contexts come", Fail)]
#[case("Returns the entries with their latestContextCount.", Fail)]
fn names_fields(#[case] text: &str, #[case] due: Verdict) {
    let args = json!({ "fields": ["entries", "count", "contexts"] });
    assert_eq!(try_rule("names-fields", &json!("$[0][0].answer"), &args, &json!(text)).verdict, due);
}

#[rstest]
#[case("How many entries come. Default: 5.", Pass)]
#[case("How many entries come (default 3)", Fail)]
#[case("How many entries come; the default is 3", Fail)]
#[case("Unlike top_kc, whose default is 2, it is 5", Pass)]
#[case("The default is not 3", Pass)]
fn one_default_is_told(#[case] text: &str, #[case] due: Verdict) {
    let value = json!([{ "properties": { "top_ke": { "default": 5, "description": text } } }]);
    let args = json!({ "argument": "top_ke", "all": [5], "default": 5 });
    assert_eq!(try_rule("argument-says", &json!("$[0][0].answer[*]"), &args, &value).verdict, due);
}

/// What a text says of an argument, beside a schema that says what the document does.
#[rstest]
#[case("top_ke (optional): how many come. Default: 5, range: 0-10.", Pass, Pass)]
#[case("top_ke (optional): how many come. Default: 10, range: 0-10.", Fail, Pass)]
#[case("top_ke (optional): how many come. Default: 5, range: 1-10.", Pass, Fail)]
#[case("top_ke: 5 by default; ranges from 0 to 25", Pass, Fail)]
#[case("top_ke is 10 by default (0 to 10)", Fail, Pass)]
#[case("top_ke is 5 by default (0 to 10)", Pass, Pass)]
#[case("top_ke goes from 0 to 10 by default or not, 5 by default", Pass, Pass)]
#[case("top_ke: default 0 to 10 entries, 5 if you say nothing", Pass, Pass)]
#[case("top_ke and top_kc default to 5 and 2, in the ranges 0-10 and 1-3", Pass, Pass)]
#[case("top_kc and top_ke default to 2 and 5", Pass, Pass)]
#[case("top_ke, top_kc: default 5 and 2", Pass, Pass)]
#[case("top_ke: how many come\nmin_score: default 0, range 0-1", Pass, Pass)]
#[case("top_ke: how many come. limit: default 20, range 1-100", Pass, Pass)]
#[case("top_ke: the default is not 10, and the range not 1-10", Pass, Pass)]
#[case("top_ke: its default range is 0-10", Pass, Pass)]
#[case("top_ke: an array of 0 to top_ke entries", Pass, Pass)]
fn a_text_does_not_deny_the_schema(#[case] text: &str, #[case] of_default: Verdict, #[case] of_range: Verdict) {
    let properties = json!({
        "top_ke": { "type": "integer", "default": 5, "minimum": 0, "maximum": 10 }, "top_kc": {}, "limit": {}
    });
    let value = json!([text, { "properties": properties }]);
    let of = |args: Value| try_rule("argument-says", &json!("$[0][0].answer[*]"), &args, &value).verdict;
    assert_eq!(of(json!({ "argument": "top_ke", "all": [5], "default": 5 })), of_default);
    assert_eq!(of(json!({ "argument": "top_ke", "all": [0, 10] })), of_range);
}

#[test]
fn one_mention_is_enough() {
    let mentioned = |answer| try_rule("mentioned", &json!("$[0][0].answer[*]"), &json!({ "word": "top_ke" }), &answer);
    assert_eq!(mentioned(json!([{ "error": "Bad Request" }, "top_ke is too large"])).verdict, Pass);
    assert_eq!(mentioned(json!(["Bad Request"])).verdict, Fail);
}

#[rstest]
#[case::beside_the_name(json!(["top_ke: default 5, range 0 to 10"]), Pass)]
#[case::before_the_name(json!(["0-10 entries, 5 by default (top_ke)"]), Pass)]
#[case::over_the_end_of_a_sentence(json!(["top_ke limits the entries. It is 5, from 0..=10."]), Pass)]
#[case::of_two_at_once(json!(["top_ke and top_kc (0-10 and 1-3) default to 5 and 2"]), Pass)]
#[case::spelled(json!(["top_ke goes from zero to ten; top_ke is five where it is left out"]), Pass)]
#[case::must_not_exceed(json!(["top_ke is 5, at least 0 and must not exceed 10"]), Pass)]
#[case::a_table(json!(["| top_ke | 5 | 0 to 10 |\n| top_kc | 2 | 1 to 3 |"]), Pass)]
#[case::in_the_schema(json!([{ "properties": { "top_ke": { "anyOf": [{ "type": "integer", "exclusiveMinimum": -1, "maximum": 10 }, { "type": "null" }], "default": 5 } } }]), Pass)]
#[case::behind_a_reference(json!([{ "properties": { "top_ke": { "$ref": "#/$defs/ke" } }, "$defs": { "ke": { "description": "0 to 10, default 5" } } }]), Pass)]
#[case::no_more_than(json!(["top_ke is 5, no less than 0 and no more than 10"]), Pass)]
#[case::counted(json!(["Usually you get 5 entries. Set top_ke to any number from 0 to 10"]), Pass)]
#[case::counted_in_words(json!(["By default five (5) entries come; ask for anything between 0 and 10 with `top_ke`"]), Pass)]
#[case::two_counts(json!(["Unless you say otherwise, 5 knowledge entries and 2 contexts come; top_ke (0-10) changes that"]), Pass)]
#[case::non_negative(json!(["top_ke: a non-negative integer of at most 10, 5 where it is left out"]), Pass)]
#[case::a_count_of_another(json!(["5 contexts with entries come; top_ke goes from 0 to 10"]), Fail)]
#[case::exclusive(json!(["top_ke: default 5, more than 0 and less than 10"]), Fail)]
#[case::swapped(json!(["top_ke: default 2, range 1-3; top_kc: default 5, range 0-10"]), Fail)]
#[case::of_what_comes(json!(["top_ke: default 5, range 1-10. An array of 0 to top_ke entries"]), Fail)]
#[case::of_another(json!(["top_ke: default 5, range 0-25; top_kc: range 1-10"]), Fail)]
#[case::negated(json!(["top_ke goes from 0 to 10 and is not 5 by default"]), Fail)]
#[case::in_another_part_of_the_schema(json!([{ "properties": { "top_ke": {}, "top_kc": { "minimum": 0, "maximum": 10, "default": 5 } } }]), Fail)]
#[case::no_tool(json!([]), Incomplete)]
fn an_argument_says(#[case] values: Value, #[case] due: Verdict) {
    let args = json!({ "argument": "top_ke", "all": [5, 0, 10] });
    let said = try_rule("argument-says", &json!("$[0][0].answer[*]"), &args, &values);
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[rstest]
#[case("Sorted by relevance score, descending.", Pass)]
#[case("from the most relevant to the least relevant (score)", Pass)]
#[case("Most relevant results first, by relevance score", Pass)]
#[case("highest-scoring first", Pass)]
#[case("in order of decreasing similarity score", Pass)]
#[case("The best match by score is at the top", Pass)]
#[case("Both arrays are sorted by score; the best match comes first.", Pass)]
#[case("Results are not ordered by time but by relevance score, descending.", Pass)]
#[case("You need not sort: entries already come by relevance score, descending", Pass)]
#[case("entries[0] has the highest score, and scores fall from there.", Pass)]
#[case("Don't re-sort the entries, they are in descending order of score.", Pass)]
#[case("Entries come in any order; sort them by score descending yourself.", Fail)]
#[case("Relevance score descending is not guaranteed.", Fail)]
#[case("Sorted by relevance score.", Fail)]
#[case("Entries are not ranked by relevance, descending or otherwise", Fail)]
#[case("Results aren't sorted by descending score", Fail)]
#[case("lowest score first", Fail)]
#[case("Sorted by time, descending. Each has a score", Fail)]
fn an_order(#[case] text: &str, #[case] due: Verdict) {
    assert_eq!(try_rule("says-order", &json!("$[0][0].answer"), &json!({}), &json!(text)).verdict, due);
}

#[rstest]
#[case("Results carry timestamps", Pass)]
#[case("each tells the time when it was written", Pass)]
#[case("newer results hold", Pass)]
#[case("in chronological context", Pass)]
#[case("creationTime, latestContextTimestamp", Fail)]
#[case("may be called other times, three times, or one at a time; mind the time out", Fail)]
fn a_time(#[case] text: &str, #[case] due: Verdict) {
    assert_eq!(try_rule("says-time", &json!("$[0][0].answer"), &json!({}), &json!(text)).verdict, due);
}

#[rstest]
#[case::words(json!({ "error": "content_type must be ocr" }), Pass)]
#[case::plain_text(json!("only ocr is searched"), Pass)]
#[case::a_list(json!({ "detail": [{ "loc": ["query", "content_type"], "type": "literal_error" }] }), Pass)]
#[case::a_page(json!("<html><body>Not supported</body></html>"), Pass)]
#[case::a_status(json!({ "status": 400 }), Fail)]
#[case::a_general_phrase(json!({ "error": "Bad Request", "status": "failed" }), Fail)]
#[case::an_empty_text(json!(""), Fail)]
fn a_refusal_says_what_was_wrong(#[case] answer: Value, #[case] verdict: Verdict) {
    let answer = json!({ "value": answer });
    assert_eq!(try_rule("explains", &json!("$[0][0].answer.value"), &json!({}), &answer).verdict, verdict);
}

#[rstest]
#[case::explained("entries: what was found. count: how many there are", Pass)]
#[case::a_table("| entries | the entries found |\n| count | how many there are |", Pass)]
#[case::a_list("The answer has entries and count.", Fail)]
#[case::explained_later(
    "The answer has entries and count. entries are what was found, count is how many there are.",
    Pass
)]
fn fields_are_explained_by_the_words_behind_them(#[case] text: &str, #[case] due: Verdict) {
    let args = json!({ "fields": ["entries", "count"] });
    assert_eq!(try_rule("explains-fields", &json!("$[0][0].answer"), &args, &json!(text)).verdict, due);
}

#[rstest]
#[case::newer("What is newer holds.", Pass)]
#[case::change("Facts change, so compare times.", Pass)]
#[case::no_reason("Each result has a timestamp.", Fail)]
fn a_reason_why_time_matters_is_told(#[case] text: &str, #[case] due: Verdict) {
    assert_eq!(try_rule("says-why-time", &json!("$[0][0].answer"), &json!({}), &json!(text)).verdict, due);
}
