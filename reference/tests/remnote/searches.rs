//! What is found, and in which order.

use crate::client::{Client, ids};
use crate::corpus::{garden, rem};
use rstest::rstest;
use serde_json::{Value, json};

fn kinds() -> Vec<Value> {
    let kinds = ["", "descriptor", "portal", "dailyDocument", "concept", "document"];
    let rem = |(n, kind): (usize, &&str)| {
        let kinds: Vec<_> = [*kind].into_iter().filter(|kind| !kind.is_empty()).collect();
        rem(&format!("r{n}"), &format!("Word {n}"), json!({ "kinds": kinds }))
    };
    kinds.iter().chain(&kinds).enumerate().map(rem).collect()
}

#[test]
fn better_types_come_first_and_the_order_is_kept_within() {
    let mut client = Client::of(&kinds());
    let found = client.search(json!({ "query": "WORD" }));
    assert_eq!(ids(&found), ["r4", "r5", "r10", "r11", "r3", "r9", "r2", "r8", "r1", "r7", "r0", "r6"]);
}

#[test]
fn twice_the_limit_is_asked_for_then_sorted_then_cut() {
    let mut client = Client::of(&kinds());
    // Of r0 to r3 the daily document is the best and the portal the next.
    assert_eq!(ids(&client.search(json!({ "query": "word", "limit": 2 }))), ["r3", "r2"]);
    assert_eq!(ids(&client.search(json!({ "query": "", "limit": 3 }))), ["r4", "r5", "r3"]);
}

#[test]
fn recorded_hits_are_the_sdks_with_its_duplicates() {
    let hits = json!({
        "search": { "fox": ["r0", "r0", "r1", "r0", "r5", "r2"], "none": [] },
        "tag": { "t": ["r0", "r0", "r1"] }
    });
    let mut client = Client::with_hits(&kinds(), &hits);
    assert_eq!(ids(&client.search(json!({ "query": "fox", "limit": 1 }))), ["r0"], "both hits are one Rem");
    assert_eq!(
        ids(&client.search(json!({ "query": "fox", "limit": 2 }))),
        ["r1", "r0"],
        "underfilled it would be less"
    );
    assert_eq!(ids(&client.search(json!({ "query": "fox" }))), ["r5", "r2", "r1", "r0"]);
    assert!(client.search(json!({ "query": "none" })).is_empty());
    assert!(client.search(json!({ "query": "Fox" })).is_empty(), "another query, and no title has it");
    assert_eq!(ids(&client.by_tag(json!({ "tag": "t", "limit": 1 }))), ["r1"]);
    assert_eq!(ids(&client.by_tag(json!({ "tag": "#t" }))), ["r1", "r0"]);
}

#[test]
fn titles_are_searched_as_plain_text_and_rows_never() {
    let mut rems = garden();
    rems.push(rem("loud", "", json!({ "text": ["ap", { "text": "ple", "bold": true }, { "latex": "É" }] })));
    let mut client = Client::of(&rems);
    assert_eq!(ids(&client.search(json!({ "query": "apple" }))), ["apple", "note", "loud"]);
    assert!(client.search(json!({ "query": "applé" })).is_empty());
    assert!(client.search(json!({ "query": "é" })).is_empty(), "case is ignored in ASCII alone");
    assert!(client.search(json!({ "query": "Aliases" })).is_empty());
    assert_eq!(client.search(json!({ "query": "" })).len(), rems.len() - 1);
}

#[test]
fn a_limit_left_out_is_fifty() {
    let rems: Vec<_> = (0..120).map(|n| rem(&format!("r{n}"), "x", json!({ "tags": ["t"] }))).collect();
    let mut client = Client::of(&rems);
    for (arguments, count) in [(json!({}), 50), (json!({ "limit": 51 }), 51), (json!({ "limit": 150.0 }), 120)] {
        let mut by_query = arguments.clone();
        by_query["query"] = json!("x");
        assert_eq!(client.search(by_query).len(), count);
        let mut by_tag = arguments.clone();
        by_tag["tag"] = json!("t");
        assert_eq!(client.by_tag(by_tag).len(), count);
    }
}

/// Each Rem is tagged with its own id.
fn tagged() -> Vec<Value> {
    let rem = |id: &str, parent: Value, kinds: Value| {
        let mut made = rem(id, id, json!({ "kinds": kinds, "tags": [id, "all"] }));
        if !parent.is_null() {
            made["parent"] = parent;
        }
        made
    };
    vec![
        rem("document", Value::Null, json!(["document"])),
        rem("inside", json!("document"), json!([])),
        rem("deeper", json!("inside"), json!([])),
        rem("nested", json!("inside"), json!(["document"])),
        rem("day", json!("nested"), json!(["dailyDocument"])),
        rem("entry", json!("day"), json!([])),
        rem("top", Value::Null, json!([])),
        rem("child", json!("top"), json!([])),
        rem("grandchild", json!("child"), json!([])),
        rem("adrift", json!("top"), json!(["document"])),
        rem("both", Value::Null, json!(["document", "concept"])),
        rem("under", json!("both"), json!([])),
        rem("one", json!("two"), json!([])),
        rem("two", json!("one"), json!([])),
    ]
}

#[rstest]
#[case::parent("inside", "document")]
#[case::nearest_document("deeper", "document")]
#[case::document_above_a_document("nested", "document")]
#[case::daily_document("entry", "day")]
#[case::above_a_daily_document("day", "nested")]
#[case::itself("document", "document")]
#[case::nothing_above("top", "top")]
#[case::nearest_ancestor("grandchild", "child")]
#[case::document_without_one_above("adrift", "top")]
#[case::a_concept_is_no_document("under", "both")]
#[case::circle("one", "two")]
fn a_tagged_rem_stands_for_its_target(#[case] tag: &str, #[case] target: &str) {
    let mut client = Client::of(&tagged());
    for spelling in [tag.to_owned(), format!("#{tag}"), format!(" \t#{tag} ")] {
        assert_eq!(ids(&client.by_tag(json!({ "tag": spelling }))), [target], "{spelling:?}");
    }
    assert!(client.by_tag(json!({ "tag": tag.to_uppercase() })).is_empty(), "case matters");
}

#[test]
fn targets_come_once_and_are_sorted_like_results() {
    let mut client = Client::of(&tagged());
    let found = client.by_tag(json!({ "tag": "all" }));
    assert_eq!(ids(&found), ["document", "nested", "both", "day", "top", "child", "two", "one"]);
    let found = client.by_tag(json!({ "tag": "all", "limit": 1 }));
    assert_eq!(ids(&found), ["document"]);
    assert!(client.by_tag(json!({ "tag": "nobody has it" })).is_empty());
}

#[test]
fn search_and_read_agree_on_every_rem() {
    let mut client = Client::of(&garden());
    for item in client.search(json!({ "query": "" })) {
        let id = item["remId"].as_str().unwrap();
        assert_eq!(client.json("remnote_read_note", json!({ "remId": id, "includeContent": "none" })), item);
    }
}

#[rstest]
#[case::search("remnote_search", json!({ "query": "" }))]
#[case::by_tag("remnote_search_by_tag", json!({ "tag": "all" }))]
fn content_is_left_out_unless_it_is_asked_for(#[case] tool: &str, #[case] arguments: Value) {
    let mut client = Client::of(&tagged());
    let bare = client.json(tool, arguments.clone());
    let mut explicit = arguments;
    explicit["includeContent"] = json!("none");
    assert_eq!(client.json(tool, explicit.clone()), bare);
    assert_eq!(bare["results"][0]["content"], Value::Null);
    explicit["includeContent"] = json!("markdown");
    let defaults = client.json(tool, explicit.clone());
    assert!(defaults["results"][0]["content"].is_string());
    for (name, value) in [("depth", 1), ("childLimit", 20), ("maxContentLength", 3000), ("limit", 50)] {
        explicit[name] = json!(value);
    }
    assert_eq!(client.json(tool, explicit), defaults);
}
