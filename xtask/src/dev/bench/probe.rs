//! Growth: a separate process for each number of calls, so that its memory can be measured.

use super::calls::Bench;
use super::measured::{Measured, shown};
use anyhow::{Context, Result};
use conformance::model::Keep;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::time::Instant;

/// What a process measured about itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Probed {
    calls: usize,
    cases: usize,
    seconds: f64,
    /// Its peak memory in bytes, if the system reports it.
    most_bytes: Option<u64>,
}

/// Makes at least this many calls, with their checks, in this process.
pub(super) fn here(calls: usize) -> Result<Probed> {
    let bench = Bench::start()?;
    let once = bench.run(&bench.suite, Keep::All)?;
    let in_one: usize = once.cases.iter().map(|case| case.exchanges().count()).sum();
    let rounds = calls.div_ceil(in_one.max(1)).max(1);
    let suite = bench.repeated(rounds)?;
    let started = Instant::now();
    let run = bench.run(&suite, Keep::Found)?;
    let seconds = started.elapsed().as_secs_f64();
    bench.stop();
    Ok(Probed { calls: in_one * rounds, cases: run.cases.len(), seconds, most_bytes: most_bytes() })
}

/// A hundred, a thousand and ten thousand calls.
pub(super) fn growth() -> Result<Vec<Measured>> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let mut lines = Vec::new();
    for calls in [100, 1_000, 10_000] {
        let output = Command::new(&program).args(["dev", "bench", "--probe", &calls.to_string()]).output()?;
        let probed: Probed = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("a process of its own: {}", String::from_utf8_lossy(&output.stderr).trim()))?;
        let Probed { calls, cases, seconds, most_bytes } = probed;
        let held = most_bytes.map_or_else(String::new, |bytes| format!(", at most {} MB", bytes / 1_000_000));
        let each = shown(seconds / calls.max(1) as f64);
        let value = format!("{calls} calls of {cases} cases with their checks {}, {each} a call{held}", shown(seconds));
        let line = Measured::new("growth", value);
        lines.push(if calls >= 10_000 { line.goal("10,000 in 5 s and 150 MB") } else { line });
    }
    Ok(lines)
}

/// The peak memory of this process in bytes, from Linux's /proc.
fn most_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
