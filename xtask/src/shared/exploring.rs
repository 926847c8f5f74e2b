//! A search by random calls, with its progress, and what it found as lines of text.

use crate::shared::interrupts::interrupt;
use crate::shared::program;
use crate::shared::running::progress_bar;
use anyhow::Result;
use conformance::explore::{Explored, Find, Plan, Progress, World, explore};
use conformance::model::Run;
use conformance::targets::TargetError;
use conformance::text::{inert, shell};
use serde_json::Value;
use std::time::Duration;

const INTERRUPTED: &str = "the run was interrupted";
/// At most this many pieces of a corpus are shown.
const MOST_SHOWN: usize = 6;

/// Finds out which revisions of their contracts the target speaks. What kept that from being known is in `explored`; false then, and there
/// is nothing to search.
pub(crate) fn recognise(world: &mut World, explored: &mut Explored, time: Duration) -> Result<bool> {
    let mut asked = Ok(Run::default());
    let why = wait(async { asked = world.recognise().await }, time)?;
    match asked {
        Err(TargetError::Transport(error)) => explored.run.unreachable = Some(error),
        asked => explored.run = asked?,
    }
    end(world, explored, why);
    Ok(why.is_none() && explored.run.unreachable.is_none())
}

/// Searches until it is done, interrupted, or out of time. What was found until then is kept.
pub(crate) fn search(world: &World, plan: &Plan, explored: &mut Explored, time: Duration) -> Result<()> {
    let bar = progress_bar("calls");
    let show = |progress: Progress| {
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(format!("{} found", progress.found));
    };
    let why = wait(explore(world, plan, explored, show), time)?;
    bar.finish_and_clear();
    end(world, explored, why);
    Ok(())
}

/// Waits until something is done; what came between, when something did.
fn wait(work: impl Future<Output = ()>, time: Duration) -> Result<Option<&'static str>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    Ok(runtime.block_on(async {
        tokio::select! {
            () = work => None,
            () = interrupt() => Some(INTERRUPTED),
            () = tokio::time::sleep(time) => Some("the time for the whole run was over"),
        }
    }))
}

/// Marks what was not reached.
fn end(world: &World, explored: &mut Explored, why: Option<&str>) {
    explored.run.interrupted = why == Some(INTERRUPTED);
    if let Some(why) = why.map(str::to_owned).or(explored.trouble.clone()) {
        explored.cut_short(world, &why);
    }
}

/// What stopped a search, and each finding with a command that repeats it; `target` is what names the target there.
pub(crate) fn findings(explored: &Explored, target: &str) -> Vec<String> {
    let trouble = explored.trouble.iter().map(|trouble| format!("stopped: {}", inert::line(trouble)));
    trouble.chain(explored.finds.iter().flat_map(|find| finding(find, target))).collect()
}

/// A finding: what is violated, on which call over which corpus, and a command that repeats it.
fn finding(find: &Find, target: &str) -> Vec<String> {
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
    lines.push(format!("  repeat  {}", command(find, target)));
    lines
}

fn command(find: &Find, target: &str) -> String {
    format!("{} verify {}{target} --fixtures {}", program::name(), find.contract.words(), shell::path(&find.folder))
}
