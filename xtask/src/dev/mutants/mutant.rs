//! What cargo-mutants says of its mutants, read from its `outcomes.json`.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// How `cargo test` ends when a test fails.
const FAILED: i64 = 101;
/// How `conformance/tests/cases/main.rs` ends when the reference does not compile, which cargo-mutants takes for a failed test.
const UNBUILT: i64 = 3;

/// A mutant and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mutant {
    /// Its name in the program that made it, with line and column.
    pub(super) full_name: String,
    /// The same without line and column, so that edits elsewhere in the file do not change it. The second of the same name ends in ` #2`.
    pub(super) name: String,
    pub(super) fate: Fate,
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It does not compile, so it is no mutant.
    Unviable,
    /// A test failed, or the tests hung.
    Caught,
    /// Every test passed.
    Survived,
}

#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: Value,
    summary: String,
    phase_results: Vec<Phase>,
}

#[derive(Deserialize)]
struct Phase {
    phase: String,
    process_status: Value,
}

/// The mutants of an `outcomes.json`, in its order.
pub(super) fn read(text: &str) -> Result<Vec<Mutant>> {
    let Outcomes { outcomes } =
        serde_json::from_str(text).context("cargo-mutants writes its outcomes in another form")?;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut mutants = Vec::new();
    for outcome in &outcomes {
        let Some(full_name) = outcome.scenario["Mutant"]["name"].as_str() else { continue };
        let name = without_place(full_name).with_context(|| format!("the mutant {full_name:?} has no place"))?;
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        let name = if *count == 1 { name } else { format!("{name} #{count}") };
        let fate = fate(outcome).with_context(|| format!("the mutant {full_name:?}"))?;
        mutants.push(Mutant { full_name: full_name.to_owned(), name, fate });
    }
    if mutants.is_empty() {
        bail!("cargo-mutants found nothing to mutate");
    }
    Ok(mutants)
}

/// `src/a.rs:12:5: replace …` without the numbers.
fn without_place(name: &str) -> Option<String> {
    let (place, what) = name.split_once(": ")?;
    let mut parts = place.rsplitn(3, ':');
    let is_number = |part: &str| part.parse::<usize>().is_ok();
    (parts.next().is_some_and(is_number) && parts.next().is_some_and(is_number)).then_some(())?;
    Some(format!("{}: {what}", parts.next()?))
}

fn fate(outcome: &Outcome) -> Result<Fate> {
    let last = outcome.phase_results.last().context("was not run")?;
    let in_test = last.phase == "Test";
    Ok(match (outcome.summary.as_str(), last.process_status["Failure"].as_i64()) {
        ("Unviable", _) => Fate::Unviable,
        ("MissedMutant", _) if in_test => Fate::Survived,
        ("Timeout", _) if in_test => Fate::Caught,
        ("Timeout", _) => Fate::Unviable,
        ("CaughtMutant", Some(UNBUILT)) => Fate::Unviable,
        ("CaughtMutant", Some(FAILED)) => Fate::Caught,
        // Anything else would count a test that never ran as one that failed.
        (summary, code) => bail!("ended in a way that says nothing: {summary}, {code:?}, {}", last.phase),
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::{Fate, read};
    use rstest::rstest;
    use serde_json::{Value, json};

    fn outcomes(outcomes: &[(&str, &str, &str, Value)]) -> String {
        let outcomes = outcomes.iter().map(|(name, summary, phase, status)| {
            json!({ "scenario": { "Mutant": { "name": name } }, "summary": summary,
                "phase_results": [{ "phase": phase, "process_status": status }] })
        });
        json!({ "outcomes": outcomes.collect::<Vec<_>>() }).to_string()
    }

    #[rstest]
    #[case::a_test_fails("CaughtMutant", "Test", json!({ "Failure": 101 }), Fate::Caught)]
    #[case::nothing_ends("Timeout", "Test", json!("Timeout"), Fate::Caught)]
    #[case::all_tests_pass("MissedMutant", "Test", json!("Success"), Fate::Survived)]
    #[case::the_tests_do_not_compile("Unviable", "Build", json!({ "Failure": 101 }), Fate::Unviable)]
    #[case::the_reference_does_not_compile("CaughtMutant", "Test", json!({ "Failure": 3 }), Fate::Unviable)]
    #[case::the_compiler_hangs("Timeout", "Build", json!("Timeout"), Fate::Unviable)]
    fn what_became_of_a_mutant(#[case] summary: &str, #[case] phase: &str, #[case] status: Value, #[case] fate: Fate) {
        let mutants = read(&outcomes(&[("a.rs:1:2: delete ! in f", summary, phase, status)])).unwrap();
        assert_eq!(mutants[0].fate, fate);
    }

    #[rstest]
    #[case::wrong_usage_of_cargo("CaughtMutant", json!({ "Failure": 1 }))]
    #[case::killed("CaughtMutant", json!({ "Signalled": 9 }))]
    #[case::unheard_of("Ignored", json!("Success"))]
    fn a_test_that_never_ran_catches_nothing(#[case] summary: &str, #[case] status: Value) {
        let text = outcomes(&[("a.rs:1:2: delete ! in f", summary, "Test", status)]);
        assert!(format!("{:#}", read(&text).unwrap_err()).contains("says nothing"));
    }

    #[test]
    fn names_are_the_same_after_edits_elsewhere_and_still_tell_mutants_apart() {
        let passed = |name| (name, "MissedMutant", "Test", json!("Success"));
        let text = outcomes(&[
            passed("src/a.rs:10:3: replace + with - in <impl X for Y>::f"),
            passed("src/a.rs:12:44: replace + with - in <impl X for Y>::f"),
        ]);
        let names: Vec<String> = read(&text).unwrap().into_iter().map(|mutant| mutant.name).collect();
        let name = "src/a.rs: replace + with - in <impl X for Y>::f";
        assert_eq!(names, [name.to_owned(), format!("{name} #2")]);
    }

    #[test]
    fn the_unmutated_tree_is_no_mutant_and_nothing_is_no_success() {
        let text = json!({ "outcomes": [{ "scenario": "Baseline", "summary": "Success", "phase_results": [] }] });
        assert!(read(&text.to_string()).is_err());
    }
}
