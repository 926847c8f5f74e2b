//! `cargo xtask verify --explore`: random calls over random corpora, compared with the reference. Findings are minimised.

use super::arguments::Arguments;
use crate::shared::revisions::Asked;
use crate::shared::{exploring, files, workspace};
use anyhow::{Result, bail};
use conformance::explore::{Corpora, Explored, Plan, World};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{ContractKey, Header, Selection};
use conformance::redact::without_secrets;
use conformance::run;
use conformance::targets::{TargetError, TargetFile};
use conformance::text::shell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Explores and reports; returns the exit code.
pub(crate) fn run(
    arguments: &Arguments,
    (asked, calls): (&Asked, usize),
    suite: &Arc<Suite>,
    target: TargetFile,
    places: BTreeMap<String, String>,
) -> Result<u8> {
    let started = Instant::now();
    let began = run::began();
    let folder = match &arguments.exploration.save {
        Some(folder) => std::path::absolute(folder)?,
        None => workspace::target()?.join("explored").join(file_name(&target.name)),
    };
    files::check_folder(&folder)?;
    let plan = Plan { seed: arguments.seed(), calls, corpora: Corpora::Plain, folder };
    let mut all = workspace::reference_program()?;
    all.extend(places);
    let world = World {
        suite: Arc::clone(suite),
        target,
        reference: workspace::reference_file(suite)?,
        places: all,
        environment: |name| std::env::var(name).ok(),
        strict: arguments.target.strict,
    };
    let mut world = world.of(&asked.contracts)?;
    let contracts: Vec<String> = world.contracts().iter().map(|key| key.name().to_owned()).collect();
    if contracts.is_empty() {
        bail!("{} speaks none of {}", world.target.name, asked.contracts.join(", "));
    }
    let mut explored = Explored::default();
    let target = match world.ready() {
        Ok(target) => {
            let time = || Duration::from_secs(arguments.running.total_timeout).saturating_sub(started.elapsed());
            if exploring::recognise(&mut world, &mut explored, time())? {
                let spoken = later(&world)?;
                workspace::speak(&mut world.reference, &spoken);
                exploring::search(&world, &plan, &mut explored, time())?;
            }
            Some(target)
        }
        Err(TargetError::Transport(error)) => {
            explored.run.unreachable = Some(error);
            None
        }
        Err(error) => bail!(error),
    };
    let selection =
        Selection { contracts, part: true, no_clients: arguments.target.no_clients, ..Selection::default() };
    let mut header = Header::of(&world.target.name, began, arguments.target.strict, plan.seed, selection);
    if let Some(target) = target {
        header.describe(&target, suite);
    }
    let summary = summary(arguments, &plan, &explored);
    let log = RunLog::of(suite, header, explored.run, started.elapsed());
    let code = arguments.output.write(log, suite)?;
    // The words that repeat a finding are those of this command line.
    arguments.output.aside(&without_secrets(&summary))?;
    Ok(code)
}

/// The later revisions that a target speaks, which the reference has to speak too: one of each contract.
fn later(world: &World) -> Result<Vec<ContractKey>> {
    let mut keys = world.contracts();
    for (at, key) in keys.iter().enumerate() {
        if let Some(other) = keys[..at].iter().find(|other| other.name() == key.name()) {
            let (name, other, key) = (&world.target.name, other.full(), key.full());
            bail!("{name} speaks {other} and {key}: explore one at a time, each by a target file of its own");
        }
    }
    keys.retain(|key| key.revision() > ContractKey::FIRST);
    Ok(keys)
}

/// What was explored, and where each finding is.
fn summary(arguments: &Arguments, plan: &Plan, explored: &Explored) -> String {
    let mut lines = vec![format!(
        "explored {} calls over {} corpora with --seed {}, which makes the same again",
        explored.calls, explored.corpora, plan.seed
    )];
    lines.extend(exploring::findings(explored, &target_words(arguments)));
    lines.join("\n")
}

/// The words that name the target on a command line.
fn target_words(arguments: &Arguments) -> String {
    match (&arguments.target.file, arguments.target.address.words()) {
        (Some(file), _) => format!(" --target {}", shell::path(file)),
        (None, words) => words,
    }
}

/// A name that a folder can have.
fn file_name(name: &str) -> String {
    let plain =
        |character: char| if character.is_ascii_alphanumeric() || ".-".contains(character) { character } else { '-' };
    let name: String = name.chars().map(plain).take(60).collect();
    // A name of dots would lead out of our folder.
    name.trim_start_matches('.').to_owned()
}
