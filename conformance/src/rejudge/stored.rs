//! A run log that is read again: its evidence is judged by the suite as it is now.

use super::case::{Reference, StoredCase, exchange};
use super::heard::{Judging, PART};
use super::lines::{LogError, lines};
use super::{recorded, unfinished};
use crate::ledger::RunLog;
use crate::load::{Case, ContractSuite, Sentinel, Suite, runs_at};
use crate::model::{
    CaseLine, CaseRun, Conclusion, ContractKey, Entry, Header, Keep, LOG_FORMAT, Noticed, Run, Shelf, Stretch, Totals,
    TransportError, Verdict,
};
use crate::report::log::settled;
use crate::text::inert;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;

/// What a log holds. Its evidence stays where it lies, and is read case by case.
#[derive(Debug, Clone)]
pub struct Stored {
    /// About the run.
    pub header: Header,
    /// Its end.
    pub totals: Totals,
    pub(super) cases: Vec<StoredCase>,
}

impl Stored {
    /// Reads a log. `shelf` is where it lies, to read its evidence from later.
    ///
    /// # Errors
    /// When it cannot be read, is of another form, was cut off, or goes on after its end.
    pub fn read(from: impl BufRead, shelf: &Arc<dyn Shelf>) -> Result<Self, LogError> {
        let mut lines = lines(from);
        let mut from_start = 0;
        let header = match lines.next() {
            Some((at, line)) => {
                let line = line?;
                from_start += line.len() as u64 + 1;
                header(at, &line)?
            }
            None => return Err(LogError::CutOff(0)),
        };
        let mut cases: Vec<StoredCase> = Vec::new();
        let mut places = BTreeMap::new();
        let mut last = 1;
        while let Some((at, line)) = lines.next() {
            let line = line?;
            let stretch = Stretch { from: from_start, bytes: line.len() as u64 + 1 };
            from_start += stretch.bytes;
            let wrong = |message: String| LogError::Line { line: at, message };
            let unknown = || wrong("it belongs to a case that has no line before it".to_owned());
            let read = match serde_json::from_str(&line) {
                Ok(read) => read,
                Err(_) if is_header(&line) => return Err(LogError::Second(at)),
                // A tap may be killed while it writes a line.
                Err(_) if header.tap.is_some() && lines.next().is_none() => break,
                Err(error) => return Err(wrong(error.to_string())),
            };
            match read {
                Line::Case(case) => {
                    if case.steps > MOST_STEPS {
                        return Err(wrong(format!("no case has {} steps", case.steps)));
                    }
                    if inert::line(&case.case) != case.case {
                        return Err(wrong(format!("no case is called `{}`", inert::line(&case.case))));
                    }
                    places.insert((case.contract.clone(), case.transport, case.case.clone()), cases.len());
                    cases.push(StoredCase::of(case, shelf));
                }
                Line::Exchange(line) => {
                    let key = (line.contract.clone(), line.transport, line.case.clone().into_owned());
                    let at = places.get(&key).ok_or_else(unknown)?;
                    cases[*at].take(&line, stretch).map_err(wrong)?;
                }
                Line::Finding(entry) => {
                    let finding = &entry.finding;
                    let key = (finding.contract.clone(), finding.transport, finding.case.clone());
                    let at = places.get(&key).ok_or_else(unknown)?;
                    cases[*at].entries.push(*entry);
                }
                Line::Totals(totals) => {
                    if !(0.0..=MOST_SECONDS).contains(&totals.elapsed) {
                        return Err(wrong(format!("no run takes {} seconds", totals.elapsed)));
                    }
                    return match lines.next() {
                        None => Ok(Self { header, totals, cases }),
                        Some((at, Ok(line))) if is_header(&line) => Err(LogError::Second(at)),
                        Some((at, Ok(_) | Err(LogError::Line { .. }))) => Err(LogError::Follows(at)),
                        Some((_, Err(error))) => Err(error),
                    };
                }
            }
            last = at;
        }
        let (header, totals, cases) = unfinished::ended(header, cases).ok_or(LogError::CutOff(last))?;
        Ok(Self { header, totals, cases })
    }

    /// Whether all evidence was kept, so that everything can be judged again.
    pub fn is_whole(&self) -> bool {
        self.cases.iter().all(|case| case.is_whole)
    }

    /// The cases of the log that the suite does not have any more.
    pub fn gone(&self, suite: &Suite) -> Vec<&str> {
        let is_part = |run: &CaseRun| self.header.tap.is_some() && run.case.starts_with(PART);
        let is_look = |run: &CaseRun| run.case == Sentinel::CASE;
        let is_gone = |run: &&CaseRun| !is_part(run) && !is_look(run) && find(suite, run).is_none();
        self.cases.iter().map(|case| &case.run).filter(is_gone).map(|run| run.case.as_str()).collect()
    }

    /// How the suite that wrote the log differs from this one: its version, and revisions of its contracts.
    pub fn written_by(&self, suite: &Suite) -> Vec<String> {
        let (then, now) = (&self.header.suite, env!("CARGO_PKG_VERSION"));
        let version = (then != now).then(|| format!("version {then} of the suite, and this is {now}"));
        let revisions = self.header.revisions.iter().filter_map(|(name, then)| {
            let now = suite.contract(name)?.contract.revision;
            (*then != now).then(|| format!("{name}@{then}, and the suite has {name}@{now}"))
        });
        version.into_iter().chain(revisions).collect()
    }

    /// Shows every exchange that was kept, with the contract of its case.
    ///
    /// # Errors
    /// When the log cannot be read any more.
    pub fn exchanges(&self, mut show: impl FnMut(&ContractKey, &Value)) -> io::Result<()> {
        self.cases.iter().try_for_each(|case| {
            let lines = case.run.lines.iter().flat_map(|lines| lines.stretches.iter().map(move |at| (lines, *at)));
            lines.map(|(lines, at)| exchange(lines, at)).try_for_each(|line| {
                let line = line?;
                show(&line.contract, &line.evidence);
                Ok(())
            })
        })
    }

    /// Judges the evidence by a suite, case by case. Nothing is called: what the suite asks for beyond the log stays incomplete.
    pub fn judge(mut self, suite: &Suite) -> RunLog {
        let noticed = Noticed { reconnected: self.totals.reconnected, ..Noticed::default() };
        let interrupted = self.totals.conclusion == Conclusion::Interrupted;
        let mut run = Run { interrupted, noticed, ..Run::default() };
        let judging = self.header.tap.as_ref().map(|tap| Judging::new(suite, tap.corpus));
        let mut repeated = 0;
        for mut case in std::mem::take(&mut self.cases) {
            let lines = case.run.lines.take();
            let now = find(suite, &case.run);
            let judged = match (case.read(lines.as_ref()), &judging) {
                (Err(why), _) => case.not_read(now.map(|(_, now)| now), &why),
                (Ok(()), Some(judging)) => case.judge_heard(judging, now, suite, &mut repeated),
                (Ok(()), None) => match now {
                    Some((contract, now)) => Some(case.judge(contract, now, suite, &mut repeated)),
                    None => case.judge_looks(suite, &self.header.corpora),
                },
            };
            // A log that is made of this one copies the lines.
            run.cases.extend(judged.map(|case| CaseRun { lines, ..settled(case, &Keep::Found) }));
        }
        recorded::tell(&mut self.header, repeated);
        if self.header.documents.is_empty() {
            self.header.describe_contracts(suite);
        }
        let problems = match self.totals.conclusion {
            Conclusion::NotReachable | Conclusion::SuiteBroken => std::mem::take(&mut self.totals.problems),
            _ => Vec::new(),
        };
        if run.cases.is_empty() || self.totals.conclusion == Conclusion::NotReachable {
            run.unreachable = problems.first().map(|why| TransportError::WasNotThere(why.clone()));
        } else if judging.is_none() {
            run.cases.extend(self.missing(suite, &run.cases));
        }
        run.cases.sort_by_key(|case| self.header.endpoints.iter().position(|place| *place == case.place()));
        RunLog::of(suite, self.header, run, Duration::from_secs_f64(self.totals.elapsed))
    }

    /// Cases that the suite asks for now and that the log knows nothing of.
    fn missing(&self, suite: &Suite, known: &[CaseRun]) -> Vec<CaseRun> {
        let why = "the log has nothing of this case: it needs a new run";
        let mut missing = Vec::new();
        for (at, place) in self.header.endpoints.iter().enumerate() {
            let wanted =
                suite.keyed(&place.contract).filter(|_| self.header.selection.has_contract(place.contract.name()));
            let Some(contract) = wanted else { continue };
            for (_, case) in self.header.selection.cases(suite, contract, place.transport) {
                let is_known = known.iter().any(|known| known.place() == *place && known.case == case.name);
                if !is_known && runs_at(&self.header.endpoints, at, case, &contract.contract) {
                    let findings = case.not_told(place, Verdict::Incomplete, why);
                    missing.push(CaseRun { calls: case.calls(), ..CaseRun::of(place, &case.name, findings) });
                }
            }
        }
        missing
    }
}

/// More seconds than any run takes.
const MOST_SECONDS: f64 = 1e9;

/// A line of a log whose evidence is not read yet.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line<'l> {
    Case(CaseLine),
    #[serde(borrow)]
    Exchange(Reference<'l>),
    Finding(Box<Entry>),
    Totals(Totals),
}

/// More steps than any case has: a log that claims more is none.
const MOST_STEPS: usize = 1000;

fn header(at: usize, line: &str) -> Result<Header, LogError> {
    let wrong = |error: serde_json::Error| LogError::Line { line: at, message: error.to_string() };
    let value: Value = serde_json::from_str(line).map_err(wrong)?;
    match value["format"].as_str() {
        Some(LOG_FORMAT) => serde_json::from_value(value).map_err(wrong),
        Some(other) => Err(LogError::Form(other.to_owned())),
        None => Err(LogError::Line { line: at, message: "it does not say `format`".to_owned() }),
    }
}

/// Whether a line is the first of a log.
fn is_header(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|line| line["format"].is_string())
}

fn find<'s>(suite: &'s Suite, run: &CaseRun) -> Option<(&'s ContractSuite, &'s Case)> {
    let contract = suite.keyed(&run.contract)?;
    Some((contract, contract.cases.iter().find(|case| case.name == run.case)?))
}
