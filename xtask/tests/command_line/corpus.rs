//! A target that is said to hold the corpus: what is told when it does not, or not all of it.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::{Answer, Request, Script, Server, answer, corpus, ok, said};

/// A target file that starts the reference with these arguments.
fn target(place: &Script, contract: &str, way: &str, arguments: &[&str]) -> PathBuf {
    let program = testing::reference().unwrap().display().to_string();
    let words = [&program, "serve", "--port", "{port}"].into_iter().chain(arguments.iter().copied());
    let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    let file = place.file("target.toml");
    let text = format!(
        "name = \"x\"\ncorpus = \"loaded\"\nstart = [{}]\n[[endpoint]]\ncontract = \"{contract}\"\n{way}\n",
        words.join(", ")
    );
    fs::write(&file, text).unwrap();
    file
}

const HTTP: &str = "http = \"http://127.0.0.1:{port}\"";
const MCP: &str = "mcp = { url = \"http://127.0.0.1:{port}/mcp\" }";

#[rstest]
#[case::recall("recall", HTTP)]
#[case::memory("memory", HTTP)]
#[case::outline("outline", MCP)]
#[case::remnote("remnote", MCP)]
fn a_corpus_that_is_not_there_is_told_once(#[case] contract: &str, #[case] way: &str) {
    let place = Script::new("");
    let (log, report) = (place.file("run.ndjson"), place.file("report.json"));
    let mut command = xtask(&["verify", "--quiet", "--target"]);
    command.arg(target(&place, contract, way, &[])).arg("--log").arg(&log).arg("--json").arg(&report);
    let first = said(&mut command);
    assert_eq!(first.code, Some(3), "{}{}", first.out, first.err);
    let told = |out: &str| out.matches(&format!("the corpus is not there: {contract} over ")).count();
    assert_eq!(told(&first.out), 1, "{}", first.out);
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let outcomes = report["requirements"].as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap());
    assert!(outcomes.clone().all(|one| one == "verified" || one == "not-exercised"), "{}", first.out);
    assert!(outcomes.clone().any(|one| one == "verified"), "what any data can answer is asked all the same");
    let again = said(xtask(&["judge", "--quiet"]).arg(&log));
    assert_eq!((again.code, told(&again.out)), (Some(3), 1), "{}{}", again.out, again.err);
}

#[rstest]
#[case::recall("recall", HTTP, "frames.ndjson", "\"frame_id\":1003,", "frames.ndjson 1003")]
#[case::one_of_many_at_one_time("recall", HTTP, "frames.ndjson", "\"frame_id\":1410,", "frames.ndjson 1")]
#[case::entry("memory", HTTP, "entries.ndjson", "\"o-03\"", "entries.ndjson o-03")]
#[case::context("memory", HTTP, "contexts.ndjson", "\"lc-2\"", "contexts.ndjson lc-2")]
#[case::outline("outline", MCP, "records.ndjson", "\"id\": \"R005\"", "records.ndjson R005")]
#[case::found("remnote", MCP, "rems.ndjson", "\"id\":\"rOrdText2\"", "rems.ndjson rOrdText2")]
#[case::read("remnote", MCP, "rems.ndjson", "\"id\":\"rLeaf\"", "rems.ndjson rLeaf")]
fn a_corpus_that_is_there_in_part_names_what_is_missing(
    #[case] contract: &str,
    #[case] way: &str,
    #[case] file: &str,
    #[case] gone: &str,
    #[case] due: &str,
) {
    let place = Script::new("");
    let folder = place.file("corpora").join(contract).join("corpus");
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(corpus(contract)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    let whole = fs::read_to_string(folder.join(file)).unwrap();
    let (kept, left_out): (Vec<&str>, Vec<&str>) = whole.lines().partition(|line| !line.contains(gone));
    assert_eq!(left_out.len(), 1, "{left_out:?}");
    fs::write(folder.join(file), kept.join("\n")).unwrap();
    let target = target(&place, contract, way, &["--corpus", place.file("corpora").to_str().unwrap()]);
    if contract == "remnote" {
        // A hit that is not there is no corpus for the reference.
        let id = due.split(' ').next_back().unwrap();
        let mut hits: Value = serde_json::from_str(&fs::read_to_string(folder.join("hits.json")).unwrap()).unwrap();
        let lists =
            hits.as_object_mut().unwrap().values_mut().flat_map(|kind| kind.as_object_mut().unwrap().values_mut());
        lists.for_each(|list| list.as_array_mut().unwrap().retain(|hit| hit != id));
        fs::write(folder.join("hits.json"), hits.to_string()).unwrap();
    }
    let said = said(xtask(&["verify", "--quiet", "--target"]).arg(target));
    let told = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("the corpus is there in part"), "{}{}", said.out, said.err);
    assert!(told.contains(" does not show 1 of its "), "{}", said.out);
    assert!(told.contains(&format!("may fail: {due}")), "{}", said.out);
    assert!(matches!(said.code, Some(1 | 3)), "{}", said.out);
}

/// A target file with a seed that says when it has ended, for a search over all frames but `without`, as soon as it was asked
/// `looks` times after that.
fn seeded(place: &Script, looks: usize, without: Option<u64>, settle: &str) -> (Server, PathBuf) {
    let mut frames: Vec<Value> =
        fs::read_to_string(corpus("recall").join("frames.ndjson")).unwrap().lines().map(json).collect();
    frames.retain(|frame| frame["frame_id"].as_u64() != without);
    let (asked, done) = (AtomicUsize::new(0), place.file("done"));
    let server = Server::new(move |request| {
        let is_there = done.exists() && asked.fetch_add(1, Ordering::Relaxed) >= looks;
        found(request, if is_there { &frames } else { &[] }, Fault::None)
    });
    let text = format!(
        "name = \"x\"\nseed = [\"touch\", \"done\"]\n{settle}\n[[endpoint]]\ncontract = \"recall\"\nhttp = \"{}\"\n",
        server.address
    );
    let file = place.file("target.toml");
    fs::write(&file, text).unwrap();
    (server, file)
}

#[rstest]
#[case::at_once(0, "", None, None)]
#[case::after_a_while(9, "", Some("all of the corpus was there "), None)]
#[case::too_late(100_000, "settle = 1", Some("not all of the corpus was there "), Some("the corpus is not there"))]
#[case::nobody_waits(100_000, "settle = 0", None, Some("the corpus is not there"))]
fn a_corpus_that_was_seeded_is_waited_for(
    #[case] looks: usize,
    #[case] settle: &str,
    #[case] waited: Option<&str>,
    #[case] lacking: Option<&str>,
) {
    let place = Script::new("");
    let (_server, file) = seeded(&place, looks, None, settle);
    let said = said(xtask(&["verify", "--quiet", "--case", "paging/offset", "--target"]).arg(file));
    let told = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(told.contains("after the seed had ended"), waited.is_some(), "{}{}", said.out, said.err);
    assert!(waited.is_none_or(|waited| told.contains(&format!("recall over http: {waited}"))), "{}", said.out);
    assert_eq!(told.contains("the corpus is "), lacking.is_some(), "{}", said.out);
    assert_eq!(said.code, Some(if lacking.is_some() { 3 } else { 0 }), "{}", said.out);
}

#[test]
fn a_part_that_is_not_there_keeps_a_run_from_success() {
    let place = Script::new("");
    let (_server, file) = seeded(&place, 0, Some(1410), "settle = 0");
    // Held already, as far as the suite knows.
    let text = fs::read_to_string(&file).unwrap().replace("seed = [\"touch\", \"done\"]", "corpus = \"loaded\"");
    fs::write(&file, text).unwrap();
    fs::write(place.file("done"), "").unwrap();
    let said = said(xtask(&["verify", "--quiet", "--case", "paging/offset", "--target"]).arg(file));
    assert_eq!(said.code, Some(3), "{}{}", said.out, said.err);
    assert!(said.out.contains("the corpus is there in part"), "{}", said.out);
    assert!(!said.out.contains("VIOLATED"), "{}", said.out);
}

#[test]
fn what_a_target_loses_after_it_was_seeded_is_its_fault() {
    let place = Script::new("");
    let (_server, file) = seeded(&place, 0, Some(1410), "settle = 0");
    let (log, report) = (place.file("run.ndjson"), place.file("report.json"));
    let mut command = xtask(&["verify", "--quiet", "--case", "paging/offset", "--target"]);
    let said = said(command.arg(file).arg("--log").arg(&log).arg("--json").arg(&report));
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    let of_looks = |report: &Value| {
        let findings = report["findings"].as_array().unwrap().iter();
        findings.filter(|one| one["finding"]["case"] == "sentinel").cloned().collect::<Vec<_>>()
    };
    let findings = of_looks(&json(&fs::read_to_string(report).unwrap()));
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["finding"]["requirement"], "recall.window-complete");
    let message = findings[0]["finding"]["details"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("the seed ended with success, and 1 of the "), "{message}");
    assert!(message.ends_with(" are not shown: frames.ndjson 1410"), "{message}");
    let again = said_of(xtask(&["judge", "--format", "json"]).arg(&log));
    assert_eq!(of_looks(&json(&again)), findings, "a log is judged as the run was");
}

/// What a server does wrong that holds the corpus all the same.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// Nothing.
    None,
    /// It takes the bounds of a window for milliseconds.
    Milliseconds,
    /// It finds nothing without a word.
    NoBrowsing,
    /// It finds nothing by a word.
    NoWords,
    /// Its times are texts.
    TextTimes,
}

#[rstest]
#[case::milliseconds(Fault::Milliseconds, "recall.window-complete", Some("{\"start_time\":1,\"limit\":20}"))]
#[case::no_browsing(Fault::NoBrowsing, "recall.q-optional", Some("\"q\":\"harbor\""))]
#[case::no_words(Fault::NoWords, "recall.q-finds", Some("\"q\":\"harbor\""))]
#[case::text_times(Fault::TextTimes, "recall.item-timestamp", None)]
fn a_fault_that_hides_the_corpus_is_a_fault(
    #[case] fault: Fault,
    #[case] requirement: &str,
    #[case] call: Option<&str>,
) {
    let frames: Vec<Value> =
        fs::read_to_string(corpus("recall").join("frames.ndjson")).unwrap().lines().map(json).collect();
    let server = Server::new(move |request| found(request, &frames, fault));
    let place = Script::new("");
    let (log, report) = (place.file("run.ndjson"), place.file("report.json"));
    let mut command = xtask(&["verify", "recall", "--http", &server.address, "--corpus-loaded", "--quiet"]);
    let said = said(command.arg("--log").arg(&log).arg("--json").arg(&report));
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(!said.out.contains("the corpus is"), "{}", said.out);
    let of_looks = |report: &Value| {
        let findings = report["findings"].as_array().unwrap().iter();
        findings.filter(|one| one["finding"]["case"] == "sentinel").cloned().collect::<Vec<_>>()
    };
    let report: Value = json(&fs::read_to_string(report).unwrap());
    let violated = |id: &str| {
        let rows = report["requirements"].as_array().unwrap();
        rows.iter().any(|row| row["requirement"] == id && row["outcome"] == "violated")
    };
    assert!(violated(requirement), "{}", said.out);
    let findings = of_looks(&report);
    assert_eq!(findings.is_empty(), call.is_none(), "{findings:?}");
    if let Some(call) = call {
        assert_eq!(findings[0]["finding"]["requirement"], requirement);
        let message = findings[0]["finding"]["details"][0]["message"].as_str().unwrap();
        assert!(message.contains(" finds nothing, where it should show ") && message.contains(call), "{message}");
        assert!(findings[0]["repeat"].as_str().unwrap().starts_with("curl "), "{findings:?}");
    }
    let again = said_of(xtask(&["judge", "--format", "json"]).arg(&log));
    assert_eq!(of_looks(&json(&again)), findings, "a log is judged as the run was");
}

fn said_of(command: &mut std::process::Command) -> String {
    said(command).out
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A search of `recall` over frames, newest first, with one fault.
fn found(request: &Request, frames: &[Value], fault: Fault) -> Answer {
    let query = request.target().split_once('?').map_or("", |(_, query)| query);
    let of = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let number = |name: &str| of(name).and_then(|value| value.parse::<f64>().ok());
    let Some(start) = number("start_time").filter(|_| of("content_type").is_none_or(|one| one == "ocr")) else {
        return answer("400 Bad Request", "", "start_time and content_type");
    };
    let unit = if fault == Fault::Milliseconds { 1000.0 } else { 1.0 };
    let window = start / unit..=number("end_time").map_or(1.8e9, |end| end / unit);
    let hides = match of("q").unwrap_or_default() {
        "" => fault == Fault::NoBrowsing,
        _ => fault == Fault::NoWords,
    };
    let has_word =
        |frame: &Value| frame["ocr_text"].as_str().is_some_and(|text| text.contains(of("q").unwrap_or_default()));
    let time = |frame: &Value| frame["timestamp"].as_f64().unwrap();
    let mut found: Vec<&Value> =
        frames.iter().filter(|frame| !hides && window.contains(&time(frame)) && has_word(frame)).collect();
    found.sort_by(|left, right| time(right).total_cmp(&time(left)));
    let (limit, offset) = (number("limit").unwrap_or(10.0) as usize, number("offset").unwrap_or(0.0) as usize);
    let items = found.into_iter().skip(offset).take(limit).map(|frame| {
        let mut item = frame.clone();
        item["ocr_snippet"] = frame["ocr_text"].as_str().map(|text| text.chars().take(80).collect::<String>()).into();
        item["frame_url"] = format!("/frames/{}", frame["frame_id"]).into();
        if fault == Fault::TextTimes {
            let time = chrono::DateTime::from_timestamp_millis((time(frame) * 1000.0) as i64).unwrap();
            item["timestamp"] = time.to_rfc3339().into();
        }
        item
    });
    ok(serde_json::json!({ "data": items.collect::<Vec<_>>() }).to_string())
}
