//! A run log that is read again: its evidence is judged by the suite as it is now.

use super::heard::{Findings, Judging, PART};
use super::lines::{LogError, lines};
use super::recorded;
use crate::derive::shown;
use crate::judge::corpus::held;
use crate::judge::{judge, unreadable, unreadable_cases};
use crate::ledger::RunLog;
use crate::load::{Case, ContractSuite, Sentinel, Suite, runs_at};
use crate::model::{
    CaseRun, Conclusion, Entry, ExchangeLine, Header, LOG_FORMAT, LogLine, Run, Totals, TransportError, Verdict,
    retried,
};
use crate::path::exchanges;
use crate::text::inert;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::time::Duration;

/// What a log holds.
#[derive(Debug, Clone)]
pub struct Stored {
    /// About the run.
    pub header: Header,
    /// Its end.
    pub totals: Totals,
    pub(super) cases: Vec<StoredCase>,
}

/// A case of the log, with what was said of it then.
#[derive(Debug, Clone)]
pub(super) struct StoredCase {
    pub(super) run: CaseRun,
    pub(super) entries: Vec<Entry>,
}

impl Stored {
    /// Reads a log.
    ///
    /// # Errors
    /// When it cannot be read, is of another form, was cut off, or goes on after its end.
    pub fn read(from: impl BufRead) -> Result<Self, LogError> {
        let mut lines = lines(from);
        let header = match lines.next() {
            Some((at, line)) => header(at, &line?)?,
            None => return Err(LogError::CutOff(0)),
        };
        let mut cases: Vec<StoredCase> = Vec::new();
        let mut places = BTreeMap::new();
        let mut last = 1;
        while let Some((at, line)) = lines.next() {
            let line = line?;
            let wrong = |message: String| LogError::Line { line: at, message };
            let unknown = || wrong("it belongs to a case that has no line before it".to_owned());
            let read = serde_json::from_str(&line);
            match read
                .map_err(|error| if is_header(&line) { LogError::Second(at) } else { wrong(error.to_string()) })?
            {
                LogLine::Case(case) => {
                    if case.steps > MOST_STEPS {
                        return Err(wrong(format!("no case has {} steps", case.steps)));
                    }
                    if inert::line(&case.case) != case.case {
                        return Err(wrong(format!("no case is called `{}`", inert::line(&case.case))));
                    }
                    places.insert((case.contract.clone(), case.transport, case.case.clone()), cases.len());
                    cases.push(StoredCase { run: case.into(), entries: Vec::new() });
                }
                LogLine::Exchange(line) => {
                    let key = (line.contract.clone(), line.transport, line.case.clone().into_owned());
                    let at = places.get(&key).ok_or_else(unknown)?;
                    cases[*at].take(line).map_err(wrong)?;
                }
                LogLine::Finding(entry) => {
                    let finding = &entry.finding;
                    let key = (finding.contract.clone(), finding.transport, finding.case.clone());
                    let at = places.get(&key).ok_or_else(unknown)?;
                    cases[*at].entries.push(*entry);
                }
                LogLine::Totals(totals) => {
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
        Err(LogError::CutOff(last))
    }

    /// Whether all evidence was kept, so that everything can be judged again.
    pub fn is_whole(&self) -> bool {
        self.cases.iter().flat_map(|case| case.run.exchanges()).all(|exchange| !exchange.is_null())
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

    /// Judges the evidence by a suite. Nothing is called: what the suite asks for beyond the log stays incomplete.
    pub fn judge(mut self, suite: &Suite) -> RunLog {
        let mut run = Run { interrupted: self.totals.conclusion == Conclusion::Interrupted, ..Run::default() };
        let judging = self.header.tap.as_ref().map(|tap| Judging::new(suite, tap.corpus));
        let mut repeated = 0;
        for case in std::mem::take(&mut self.cases) {
            match (&judging, find(suite, &case.run)) {
                (Some(judging), now) => run.cases.extend(case.judge_heard(judging, now, suite, &mut repeated)),
                (None, Some((contract, now))) => run.cases.push(case.judge(contract, now, suite, &mut repeated)),
                (None, None) => run.cases.extend(case.judge_looks(suite)),
            }
        }
        recorded::tell(&mut self.header, repeated);
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

impl StoredCase {
    fn take(&mut self, line: ExchangeLine<'_>) -> Result<(), String> {
        let steps = self.run.evidence.as_array().map_or(0, Vec::len);
        let Some(exchanges) = self.run.evidence.get_mut(line.step).and_then(Value::as_array_mut) else {
            return Err(format!("step {} of a case of {steps} steps", line.step));
        };
        if line.index != exchanges.len() {
            return Err(format!("exchange {} of step {} follows {} of them", line.index, line.step, exchanges.len()));
        }
        exchanges.push(line.evidence.into_owned());
        Ok(())
    }

    /// What a tap heard: a part of its session, or a case that the session happened to ask. Nothing where the suite does not
    /// know it any more, or has nothing to say of it.
    fn judge_heard(
        self,
        judging: &Judging,
        now: Option<(&ContractSuite, &Case)>,
        suite: &Suite,
        repeated: &mut usize,
    ) -> Option<CaseRun> {
        let CaseRun { contract: name, transport, case, calls, evidence, .. } = &self.run;
        let mut judgements = Vec::new();
        let unreadable = if case.starts_with(PART) {
            let (contract, always) = (suite.keyed(name)?, suite.transports.of(*transport));
            for (step, exchange) in evidence.as_array()?.iter().map(|one| &one[0]).enumerate() {
                if !exchange.is_null() {
                    judgements.extend(judging.exchange(contract, &always, step, exchange));
                }
            }
            judging.unreadable(contract, &always, evidence)
        } else {
            let (_, now) = now.filter(|(_, now)| now.calls() == *calls)?;
            judgements.extend(judging.case(now, evidence));
            unreadable_cases(now, evidence)
        };
        *repeated += recorded::repeat(&mut judgements, &unreadable, &self.entries);
        let mut findings = Findings::default();
        judgements.into_iter().for_each(|judgement| findings.add(judgement.finding(name, *transport, case)));
        Some(CaseRun { findings: findings.into_all(), ..self.run })
    }

    /// What the looks for the corpus say, where the case holds them and they still are the same.
    fn judge_looks(self, suite: &Suite) -> Option<CaseRun> {
        let contract = suite.keyed(&self.run.contract)?;
        let sentinel = contract.sentinel.as_ref().filter(|_| self.run.case == Sentinel::CASE)?;
        let (_, sights) = sentinel.sights().ok().filter(|(case, _)| case.calls() == self.run.calls)?;
        let findings =
            held(&self.run.place(), &contract.contract, sentinel, &sights, &self.run.evidence).contradictions;
        Some(CaseRun { findings, ..self.run })
    }

    fn judge(self, contract: &ContractSuite, now: &Case, suite: &Suite, repeated: &mut usize) -> CaseRun {
        let CaseRun { contract: name, transport, case, calls, evidence, .. } = &self.run;
        let findings = if *calls != now.calls() {
            let why = "the calls of this case are others than those of the log: it needs a new run";
            now.not_told(&self.run.place(), Verdict::Incomplete, why)
        } else if !evidence.is_null() {
            let always = suite.transports.of(*transport);
            let mut judgements = judge(now, contract, &always, evidence);
            let unreadable = unreadable(now, contract, &always, evidence);
            *repeated += recorded::repeat(&mut judgements, &unreadable, &self.entries);
            judgements.into_iter().map(|judgement| judgement.finding(name, *transport, case)).collect()
        } else {
            // Why it was not run is all that there is.
            let first = self.entries.first().map(|entry| &entry.finding);
            let verdict = first.map_or(Verdict::Incomplete, |finding| finding.verdict);
            let why = first.and_then(|finding| finding.details.first()).map_or("it was not run", |why| &why.message);
            now.not_told(&self.run.place(), verdict, why)
        };
        let (retried, shown) = (retried(evidence), shown(exchanges(evidence).map(|one| one.value), &contract.contract));
        CaseRun { retried, shown, findings, ..self.run }
    }
}

/// More seconds than any run takes.
const MOST_SECONDS: f64 = 1e9;

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
