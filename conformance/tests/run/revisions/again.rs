//! Logs name revisions: they are judged again by those, and compared as what they are. And a suite that knows of more revisions.

use super::memories::{Manner, serve};
use super::{FIRST, SECOND, SUITE, http, mcp, pinned, run, run_by, speaks, target};
use conformance::diff::{Turn, turns};
use conformance::ledger::RunLog;
use conformance::ledger::compare::{Cell, Change, Comparison};
use conformance::load::Suite;
use conformance::model::{Conclusion, ContractKey, KnownBy, Outcome, Shelf};
use conformance::rejudge::Stored;
use conformance::report::comparison;
use conformance::spill::Spill;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// A log that is written and read, and judged again.
fn again(log: &RunLog, suite: &Suite) -> RunLog {
    let mut written = Vec::new();
    log.write(&mut written).unwrap();
    let shelf: Arc<dyn Shelf> = Spill::new().unwrap();
    shelf.put(&written);
    Stored::read(&*written, &shelf).unwrap().judge(suite)
}

#[tokio::test]
async fn a_log_is_judged_again_by_the_revision_that_it_names() {
    let server = serve(Manner::of(SECOND));
    let log = run(vec![mcp(&server)]).await;
    let judged = again(&log, &SUITE);
    judged.assert_conforms();
    assert_eq!(judged.header.speaks, log.header.speaks);
    let entries = judged.requirements.get(&ContractKey::from("memory@2"), "memory.most-entries").unwrap();
    assert_eq!(entries.text, "No answer has more than 25 entries, whatever was asked.");
}

#[tokio::test]
async fn what_was_undecided_stays_undecided() {
    let server = serve(Manner { says: Some(FIRST), ..Manner::of(SECOND) });
    let log = run(vec![mcp(&server)]).await;
    let judged = again(&log, &SUITE);
    assert_eq!(judged.totals.conclusion, Conclusion::Incomplete);
    assert!(judged.summary().contains("its signs belong to no revision together"), "{}", judged.summary());
}

/// What becomes of each requirement of a log between the two revisions.
fn turned(log: &RunLog) -> Vec<(Turn, String)> {
    let mut written = Vec::new();
    log.write(&mut written).unwrap();
    let shelf: Arc<dyn Shelf> = Spill::new().unwrap();
    shelf.put(&written);
    let stored = Stored::read(&*written, &shelf).unwrap();
    let keys = ["memory@1", "memory@2"].map(ContractKey::from);
    let [before, now] = [0, 1].map(|at| stored.clone().at(&keys[at]).judge(&SUITE));
    let turned = turns(&before, &now, Some(&keys));
    assert!(turned.iter().all(|one| one.contract == keys[1]), "{turned:?}");
    turned.into_iter().map(|one| (one.turn, one.requirement)).collect()
}

#[tokio::test]
async fn evidence_of_servers_of_both_revisions_tells_who_breaks() {
    let ranges = ["memory.tool-top-kc-range", "memory.tool-top-ke-range"].map(str::to_owned);
    let of = |told: &[(Turn, String)], turn: Turn| -> Vec<String> {
        told.iter().filter(|(one, _)| *one == turn).map(|(_, id)| id.clone()).collect()
    };
    let old = turned(&run(vec![mcp(&serve(Manner::of(FIRST)))]).await);
    assert_eq!(of(&old, Turn::Violated), ranges);
    assert_eq!(of(&old, Turn::Kept), [""; 0]);
    // It was never asked for so much.
    assert!(of(&old, Turn::Untold).contains(&"memory.top-ke-range".to_owned()), "{old:?}");
    let new = turned(&run(vec![mcp(&serve(Manner::of(SECOND)))]).await);
    assert_eq!((of(&new, Turn::Kept), of(&new, Turn::Violated)), (ranges.to_vec(), Vec::new()));
}

/// The suite with changes of its files.
fn changed(change: impl Fn(&Path)) -> (Arc<Suite>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["schemas", "fixtures"] {
        testing::copy(&testing::root().join(name), &folder.path().join(name));
    }
    change(folder.path());
    (Arc::new(Suite::load(folder.path()).unwrap()), folder)
}

fn replace(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{} in {}", from, file.display());
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

#[tokio::test]
async fn runs_of_two_revisions_are_compared_row_by_row() {
    let (suite, _folder) = changed(|root| {
        for (file, key) in
            [("schemas/memory/contract.json", "id"), ("fixtures/memory/cases/answer/several.json", "requirement")]
        {
            let one = format!(r#""{key}": "memory.best-of-all","#);
            replace(&root.join(file), &one, &format!(r#"{one} "until": 1,"#));
        }
    });
    let (old, new) = (serve(Manner::of(FIRST)), serve(Manner::of(SECOND)));
    let before = run_by(&suite, &target(vec![pinned(http(&old), 1)]), false).await;
    let after = run_by(&suite, &target(vec![http(&new)]), false).await;
    let comparison = Comparison::of(&[before, after]);
    assert_eq!(comparison.contracts(), ["memory"]);
    let row = |id: &str| comparison.rows.iter().find(|row| row.requirement.id == id).unwrap();
    assert_eq!(row("memory.best-of-all").cells, [Cell::Judged(Outcome::Verified), Cell::NotApplicable]);
    assert_eq!(row("memory.most-entries").cells, [Cell::Judged(Outcome::Verified); 2]);
    let changes = comparison.changes().unwrap();
    let told: Vec<(&str, Change)> = changes.iter().map(|one| (one.row.requirement.id.as_str(), one.change)).collect();
    assert_eq!(told, [("memory.best-of-all", Change::Otherwise)]);
    let text = comparison::text(&comparison, false, false, 200);
    for due in [
        "1: memories over http, memory@1 (ADR-017, pinned): ",
        "2: memories over http, memory@2 (ADR-020, recognised: more than 10 entries came, more than 3 contexts came): ",
        "memory.best-of-all over http: verified → not applicable",
    ] {
        assert!(text.contains(due), "{due}: {text}");
    }
}

#[tokio::test]
async fn a_revision_that_cannot_be_judged_by_leaves_its_servers_alone() {
    let third = json!({
        "revision": 3, "name": "ADR-099", "unsupported": "nobody wrote its cases",
        "signs": [{
            "about": "{tool} says 50 entries",
            "operation": "search",
            "says": [{ "rule": "argument-says", "args": { "argument": "top_ke", "all": [50] } }],
        }],
    });
    let (suite, _folder) = changed(|root| {
        let file = root.join("schemas/memory/revisions.json");
        let mut value: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        value["revisions"].as_array_mut().unwrap().push(third.clone());
        fs::write(&file, value.to_string()).unwrap();
    });
    let server = serve(Manner { says: Some((50, 20)), ..Manner::of(SECOND) });
    let log = run_by(&suite, &target(vec![mcp(&server)]), false).await;
    assert_eq!(log.totals.conclusion, Conclusion::Incomplete);
    let (known, told) = speaks(&log, 0);
    assert_eq!((known.by, told.as_str()), (KnownBy::Undecided, "memory@2 (ADR-020, undecided, but the nearest)"));
    let why = known.why.as_deref().unwrap();
    let due = "it shows memory@3 (ADR-099), by which the suite cannot judge: nobody wrote its cases; seen: search_memories says 50 entries \
               (memory@3), ";
    assert!(why.starts_with(due), "{why}");
}
