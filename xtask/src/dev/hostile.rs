//! `cargo xtask dev hostile-corpora`: the reference over random corpora that are legal and hard to serve. No finding is allowed.

use crate::shared::output::Output;
use crate::shared::print::say;
use crate::shared::{exploring, workspace};
use anyhow::Result;
use conformance::explore::{Corpora, Explored, Plan, World};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{ContractKey, Header, Run, Selection, Verdict};
use conformance::run;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask dev hostile-corpora --seed 1              ten corpora of each contract, as the gate has them
  cargo xtask dev hostile-corpora recall --seed 7
  cargo xtask dev hostile-corpora --count 200           other ones each time; minutes

Every case for any data and random calls are judged, with advice, over every transport of the reference. A finding is made small and
saved below target/hostile/. It is a fault of a check, of a pick, of a case, or of the reference.";

/// Long enough for thousands of corpora.
const TIME: Duration = Duration::from_secs(3600);

/// Which corpora.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contracts; all when none is named
    contracts: Vec<String>,
    /// How many corpora of each contract
    #[arg(long, value_name = "NUMBER", default_value = "10")]
    count: NonZeroUsize,
    /// What the corpora are made from; random when left out
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

/// Makes the corpora and judges: the contracts at their first revisions, then each at its later ones. Returns the worst exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = Arc::new(workspace::suite()?);
    workspace::known_contracts(&arguments.contracts, &suite)?;
    let mut code = at(arguments, &suite, &arguments.contracts, &[])?;
    for key in workspace::later(&suite, &arguments.contracts) {
        code = code.max(at(arguments, &suite, &[key.name().to_owned()], std::slice::from_ref(&key))?);
    }
    Ok(code)
}

fn at(arguments: &Arguments, suite: &Arc<Suite>, contracts: &[String], revisions: &[ContractKey]) -> Result<u8> {
    let (started, began) = (Instant::now(), run::began());
    let reference = workspace::reference_at(suite, revisions)?;
    let world = World {
        suite: Arc::clone(suite),
        target: reference.clone(),
        reference,
        places: workspace::reference_program()?,
        environment: |name| std::env::var(name).ok(),
        strict: true,
    };
    let world = world.of(contracts)?;
    let contracts = world.contracts();
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(1..1_000_000));
    let plan = Plan {
        seed,
        calls: contracts.len() * Corpora::Hostile.calls() * arguments.count.get(),
        corpora: Corpora::Hostile,
        folder: workspace::target()?.join("hostile"),
    };
    let mut explored = Explored::default();
    exploring::search(&world, &plan, &mut explored, TIME)?;
    say!(
        "{} hostile corpora of {} with --seed {seed}, which makes the same again",
        explored.corpora,
        revisions.first().map_or_else(|| "the contracts".to_owned(), ContractKey::full)
    );
    for line in exploring::findings(&explored, "") {
        say!("{line}");
    }
    let idle = idle(&explored.run);
    if !idle.is_empty() {
        say!("no corpus has what exercises {}", idle.into_iter().collect::<Vec<_>>().join(", "));
    }
    // Hostile data need not have what a check asks for: what nothing was to be seen of is no finding.
    for case in &mut explored.run.cases {
        case.findings.retain(|finding| finding.verdict != Verdict::Skip);
    }
    let contracts = contracts.iter().map(|key| key.name().to_owned()).collect();
    let selection = Selection { contracts, part: true, ..Selection::default() };
    let mut header = Header::of(&world.target.name, began, true, seed, selection);
    header.describe(&*world.ready()?, suite);
    Output::brief().write(RunLog::of(suite, header, explored.run, started.elapsed()), suite)
}

/// The requirements that were skipped in every case that judges them.
fn idle(run: &Run) -> BTreeSet<&str> {
    let (mut skipped, mut judged) = (BTreeSet::new(), BTreeSet::new());
    for finding in run.cases.iter().flat_map(|case| &case.findings) {
        let ids = if finding.verdict == Verdict::Skip { &mut skipped } else { &mut judged };
        ids.insert(finding.requirement.as_str());
    }
    &skipped - &judged
}
