//! Contracts of a user's own, as the example has one: judged, proven, listed and compared like the built-in ones.

use super::{plain, xtask};
use rstest::{fixture, rstest};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use testing::{Said, copy, root, said};

const DOCUMENTS: &str = "contracts/fixtures/connector/corpus/documents.ndjson";

/// A copy of the example, so that what runs leave behind is left there.
struct Example(TempDir);

#[fixture]
fn example() -> Example {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("conformance/examples/own-contract"), folder.path());
    Example(folder)
}

impl Example {
    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = xtask(words);
        command.current_dir(self.path());
        command
    }

    fn run(&self, words: &[&str]) -> Said {
        said(&mut self.command(words))
    }

    fn edit(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let file = self.path().join(file);
        let mut value: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        change(&mut value);
        fs::write(&file, value.to_string()).unwrap();
    }

    /// The log of a run of the server that conforms.
    fn log(&self) -> &'static str {
        let run = self.run(&["verify", "--target", "sound.toml", "--log", "run.ndjson", "--quiet"]);
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        "run.ndjson"
    }
}

#[rstest]
#[case::the_target_itself("sound.toml", "proving by the answers of handbook, which is declared sound")]
#[case::its_reference("conformance.toml", "proving by the answers of handbook (sound.toml), which is declared sound")]
fn a_program_that_is_declared_sound_proves_the_contract(
    example: Example,
    #[case] target: &str,
    #[case] expected: &str,
) {
    let run = example.run(&["verify", "--target", target, "--prove"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.err.contains(expected), "{}", run.err);
    assert!(run.out.contains("48 counterexamples noticed, 9 legal answers accepted"), "{}", run.out);
    assert!(run.out.contains("exercised 24 of 24, 100 %"), "{}", run.out);
}

#[rstest]
fn a_counterexample_that_no_check_notices_breaks_the_contract(example: Example) {
    example.edit("contracts/fixtures/connector/cases/fetch/unknown.json", |case| {
        case["checks"][0]["broken_by"][0]["patch"][0]["value"] = json!("refused");
    });
    let run = example.run(&["verify", "--target", "sound.toml", "--prove"]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    let expected = "connector.fetch-unknown in fetch/unknown: counterexample `an empty document` is not noticed";
    assert!(run.out.replace('\n', " ").contains(expected), "{}", run.out);
}

#[rstest]
fn a_check_that_condemns_a_legal_answer_breaks_the_contract(example: Example) {
    example.edit("contracts/schemas/connector/document.schema.json", |schema| {
        schema["properties"]["metadata"]["additionalProperties"] = json!({ "type": "string" });
    });
    let run = example.run(&["verify", "--target", "sound.toml", "--prove"]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert!(
        run.out.contains("legal answer `other-metadata` is condemned") || run.out.contains("`other-metadata`"),
        "{}",
        run.out
    );
}

#[rstest]
#[case("list-alone", "search-results")]
#[case("another-key", "search-results")]
#[case("count-beside", "search-only-key")]
#[case("no-result-id", "result-id")]
#[case("number-as-id", "result-id")]
#[case("results-twice", "result-id-unique")]
#[case("no-result-title", "result-title")]
#[case("no-result-url", "result-url")]
#[case("path-as-url", "result-url")]
#[case("no-titles", "search-relevant")]
#[case("nothing-is-an-error", "search-answers")]
#[case("next-document", "fetch-same-id")]
#[case("some-documents", "fetch-answers")]
#[case("no-text", "fetch-text")]
#[case("text-cut", "fetch-full-text")]
#[case("no-title", "fetch-title")]
#[case("no-url", "fetch-url")]
#[case("metadata-list", "fetch-metadata")]
#[case("two-items", "search-one-item")]
#[case("prose", "search-json-text")]
#[case("fetch-renamed", "fetch-offered")]
#[case("second-argument", "search-argument")]
fn a_fault_violates_its_requirement(example: Example, #[case] fault: &str, #[case] requirement: &str) {
    let server = format!("python3 faulty.py {fault} {DOCUMENTS}");
    let run = example.run(&["verify", "connector", "--mcp-stdio", &server, "--corpus-loaded"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains(&format!("VIOLATED connector.{requirement}:")), "{}", run.out);
}

#[rstest]
fn every_fault_of_the_example_is_tried(example: Example) {
    let listed = said(plain("python3").args(["faulty.py", "--list"]).current_dir(example.path())).out;
    let text = fs::read_to_string(root().join("xtask/tests/command_line/own.rs")).unwrap();
    for fault in listed.lines() {
        assert!(text.contains(&format!("#[case(\"{fault}\", ")), "{fault} is not tried");
    }
}

/// The folder is named on the command line, named by the target file, or found.
#[rstest]
fn the_folder_is_named_or_found(example: Example) {
    fs::rename(example.path().join("contracts"), example.path().join("elsewhere")).unwrap();
    let target = fs::read_to_string(example.path().join("sound.toml")).unwrap();
    let lost = example.run(&["verify", "--target", "sound.toml"]);
    assert_eq!(lost.code, Some(2));
    assert!(lost.err.contains("unknown contract `connector`"), "{}", lost.err);
    let named = example.run(&["verify", "--target", "sound.toml", "--suite", "elsewhere", "--quiet"]);
    assert_eq!(named.code, Some(0), "{}{}", named.out, named.err);
    fs::write(example.path().join("sound.toml"), format!("suite = \"elsewhere\"\n{target}")).unwrap();
    let by_file = said(xtask(&["verify", "--quiet", "--target"]).arg(example.path().join("sound.toml")));
    assert_eq!(by_file.code, Some(0), "{}{}", by_file.out, by_file.err);
}

#[rstest]
fn a_folder_that_is_not_there_is_named(example: Example) {
    let run = example.run(&["list", "--suite", "contract"]);
    assert_eq!(run.code, Some(2));
    insta::assert_snapshot!(run.err, @"error: --suite names contract, which is no folder; give one with schemas/<name>/contract.json and fixtures/<name>/ in it
");
}

#[rstest]
fn a_built_in_contract_is_not_replaced(example: Example) {
    let schemas = example.path().join("contracts/schemas");
    fs::rename(schemas.join("connector"), schemas.join("recall")).unwrap();
    let run = example.run(&["verify", "recall"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("schemas/recall: `recall` is a built-in contract, and no other can be called so"),
        "{}",
        run.err
    );
}

#[rstest]
#[case::the_reference(&["verify", "connector"], "the reference does not speak `connector`, which is a contract of your own")]
#[case::exploring(&["verify", "--target", "sound.toml", "--explore", "5"], "--explore compares with the reference, which does not speak `connector`")]
#[case::proving_a_built_in_one(&["verify", "recall", "--http", "http://127.0.0.1:9", "--prove"], "--prove is for contracts of your own, and recall is built in")]
fn what_takes_the_reference_is_refused(example: Example, #[case] words: &[&str], #[case] expected: &str) {
    let run = example.run(words);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert!(run.err.contains(expected), "{}", run.err);
}

#[rstest]
fn a_log_is_judged_and_compared_with_the_same_folder(example: Example) {
    let log = example.log();
    let judged = example.run(&["judge", log]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
    let compared = example.run(&["compare", log, log]);
    assert_eq!(compared.code, Some(0), "{}{}", compared.out, compared.err);
    example.edit("contracts/fixtures/connector/cases/fetch/unknown.json", |case| case["about"] = json!("Another."));
    let changed = example.run(&["judge", log]);
    assert!(changed.err.contains("the contracts of your own have changed since it was written"), "{}", changed.err);
    // Somewhere else, nothing finds the folder.
    let elsewhere = tempfile::tempdir().unwrap();
    for words in [vec!["judge"], vec!["compare"]] {
        let mut command = xtask(&words);
        let file = example.path().join(log);
        command.current_dir(elsewhere.path()).args(std::iter::repeat_n(file, if words == ["judge"] { 1 } else { 2 }));
        let without = said(&mut command);
        assert_eq!(without.code, Some(2));
        let expected = "it holds the evidence of connector, brought from a folder of the user's own; give that folder with --suite FOLDER";
        assert!(without.err.contains(expected), "{}", without.err);
    }
}

#[rstest]
fn shards_become_a_whole_run(example: Example) {
    for shard in ["1/2", "2/2"] {
        let log = format!("{}.ndjson", &shard[..1]);
        let run = example.run(&["verify", "--target", "sound.toml", "--shard", shard, "--seed", "1", "--log", &log]);
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    }
    let merged = example.run(&["merge", "1.ndjson", "2.ndjson", "--output", "run.ndjson"]);
    assert_eq!(merged.code, Some(0), "{}{}", merged.out, merged.err);
    let judged = example.run(&["judge", "run.ndjson"]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
    assert!(judged.out.contains("exercised 24 of 24"), "{}", judged.out);
}

#[rstest]
fn commands_that_read_contracts_read_it(example: Example) {
    let listed = example.run(&["list", "connector", "--format", "json"]);
    let rows: Vec<Value> = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(rows.len(), 31);
    let explained = example.run(&["explain", "connector.result-url"]);
    assert!(explained.out.contains("There is no example: the reference has no answers"), "{}", explained.out);
    let surface = example.run(&["explain", "connector"]);
    assert!(surface.out.contains("mcp: fetch"), "{}", surface.out);
    let covered = example.run(&["coverage", "connector"]);
    assert_eq!(covered.code, Some(0), "{}", covered.out);
}

#[rstest]
fn a_change_of_it_is_shown(example: Example) {
    let before = tempfile::tempdir().unwrap();
    copy(&example.path().join("contracts"), before.path());
    example.edit("contracts/schemas/connector/contract.json", |contract| {
        contract["operations"]["search"]["mcp"]["tool"] = json!("find");
    });
    let mut command = example.command(&["diff"]);
    let run = said(command.arg(before.path()).args(["contracts", "--suite", "contracts"]));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("find"), "{}", run.out);
}

/// What the page says to type works as it stands there, and ends with the code that stands behind it.
#[rstest]
fn the_page_runs_as_written(example: Example) {
    let page = fs::read_to_string(root().join("docs/own-contract.md")).unwrap();
    let lines = page.lines().filter_map(|line| line.trim_start().strip_prefix("cargo xtask "));
    let mut ran = 0;
    for line in lines {
        let (words, comment) = line.split_once(" # ").unwrap_or((line, ""));
        let code = comment.strip_prefix("exit ").map_or(0, |code| code.parse().unwrap());
        let line = format!("{} {words}", env!("CARGO_BIN_EXE_xtask"));
        let run = said(plain("sh").args(["-c", &line]).current_dir(example.path()));
        assert_eq!(run.code, Some(code), "{line}\n{}{}", run.out, run.err);
        ran += 1;
    }
    assert!(ran >= 10, "{ran}");
}
