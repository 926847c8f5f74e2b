//! A server of one revision of remnote, judged by the revision before it and after it: it is condemned for what they differ in, and
//! for nothing else.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use testing::{Script, said};

/// What a call that is refused for the names of its arguments violates. The rest is incomplete then.
const OTHER_NAMES: &[&str] = &["remnote.read-optional", "remnote.search-optional", "remnote.tag-optional"];
const OTHER_TAGS: &[&str] = &["remnote.structured-node-tags-form", "remnote.tags", "remnote.tags-form"];

#[rstest]
#[case::nodes_of_a_read_are_missing(1, 2, &["remnote.read-modes"], &["remnote.include-content-enum", "remnote.read-advertises"])]
#[case::nodes_of_a_read_are_more(2, 1, &[], &["remnote.read-no-structured"])]
#[case::tags_are_missing(2, 3, &["remnote.tags"], &["remnote.advertises-tags", "remnote.structured-node-tags-shown"])]
#[case::tags_are_more(3, 2, &[], &["remnote.no-other-fields"])]
#[case::tags_are_names(3, 4, OTHER_TAGS, &["remnote.advertises-tags", "remnote.tag-arguments"])]
#[case::tags_are_rems(4, 3, OTHER_TAGS, &["remnote.tag-arguments"])]
#[case::arguments_are_called_otherwise(4, 5, OTHER_NAMES, &[
    "remnote.advertises-ancestors", "remnote.advertises-pages", "remnote.later-arguments", "remnote.read-arguments",
    "remnote.search-arguments", "remnote.tag-arguments",
])]
#[case::arguments_were_called_otherwise(5, 4, OTHER_NAMES, &[
    "remnote.read-arguments", "remnote.search-arguments", "remnote.tag-arguments",
])]
#[case::scopes_are_missing(5, 6, &["remnote.scope"], &["remnote.scope-argument"])]
#[case::scopes_are_more(6, 5, &[], &[])]
fn a_neighbour_is_condemned_for_what_differs(
    #[case] spoken: u32,
    #[case] judged: u32,
    #[case] violated: &[&str],
    #[case] advice: &[&str],
) {
    let place = Script::new("");
    let (file, report) = (place.file("target.toml"), place.file("report.json"));
    let program = testing::reference().unwrap().display().to_string();
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures");
    let speaks = format!("remnote@{spoken}");
    let words = [&program, "mcp", "--corpus", corpus, "--revision", &speaks].map(|word| format!("{word:?}"));
    let text = format!(
        "name = \"x\"\ncorpus = \"loaded\"\n[[endpoint]]\ncontract = \"remnote\"\nrevision = {judged}\nera = \"legacy\"\n\
         mcp = {{ command = [{}] }}\n",
        words.join(", ")
    );
    fs::write(&file, text).unwrap();
    let said = said(xtask(&["verify", "--quiet", "--target"]).arg(&file).arg("--json").arg(&report));
    assert_eq!(said.code, Some(i32::from(!violated.is_empty())), "{}{}", said.out, said.err);
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let with = |outcome: &str| -> BTreeSet<&str> {
        let all = report["requirements"].as_array().unwrap().iter().filter(|one| one["outcome"] == outcome);
        all.map(|one| one["requirement"].as_str().unwrap()).collect()
    };
    assert_eq!(with("violated"), violated.iter().copied().collect(), "{}", said.out);
    assert_eq!(with("advice"), advice.iter().copied().collect(), "{}", said.out);
}
