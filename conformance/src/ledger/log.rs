//! A run with what became of it: everything that a report is made from.

use super::cause::Causes;
use super::exercised::blind;
use super::reach::{elsewhere, other_shards};
use super::{Ledger, Reading, Requirements};
use crate::load::Suite;
use crate::model::{
    CaseRun, Conclusion, ContractKey, Detail, Finding, Header, KnownBy, Measured, Place, Retried, Run, Speaks, Totals,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What a run was and what came of it.
#[derive(Debug)]
pub struct RunLog {
    /// About the run.
    pub header: Header,
    /// The cases with their evidence, as far as it was kept.
    pub cases: Vec<CaseRun>,
    /// What became of every requirement.
    pub ledger: Ledger,
    /// Every requirement of the contracts that were run, exercised or not.
    pub requirements: Requirements,
    /// How many sentences of each contract's document nothing can check.
    pub excluded: BTreeMap<String, usize>,
    /// The end of the run.
    pub totals: Totals,
    /// What the numbers of the totals are made of.
    measured: Measured,
}

/// Whether nothing ended a run early.
fn came_to_its_end(run: &Run) -> bool {
    !run.interrupted && run.unreachable.is_none()
}

impl RunLog {
    /// Reads the findings and says what the run comes to.
    pub fn of(suite: &Suite, mut header: Header, mut run: Run, elapsed: Duration) -> Self {
        if !run.endpoints.is_empty() {
            header.endpoints = std::mem::take(&mut run.endpoints);
        }
        if !run.speaks.is_empty() {
            header.speaks = std::mem::take(&mut run.speaks);
            // Those of the revisions that were not known yet.
            header.documents.clear();
            header.describe_contracts(suite);
        }
        header.spoken.append(&mut run.spoken);
        let silent = header.spoken.iter().filter(|spoken| spoken.revision.is_none() && came_to_its_end(&run));
        let silent: Vec<String> = silent
            .map(|spoken| format!("{}: the server does not speak it, so nothing is judged there", spoken.place))
            .collect();
        header.warnings.extend(silent);
        header.corpora.append(&mut run.corpora);
        header.settled.append(&mut run.settled);
        header.said.append(&mut run.said);
        header.warnings.extend(run.noticed.remarks());
        let findings: Vec<Finding> = run.cases.iter_mut().flat_map(|case| std::mem::take(&mut case.findings)).collect();
        let wanted = |finding: &Finding| header.selection.has_requirement(&finding.requirement);
        let keys = header.endpoints.iter().map(|place| &place.contract);
        let keys = keys.chain(run.cases.iter().map(|case| &case.contract));
        let requirements = Requirements::of(suite, keys, &header.selection);
        let is_told = |finding: &Finding| {
            requirements.of_finding(finding).is_some()
                || suite.requirement_at(&finding.contract, &finding.requirement).is_none()
        };
        let findings: Vec<Finding> =
            findings.into_iter().filter(|finding| wanted(finding) && is_told(finding)).collect();
        let mut endpoints: Vec<Place> = Vec::new();
        for place in run.cases.iter().map(CaseRun::place) {
            if !endpoints.contains(&place) {
                endpoints.push(place);
            }
        }
        let beside: Vec<Place> = endpoints.iter().filter(|place| header.is_beside(place)).cloned().collect();
        let elsewhere = endpoints.iter().flat_map(|endpoint| elsewhere(suite, endpoint)).collect();
        let other_shards = other_shards(suite, &header);
        let came_to_its_end = came_to_its_end(&run);
        let reading = Reading {
            requirements: &requirements,
            known_failures: &header.known_failures,
            unsupported: &header.unsupported,
            strict: header.strict,
            require_exercised: header.require_exercised,
            today: header.started.date_naive(),
            whole: header.selection.is_whole() && came_to_its_end,
            every_case: header.selection.has_every_case_of_its_shard() && came_to_its_end,
            shard: header.selection.shard,
            other_shards: &other_shards,
            endpoints: &endpoints,
            beside: &beside,
            elsewhere: &elsewhere,
        };
        let mut ledger = Ledger::of(findings, reading);
        Causes::of(suite).mark(&mut ledger.entries);
        if run.unreachable.is_some() {
            // That nothing was exercised needs no line of its own then.
            ledger.idle.clear();
            ledger.short.clear();
        }
        let is_spoken = |speaks: &&Speaks| endpoints.contains(&speaks.place) && run.unreachable.is_none();
        let spoken = || header.speaks.iter().filter(is_spoken);
        let undecided: Vec<&Place> =
            spoken().filter(|one| one.by == KnownBy::Undecided).map(|one| &one.place).collect();
        // Nor does it where it is not known what to ask.
        ledger.idle.retain(|place| !undecided.contains(&place));
        ledger.short.retain(|share| !undecided.contains(&&share.place));
        let unpinned = spoken().filter(|one| header.strict && one.wants_a_pin() && !header.is_beside(&one.place));
        let unpinned: Vec<Place> = unpinned.map(|one| one.place.clone()).collect();
        // A part of a run, and what passed a tap, may have asked for nothing that is there.
        let is_all = header.selection.has_every_case() && header.tap.is_none() && came_to_its_end;
        let mut blind = if is_all { blind(&run.cases) } else { Vec::new() };
        blind.retain(|place| !ledger.idle.contains(place) && !header.is_beside(place));
        let retried = retried(&run.cases);
        let conclusion = match (&run.unreachable, run.interrupted, run.unproven.is_empty()) {
            (_, true, _) => Conclusion::Interrupted,
            (_, _, false) => Conclusion::SuiteBroken,
            (Some(_), ..) => Conclusion::NotReachable,
            _ => match ledger.conclusion() {
                // A target that was said to hold the corpus, and does not hold all of it, was not asked what it should have been.
                // One that shows nothing was asked in vain.
                Conclusion::Conforms | Conclusion::NothingSelected
                    if !header.corpora.is_empty() || !blind.is_empty() =>
                {
                    Conclusion::Incomplete
                }
                Conclusion::Conforms | Conclusion::NothingSelected if !undecided.is_empty() || !unpinned.is_empty() => {
                    Conclusion::Incomplete
                }
                // Whoever wants everything gets no success that took a second try.
                Conclusion::Conforms if header.strict && !retried.is_empty() => Conclusion::Incomplete,
                conclusion => conclusion,
            },
        };
        if conclusion == Conclusion::Conforms {
            header.said.clear();
        }
        let problems = run.unproven.iter().map(ToString::to_string);
        let problems = problems.chain(run.unreachable.iter().map(ToString::to_string)).collect();
        let contracts: BTreeSet<&ContractKey> = run.cases.iter().map(|case| &case.contract).collect();
        let excluded = contracts
            .into_iter()
            .filter_map(|key| Some((key.to_string(), suite.keyed(key)?.contract.excluded.len())))
            .collect();
        let totals = Totals {
            conclusion,
            exit_code: conclusion.exit_code(),
            counterexamples: run.caught,
            legal_answers: run.accepted,
            problems,
            stale: ledger.stale.clone(),
            exercised: ledger.exercised.clone(),
            idle: ledger.idle.clone(),
            blind,
            short: ledger.short.clone(),
            unpinned,
            retried,
            reconnected: run.noticed.reconnected,
            numbers: run.measured.numbers(false),
            elapsed: elapsed.as_secs_f64(),
        };
        Self { header, cases: run.cases, ledger, requirements, excluded, totals, measured: run.measured }
    }

    /// Counts what the answers cost in tokens, for whoever shows it: that takes the vocabulary. What a log says of it stays.
    pub fn count_tokens(&mut self) {
        let counted = self.measured.numbers(true);
        if !counted.is_empty() {
            self.totals.numbers = counted;
        }
    }

    /// The exchange that a finding speaks of: the one that a detail points into, or the first of its case.
    pub fn exchange(&self, finding: &Finding) -> Option<&Value> {
        let at = finding.details.iter().find_map(Detail::exchange);
        self.exchange_at(finding, at.unwrap_or((0, 0)))
    }

    /// The first exchange of the case of a finding.
    pub fn first_exchange(&self, finding: &Finding) -> Option<&Value> {
        self.exchange_at(finding, (0, 0))
    }

    /// An exchange of the case of a finding, by its step and its place in the step.
    pub fn exchange_at(&self, finding: &Finding, (step, index): (usize, usize)) -> Option<&Value> {
        let is_its_case = |run: &&CaseRun| {
            (&run.contract, run.transport, &run.case) == (&finding.contract, finding.transport, &finding.case)
        };
        let case = self.cases.iter().find(is_its_case)?;
        case.evidence.get(step)?.get(index).filter(|exchange| !exchange.is_null())
    }
}

/// The cases of which requests had to be sent again.
fn retried(cases: &[CaseRun]) -> Vec<Retried> {
    let told = |case: &CaseRun| {
        let (contract, transport, name) = (case.contract.clone(), case.transport, case.case.clone());
        let why = case.retried.first()?.clone();
        Some(Retried { contract, transport, case: name, times: case.retried.len(), why })
    };
    cases.iter().filter_map(told).collect()
}
