//! Random corpora of every contract: the reference fulfils what always applies, the cases that serve any data, and over every
//! transport what the document fixes.

use conformance::explore::{Corpora, Explored, Plan, World, explore};
use conformance::load::Suite;
use conformance::model::{ContractKey, Verdict};
use conformance::targets::TargetFile;
use libtest_mimic::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

const CALLS: usize = 375;
/// As many for each contract, over one transport.
const LATER_CALLS: usize = 400;

pub(crate) fn trials(suite: &Arc<Suite>, program: &'static Path) -> [Trial; 2] {
    let (first, later) = (Arc::clone(suite), Arc::clone(suite));
    let file = |suite: &Suite| TargetFile::read(&testing::root().join("reference/target.toml"), suite).unwrap();
    [
        Trial::test("explored", move || {
            assert_conforms(&first, file(&first), program, CALLS);
            Ok(())
        }),
        Trial::test("explored_at_the_last_revisions", move || {
            assert_conforms(&later, at_the_last(file(&later), &later), program, LATER_CALLS);
            Ok(())
        }),
    ]
}

/// The reference, speaking the last revision of each contract that has several, over one transport.
fn at_the_last(mut file: TargetFile, suite: &Suite) -> TargetFile {
    let last: BTreeMap<String, ContractKey> = suite.keys().map(|key| (key.name().to_owned(), key)).collect();
    let mut seen = BTreeSet::new();
    file.endpoints.retain_mut(|endpoint| {
        endpoint.contract = last[endpoint.contract.name()].clone();
        endpoint.contract.revision() > ContractKey::FIRST && seen.insert(endpoint.contract.name().to_owned())
    });
    let later = last.values().filter(|key| key.revision() > ContractKey::FIRST);
    file.add_words(&later.flat_map(|key| ["--revision".to_owned(), key.full()]).collect::<Vec<_>>());
    file
}

fn assert_conforms(suite: &Arc<Suite>, file: TargetFile, program: &Path, calls: usize) {
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
    let plan = Plan { seed: 11, calls, corpora: Corpora::Plain, folder: folder.path().to_owned() };
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
    assert_eq!(explored.calls, calls);

    // Every comparison that the contracts name was made.
    let passed = findings.iter().filter(|finding| finding.verdict == Verdict::Pass);
    let passed: BTreeSet<&str> = passed.map(|finding| finding.requirement.as_str()).collect();
    let explored = world.contracts().into_iter().filter_map(|key| suite.keyed(&key));
    let fixed = explored.flat_map(|contract| &contract.fixed).map(conformance::load::Fixed::requirement);
    let idle: Vec<&str> = fixed.filter(|requirement| !passed.contains(requirement)).collect();
    assert_eq!(idle, [""; 0], "no call of this seed exercises these");
}
