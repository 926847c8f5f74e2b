//! How long until the first output, and how long a build from nothing takes.

use super::measured::{Measured, middle, shown};
use crate::shared::workspace;
use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Starts this program with commands that do little.
pub(super) fn measure(times: usize) -> Result<Vec<Measured>> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let mut lines = Vec::new();
    for (what, words, goal) in [
        ("start: --version", &["--version"][..], Some("15 ms")),
        ("start: list, which reads the whole suite", &["list", "--format", "json"][..], None),
    ] {
        let mut seconds = Vec::new();
        // The first one reads files that are not cached yet.
        for _ in 0..=times {
            let started = Instant::now();
            let status = Command::new(&program).args(words).stdout(Stdio::null()).status()?;
            seconds.push(started.elapsed().as_secs_f64());
            if !status.success() {
                bail!("{} {} ended with {status}", program.display(), words.join(" "));
            }
        }
        let line = Measured::new(what, shown(middle(seconds.split_off(1))));
        lines.push(match goal {
            Some(goal) => line.goal(goal),
            None => line,
        });
    }
    Ok(lines)
}

/// The main job with nothing built, as after a fresh clone. The registry may be cached or not.
pub(super) fn build() -> Result<Vec<Measured>> {
    let folder = tempfile::tempdir().context("no folder can be made to build in")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let started = Instant::now();
    let mut verify = Command::new(cargo);
    verify.args(["xtask", "verify", "--quiet"]).current_dir(workspace::root()?);
    // A fresh clone has none of the variables that this process was built with.
    let ours = std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("CARGO_"));
    ours.filter(|name| name != "CARGO_HOME").for_each(|name| {
        verify.env_remove(name);
    });
    let status = verify.env("CARGO_TARGET_DIR", folder.path()).status().context("cargo cannot be started")?;
    if !status.success() {
        bail!("the main job ended with {status}");
    }
    let value = shown(started.elapsed().as_secs_f64());
    Ok(vec![Measured::new("build: nothing built, to the verdict", value).goal("150 s on 2 processors")])
}
