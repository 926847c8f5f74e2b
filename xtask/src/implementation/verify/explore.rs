//! `cargo xtask verify --explore`: random calls over random corpora, compared with the reference. Findings are minimised.

use super::arguments::Arguments;
use crate::shared::running::{interrupt, progress_bar};
use crate::shared::{program, workspace};
use anyhow::{Result, bail};
use chrono::{Local, SubsecRound};
use conformance::explore::{Explored, Find, Plan, Progress, World, explore};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Header, Selection};
use conformance::targets::{TargetError, TargetFile};
use conformance::text::inert;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Explores and reports; returns the exit code.
pub(crate) fn run(
    arguments: &Arguments,
    calls: usize,
    suite: &Arc<Suite>,
    target: TargetFile,
    places: BTreeMap<String, String>,
) -> Result<u8> {
    let started = Instant::now();
    let began = Local::now().trunc_subsecs(3).fixed_offset();
    let folder = match &arguments.exploration.save {
        Some(folder) => std::path::absolute(folder)?,
        None => workspace::target()?.join("explored").join(file_name(&target.name)),
    };
    let plan = Plan { seed: arguments.seed(), calls, folder };
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
    let world = world.of(&arguments.contracts)?;
    if world.contracts().is_empty() {
        bail!("{} speaks none of {}", world.target.name, arguments.contracts.join(", "));
    }
    let mut explored = Explored::default();
    let target = match world.ready() {
        Ok(target) => {
            search(&world, &plan, &mut explored, Duration::from_secs(arguments.running.total_timeout))?;
            Some(target)
        }
        Err(TargetError::Transport(error)) => {
            explored.run.unreachable = Some(error);
            None
        }
        Err(error) => bail!(error),
    };
    let contracts = world.contracts().iter().map(ToString::to_string).collect();
    let selection = Selection { contracts, part: true, ..Selection::default() };
    let mut header = Header::of(&world.target.name, began, arguments.target.strict, plan.seed, selection);
    if let Some(target) = target {
        header.describe(&target, suite);
    }
    let summary = summary(arguments, &plan, &explored);
    let log = RunLog::of(suite, header, explored.run, started.elapsed());
    let code = arguments.output.write(log, suite)?;
    arguments.output.aside(&summary)?;
    Ok(code)
}

/// Searches until it is done, interrupted, or out of time. What was found until then is kept.
fn search(world: &World, plan: &Plan, explored: &mut Explored, time: Duration) -> Result<()> {
    let bar = progress_bar("calls");
    let show = |progress: Progress| {
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(format!("{} found", progress.found));
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let why = runtime.block_on(async {
        tokio::select! {
            () = explore(world, plan, explored, show) => None,
            () = interrupt() => Some("the run was interrupted"),
            () = tokio::time::sleep(time) => Some("the time for the whole run was over"),
        }
    });
    bar.finish_and_clear();
    explored.run.interrupted = why.is_some_and(|why| why.contains("interrupted"));
    if let Some(why) = why.map(str::to_owned).or(explored.trouble.clone()) {
        explored.cut_short(world, &why);
    }
    Ok(())
}

/// What was explored, and where each finding is.
fn summary(arguments: &Arguments, plan: &Plan, explored: &Explored) -> String {
    let mut lines = vec![format!(
        "explored {} calls over {} corpora with --seed {}, which makes the same again",
        explored.calls, explored.corpora, plan.seed
    )];
    lines.extend(explored.trouble.iter().map(|trouble| format!("stopped: {}", inert::line(trouble))));
    for find in &explored.finds {
        lines.extend(finding(arguments, find));
    }
    lines.join("\n")
}

/// A finding: what is violated, on which call over which corpus, and a command that repeats it.
fn finding(arguments: &Arguments, find: &Find) -> Vec<String> {
    let mut lines = vec![String::new(), format!("found {}", find.requirements.join(", "))];
    if let Some(step) = &find.step {
        let pages = if step.walk.is_some() { ", page after page" } else { "" };
        lines.push(format!(
            "  call    {} {}{pages}",
            step.call,
            inert::line(&Value::Object(step.with.clone()).to_string())
        ));
    }
    for (at, piece) in find.corpus.pieces.iter().enumerate().take(MOST_SHOWN) {
        let label = if at == 0 { "corpus" } else { "" };
        lines.push(format!("  {label:7} {} {}", piece.file, inert::line(&piece.value.to_string())));
    }
    if let Some(more) = find.corpus.pieces.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
        lines.push(format!("          and {more} more"));
    }
    lines.push(format!("  repeat  {}", command(arguments, find)));
    lines
}

/// At most this many pieces of a corpus are shown.
const MOST_SHOWN: usize = 6;

fn command(arguments: &Arguments, find: &Find) -> String {
    let quoted = |path: &Path| {
        let text = path.display().to_string();
        shlex::try_quote(&text).map_or_else(|_| inert::line(&text), |quoted| quoted.into_owned())
    };
    let target = match (&arguments.target.file, arguments.target.address.words()) {
        (Some(file), _) => format!(" --target {}", quoted(file)),
        (None, words) => words,
    };
    format!("{} verify {}{target} --fixtures {}", program::name(), find.contract, quoted(&find.folder))
}

/// A name that a folder can have.
fn file_name(name: &str) -> String {
    let plain =
        |character: char| if character.is_ascii_alphanumeric() || ".-".contains(character) { character } else { '-' };
    let name: String = name.chars().map(plain).take(60).collect();
    // A name of dots would lead out of our folder.
    name.trim_start_matches('.').to_owned()
}
