//! Random corpora of every contract: the reference fulfils what always applies, the cases that serve any data, and over every
//! transport what the document fixes.

use conformance::explore::{Corpora, Explored, Plan, World, explore};
use conformance::load::Suite;
use conformance::model::Verdict;
use conformance::targets::TargetFile;
use libtest_mimic::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

const CALLS: usize = 375;

pub(crate) fn trial(suite: &Arc<Suite>, program: &'static Path) -> Trial {
    let suite = Arc::clone(suite);
    Trial::test("explored", move || {
        assert_conforms(&suite, program);
        Ok(())
    })
}

fn assert_conforms(suite: &Arc<Suite>, program: &Path) {
    let file = TargetFile::read(&testing::root().join("reference/target.toml"), suite).unwrap();
    let world = World {
        suite: Arc::clone(suite),
        target: file.clone(),
        reference: file,
        places: BTreeMap::from([("reference".to_owned(), program.display().to_string())]),
        environment: |_| None,
        strict: true,
    };
    let world = world.of(&[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { seed: 11, calls: CALLS, corpora: Corpora::Plain, folder: folder.path().to_owned() };
    let mut explored = Explored::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(explore(&world, &plan, &mut explored, |_| {}));

    assert_eq!(explored.trouble, None);
    assert!(explored.run.unreachable.is_none());
    let broken: Vec<String> = explored.run.unproven.iter().map(ToString::to_string).collect();
    assert_eq!(broken, [""; 0]);
    let findings: Vec<_> = explored.run.cases.iter().flat_map(|case| &case.findings).collect();
    let wrong = findings.iter().filter(|finding| matches!(finding.verdict, Verdict::Fail | Verdict::Incomplete));
    let wrong: Vec<String> = wrong
        .map(|finding| {
            format!("{} in {} over {}: {:?}", finding.requirement, finding.case, finding.transport, finding.details)
        })
        .collect();
    assert_eq!(wrong, [""; 0]);
    assert_eq!(explored.calls, CALLS);

    // Every comparison that the contracts name was made.
    let passed = findings.iter().filter(|finding| finding.verdict == Verdict::Pass);
    let passed: BTreeSet<&str> = passed.map(|finding| finding.requirement.as_str()).collect();
    let fixed = suite.contracts.iter().flat_map(|contract| &contract.fixed).map(conformance::load::Fixed::requirement);
    let idle: Vec<&str> = fixed.filter(|requirement| !passed.contains(requirement)).collect();
    assert_eq!(idle, [""; 0], "no call of this seed exercises these");
}
