//! Search: what is found, in which order, and what is shown of it.

use crate::client::{Client, record};
use serde_json::{Value, json};

const SEARCH: &str = "search_records";

fn library() -> Vec<Value> {
    vec![
        record(json!({ "id": "a", "title": "Long list", "summary": "Drums, horns, one oboe, two lutes and a bell." })),
        record(json!({ "id": "b", "title": "Oboe", "summary": "An oboe and an oboe.", "body": "[sic] an OBOE" })),
        record(json!({ "id": "c", "title": "Child", "summary": "Reeds.", "body": "For the oboe.", "parent_id": "b" })),
        record(json!({ "id": "d", "title": "Other", "summary": "100% wool" })),
    ]
}

#[test]
fn hits_come_best_first_and_below_their_parents() {
    let text = Client::of(&library()).outline(SEARCH, json!({ "query": "oboe" }));
    let due = "[b] (O+1) Oboe [+body]\n  An oboe and an oboe.\n  > \\[sic] an **OBOE**\n\n  [c] (O) Child [+body]\n    \
               Reeds.\n    > For the **oboe**.\n\n[a] (O) Long list\n  Drums, horns, one oboe, two lutes and a bell.\n  \
               > Drums, horns, one **oboe**, two lutes and a bell.\n";
    assert_eq!(text, due);
}

#[test]
fn minimal_has_no_snippets_and_full_has_them_plain() {
    let mut client = Client::of(&library());
    let minimal = client.outline(SEARCH, json!({ "query": "OBOE reeds", "format": "minimal" }));
    assert_eq!(minimal, "[c] (O) Child\n");
    let full = client.json(SEARCH, json!({ "query": "oboe sic", "format": "full" }));
    let keys: Vec<&String> = full["results"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys.last().unwrap().as_str(), "snippet");
    assert_eq!(full["results"][0]["snippet"], "[**sic**] an **OBOE**");
}

#[test]
fn no_character_is_an_operator() {
    let mut client = Client::of(&library());
    for (query, due) in
        [("%", "[d] (O) Other\n"), ("100%", "[d] (O) Other\n"), ("obo*", ""), ("\"oboe\"", ""), ("oboe OR wool", "")]
    {
        assert_eq!(client.outline(SEARCH, json!({ "query": query, "format": "minimal" })), due, "{query}");
    }
}

#[test]
fn a_snippet_of_a_long_text_says_that_it_is_a_part() {
    let body = format!("{} needle {}", "word ".repeat(100), "word ".repeat(100));
    let mut client = Client::of(&[record(json!({ "id": "a", "body": body }))]);
    let text = client.outline(SEARCH, json!({ "query": "needle" }));
    let snippet = text.lines().nth(1).unwrap();
    assert!(
        snippet.starts_with("  > ...word") && snippet.contains(" **needle** ") && snippet.ends_with("word..."),
        "{text}"
    );
    assert!(snippet.chars().count() < 140, "{text}");
}
