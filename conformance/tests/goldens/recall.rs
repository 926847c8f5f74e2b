//! What cases of recall expect of the corpus is computed again by a naive scan of its frames.

use crate::recall_frames;
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn fixtures() -> PathBuf {
    testing::fixtures("recall")
}

fn case(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(fixtures().join(format!("cases/{name}.json"))).unwrap()).unwrap()
}

fn frames() -> Vec<Value> {
    let text = fs::read_to_string(fixtures().join("corpus/frames.ndjson")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether a frame matches a call: window, whole words, substrings, focus.
fn matches(frame: &Value, with: &Value) -> bool {
    let time = frame["timestamp"].as_f64().unwrap();
    let words: BTreeSet<&str> = frame["ocr_text"].as_str().unwrap().split_whitespace().collect();
    let substring = |field: &str| {
        let wanted = with[field].as_str();
        wanted.is_none_or(|wanted| frame[field].as_str().is_some_and(|value| value.contains(wanted)))
    };
    with["start_time"].as_f64().is_none_or(|start| time >= start)
        && with["end_time"].as_f64().is_none_or(|end| time <= end)
        && with["q"].as_str().is_none_or(|q| q.split_whitespace().all(|word| words.contains(word)))
        && ["app_name", "window_name", "browser_url"].into_iter().all(substring)
        && (with["focused"].is_null() || with["focused"] == frame["focused"])
}

fn times(with: &Value) -> Vec<f64> {
    let mut times: Vec<f64> = frames()
        .iter()
        .filter(|frame| matches(frame, with))
        .map(|frame| frame["timestamp"].as_f64().unwrap())
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn sorted(values: &Value) -> Vec<f64> {
    let mut values: Vec<f64> = values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The calls of a step: one, or one for each value of its sweep.
fn calls(step: &Value) -> Vec<Value> {
    match step["sweep"]["over"].as_array() {
        None => vec![step["with"].clone()],
        Some(values) => values
            .iter()
            .map(|value| {
                let mut with = step["with"].clone();
                with[step["sweep"]["argument"].as_str().unwrap()] = value.clone();
                with
            })
            .collect(),
    }
}

#[rstest]
#[case::a_word_of_many_frames("query/finds", 0, 0, "all")]
#[case::words_of_one_frame("query/one", 0, 0, "all")]
#[case::two_words("query/two-words", 0, 0, "of")]
#[case::after_the_start("window/bounds", 0, 2, "of")]
#[case::before_the_end("window/bounds", 1, 1, "of")]
#[case::on_the_bounds("window/inclusive", 0, 0, "of")]
#[case::far_future("window/until-now", 1, 1, "of")]
#[case::focused("filters/focused", 0, 0, "of")]
#[case::combined("filters/combined", 1, 0, "of")]
#[case::combined_with_an_application("filters/combined", 0, 1, "of")]
fn times_in_cases(#[case] name: &str, #[case] step: usize, #[case] check: usize, #[case] argument: &str) {
    let case = case(name);
    let found: Vec<f64> = calls(&case["steps"][step]).iter().flat_map(times).collect();
    let mut found = found;
    found.sort_by(f64::total_cmp);
    assert_eq!(found, sorted(&case["checks"][check]["args"][argument]));
}

#[rstest]
#[case("paging/browse-one-moment")]
#[case("paging/browse-small")]
#[case("paging/query")]
fn counts_in_walks(#[case] name: &str) {
    let case = case(name);
    let checks = case["checks"].as_array().unwrap();
    let due = checks.iter().find_map(|check| check["args"]["count"].as_u64()).unwrap();
    assert_eq!(times(&case["steps"][0]["with"]).len() as u64, due);
}

#[rstest]
fn each_filter_finds_one_frame(
    #[values("filters/app-name", "filters/window-name", "filters/browser-url")] name: &str,
    #[values(0, 1)] step: usize,
) {
    for with in calls(&case(name)["steps"][step]) {
        assert_eq!(times(&with).len(), 1, "{with}");
    }
}

#[test]
fn each_script_stands_in_one_frame() {
    for with in calls(&case("query/scripts")["steps"][0]) {
        assert_eq!(times(&with).len(), 1, "{with}");
    }
}

#[test]
fn equal_pairs_are_equal_but_for_their_time() {
    for with in calls(&case("query/equal-pairs")["steps"][0]) {
        let pair: Vec<Value> = frames()
            .into_iter()
            .filter(|frame| matches(frame, &with))
            .map(|mut frame| {
                frame["timestamp"] = Value::Null;
                frame["frame_id"] = Value::Null;
                frame
            })
            .collect();
        assert_eq!(pair.len(), 2, "{with}");
        assert_eq!(pair[0], pair[1], "{with}");
    }
}

#[test]
fn ranked_pairs_differ_in_how_often_the_word_stands() {
    let case = case("query/rank");
    let mut due = Vec::new();
    for with in calls(&case["steps"][0]) {
        let word = with["q"].as_str().unwrap();
        let mut pair: Vec<(usize, f64)> = frames()
            .iter()
            .filter(|frame| matches(frame, &with))
            .map(|frame| {
                let words: Vec<&str> = frame["ocr_text"].as_str().unwrap().split_whitespace().collect();
                assert_eq!(words.len(), 12);
                (words.iter().filter(|one| **one == word).count(), frame["timestamp"].as_f64().unwrap())
            })
            .collect();
        pair.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        assert!(pair[0].0 == 3 && pair[1].0 == 1 && pair[0].1 < pair[1].1);
        due.extend(pair.into_iter().map(|(_, time)| time));
    }
    let literal: Vec<f64> =
        case["checks"][0]["args"]["of"].as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
    assert_eq!(literal, due);
}

#[test]
fn the_golden_of_single_words_is_what_a_naive_scan_finds() {
    let golden: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(fixtures().join("goldens/single-words.json")).unwrap()).unwrap();
    let mut found = Vec::new();
    for with in calls(&case("query/one")["steps"][0]) {
        for frame in frames().iter().filter(|frame| matches(frame, &with)) {
            let keys = ["timestamp", "app_name", "window_name", "browser_url", "focused"];
            found.push(keys.iter().map(|key| ((*key).to_owned(), frame[*key].clone())).collect::<Value>());
        }
    }
    assert_eq!(json!(golden), json!(found));
}

#[test]
fn the_corpus_is_what_its_generator_writes() {
    let file = fixtures().join("corpus/frames.ndjson");
    let text = recall_frames::ndjson();
    if std::env::var_os("WRITE_CORPUS").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let test = env!("CARGO_CRATE_NAME");
    let fix = format!("run `WRITE_CORPUS=1 cargo test --package conformance --test {test}`");
    assert!(fs::read_to_string(&file).unwrap() == text, "{} is stale; {fix}", file.display());
}
