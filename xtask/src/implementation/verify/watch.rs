//! `--watch`: run again when a file changes that the run depends on.

use super::arguments::Arguments;
use super::watched::{Counts, Watched};
use crate::shared::interrupts::{INTERRUPTED, interrupt};
use crate::shared::print::tell;
use crate::shared::workspace;
use anyhow::{Context, Result};
use conformance::redact::without_secrets;
use conformance::targets::TargetFile;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// An editor writes a file in several steps. Events within this time belong to the same change.
const SAME_CHANGE: Duration = Duration::from_millis(100);

/// Runs, waits for a change and runs again, until it is interrupted; returns the exit code. A run hands over its target, if it
/// can be read. An error in the files is printed, and does not end the loop.
pub(crate) fn run(
    arguments: &Arguments,
    mut once: impl FnMut(&mut dyn FnMut(&TargetFile)) -> Result<u8>,
) -> Result<u8> {
    let root = workspace::root()?;
    let mut watched = Watched::of(arguments)?;
    let (sender, receiver) = unbounded_channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        let is_change = |event: &Event| event.kind.is_create() || event.kind.is_modify() || event.kind.is_remove();
        // The receiver is gone when the process ends.
        let _ = event.ok().filter(is_change).map(|event| sender.send(event.paths));
    });
    let mut folders = Folders { watcher: watcher.context("files cannot be watched here")?, known: BTreeSet::new() };
    folders.watch(watched.folders());
    let mut changes = Changes(receiver);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    loop {
        let mut target = |target: &TargetFile| watched.target(target, arguments.target.file.as_deref());
        match once(&mut target) {
            Ok(INTERRUPTED) => return Ok(INTERRUPTED),
            Ok(_) => {}
            Err(error) => tell!("error: {}", without_secrets(&format!("{error:#}"))),
        }
        folders.watch(watched.folders());
        let during_the_run = changes.so_far(&runtime);
        let changed = during_the_run.into_iter().find(|path| watched.counts(path) == Some(Counts::Always));
        tell!("watching for changes; Ctrl-C ends");
        match changed.or_else(|| changes.next(&runtime, &watched)) {
            Some(path) => tell!("{} changed", path.strip_prefix(&root).unwrap_or(&path).display()),
            None => return Ok(INTERRUPTED),
        }
    }
}

/// The folders that are watched. Editors replace a file with a new one, so a file is watched through its folder.
struct Folders {
    watcher: RecommendedWatcher,
    known: BTreeSet<PathBuf>,
}

impl Folders {
    /// Watches these folders, and no others.
    fn watch(&mut self, folders: BTreeSet<PathBuf>) {
        for gone in self.known.difference(&folders) {
            // It may have been deleted, which ends the watch too.
            let _ = self.watcher.unwatch(gone);
        }
        for folder in folders.difference(&self.known) {
            if let Err(error) = self.watcher.watch(folder, RecursiveMode::NonRecursive) {
                tell!("{} cannot be watched: {error}", folder.display());
            }
        }
        self.known = folders;
    }
}

/// The files that change.
struct Changes(UnboundedReceiver<Vec<PathBuf>>);

impl Changes {
    /// Those that changed until now.
    fn so_far(&mut self, runtime: &Runtime) -> Vec<PathBuf> {
        runtime.block_on(self.until_quiet())
    }

    async fn until_quiet(&mut self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        while let Ok(Some(paths)) = timeout(SAME_CHANGE, self.0.recv()).await {
            all.extend(paths);
        }
        all
    }

    /// The next one that counts, when all that belongs to its change has happened; nothing if it is interrupted.
    fn next(&mut self, runtime: &Runtime, watched: &Watched) -> Option<PathBuf> {
        runtime.block_on(async {
            let counts = async {
                loop {
                    let paths = self.0.recv().await?;
                    if let Some(path) = paths.into_iter().find(|path| watched.counts(path).is_some()) {
                        return Some(path);
                    }
                }
            };
            let first = tokio::select! {
                first = counts => first?,
                () = interrupt() => return None,
            };
            self.until_quiet().await;
            Some(first)
        })
    }
}
