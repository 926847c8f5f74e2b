//! A run log that is read again: its evidence is judged by the suite as it is now.

use super::case::{ROOM, StoredCase};
use super::heard::{Judging, PART};
use super::line::{Line, exchange};
use super::lines::{Lines, LogError};
use super::{recorded, unfinished};
use crate::derive::measure;
use crate::ledger::RunLog;
use crate::load::{Case, ContractSuite, Sentinel, Suite, runs_at};
use crate::model::{
    CaseRun, Conclusion, ContractKey, Header, Keep, KnownBy, LOG_FORMAT, LOG_FORMAT_BEFORE, Noticed, Place, Run, Shelf,
    Speaks, Totals, TransportError, Verdict,
};
use crate::report::log::settled;
use crate::text::inert;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
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
        let mut lines = Lines::of(from);
        let header = match lines.next()? {
            Some((_, header)) => Self::header(header, &lines)?,
            None => return Err(LogError::Empty),
        };
        let mut cases: Vec<StoredCase> = Vec::new();
        let mut places = BTreeMap::new();
        loop {
            let (stretch, line) = match lines.next() {
                Ok(Some(next)) => next,
                Ok(None) => break,
                // A tap may be killed while it writes a line.
                Err(LogError::Line { .. }) if header.tap.is_some() && lines.is_at_end() => break,
                Err(error) => return Err(error),
            };
            let unknown = || lines.wrong("it belongs to a case that has no line before it");
            match line {
                Line::Case(case) => {
                    if cases.len() == MOST_CASES {
                        return Err(lines.wrong(format!("no log has more than {MOST_CASES} cases")));
                    }
                    if case.steps > MOST_STEPS {
                        return Err(lines.wrong(format!("no case has {} steps", case.steps)));
                    }
                    if inert::line(&case.case) != case.case {
                        return Err(lines.wrong(format!("no case is called `{}`", inert::line(&case.case))));
                    }
                    let key = (case.contract.clone(), case.transport, case.case.clone());
                    let is_its_place = |place: &&Place| (&place.contract, place.transport) == (&key.0, key.1);
                    let most = header.endpoints.iter().filter(is_its_place).count().max(1);
                    let (at, times) = places.entry(key).or_insert((0, 0));
                    (*at, *times) = (cases.len(), *times + 1);
                    // A tap writes a case again where it was asked again and something worse came of it.
                    if *times > most && header.tap.is_none() {
                        return Err(lines.wrong(format!("the case `{}` has a line already", case.case)));
                    }
                    cases.push(StoredCase::of(case, shelf));
                }
                Line::Exchange(line) => {
                    let key = (line.contract, line.transport, line.case);
                    let (at, _) = places.get(&key).ok_or_else(unknown)?;
                    let is_kept = line.evidence.is_some();
                    cases[*at].take((line.step, line.index), is_kept, stretch).map_err(|why| lines.wrong(why))?;
                }
                Line::Finding(entry) => {
                    let finding = entry.finding;
                    let key = (finding.contract, finding.transport, finding.case);
                    let (at, _) = places.get(&key).ok_or_else(unknown)?;
                    cases[*at].findings.stretches.push(stretch);
                }
                Line::Totals(totals) => {
                    if !(0.0..=MOST_SECONDS).contains(&totals.elapsed) {
                        return Err(lines.wrong(format!("no run takes {} seconds", totals.elapsed)));
                    }
                    return match lines.next::<Line>() {
                        Ok(None) => Ok(Self { header, totals, cases }),
                        Ok(Some(_)) | Err(LogError::Line { .. }) => Err(LogError::Follows(lines.last)),
                        Err(error) => Err(error),
                    };
                }
            }
        }
        let (header, totals, cases) = unfinished::ended(header, cases).ok_or(LogError::CutOff(lines.last))?;
        Ok(Self { header, totals, cases })
    }

    fn header<R: BufRead>(line: Value, lines: &Lines<R>) -> Result<Header, LogError> {
        match line["format"].as_str() {
            Some(LOG_FORMAT | LOG_FORMAT_BEFORE) => serde_json::from_value(line).map_err(|error| lines.wrong(error)),
            Some(other) => Err(LogError::Form(other.to_owned())),
            None => Err(lines.wrong("it does not say `format`")),
        }
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

    /// How the suite that wrote the log differs from this one.
    pub fn written_by(&self) -> Option<String> {
        let (then, now) = (&self.header.suite, env!("CARGO_PKG_VERSION"));
        (then != now).then(|| format!("version {then} of the suite, and this is {now}"))
    }

    /// The contracts of the log that a user brought, and that the suite does not have.
    pub fn lacks(&self, suite: &Suite) -> Vec<&str> {
        let brought = self.header.brought.iter().flat_map(|brought| &brought.contracts).map(String::as_str);
        brought.filter(|name| suite.contract(name).is_none()).collect()
    }

    /// Whether the contracts that a user brought are other ones now.
    pub fn is_changed(&self, suite: &Suite) -> bool {
        let (then, now) = (&self.header.brought, suite.brought());
        then.as_ref().zip(now).is_some_and(|(then, now)| then.fingerprint != now.fingerprint)
    }

    /// The contracts of its endpoints, each at the revision by which it was judged.
    pub fn contracts(&self) -> BTreeSet<&ContractKey> {
        let of_cases = self.cases.iter().map(|case| &case.run.contract);
        self.header.endpoints.iter().map(|place| &place.contract).chain(of_cases).collect()
    }

    /// Shows every exchange that was kept, with the contract of its case.
    ///
    /// # Errors
    /// When the log cannot be read any more.
    pub fn exchanges(&self, mut show: impl FnMut(&ContractKey, &Value)) -> io::Result<()> {
        self.cases.iter().try_for_each(|case| {
            let lines = case.run.lines.iter().flat_map(|lines| lines.stretches.iter().map(move |at| (lines, *at)));
            lines.map(|(lines, at)| exchange(lines, at, &mut ROOM.clone())).try_for_each(|read| {
                show(&case.run.contract, &read?.1);
                Ok(())
            })
        })
    }

    /// The same log as if a contract had been asked for at this revision, whatever it was.
    #[must_use]
    pub fn at(mut self, key: &ContractKey) -> Self {
        let of_header = self.header.endpoints.iter_mut().map(|place| &mut place.contract);
        let of_cases = self.cases.iter_mut().map(|case| &mut case.run.contract);
        of_header.chain(of_cases).filter(|one| one.name() == key.name()).for_each(|one| *one = key.clone());
        // It was asked for.
        self.header.speaks.retain(|one| one.place.contract.name() != key.name());
        self
    }

    /// Judges the evidence by a suite, case by case. Nothing is called: what the suite asks for beyond the log stays incomplete.
    pub fn judge(mut self, suite: &Suite) -> RunLog {
        let noticed = Noticed { reconnected: self.totals.reconnected, ..Noticed::default() };
        let interrupted = self.totals.conclusion == Conclusion::Interrupted;
        let mut run = Run { interrupted, noticed, ..Run::default() };
        let judging = self.header.tap.as_ref().map(|tap| Judging::new(tap.corpus));
        // What was measured before anything was redacted stays. What passed a tap is not measured.
        let is_measured = self.totals.numbers.is_empty() && judging.is_none();
        let mut repeated = 0;
        for mut case in std::mem::take(&mut self.cases) {
            let lines = case.run.lines.take();
            let now = find(suite, &case.run);
            let read = case.read(lines.as_ref());
            if is_measured && case.run.case != Sentinel::CASE {
                measure(&mut run.measured, &case.run.place(), &case.run.case, &case.run.evidence);
            }
            let judged = match (read, &judging) {
                (Err(why), _) => case.not_read(now.map(|(_, now)| now), &why),
                (Ok(then), Some(judging)) => {
                    let place = case.run.place();
                    let is_assumed = |one: &Speaks| one.place == place && one.by == KnownBy::Assumed;
                    let is_assumed = self.header.speaks.iter().any(is_assumed);
                    case.judge_heard(&then, judging, now, (suite, is_assumed), &mut repeated)
                }
                (Ok(then), None) => match now {
                    Some((contract, now)) => Some(case.judge(&then, contract, now, suite, &mut repeated)),
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
        let mut log = RunLog::of(suite, self.header, run, Duration::from_secs_f64(self.totals.elapsed));
        if !is_measured {
            log.totals.numbers = self.totals.numbers;
        }
        log
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
                if !is_known
                    && runs_at(&self.header.endpoints, self.header.spoken_at(place), at, case, &contract.contract)
                {
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

/// More cases than any log has, including the parts of a session that a tap heard for days.
const MOST_CASES: usize = 100_000;
/// More steps than any case has: a log that claims more is none.
const MOST_STEPS: usize = 1000;

fn find<'s>(suite: &'s Suite, run: &CaseRun) -> Option<(&'s ContractSuite, &'s Case)> {
    let contract = suite.keyed(&run.contract)?;
    Some((contract, contract.cases.iter().find(|case| case.name == run.case)?))
}
