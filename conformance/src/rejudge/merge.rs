//! The logs of shards, put together into the log of the whole run.

use super::case::StoredCase;
use super::stored::Stored;
use crate::load::Sentinel;
use crate::model::{Conclusion, Header, Shard, Totals};
use crate::report::log::write;
use chrono::TimeDelta;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The log of a run that several machines shared.
#[derive(Debug)]
pub struct Merged {
    log: Stored,
    /// How many shards it is made of.
    pub shards: usize,
    /// Logs that a later one of the same shard takes the place of.
    pub replaced: Vec<String>,
}

/// Why logs cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is nothing to put together.
    #[error("no log is given")]
    Nothing,
    /// A log is no part of anything.
    #[error("{0} is the log of a run that was not divided: judge it by itself")]
    Whole(String),
    /// The target was not there.
    #[error("{name} has nothing of shard {shard}, since the target was not there: {why}")]
    NotReachable {
        /// The log.
        name: String,
        /// Its shard.
        shard: Shard,
        /// What the log says.
        why: String,
    },
    /// Two logs are of different runs.
    #[error("{first} and {second} do not belong together: {what} of the one is {left}, of the other {right}")]
    Strangers {
        /// A log.
        first: String,
        /// Another.
        second: String,
        /// What differs.
        what: &'static str,
        /// As the first has it.
        left: String,
        /// As the second has it.
        right: String,
    },
    /// Some shards are missing.
    #[error("no log is given of {}", list(.0))]
    Missing(Vec<Shard>),
}

fn list(shards: &[Shard]) -> String {
    let names: Vec<String> = shards.iter().map(ToString::to_string).collect();
    format!("{} {}", if names.len() == 1 { "shard" } else { "the shards" }, names.join(", "))
}

/// Puts the logs of all shards of a run together, each with the name of its file. Of two logs of one shard the later counts.
///
/// # Errors
/// When they are not of one target, one suite and one choice of cases, or a shard is missing.
pub fn merge(logs: Vec<(String, Stored)>) -> Result<Merged, MergeError> {
    let mut shards: BTreeMap<Shard, (String, Stored)> = BTreeMap::new();
    let mut replaced = Vec::new();
    for (name, log) in logs {
        let Some(shard) = log.header.selection.shard else { return Err(MergeError::Whole(name)) };
        if log.totals.conclusion == Conclusion::NotReachable {
            let why = log.totals.problems.first().cloned().unwrap_or_default();
            return Err(MergeError::NotReachable { name, shard, why });
        }
        if let Some((other, first)) = shards.values().next() {
            same(other, &first.header, &name, &log.header)?;
        }
        match shards.remove(&shard) {
            Some((other, kept)) if kept.header.started > log.header.started => {
                replaced.push(name);
                shards.insert(shard, (other, kept));
            }
            earlier => {
                replaced.extend(earlier.map(|(other, _)| other));
                shards.insert(shard, (name, log));
            }
        }
    }
    let of = shards.keys().next().ok_or(MergeError::Nothing)?.of();
    let all = (1..=of).filter_map(|number| format!("{number}/{of}").parse::<Shard>().ok());
    let missing: Vec<Shard> = all.filter(|shard| !shards.contains_key(shard)).collect();
    if !missing.is_empty() {
        return Err(MergeError::Missing(missing));
    }
    let count = shards.len();
    let log = together(shards.into_values().map(|(_, log)| log).collect()).ok_or(MergeError::Nothing)?;
    Ok(Merged { log, shards: count, replaced })
}

/// Whether two logs are of one run: of one target, asked by one suite, in one way.
fn same(first: &str, left: &Header, second: &str, right: &Header) -> Result<(), MergeError> {
    let facts = |header: &Header| {
        let mut selection = header.selection.clone();
        selection.shard = None;
        [
            ("the target", json!(header.target)),
            ("the version of the suite", json!(header.suite)),
            ("the fingerprint of the suite's calls", json!(header.calls)),
            ("the number of shards", json!(header.selection.shard.map(Shard::of))),
            ("the choice of cases", json!(selection)),
            ("the number of runs", json!(header.runs.max(1))),
            ("the strictness", json!(header.strict)),
            ("the share that has to be exercised", json!(header.require_exercised)),
            ("the list of endpoints", json!(header.endpoints)),
            ("the list of documents", json!(header.documents)),
            ("the list of known failures", json!(header.known_failures)),
            ("the list of what is unsupported", json!(header.unsupported)),
        ]
    };
    let pairs = facts(left).into_iter().zip(facts(right));
    match pairs.into_iter().find(|((_, left), (_, right))| left != right) {
        None => Ok(()),
        Some(((what, left), (_, right))) => {
            let (left, right) = (left.to_string(), right.to_string());
            Err(MergeError::Strangers { first: first.to_owned(), second: second.to_owned(), what, left, right })
        }
    }
}

fn together(logs: Vec<Stored>) -> Option<Stored> {
    let start = logs.iter().map(|log| log.header.started).min()?;
    let end = logs.iter().map(|log| log.header.started + seconds(log.totals.elapsed)).max()?;
    let mut header = logs.first()?.header.clone();
    (header.started, header.selection.shard) = (start, None);
    for other in logs.iter().skip(1).map(|log| &log.header) {
        add_new(&mut header.corpora, &other.corpora);
        header.settled.extend_from_slice(&other.settled);
        header.said.extend_from_slice(&other.said);
        add_new(&mut header.warnings, &other.warnings);
    }
    if logs.iter().any(|log| log.header.port != header.port) {
        header.port = None;
    }
    let conclusion = logs.iter().map(|log| log.totals.conclusion).max_by_key(|one| weight(*one))?;
    let mut totals = Totals::of(conclusion, (end - start).as_seconds_f64());
    let mut cases: Vec<StoredCase> = Vec::new();
    for log in logs {
        for case in log.cases {
            // Each shard looks for the corpus by itself.
            let is_same = |one: &StoredCase| one.run.place() == case.run.place() && one.run.case == case.run.case;
            if case.run.case != Sentinel::CASE || !cases.iter().any(is_same) {
                cases.push(case);
            }
        }
        let (problems, retried) = (log.totals.problems, log.totals.retried);
        totals.problems.extend(problems);
        totals.retried.extend(retried);
        totals.stale.extend(log.totals.stale);
        totals.reconnected += log.totals.reconnected;
        if let Some(caught) = log.totals.counterexamples {
            *totals.counterexamples.get_or_insert(0) += caught;
        }
    }
    totals.stale.sort();
    totals.stale.dedup();
    // As one machine would have written it.
    cases.sort_by_cached_key(|case| {
        let place = case.run.place();
        (header.endpoints.iter().position(|known| *known == place), case.run.case.clone())
    });
    Some(Stored { header, totals, cases })
}

/// Adds to a list what is not in it.
fn add_new<T: Clone + PartialEq>(list: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !list.contains(one) {
            list.push(one.clone());
        }
    }
}

fn seconds(elapsed: f64) -> TimeDelta {
    TimeDelta::milliseconds((elapsed.clamp(0.0, 1e9) * 1000.0) as i64)
}

/// Which conclusion of two stands for both.
fn weight(conclusion: Conclusion) -> u8 {
    match conclusion {
        Conclusion::NothingSelected => 0,
        Conclusion::Conforms => 1,
        Conclusion::Incomplete => 2,
        Conclusion::DoesNotConform => 3,
        Conclusion::NotReachable => 4,
        Conclusion::SuiteBroken => 5,
        Conclusion::Interrupted => 6,
    }
}

impl Merged {
    /// How many cases it has, each counted once for every transport.
    pub fn cases(&self) -> usize {
        self.log.cases.len()
    }

    /// What the target is called.
    pub fn target(&self) -> &str {
        &self.log.header.target
    }

    /// Writes the log, a JSON value on each line.
    ///
    /// # Errors
    /// When `to` cannot be written.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let Stored { header, totals, cases } = &self.log;
        let mut findings = cases.iter().map(|case| &case.findings);
        write(
            to,
            header,
            cases.iter().map(|case| &case.run),
            |to| findings.try_for_each(|lines| lines.write(to)),
            totals,
        )
    }
}
