//! A run of the suite against a target, with its progress, until it ends or is interrupted.

#[cfg(unix)]
use crate::shared::guard;
use crate::shared::interrupts::interrupt;
use crate::shared::program;
use anyhow::Result;
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::run::{self, Options, Progress};
use conformance::targets::TargetFile;
use conformance::text::{inert, listed};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

/// How often the line of progress is drawn anew.
const TICK: Duration = Duration::from_millis(500);

/// Runs a target once.
pub(crate) fn run_once(
    suite: &Arc<Suite>,
    file: &TargetFile,
    places: &BTreeMap<String, String>,
    options: &Options,
    strict: bool,
) -> Result<RunLog> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let bar = progress_bar("cases");
    let show = |progress: &Progress| {
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        let running = listed(&progress.running[..progress.running.len().min(1)], progress.running.len());
        bar.set_message(format!("{} failing, running {}", progress.failing, inert::line(&running)));
    };
    let log = runtime.block_on(run::reported(suite, file, places, options, strict, interrupt(), show));
    bar.finish_and_clear();
    // What is still being judged is of no use any more.
    runtime.shutdown_background();
    #[cfg(unix)]
    guard::sweep();
    let mut log = log?;
    log.totals.problems.iter_mut().for_each(|problem| *problem = program::named(problem));
    Ok(log)
}

/// Progress on standard error; on a terminal only, so that CI logs stay plain.
pub(crate) fn progress_bar(of: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    let style = format!("{{bar:12}} {{pos}}/{{len}} {of}, {{eta}} left, {{wide_msg}}");
    if let Ok(style) = ProgressStyle::with_template(&style) {
        bar.set_style(style);
    }
    // The estimate moves while a long case runs.
    bar.enable_steady_tick(TICK);
    bar
}
