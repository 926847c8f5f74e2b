//! A search by random calls, with its progress, and what it found as lines of text.

use crate::shared::interrupts::interrupt;
use crate::shared::program;
use crate::shared::running::progress_bar;
use anyhow::Result;
use conformance::explore::{Explored, Find, Plan, Progress, World, explore};
use conformance::text::{inert, shell};
use serde_json::Value;
use std::time::Duration;

/// At most this many pieces of a corpus are shown.
const MOST_SHOWN: usize = 6;

/// Searches until it is done, interrupted, or out of time. What was found until then is kept.
pub(crate) fn search(world: &World, plan: &Plan, explored: &mut Explored, time: Duration) -> Result<()> {
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
    let (program, contract) = (program::name(), find.contract.words());
    format!("{program} verify {contract}{target} --fixtures {}", shell::path(&find.folder))
}
