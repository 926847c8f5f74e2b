//! Legal answers in a run of the reference: what a check that condemns one says of it, and what no rewrite can show.

use conformance::load::Suite;
use conformance::model::{Keep, Run, Selection};
use conformance::run::{Options, start_and_run};
use conformance::targets::TargetFile;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use testing::root;

const CASE: &str = "cases/params/start-time.json";

/// Our suite, with one more legal answer of recall.
struct Fixtures(TempDir);

impl Fixtures {
    fn with(legal: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        symlink(root().join("schemas"), folder.path().join("schemas")).unwrap();
        let all = folder.path().join("fixtures");
        fs::create_dir(&all).unwrap();
        for contract in testing::contracts().iter().filter(|name| *name != "recall") {
            symlink(testing::fixtures(contract), all.join(contract)).unwrap();
        }
        testing::copy(&testing::fixtures("recall"), &all.join("recall"));
        let fixtures = Self(folder);
        fixtures.edit("legal.json", |file| file["legal"].as_array_mut().unwrap().push(legal));
        fixtures
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("fixtures")
    }

    fn edit(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let path = self.path().join("recall").join(file);
        let mut value: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        change(&mut value);
        fs::write(path, value.to_string()).unwrap();
    }

    /// Runs and proves the cases of recall whose name contains this.
    fn prove(&self, case: &str) -> Run {
        let suite = Arc::new(Suite::load(self.0.path()).unwrap());
        let mut file = TargetFile::read(&root().join("reference/target.toml"), &suite).unwrap();
        file.endpoints.retain(|endpoint| endpoint.contract.name() == "recall");
        let place = |path: &Path| path.display().to_string();
        let places = [("reference", place(testing::reference().unwrap())), ("corpus", place(&self.path()))];
        let places: BTreeMap<String, String> = places.into_iter().map(|(name, path)| (name.to_owned(), path)).collect();
        let target = file.ready(&places, &|_| None).unwrap();
        let selection =
            Selection { contracts: vec!["recall".to_owned()], cases: vec![case.to_owned()], ..Selection::default() };
        let options =
            Options { selection, seed: 0, runs: 1, time: Duration::from_secs(120), prove: true, keep: Keep::Found };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(start_and_run(&suite, target, &options, std::future::pending(), |_| ()))
    }
}

fn legal(id: &str, of: &[&str], rewrite: Value) -> Value {
    json!({ "id": id, "about": "A program answers so.", "source": "The document is silent.", "of": of, "rewrite": rewrite })
}

fn problems(run: &Run) -> Vec<String> {
    run.unproven.iter().map(ToString::to_string).collect()
}

/// A refusal as an acceptance, which no document allows.
fn accepting() -> Value {
    legal(
        "accepts-all",
        &["search"],
        json!([{ "do": "answer", "at": "$.error", "status": 200, "body": { "data": [] } }]),
    )
}

#[test]
fn what_is_condemned_is_told_with_all_that_repeats_it() {
    let run = Fixtures::with(accepting()).prove("params/start-time");
    let problems = problems(&run);
    let mut about = problems.iter().filter(|problem| problem.starts_with("recall.start-time-required in "));
    let problem = about.next().unwrap_or_else(|| panic!("{problems:#?}"));
    for part in [
        "in recall params/start-time over http: legal answer `accepts-all` is condemned: expected pass with 2 values looked at",
        "received fail with 2: ",
        "expected \"refused\", received \"accepted\"",
        "\nrepeat: cargo xtask verify recall --case params/start-time --only recall.start-time-required",
    ] {
        assert!(problem.contains(part), "{part}: {problem}");
    }
}

/// A check that is loosened so far that it notices nothing any more accepts every answer, and is found out all the same.
#[test]
fn a_check_that_a_legal_answer_loosened_still_notices_its_counterexamples() {
    let fixtures = Fixtures::with(accepting());
    fixtures.edit(CASE, |case| {
        for check in case["checks"].as_array_mut().unwrap() {
            check.as_object_mut().unwrap().remove("equals");
            check["schema"] = json!({});
        }
    });
    let run = fixtures.prove("params/start-time");
    let problems = problems(&run);
    assert!(!problems.iter().any(|problem| problem.contains("accepts-all")), "{problems:#?}");
    let is_missed = |id: &str| {
        problems.iter().any(|problem| {
            problem.starts_with(id) && problem.contains("counterexample") && problem.contains("is not noticed")
        })
    };
    assert!(is_missed("recall.start-time-required") && is_missed("recall.refusal-400"), "{problems:#?}");
}

#[test]
fn an_answer_that_leads_to_other_calls_takes_a_variant() {
    let lost = legal(
        "lost",
        &["search"],
        json!([{ "do": "replace", "at": "$.data[*].frame_url", "value": "/api/v1/frames/elsewhere" }]),
    );
    let problems = problems(&Fixtures::with(lost).prove("items/frames"));
    let due = "legal answer `lost` leads to a call that was never recorded, so it takes a variant: frame";
    assert!(problems.iter().any(|problem| problem.contains(due)), "{problems:#?}");
}
