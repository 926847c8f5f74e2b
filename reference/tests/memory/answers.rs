//! The answer: its keys, its order, what is found.

use crate::client::Client;
use crate::corpus::of;
use chrono::{DateTime, FixedOffset};
use rstest::rstest;
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn ids(answer: &Value) -> Vec<&str> {
    answer["entries"].as_array().unwrap().iter().map(|entry| entry["entryId"].as_str().unwrap()).collect()
}

fn instant(value: &Value) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(value.as_str().unwrap()).unwrap()
}

#[test]
fn the_answer_has_its_keys_and_no_others() {
    let client = Client::start();
    for body in [
        json!({ "memoryId": "orchard", "query": "apple" }),
        json!({ "memoryId": "orchard", "query": "apple", "top_ke": 0, "top_kc": 3 }),
        json!({ "memoryId": "workshop", "query": "chisel" }),
        json!({ "memoryId": "blank", "query": "chisel" }),
        json!({ "memoryId": "nobody knows it", "query": "chisel" }),
    ] {
        let answer = client.search(&body);
        assert_eq!(
            keys(&answer),
            ["entries", "count", "latestContext", "latestContextTimestamp", "contexts"],
            "{body}"
        );
        for entry in answer["entries"].as_array().unwrap() {
            assert_eq!(keys(entry), ["entryId", "memoryId", "summary", "rawEntry", "score", "creationTime"]);
            assert_eq!(entry["memoryId"], body["memoryId"]);
            let line = of("entries.ndjson", "orchard").into_iter().find(|line| line["entryId"] == entry["entryId"]);
            let same = |key: &str| line.as_ref().is_none_or(|line| line[key] == entry[key]);
            assert!(["summary", "rawEntry", "creationTime"].into_iter().all(same), "{entry}");
        }
        for context in answer["contexts"].as_array().unwrap() {
            assert_eq!(keys(context), ["context", "timestamp", "score"]);
            assert!(context["score"].is_number() && context["context"].is_string());
        }
    }
}

#[rstest]
#[case::without_contexts("workshop", "chisel", 3)]
#[case::with_nothing("blank", "chisel", 0)]
#[case::that_nobody_knows("nowhere", "chisel", 0)]
fn a_memory_has_no_newest_context(#[case] memory: &str, #[case] query: &str, #[case] count: u64) {
    let answer = Client::start().search(&json!({ "memoryId": memory, "query": query }));
    assert_eq!((&answer["latestContext"], &answer["latestContextTimestamp"]), (&json!(""), &Value::Null));
    assert_eq!((&answer["count"], &answer["contexts"]), (&json!(count), &json!([])));
}

#[test]
fn equal_scores_stand_newest_first() {
    let answer = Client::start().search(&json!({ "memoryId": "echo", "query": "echo", "top_ke": 10, "top_kc": 3 }));
    let (entries, contexts) = (answer["entries"].as_array().unwrap(), answer["contexts"].as_array().unwrap());
    assert_eq!((entries.len(), contexts.len()), (10, 3));
    assert!(entries.iter().all(|entry| entry["score"] == entries[0]["score"]));
    assert!(entries.is_sorted_by(|a, b| instant(&a["creationTime"]) > instant(&b["creationTime"])));
    assert!(contexts.is_sorted_by(|a, b| instant(&a["timestamp"]) > instant(&b["timestamp"])));
}

#[test]
fn more_of_the_words_and_rarer_ones_come_first() {
    let client = Client::start();
    let ids_of = |query: &str| {
        let answer = client.search(&json!({ "memoryId": "orchard", "query": query, "top_ke": 10 }));
        ids(&answer).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ids_of("quince"), ["o-10"]);
    assert_eq!(ids_of("apple quince")[0], "o-10");
    assert_eq!(ids_of("ladder, please!")[0], "o-08");
    assert_eq!(ids_of("APPLE").len(), 10);
}

#[test]
fn no_text_is_an_operator() {
    let client = Client::start();
    for query in
        ["\"", "NEAR(", "apple\" OR \"*", "* ^ -apple", "summary: apple", "a\u{0}b\"", "Ⓐ", "\u{301}", "? ! ..."]
    {
        let answer = client.search(&json!({ "memoryId": "orchard", "query": query }));
        assert!(answer["entries"].is_array(), "{query}");
    }
    let nothing = client.search(&json!({ "memoryId": "orchard", "query": "? !" }));
    assert_eq!((&nothing["count"], &nothing["contexts"]), (&json!(0), &json!([])));
    assert_ne!(nothing["latestContext"], "");
}
