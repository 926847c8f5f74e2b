//! `--watch`: run again when a file changes that the run depends on.

use crate::shared::output::tell;
use crate::shared::running::interrupt;
use crate::shared::{program, workspace};
use anyhow::{Context, Result};
use notify::{Event, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// The exit code of an interrupted run.
const INTERRUPTED: u8 = 130;

/// An editor writes a file in several steps. Events within this time belong to the same change.
const SAME_CHANGE: Duration = Duration::from_millis(100);

/// Runs, waits for a change and runs again, until it is interrupted; returns the exit code. An error in the files is printed, and does
/// not end the loop.
pub(crate) fn run(files: &[&Path], mut once: impl FnMut() -> Result<u8>) -> Result<u8> {
    let root = workspace::root()?;
    // The data of an installed program does not change.
    let folders = if program::is_installed() { vec![] } else { vec![root.join("schemas"), root.join("fixtures")] };
    let files = files.iter().map(std::path::absolute).collect::<Result<Vec<_>, _>>().context("a file has no place")?;
    let (tell, mut changes) = unbounded_channel();
    let watched = files.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // The receiver is gone when the process ends.
        let _ = event.ok().filter(|event| matters(event, &watched)).map(|event| tell.send(event.paths));
    })
    .context("files cannot be watched here")?;
    for folder in &folders {
        watcher.watch(folder, RecursiveMode::Recursive).with_context(|| cannot_watch(folder))?;
    }
    // Editors replace a file with a new one, so the folder is watched.
    let beside: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    for folder in beside {
        watcher.watch(folder, RecursiveMode::NonRecursive).with_context(|| cannot_watch(folder))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    loop {
        match once() {
            Ok(INTERRUPTED) => return Ok(INTERRUPTED),
            Ok(_) => {}
            Err(error) => tell!("error: {error:#}"),
        }
        tell!("watching for changes; Ctrl-C ends");
        match next(&runtime, &mut changes) {
            Some(path) => tell!("{} changed", path.strip_prefix(&root).unwrap_or(&path).display()),
            None => return Ok(INTERRUPTED),
        }
    }
}

fn cannot_watch(folder: &Path) -> String {
    format!("{} cannot be watched", folder.display())
}

/// Whether an event is a change of a file that the run depends on.
fn matters(event: &Event, files: &[PathBuf]) -> bool {
    let is_change = event.kind.is_create() || event.kind.is_modify() || event.kind.is_remove();
    let is_ours = |path: &PathBuf| {
        let is_data = path.extension().is_some_and(|ending| ending == "json" || ending == "ndjson" || ending == "md");
        files.contains(path) || is_data
    };
    is_change && event.paths.iter().any(is_ours)
}

/// The file of the next change; nothing if it is interrupted.
fn next(runtime: &Runtime, changes: &mut UnboundedReceiver<Vec<PathBuf>>) -> Option<PathBuf> {
    runtime.block_on(async {
        let first = tokio::select! {
            first = changes.recv() => first?,
            () = interrupt() => return None,
        };
        while let Ok(Some(_)) = timeout(SAME_CHANGE, changes.recv()).await {}
        first.into_iter().next()
    })
}
