//! The reference at one revision, judged by its neighbours: what each of the two documents asks for and the other does not.

use crate::xtask;
use rstest::rstest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use testing::{root, said};

/// `speaks` is the revision of the reference, and `judged` the one that it is judged by.
#[rstest]
#[case::outline_of_its_own("outline", 2, 2, &[])]
#[case::outline_before_the_second("outline", 1, 2, &["outline.format-values"])]
#[case::outline_after_the_first("outline", 2, 1, &["outline.format-default", "outline.formats-taken"])]
#[case::outline_before_the_third("outline", 2, 3, &[])]
#[case::outline_after_the_second("outline", 3, 2, &[])]
#[case::records_before_the_second("records", 1, 2, &[])]
#[case::records_after_the_first("records", 2, 1, &[])]
fn the_reference_is_condemned_for_exactly_these(
    #[case] contract: &str,
    #[case] speaks: u32,
    #[case] judged: u32,
    #[case] condemned: &[&str],
) {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.json");
    let (by, at) = (format!("{contract}@{judged}"), format!("{contract}@{speaks}"));
    let (program, corpora) = (env!("CARGO_BIN_EXE_xtask"), root().join("fixtures"));
    let (option, command) = match contract {
        "records" => ("--cli", format!("'{program}' reference qipu --revision {at}")),
        _ => ("--mcp-stdio", format!("'{program}' reference mcp --corpus '{}' --revision {at}", corpora.display())),
    };
    let mut words = vec!["verify", contract, "--revision", &by, option, &command, "--json", report.to_str().unwrap()];
    words.extend((contract != "records").then_some("--corpus-loaded"));
    let said = said(&mut xtask(&words));
    let report: Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
    let rows = report["requirements"].as_array().unwrap().iter();
    let violated = rows.filter(|row| row["outcome"] == "violated").filter_map(|row| row["requirement"].as_str());
    let violated: BTreeSet<&str> = violated.collect();
    assert_eq!(violated, condemned.iter().copied().collect(), "{}", said.out);
    let expected = if condemned.is_empty() { 0 } else { 1 };
    assert_eq!(said.code, Some(expected), "{}", said.out);
}
