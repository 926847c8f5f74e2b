//! What stands in a list of tools that clients do not take.

use super::trial::{Said, try_rule};
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

fn root_without(keywords: &[&str], schema: Value) -> Said {
    let select = json!({ "schema": "$[0][0].answer.schema", "name": "$[0][0].answer.name" });
    let args = json!({ "keywords": keywords });
    try_rule("root-without", &select, &args, &json!({ "name": "find", "schema": schema }))
}

#[rstest]
#[case::nothing(json!({ "type": "object" }), Pass, "")]
#[case::at_the_root(json!({ "anyOf": [] }), Fail, "the root of the schema of `find` has `anyOf`\n")]
#[case::both(json!({ "$ref": "#", "anyOf": [] }), Fail,
    "the root of the schema of `find` has `anyOf`\nthe root of the schema of `find` has `$ref`\n")]
#[case::in_an_argument(json!({ "properties": { "a": { "anyOf": [] }, "anyOf": {} } }), Pass, "")]
#[case::in_a_definition(json!({ "$defs": { "a": { "$ref": "#" } } }), Pass, "")]
#[case::no_schema(json!("anyOf"), Skip, "no schema is listed\n")]
fn keywords_at_the_root(#[case] schema: Value, #[case] verdict: Verdict, #[case] why: &str) {
    let said = root_without(&["anyOf", "$ref"], schema);
    assert_eq!((said.verdict, said.why.as_str()), (verdict, why));
}

/// A tool with this text in its description.
fn text(kind: &str, text: &str) -> Said {
    hides(kind, &json!({ "description": text }))
}

fn hides(kind: &str, tool: &Value) -> Said {
    let select =
        json!({ "text": "$[0][0].answer['name','title','description']", "schema": "$[0][0].answer.inputSchema" });
    try_rule("hides-nothing", &select, &json!({ "kind": kind }), tool)
}

#[rstest]
#[case::tags("tags", "a\u{e0068}", "U+E0068")]
#[case::the_first_tag("tags", "\u{e0000}", "U+E0000")]
#[case::the_last_tag("tags", "\u{e007f}", "U+E007F")]
#[case::a_flag_of_nowhere("tags", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0078}\u{e0078}\u{e0078}\u{e007f}", "U+E0067")]
#[case::behind_a_flag("tags", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0068}", "U+E0068")]
#[case::space("zero-width", "a\u{200b}b", "U+200B")]
#[case::soft_hyphen("zero-width", "a\u{ad}b", "U+00AD")]
#[case::grapheme_joiner("zero-width", "a\u{34f}b", "U+034F")]
#[case::word_joiner("zero-width", "\u{2060}", "U+2060")]
#[case::invisible_plus("zero-width", "a\u{2064}b", "U+2064")]
#[case::byte_order_mark("zero-width", "\u{feff}a", "U+FEFF")]
#[case::joiner_of_latin_letters("zero-width", "a\u{200d}b", "U+200D")]
#[case::joiner_at_the_end("zero-width", "می\u{200c}", "U+200C")]
#[case::joiners_that_join_nothing("zero-width", "ب\u{200d}\u{200d}ب", "U+200D")]
#[case::mark("direction", "a\u{200f}", "U+200F")]
#[case::embedding("direction", "\u{202a}a", "U+202A")]
#[case::override_to_the_left("direction", "a\u{202e}b", "U+202E")]
#[case::isolate("direction", "\u{2066}a\u{2069}", "U+2066")]
fn what_is_hidden(#[case] kind: &str, #[case] hidden: &str, #[case] character: &str) {
    let said = text(kind, hidden);
    assert_eq!(said.verdict, Fail);
    assert!(said.why.starts_with(&format!("`description` holds {character}, a")), "{}", said.why);
    for other in ["tags", "zero-width", "direction"].iter().filter(|other| **other != kind) {
        assert_eq!(text(other, hidden).verdict, Pass, "{other}");
    }
}

#[rstest]
#[case::nothing("Finds notes: naïve, “quoted”, 日本語, עברית, العربية")]
#[case::lines_and_tabs("a\n\tb\r\n")]
#[case::a_blank_that_shows("a\u{a0}b\u{2009}c")]
#[case::joined_letters("می\u{200c}خواهم क्\u{200d}ष")]
#[case::joined_emoji("👩\u{200d}🌾 ❤\u{fe0f}\u{200d}🔥")]
#[case::emoji_as_picture("⚠\u{fe0f} takes long")]
#[case::flags("🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 🇫🇷")]
fn what_hides_nothing(#[case] shown: &str, #[values("tags", "zero-width", "direction")] kind: &str) {
    let said = text(kind, shown);
    assert_eq!((said.verdict, said.why.as_str()), (Pass, ""));
}

#[rstest]
#[case::name(json!({ "name": "a\u{202e}" }), Fail)]
#[case::title(json!({ "title": "a\u{202e}" }), Fail)]
#[case::an_argument(json!({ "inputSchema": { "properties": { "a\u{202e}": {} } } }), Fail)]
#[case::of_an_argument(json!({ "inputSchema": { "properties": { "a": { "description": "\u{202e}" } } } }), Fail)]
#[case::further_in(json!({ "inputSchema": { "properties": { "a": { "anyOf": [{ "items": { "title": "\u{202e}" } }] } } } }), Fail)]
#[case::of_a_definition(json!({ "inputSchema": { "$defs": { "a": { "description": "\u{202e}" } } } }), Fail)]
#[case::of_the_schema(json!({ "inputSchema": { "description": "\u{202e}" } }), Fail)]
#[case::an_argument_that_is_called_so(json!({ "inputSchema": { "properties": { "enum": { "description": "\u{202e}" } } } }), Fail)]
#[case::a_value(json!({ "name": "a", "inputSchema": { "properties": { "a": { "enum": ["\u{202e}"], "default": "\u{202e}" } } } }), Pass)]
#[case::a_pattern(json!({ "name": "a", "inputSchema": { "properties": { "a": { "pattern": "\u{202e}" } } } }), Pass)]
#[case::an_example(json!({ "name": "a", "inputSchema": { "examples": [{ "description": "\u{202e}" }] } }), Pass)]
#[case::no_text(json!({ "name": 7, "description": null, "inputSchema": "\u{202e}" }), Skip)]
#[case::nothing(json!({}), Skip)]
fn where_it_is_looked_for(#[case] tool: Value, #[case] verdict: Verdict) {
    assert_eq!(hides("direction", &tool).verdict, verdict);
}
