//! Findings and known failures → outcomes, and what they come to. Pure.

mod abridged;
mod cause;
pub mod compare;
mod exercised;
mod log;
mod reach;
mod requirements;
mod row;
pub mod shifts;

pub use log::RunLog;
pub use requirements::Requirements;
pub use row::Row;

use crate::model::{
    Channel, Client, Conclusion, ContractKey, Entry, Exercised, Finding, KnownFailure, Outcome, Place, Requirement,
    Shard, Unsupported, Verdict,
};
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Every requirement with what became of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Ledger {
    /// Every check, in the order of the suite.
    pub entries: Vec<Entry>,
    /// Each requirement at each endpoint: the worst of its checks.
    pub rows: Vec<Row>,
    /// What is wrong with the list of known failures itself.
    pub stale: Vec<String>,
    /// How much of what binds was exercised, for each endpoint.
    pub exercised: Vec<Exercised>,
    /// Endpoints at which nothing was exercised.
    pub idle: Vec<Place>,
    /// Endpoints at which less was exercised than is required.
    pub short: Vec<Exercised>,
    /// Whether everything had to be exercised, and was not.
    pub lacks: bool,
}

/// What the findings are read with.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'r> {
    /// Every requirement.
    pub requirements: &'r Requirements,
    /// Failures that are known.
    pub known_failures: &'r [KnownFailure],
    /// Requirements that the target does not claim to support.
    pub unsupported: &'r [Unsupported],
    /// Hold the target to advice too, and to exercising everything.
    pub strict: bool,
    /// The share of what binds that has to be exercised at each endpoint, in percent.
    pub require_exercised: Option<u8>,
    /// The day of the run, for known failures with an end.
    pub today: NaiveDate,
    /// Whether everything was run: a part of a run says nothing of what it did not reach.
    pub whole: bool,
    /// Whether every case of the endpoints was run, so that what no check speaks of was not exercised.
    pub every_case: bool,
    /// The part of the cases that was run, where other machines run the rest.
    pub shard: Option<Shard>,
    /// What cases of other shards judge, at which endpoint.
    pub other_shards: &'r BTreeSet<(Place, String)>,
    /// The endpoints that were run.
    pub endpoints: &'r [Place],
    /// Those of them that were asked for the protocol alone.
    pub beside: &'r [Place],
    /// What no case can judge over a transport, because nothing that it speaks of is called there.
    pub elsewhere: &'r BTreeSet<(Place, String)>,
}

impl Reading<'_> {
    /// Why a requirement was not exercised of which no check had anything to say.
    fn nothing_of_its_kind(&self) -> String {
        match self.shard {
            Some(shard) => format!("nothing of shard {shard} exercises it; another shard may"),
            None => "no answer holds anything that it speaks of".to_owned(),
        }
    }
}

impl Ledger {
    /// Reads findings.
    pub fn of(findings: Vec<Finding>, reading: Reading<'_>) -> Self {
        let mut used = vec![Use::default(); reading.known_failures.len()];
        let entries: Vec<Entry> = findings.into_iter().map(|finding| entry(finding, reading, &mut used)).collect();
        let stale = stale(reading, &used);
        let rows = rows(&entries, reading);
        // What a shard does not exercise, another may.
        let mut idle = if reading.shard.is_some() { Vec::new() } else { exercised::idle(&rows) };
        idle.retain(|place| !reading.beside.contains(place));
        // Of a part of the cases, a share says nothing.
        let of_contracts =
            reading.endpoints.iter().filter(|place| reading.every_case && !reading.beside.contains(place));
        let exercised = exercised::shares(&rows, of_contracts);
        let required = reading.require_exercised.filter(|_| reading.shard.is_none()).map_or(0, usize::from);
        let short = exercised.iter().filter(|share| share.percent() < required).cloned().collect();
        let lacks = reading.strict
            && reading.shard.is_none()
            && rows.iter().any(|row| row.outcome == Outcome::NotExercised && !row.requirement.may_stay_unseen());
        Self { entries, rows, stale, exercised, idle, short, lacks }
    }

    /// Checks with this outcome.
    pub fn with(&self, outcome: Outcome) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.outcome == outcome)
    }

    /// Requirements with this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }

    /// The contracts and transports of the run, in their order.
    pub fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for row in &self.rows {
            if !places.iter().any(|place| row.is_at(place)) {
                places.push(Place { contract: row.contract.clone(), transport: row.transport });
            }
        }
        places
    }

    /// The requirements of a contract over a transport.
    pub fn rows_at(&self, place: &Place) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.is_at(place)).collect()
    }

    /// What the run comes to, as far as findings tell.
    pub fn conclusion(&self) -> Conclusion {
        let has = |outcome| self.entries.iter().any(|entry| entry.outcome == outcome);
        if has(Outcome::Violated) || !self.stale.is_empty() {
            Conclusion::DoesNotConform
        } else if has(Outcome::Unsteady)
            || has(Outcome::Incomplete)
            || !self.idle.is_empty()
            || !self.short.is_empty()
            || self.lacks
        {
            Conclusion::Incomplete
        } else if self.entries.is_empty() {
            Conclusion::NothingSelected
        } else {
            Conclusion::Conforms
        }
    }
}

/// What became of a known failure.
#[derive(Debug, Clone, Copy, Default)]
struct Use {
    failed: bool,
    passed: bool,
    skipped: bool,
    incomplete: bool,
}

fn entry(finding: Finding, reading: Reading<'_>, used: &mut [Use]) -> Entry {
    if let Some(unsupported) = reading
        .unsupported
        .iter()
        .find(|one| one.requirement == finding.requirement && finding.transport.is_in(one.era))
    {
        return Entry {
            finding,
            outcome: Outcome::Unsupported,
            reason: Some(unsupported.reason.clone()),
            follows: None,
        };
    }
    let requirement = reading.requirements.of_finding(&finding);
    let is_of_clients = requirement.is_some_and(Requirement::is_of_clients);
    let binds = requirement.map_or(reading.strict, |one| one.binds_if(reading.strict));
    let may_stay_unseen = requirement.is_some_and(Requirement::may_stay_unseen);
    let known = reading.known_failures.iter().position(|known| matches(known, &finding));
    if let Some(at) = known {
        match finding.verdict {
            Verdict::Fail => used[at].failed = true,
            Verdict::Pass => used[at].passed = true,
            Verdict::Skip => used[at].skipped = true,
            Verdict::Incomplete => used[at].incomplete = true,
        }
    }
    let excused = known.map(|at| &reading.known_failures[at]).filter(|known| !expired(known, reading.today));
    let is_unsteady = finding.unsteady.is_some();
    let outcome = match finding.verdict {
        Verdict::Pass => Outcome::Verified,
        Verdict::Skip if reading.strict && !may_stay_unseen => Outcome::Incomplete,
        Verdict::Skip => Outcome::NotExercised,
        // Advice that could not be told is no reason to stop anybody.
        Verdict::Incomplete if !binds => Outcome::NotExercised,
        Verdict::Incomplete if is_unsteady => Outcome::Unsteady,
        Verdict::Incomplete => Outcome::Incomplete,
        Verdict::Fail if excused.is_some() => Outcome::KnownFailure,
        Verdict::Fail if binds && is_unsteady => Outcome::Unsteady,
        Verdict::Fail if binds => Outcome::Violated,
        Verdict::Fail if is_of_clients => Outcome::ClientAdvice,
        Verdict::Fail => Outcome::Advice,
    };
    let reason = excused.filter(|_| outcome == Outcome::KnownFailure).map(|known| known.reason.clone());
    Entry { finding, outcome, reason, follows: None }
}

fn matches(known: &KnownFailure, finding: &Finding) -> bool {
    known.requirement == finding.requirement
        && known.case.as_ref().is_none_or(|case| *case == finding.case)
        && known.transport.is_none_or(|transport| transport == finding.transport.kind())
        && known.revision.is_none_or(|revision| revision == finding.contract.revision())
        && finding.transport.is_in(known.era)
}

fn expired(known: &KnownFailure, today: NaiveDate) -> bool {
    known.until.is_some_and(|until| today > until)
}

/// Known failures that pass wherever they are exercised, that match nothing, or whose time is over. What clients refuse fails no
/// run, so that nothing is wrong with an entry for it either.
fn stale(reading: Reading<'_>, used: &[Use]) -> Vec<String> {
    let mut stale = Vec::new();
    let fails_runs = |known: &KnownFailure| !known.requirement.starts_with(Client::PREFIX);
    for (known, used) in reading.known_failures.iter().zip(used).filter(|(known, _)| fails_runs(known)) {
        let name = match &known.case {
            Some(case) => format!("{} in {case}", known.requirement),
            None => known.requirement.clone(),
        };
        let name = known.era.map_or_else(|| name.clone(), |era| format!("{name} ({era})"));
        if let Some(until) = known.until.filter(|_| expired(known, reading.today)) {
            stale.push(format!("the known failure {name} was excused until {until}: mend it, or give it more time"));
        } else if used.failed || used.incomplete || !reading.whole || is_of_another(known, reading) {
            continue;
        } else if used.passed {
            let case = if known.case.is_none() { ", or name the case in which it fails" } else { "" };
            stale.push(format!("the known failure {name} passes now: remove its entry{case}"));
        } else if !used.skipped {
            stale.push(format!("the known failure {name} matches no check of this run: remove its entry"));
        }
    }
    stale
}

/// Whether it speaks of an era in which the target was not asked, or of a revision that it does not speak: then nothing shows whether
/// it is still needed.
fn is_of_another(known: &KnownFailure, reading: Reading<'_>) -> bool {
    let is_asked = |place: &Place| {
        place.transport.is_in(known.era) && known.revision.is_none_or(|revision| revision == place.contract.revision())
    };
    let owner = known.requirement.split('.').next().unwrap_or_default();
    let is_of_a_contract = reading.endpoints.iter().any(|place| place.contract.name() == owner);
    !reading.endpoints.iter().any(is_asked) || is_of_a_contract && !reading.requirements.has(&known.requirement)
}

fn rows(entries: &[Entry], reading: Reading<'_>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places: BTreeMap<(&ContractKey, Channel, &str), usize> = BTreeMap::new();
    for entry in entries {
        let finding = &entry.finding;
        let Some(requirement) = reading.requirements.of_finding(finding) else { continue };
        let key = (&finding.contract, finding.transport, finding.requirement.as_str());
        let at = *places.entry(key).or_insert_with(|| {
            rows.push(Row {
                contract: finding.contract.clone(),
                transport: finding.transport,
                requirement: requirement.clone(),
                outcome: entry.outcome,
                checks: 0,
                exercised: 0,
                reason: None,
            });
            rows.len() - 1
        });
        let row = &mut rows[at];
        if matches!(entry.outcome, Outcome::NotExercised | Outcome::Unsupported) && row.reason.is_none() {
            let first = || finding.details.first().map(|detail| detail.message.clone());
            row.reason = entry.reason.clone().or_else(first);
        }
        row.checks += 1;
        row.exercised += finding.exercised;
        row.outcome = worse(row.outcome, entry.outcome);
    }
    for row in rows.iter_mut() {
        match row.outcome {
            Outcome::NotExercised | Outcome::Unsupported => {
                row.reason.get_or_insert_with(|| reading.nothing_of_its_kind());
            }
            _ => row.reason = None,
        }
    }
    if reading.every_case {
        rows.extend(untouched(&rows, reading));
    }
    // What belongs to the transport comes last.
    rows.sort_by_cached_key(|row| {
        (row.contract.clone(), row.transport, !row.is_of_contract(), row.requirement.id.clone())
    });
    rows
}

/// Requirements of the contracts that were run that no check had anything to say of: part of the denominator.
fn untouched(rows: &[Row], reading: Reading<'_>) -> Vec<Row> {
    let mut untouched = Vec::new();
    for place in reading.endpoints {
        let is_due = |requirement: &&Requirement| {
            let owner = requirement.owner();
            let one = (place.clone(), requirement.id.clone());
            reading.other_shards.contains(&one)
                || owner == place.contract.name()
                    && !reading.elsewhere.contains(&one)
                    && !reading.beside.contains(place)
                || place.transport.families().iter().any(|family| owner == family.to_string())
                    && place.transport.is_in(requirement.era)
        };
        for requirement in reading.requirements.at(&place.contract).filter(is_due) {
            let has_row = rows.iter().any(|row| row.is_at(place) && row.requirement.id == requirement.id);
            if !has_row {
                untouched.push(Row {
                    contract: place.contract.clone(),
                    transport: place.transport,
                    requirement: requirement.clone(),
                    outcome: Outcome::NotExercised,
                    checks: 0,
                    exercised: 0,
                    reason: Some(reading.nothing_of_its_kind()),
                });
            }
        }
    }
    untouched
}

/// One verified check outweighs others that were not exercised; otherwise the worse counts.
fn worse(left: Outcome, right: Outcome) -> Outcome {
    match (left, right) {
        (Outcome::Verified, Outcome::NotExercised) | (Outcome::NotExercised, Outcome::Verified) => Outcome::Verified,
        _ => left.max(right),
    }
}
