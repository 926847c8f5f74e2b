//! What takes a process of its own, so that its memory can be measured.

use super::calls::Bench;
use super::measured::{Measured, shown};
use super::whole::{self, Whole};
use anyhow::{Context, Result};
use conformance::model::Keep;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::str::FromStr;
use std::time::Instant;

/// What such a process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// At least this many calls, with their checks.
    Calls(usize),
    /// The whole suite against the reference, perhaps with the proof in both directions.
    Whole { proves: bool },
}

const WHOLE: &str = "whole";
const PROOF: &str = "proof";

impl FromStr for Probe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            WHOLE => Ok(Self::Whole { proves: false }),
            PROOF => Ok(Self::Whole { proves: true }),
            calls => calls.parse().map(Self::Calls).map_err(|_| format!("a number, `{WHOLE}` or `{PROOF}`")),
        }
    }
}

/// What a process measured about itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Probed {
    calls: usize,
    cases: usize,
    seconds: f64,
    /// Its peak memory in bytes, if the system reports it.
    most_bytes: Option<u64>,
}

/// Does it in this process.
pub(super) fn here(probe: Probe) -> Result<Probed> {
    match probe {
        Probe::Calls(calls) => several(calls),
        Probe::Whole { proves } => whole(proves),
    }
}

fn several(calls: usize) -> Result<Probed> {
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

fn whole(proves: bool) -> Result<Probed> {
    let Whole { run, seconds, .. } = whole::against_the_reference(proves, Keep::Found)?;
    let calls = run.cases.iter().map(|case| case.exchanges().count()).sum();
    Ok(Probed { calls, cases: run.cases.len(), seconds, most_bytes: most_bytes() })
}

/// A hundred, a thousand and ten thousand calls.
pub(super) fn growth() -> Result<Vec<Measured>> {
    let mut lines = Vec::new();
    for calls in [100, 1_000, 10_000] {
        let Probed { calls, cases, seconds, most_bytes } = apart(&calls.to_string())?;
        let held = most_bytes.map_or_else(String::new, |bytes| format!(", at most {} MB", bytes / 1_000_000));
        let each = shown(seconds / calls.max(1) as f64);
        let value = format!("{calls} calls of {cases} cases with their checks {}, {each} a call{held}", shown(seconds));
        let line = Measured::new("growth", value);
        lines.push(if calls >= 10_000 { line.goal("10,000 in 5 s and 150 MB") } else { line });
    }
    Ok(lines)
}

/// The whole suite, without the proof and with it.
pub(super) fn peak() -> Result<Vec<Measured>> {
    let line = |(probe, what, goal): (&str, &str, u64)| {
        let Probed { cases, most_bytes, .. } = apart(probe)?;
        let most = most_bytes.context("this system does not say how much a process held")? as f64 / 1e6;
        let value = format!("{:.2} times: at most {most:.0} MB for {cases} cases", most / goal as f64);
        Ok(Measured::new(format!("peak: {what}"), value).goal(&format!("{goal} MB")))
    };
    [(WHOLE, "five contracts", 95), (PROOF, "with the proof", 150)].into_iter().map(line).collect()
}

/// Does it in a process of its own.
fn apart(probe: &str) -> Result<Probed> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let output = Command::new(&program).args(["dev", "bench", "--probe", probe]).output()?;
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("a process of its own: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// The peak memory of this process in bytes, from Linux's /proc.
fn most_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
