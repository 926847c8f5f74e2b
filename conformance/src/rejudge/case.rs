//! A case of a log that is read again: where its evidence lies, and what the suite as it is now says of it.

use super::heard::{Findings, Judging, PART};
use super::recorded;
use crate::derive::shown;
use crate::format::json::copied;
use crate::judge::corpus::held;
use crate::judge::{judge, unreadable, unreadable_cases};
use crate::load::{Case, ContractSuite, Sentinel, Suite};
use crate::model::{
    CaseLine, CaseRun, ContractKey, Entry, ExchangeLine, Lines, LogLine, Place, Presence, Shelf, Stretch,
    TransportKind, Verdict, retried, size,
};
use crate::path::exchanges;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io;
use std::sync::Arc;

/// A case of the log, with what was said of it then.
#[derive(Debug, Clone)]
pub(super) struct StoredCase {
    /// The case, without evidence: its lines say where that is.
    pub(super) run: CaseRun,
    pub(super) entries: Vec<Entry>,
    /// How many exchanges each step has.
    pub(super) exchanges: Vec<usize>,
    /// Whether all of them were kept.
    pub(super) is_whole: bool,
}

/// One exchange of a case, as text.
#[derive(Deserialize)]
pub(super) struct Reference<'l> {
    pub(super) contract: ContractKey,
    pub(super) transport: TransportKind,
    pub(super) case: Cow<'l, str>,
    step: usize,
    index: usize,
    #[serde(borrow)]
    evidence: &'l RawValue,
}

impl StoredCase {
    /// A case before its exchanges are known.
    pub(super) fn of(line: CaseLine, shelf: &Arc<dyn Shelf>) -> Self {
        let place = Place { contract: line.contract, transport: line.transport };
        let lines = (line.steps > 0).then(|| Lines { steps: line.steps, ..Lines::new(shelf) });
        let run = CaseRun { calls: line.calls, lines, ..CaseRun::of(&place, &line.case, Vec::new()) };
        Self { run, entries: Vec::new(), exchanges: vec![0; line.steps], is_whole: true }
    }

    /// Notes where an exchange lies.
    pub(super) fn take(&mut self, line: &Reference<'_>, at: Stretch) -> Result<(), String> {
        let steps = self.exchanges.len();
        let Some((count, lines)) = self.exchanges.get_mut(line.step).zip(self.run.lines.as_mut()) else {
            return Err(format!("step {} of a case of {steps} steps", line.step));
        };
        if line.index != *count {
            return Err(format!("exchange {} of step {} follows {count} of them", line.index, line.step));
        }
        *count += 1;
        self.is_whole &= line.evidence.get() != "null";
        lines.stretches.push(at);
        Ok(())
    }

    /// Reads the evidence.
    pub(super) fn read(&mut self, lines: Option<&Lines>) -> Result<(), String> {
        let Some(lines) = lines else { return Ok(()) };
        let mut steps = vec![Vec::new(); lines.steps];
        let mut bytes = 0;
        for at in &lines.stretches {
            let line = exchange(lines, *at).map_err(|error| format!("the log cannot be read any more: {error}"))?;
            // What was read has room to grow, which takes a third more.
            let exchange = copied(&line.evidence);
            bytes += size::of(&exchange);
            if bytes > MOST_BYTES {
                return Err(format!("the evidence of this case needs more than {} MiB of room", MOST_BYTES >> 20));
            }
            if let Some(step) = steps.get_mut(line.step) {
                step.push(exchange);
            }
        }
        self.run.evidence = steps.into_iter().map(Value::Array).collect();
        Ok(())
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
    pub(super) fn judge_looks(self, suite: &Suite, corpora: &[Presence]) -> Option<CaseRun> {
        let contract = suite.keyed(&self.run.contract)?;
        let sentinel = contract.sentinel.as_ref().filter(|_| self.run.case == Sentinel::CASE)?;
        let (_, sights) = sentinel.sights().ok().filter(|(case, _)| case.calls() == self.run.calls)?;
        let place = self.run.place();
        let is_seeded = corpora.iter().any(|lacking| lacking.place == place && lacking.seeded);
        let findings = held(&place, &contract.contract, (sentinel, &sights), &self.run.evidence, is_seeded).findings;
        Some(CaseRun { findings, ..self.run })
    }

    pub(super) fn judge(self, contract: &ContractSuite, now: &Case, suite: &Suite, repeated: &mut usize) -> CaseRun {
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

/// The exchange that lies at a place of a log.
pub(super) fn exchange(lines: &Lines, at: Stretch) -> io::Result<ExchangeLine<'static>> {
    let mut line = Vec::with_capacity(at.bytes as usize);
    lines.shelf.copy(at, &mut line)?;
    match serde_json::from_slice(&line)? {
        LogLine::Exchange(line) => Ok(line),
        _ => Err(io::Error::other("another line is in its place")),
    }
}

/// The memory that the evidence of one case may take: what a run may take for it, and what marks of redaction add.
const MOST_BYTES: usize = size::MOST_OF_A_CASE + (6 << 20);
