//! A case of a log that is read again: where its evidence lies, and what the suite as it is now says of it.

use super::heard::{Findings, Judging, PART};
use super::line::{entry, exchange};
use super::recorded;
use crate::derive::shown;
use crate::format::json::{MOST_VALUES, Room};
use crate::judge::corpus::held;
use crate::judge::{judge, unreadable, unreadable_cases};
use crate::load::{Case, ContractSuite, Sentinel, Suite};
use crate::model::{
    CaseLine, CaseRun, Entry, Lines as Shelved, Place, Presence, Shelf, Stretch, Verdict, retried, size,
};
use crate::path::exchanges;
use serde_json::Value;
use std::io;
use std::sync::Arc;

/// The room for the evidence of one case: what a run may take for it, and what marks of redaction add. An exchange has an answer of
/// at most so many values, which is in it as it was received and as it was read.
pub(super) const ROOM: Room =
    Room { values: 3 * MOST_VALUES, bytes: size::MOST_OF_A_CASE + (6 << 20), is_exceeded: false };
/// More bytes than the findings of a case have: their values are cut.
const MOST_OF_FINDINGS: u64 = 16 << 20;

/// A case of the log.
#[derive(Debug, Clone)]
pub(super) struct StoredCase {
    /// The case, without evidence: its lines say where that is.
    pub(super) run: CaseRun,
    /// What was said of it then, as lines of the log.
    pub(super) findings: Shelved,
    /// How many exchanges each step has.
    pub(super) exchanges: Vec<usize>,
    /// Whether all of them were kept.
    pub(super) is_whole: bool,
}

impl StoredCase {
    /// A case before its exchanges are known.
    pub(super) fn of(line: CaseLine, shelf: &Arc<dyn Shelf>) -> Self {
        let place = Place { contract: line.contract, transport: line.transport };
        let lines = (line.steps > 0).then(|| Shelved { steps: line.steps, ..Shelved::new(shelf) });
        let run = CaseRun { calls: line.calls, lines, ..CaseRun::of(&place, &line.case, Vec::new()) };
        Self { run, findings: Shelved::new(shelf), exchanges: vec![0; line.steps], is_whole: true }
    }

    /// Notes where an exchange lies.
    pub(super) fn take(&mut self, (step, index): (usize, usize), is_kept: bool, at: Stretch) -> Result<(), String> {
        let steps = self.exchanges.len();
        let Some((count, lines)) = self.exchanges.get_mut(step).zip(self.run.lines.as_mut()) else {
            return Err(format!("step {step} of a case of {steps} steps"));
        };
        if index != *count {
            return Err(format!("exchange {index} of step {step} follows {count} of them"));
        }
        *count += 1;
        self.is_whole &= is_kept;
        lines.stretches.push(at);
        Ok(())
    }

    /// Reads the evidence, and what was said of it then.
    pub(super) fn read(&mut self, lines: Option<&Shelved>) -> Result<Vec<Entry>, String> {
        let cannot = |error: io::Error| format!("the log cannot be read any more: {error}");
        if self.findings.stretches.iter().map(|at| at.bytes).sum::<u64>() > MOST_OF_FINDINGS {
            return Err(format!("the findings of this case have more than {} MiB", MOST_OF_FINDINGS >> 20));
        }
        let entries = self.findings.stretches.iter().map(|at| entry(&self.findings, *at));
        let entries = entries.collect::<io::Result<_>>().map_err(cannot)?;
        let Some(lines) = lines else { return Ok(entries) };
        let mut steps = vec![Vec::new(); lines.steps];
        let mut room = ROOM;
        for at in &lines.stretches {
            room.values = ROOM.values;
            let read = exchange(lines, *at, &mut room);
            if room.is_exceeded {
                return Err(format!("the evidence of this case needs more than {} MiB of room", ROOM.bytes >> 20));
            }
            let (step, evidence) = read.map_err(cannot)?;
            if let Some(step) = steps.get_mut(step) {
                step.push(evidence);
            }
        }
        self.run.evidence = steps.into_iter().map(Value::Array).collect();
        Ok(entries)
    }

    /// A case whose evidence cannot be judged, for this reason.
    pub(super) fn not_read(self, now: Option<&Case>, why: &str) -> Option<CaseRun> {
        let findings = now?.not_told(&self.run.place(), Verdict::Incomplete, why);
        Some(CaseRun { findings, ..self.run })
    }

    /// What a tap heard: a part of its session, or a case that the session happened to ask. Nothing where the suite does not
    /// know it any more, or has nothing to say of it.
    pub(super) fn judge_heard(
        self,
        then: &[Entry],
        judging: &Judging,
        now: Option<(&ContractSuite, &Case)>,
        (suite, is_assumed): (&Suite, bool),
        repeated: &mut usize,
    ) -> Option<CaseRun> {
        let CaseRun { contract: name, transport, case, calls, evidence, .. } = &self.run;
        let mut judgements = Vec::new();
        let unreadable = if case.starts_with(PART) {
            let (contract, always) = (suite.keyed(name)?, suite.transports.of(*transport));
            for (step, exchange) in evidence.as_array()?.iter().map(|one| &one[0]).enumerate() {
                if !exchange.is_null() {
                    let mut here = judging.exchange(contract, &always, step, exchange);
                    if is_assumed {
                        judging.doubt_exchange(&mut here, (suite, contract), step, exchange);
                    }
                    judgements.append(&mut here);
                }
            }
            judging.unreadable(contract, &always, evidence)
        } else {
            let (contract, now) = now.filter(|(_, now)| now.calls() == *calls)?;
            judgements.extend(judging.case(now, evidence));
            if is_assumed {
                judging.doubt_case(&mut judgements, (suite, contract), now, evidence);
            }
            unreadable_cases(now, evidence)
        };
        *repeated += recorded::repeat(&mut judgements, &unreadable, then);
        let mut findings = Findings::default();
        judgements.into_iter().for_each(|judgement| findings.add(judgement.finding(name, *transport, case)));
        Some(CaseRun { findings: findings.into_all(), ..self.run })
    }

    /// What the looks for the corpus say, where the case holds them and they still are the same.
    pub(super) fn judge_looks(self, suite: &Suite, corpora: &[Presence]) -> Option<CaseRun> {
        let contract = suite.keyed(&self.run.contract)?;
        let sentinel = contract.sentinel.as_ref().filter(|_| self.run.case == Sentinel::CASE)?;
        let (_, sights) = sentinel.sights().ok().filter(|(case, _)| case.calls() == self.run.calls)?;
        let place = self.run.place();
        let is_seeded = corpora.iter().any(|lacking| lacking.place == place && lacking.seeded);
        let findings = held(&place, &contract.contract, (sentinel, &sights), &self.run.evidence, is_seeded).findings;
        Some(CaseRun { findings, ..self.run })
    }

    pub(super) fn judge(
        self,
        then: &[Entry],
        contract: &ContractSuite,
        now: &Case,
        suite: &Suite,
        repeated: &mut usize,
    ) -> CaseRun {
        let CaseRun { contract: name, transport, case, calls, evidence, .. } = &self.run;
        let findings = if *calls != now.calls() {
            let why = "the calls of this case are others than those of the log: it needs a new run";
            now.not_told(&self.run.place(), Verdict::Incomplete, why)
        } else if !evidence.is_null() {
            let always = suite.transports.of(*transport);
            let mut judgements = judge(now, contract, &always, evidence);
            let unreadable = unreadable(now, contract, &always, evidence);
            *repeated += recorded::repeat(&mut judgements, &unreadable, then);
            let findings = judgements.into_iter().map(|judgement| judgement.finding(name, *transport, case));
            recorded::with_unsteady(findings.collect(), then)
        } else {
            // Why it was not run is all that there is.
            let first = then.first().map(|entry| &entry.finding);
            let verdict = first.map_or(Verdict::Incomplete, |finding| finding.verdict);
            let why = first.and_then(|finding| finding.details.first()).map_or("it was not run", |why| &why.message);
            now.not_told(&self.run.place(), verdict, why)
        };
        let (retried, shown) = (retried(evidence), shown(exchanges(evidence).map(|one| one.value), &contract.contract));
        CaseRun { retried, shown, findings, ..self.run }
    }
}
