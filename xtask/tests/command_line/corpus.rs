//! A target that is said to hold the corpus: what is told when it does not, or not all of it.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use testing::{Script, corpus, said};

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
}
