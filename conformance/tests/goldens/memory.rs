//! What cases of memory expect of the corpus is computed again by a naive scan of its lines.

use chrono::{DateTime, FixedOffset};
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use walkdir::WalkDir;

fn fixtures() -> PathBuf {
    testing::fixtures("memory")
}

fn lines(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(fixtures().join("corpus").join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The entries or contexts of a memory.
fn of(file: &str, memory: &str) -> Vec<Value> {
    lines(file).into_iter().filter(|line| line["memoryId"] == memory).collect()
}

fn case(name: &str) -> Value {
    let file = fixtures().join("cases").join(name).with_extension("json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The memory and the word of the first step of a case.
fn asked(case: &Value) -> (&str, &str) {
    asked_by(case, 0)
}

/// The memory and the word of a step.
fn asked_by(case: &Value, step: usize) -> (&str, &str) {
    let with = &case["steps"][step]["with"];
    (with["memoryId"].as_str().unwrap(), with["query"].as_str().unwrap())
}

/// The check of a requirement.
fn check<'c>(case: &'c Value, requirement: &str) -> &'c Value {
    let id = format!("memory.{requirement}");
    case["checks"].as_array().unwrap().iter().find(|check| check["requirement"] == id).unwrap()
}

fn instant(time: &Value) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(time.as_str().unwrap()).unwrap()
}

/// Whether a word stands in a text, as a whole word, whatever its case.
fn has(text: &Value, word: &str) -> bool {
    let mut words = text.as_str().unwrap().split(|c: char| !c.is_alphanumeric());
    words.any(|one| one.eq_ignore_ascii_case(word))
}

fn newest(memory: &str) -> Value {
    of("contexts.ndjson", memory).into_iter().max_by_key(|context| instant(&context["timestamp"])).unwrap()
}

#[test]
fn what_must_not_be_found_is_all_that_other_memories_hold() {
    let mut compared = 0;
    for entry in WalkDir::new(fixtures().join("cases")) {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for check in case["checks"].as_array().unwrap().iter().filter(|one| one["rule"] == "shows-none-of") {
            let (memory, _) = asked(&case);
            let listed = check["args"]["of"].as_array().unwrap();
            let documents = || lines("entries.ndjson").into_iter().chain(lines("contexts.ndjson"));
            let own: Vec<Value> = documents().filter(|document| document["memoryId"] == memory).collect();
            let own = |value: &Value| {
                own.iter().any(|document| document.as_object().unwrap().values().any(|one| one == value))
            };
            assert!(!listed.iter().any(own), "{}", path.display());
            for other in documents().filter(|document| document["memoryId"] != memory) {
                let time = other.get("creationTime").or(other.get("timestamp")).unwrap();
                assert!(listed.contains(&other["memoryId"]) && listed.contains(time), "{}: {other}", path.display());
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 7);
}

#[test]
fn no_instant_stands_twice() {
    let entries = lines("entries.ndjson").into_iter().map(|entry| instant(&entry["creationTime"]));
    let contexts = lines("contexts.ndjson").into_iter().map(|context| instant(&context["timestamp"]));
    let all: Vec<_> = entries.chain(contexts).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
}

#[rstest]
#[case("answer/finds", 25, 10)]
#[case("answer/equal-scores", 10, 2)]
fn more_have_the_word_than_any_range_lets_through(#[case] name: &str, #[case] entries: usize, #[case] contexts: usize) {
    let case = case(name);
    let (memory, word) = asked(&case);
    let entries_of = of("entries.ndjson", memory);
    assert!(entries_of.len() > entries && of("contexts.ndjson", memory).len() > contexts);
    assert!(entries_of.iter().all(|entry| has(&entry["summary"], word) && has(&entry["rawEntry"], word)));
    assert!(of("contexts.ndjson", memory).iter().all(|context| has(&context["context"], word)));
}

#[test]
fn the_base_of_derived_cases_asks_for_what_more_have_than_any_range_lets_through() {
    let schema = fixtures().join("../../schemas/memory/search.input.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    assert_eq!(schema["examples"], json!([{ "memoryId": "orchard", "query": "apple" }]));
    assert_eq!(asked(&case("answer/finds")), ("orchard", "apple"));
}

#[test]
fn each_word_of_the_case_is_in_some_entries_and_not_in_all() {
    let case = case("answer/finds-some");
    for step in &case["steps"].as_array().unwrap()[..3] {
        let (memory, word) = (step["with"]["memoryId"].as_str().unwrap(), step["with"]["query"].as_str().unwrap());
        let entries = of("entries.ndjson", memory);
        let found = entries.iter().filter(|entry| has(&entry["rawEntry"], word)).count();
        assert!(found > 0 && found < entries.len() / 2, "{word}");
    }
    for words in case["steps"][3]["sweep"]["over"].as_array().unwrap() {
        let has_all = |entry: &Value| words.as_str().unwrap().split(' ').all(|word| has(&entry["rawEntry"], word));
        assert_eq!(of("entries.ndjson", "orchard").iter().filter(|entry| has_all(entry)).count(), 1, "{words}");
    }
    let contexts = of("contexts.ndjson", "orchard");
    assert!(contexts.iter().any(|context| has(&context["context"], "ladder")));
}

#[test]
fn one_entry_alone_has_the_word() {
    let case = case("answer/finds-some");
    let (memory, word) = asked_by(&case, 1);
    let entries = of("entries.ndjson", memory);
    let found: Vec<_> = entries.iter().filter(|entry| has(&entry["rawEntry"], word)).collect();
    assert!(found.len() == 1 && has(&found[0]["summary"], word));
    assert_eq!(check(&case, "finds-word")["args"]["all"], json!([found[0]["creationTime"]]));
    assert_eq!(check(&case, "best-first")["args"]["of"], json!([found[0]["creationTime"]]));
}

#[test]
fn the_newest_context_is_the_newest_as_an_instant() {
    let case = case("answer/latest-context");
    let (memory, word) = asked(&case);
    let (contexts, newest) = (of("contexts.ndjson", memory), newest(memory));
    let whole = |context: &Value| json!(format!(r"^\s*{}\s*$", context["context"].as_str().unwrap()));
    assert_eq!(check(&case, "latest-context")["schema"]["pattern"], whole(&newest));
    assert_eq!(check(&case, "latest-context-time")["args"]["of"], json!([newest["timestamp"]]));
    let (other, query) = asked_by(&case, 1);
    let all = case["checks"].as_array().unwrap();
    let of_other = all.iter().find(|check| check["select"] == "$[1][0].answer.body.latestContext").unwrap();
    assert_eq!(of_other["schema"]["pattern"], whole(&self::newest(other)));
    assert!(of("contexts.ndjson", other).iter().all(|context| has(&context["context"], query)));
    // Whoever takes the newest of those that are found takes this one too: all of them are found.
    assert!(contexts.len() <= 3 && contexts.iter().all(|context| has(&context["context"], word)));
    let as_text = contexts.iter().max_by_key(|context| context["timestamp"].as_str().unwrap()).unwrap();
    assert_ne!(as_text, &newest, "the order of texts has to be another");
    assert_ne!(contexts.last().unwrap(), &newest, "the order of lines has to be another");
}

#[test]
fn the_query_finds_an_older_context_alone() {
    let case = case("answer/finds-some");
    let (memory, word) = asked(&case);
    assert_eq!(check(&case, "latest-context-any-query")["equals"], newest(memory)["context"]);
    let found = of("contexts.ndjson", memory).into_iter().filter(|context| has(&context["context"], word));
    assert_eq!(found.filter(|context| context != &newest(memory)).count(), 1);
    assert!(!has(&newest(memory)["context"], word));
}

#[rstest]
#[case("answer/no-contexts", "contexts.ndjson")]
#[case("answer/no-entries", "entries.ndjson")]
#[case("answer/empty-memory", "contexts.ndjson")]
#[case("answer/empty-memory", "entries.ndjson")]
fn a_memory_lacks_what_its_case_is_about(#[case] name: &str, #[case] file: &str) {
    let case = case(name);
    let (memory, _) = asked(&case);
    assert!(lines("memories.ndjson").iter().any(|line| line["memoryId"] == memory));
    assert_eq!(of(file, memory), Vec::<Value>::new());
}

#[rstest]
#[case("entry-own-time", "entries.ndjson")]
#[case("context-own-time", "contexts.ndjson")]
fn the_listed_times_belong_to_the_listed_texts(#[case] requirement: &str, #[case] file: &str) {
    let case = case("answer/several");
    let listed = check(&case, requirement)["args"]["of"].as_array().unwrap();
    let documents = lines(file);
    for one in listed {
        let is_of = |document: &&Value| one.as_object().unwrap().iter().all(|(name, value)| document[name] == *value);
        assert_eq!(documents.iter().filter(is_of).count(), 1, "{one}");
    }
    for (memory, _) in [asked(&case), ("lighthouse", "lamp")] {
        assert!(of(file, memory).iter().all(|document| {
            listed.iter().any(|one| {
                one.get("creationTime")
                    .or(one.get("timestamp"))
                    .is_some_and(|time| *time == document["creationTime"] || *time == document["timestamp"])
            })
        }));
    }
}
