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
                match step["sweep"]["argument"].as_str() {
                    Some(argument) => with[argument] = value.clone(),
                    None => with.as_object_mut().unwrap().extend(value.as_object().unwrap().clone()),
                }
                with
            })
            .collect(),
    }
}

/// The arguments of the check of a requirement.
fn args(case: &Value, requirement: &str) -> Value {
    let checks = case["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["requirement"] == format!("recall.{requirement}")).unwrap();
    check["args"].clone()
}

#[rstest]
#[case::a_word_of_many_frames("query/finds", 0, "q-finds", "all")]
#[case::nothing_but_a_word("query/finds", 0, "q-only", "of")]
#[case::words_of_one_frame("query/one", 0, "q-finds", "all")]
#[case::two_words("query/two-words", 0, "q-all-words", "of")]
#[case::between_bounds("window/bounds", 0, "window-complete", "all")]
#[case::on_the_bounds("window/inclusive", 0, "bounds-inclusive", "of")]
#[case::one_moment("window/one-moment", 0, "bounds-inclusive", "of")]
#[case::between_fractions("window/fractions", 0, "window-complete", "all")]
#[case::focused("filters/focused", 0, "focused-true", "of")]
#[case::never_focused("filters/focused", 0, "focused-false", "all")]
#[case::not_focused("filters/focused", 1, "focused-false-finds", "all")]
#[case::combined("filters/combined", 1, "filters-combine", "of")]
#[case::combined_with_an_application("filters/combined", 0, "app-name-substring", "of")]
#[case::combined_with_a_window("filters/combined-window", 0, "filters-combine", "of")]
fn times_in_cases(#[case] name: &str, #[case] step: usize, #[case] requirement: &str, #[case] argument: &str) {
    let case = case(name);
    let mut found: Vec<f64> = calls(&case["steps"][step]).iter().flat_map(times).collect();
    found.sort_by(f64::total_cmp);
    assert_eq!(found, sorted(&args(&case, requirement)[argument]));
}

#[test]
fn a_window_reaches_into_the_future_only_when_it_says_so() {
    let case = case("window/until-now");
    let mut due = sorted(&args(&case, "window-complete")["all"]);
    due.extend(sorted(&args(&case, "end-time-future")["all"]));
    assert_eq!(times(&case["steps"][1]["with"]), due);
    assert_eq!(args(&case, "end-time-default-now"), args(&case, "end-time-future"));
}

#[test]
fn each_of_the_single_words_stands_in_one_frame() {
    let case = case("query/one");
    let listed = &args(&case, "q-only")["times"];
    for with in calls(&case["steps"][0]) {
        assert_eq!(times(&with), sorted(&listed[with["q"].as_str().unwrap()]), "{with}");
    }
}

#[test]
fn unknown_focus_is_that_of_the_window_without_the_known_ones() {
    let case = case("filters/focused");
    let mut window = case["steps"][0]["with"].clone();
    window["focused"] = Value::Null;
    let known = |focused: bool| {
        let mut with = window.clone();
        with["focused"] = focused.into();
        times(&with)
    };
    let mut unknown = times(&window);
    unknown.retain(|time| !known(true).contains(time) && !known(false).contains(time));
    assert_eq!(unknown, sorted(&args(&case, "focused-false-not-unknown")["all"]));
}

#[test]
fn an_offset_passes_over_the_newest_frames() {
    let case = case("paging/offset");
    let with = &case["steps"][0]["with"];
    let at = |name: &str| with[name].as_u64().unwrap() as usize;
    let found: Vec<f64> = times(with).into_iter().rev().skip(at("offset")).take(at("limit")).collect();
    let due = args(&case, "offset")["of"].clone();
    assert_eq!(json!(found), json!(due.as_array().unwrap().iter().map(|time| time.as_f64()).collect::<Vec<_>>()));
}

#[rstest]
#[case("paging/browse-one-moment")]
#[case("paging/browse-small")]
#[case("paging/query")]
#[case("paging/filtered")]
#[case("paging/long")]
fn counts_in_walks(#[case] name: &str) {
    let case = case(name);
    for check in case["checks"].as_array().unwrap() {
        let Some(due) = check["args"]["count"].as_u64() else { continue };
        let step = check["select"]["pages"].as_str().unwrap()[2..3].parse::<usize>().unwrap();
        assert_eq!(times(&case["steps"][step]["with"]).len() as u64, due, "{name} {step}");
    }
}

#[rstest]
#[case(0)]
#[case(1)]
fn what_several_words_find_fills_a_page(#[case] step: usize) {
    for with in calls(&case("filters/several-words")["steps"][step]) {
        assert!(times(&with).len() >= 20, "{with}");
    }
}

#[rstest]
#[case("filters/marks")]
#[case("filters/numbers")]
fn each_call_finds_one_frame(#[case] name: &str) {
    for with in calls(&case(name)["steps"][0]) {
        assert_eq!(times(&with).len(), 1, "{with}");
    }
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
