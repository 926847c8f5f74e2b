//! What fails or could not be judged, by its cause: one reason that many requirements share is told once.

use super::calls::{self, Call};
use super::{by_requirement, follows};
use crate::ledger::RunLog;
use crate::model::{Entry, Outcome};
use std::collections::{BTreeMap, BTreeSet};

/// The entries of one requirement, those first whose case shows the least else.
type Group<'l> = Vec<&'l Entry>;

/// What fails, or could not be judged, for one reason.
pub(super) struct Cause<'l> {
    /// The reason that all of them share; nothing where the requirement is itself the reason.
    pub(super) reason: Option<&'l str>,
    /// The requirements that fail.
    pub(super) failing: Vec<Group<'l>>,
    /// The requirements that could not be judged, and do not fail elsewhere.
    pub(super) unjudged: Vec<Group<'l>>,
}

impl<'l> Cause<'l> {
    /// All requirements of it, those that fail first.
    pub(super) fn groups(&self) -> impl Iterator<Item = &Group<'l>> {
        self.failing.iter().chain(&self.unjudged)
    }

    /// The entry that shows it best.
    pub(super) fn first(&self) -> Option<&'l Entry> {
        self.groups().next()?.first().copied()
    }

    /// Whether all of it only follows from something else.
    fn follows(&self) -> bool {
        self.groups().all(|group| follows(group).is_some())
    }
}

/// The causes of a run: those first that many requirements share, then the requirements that fail by themselves, the clearest first,
/// then what only follows.
pub(super) fn of(log: &RunLog) -> Vec<Cause<'_>> {
    let mut company: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    let fails = |entry: &&Entry| matches!(entry.outcome, Outcome::Violated | Outcome::Unsteady);
    for finding in log.ledger.entries.iter().filter(fails).map(|entry| &entry.finding) {
        company.entry((finding.place(), &finding.case)).or_default().insert(&finding.requirement);
    }
    let others = |entry: &Entry| {
        let of_case = company.get(&(entry.finding.place(), &entry.finding.case));
        (entry.follows.is_some(), of_case.map_or(0, BTreeSet::len))
    };
    let sorted = |outcomes: &[Outcome]| {
        let entries = log.ledger.entries.iter().filter(|entry| outcomes.contains(&entry.outcome));
        let mut groups = by_requirement(entries);
        groups.iter_mut().for_each(|group| group.sort_by_cached_key(|entry| others(entry)));
        groups
    };
    let failing = sorted(&[Outcome::Violated, Outcome::Unsteady]);
    let id = |group: &Group<'_>| group[0].finding.requirement.clone();
    let is_known = |group: &Group<'_>| failing.iter().any(|other| id(other) == id(group));
    let unjudged: Vec<Group<'_>> =
        sorted(&[Outcome::Incomplete]).into_iter().filter(|group| !is_known(group)).collect();
    let mut causes: Vec<Cause<'_>> = Vec::new();
    for group in unjudged {
        let reason = reason(group[0]);
        match causes.iter_mut().find(|cause| cause.reason == reason) {
            Some(cause) => cause.unjudged.push(group),
            None => causes.push(Cause { reason, failing: Vec::new(), unjudged: vec![group] }),
        }
    }
    for group in failing {
        // Only what a call was refused or failed with is a reason beside the requirement itself.
        let is_violated = group[0].outcome == Outcome::Violated;
        let shared = (is_violated && not_accepted(log, group[0])).then(|| reason(group[0])).flatten();
        // A call that had to be accepted fails for the reason that others cannot be judged.
        let refusal = calls::of(log, &group[0].finding).first().and_then(Call::refusal).filter(|_| is_violated);
        let is_shared = |cause: &Cause<'_>| shared.is_some_and(|shared| cause.reason.map(said) == Some(said(shared)));
        let is_refusal = |cause: &Cause<'_>| !cause.unjudged.is_empty() && cause.reason == refusal.as_deref();
        let same = |cause: &&mut Cause<'_>| is_shared(cause) || refusal.is_some() && is_refusal(cause);
        match causes.iter_mut().find(same) {
            Some(cause) => cause.failing.push(group),
            None => causes.push(Cause { reason: shared, failing: vec![group], unjudged: Vec::new() }),
        }
    }
    causes.sort_by_cached_key(|cause| {
        let (all, first) = (cause.groups().count(), cause.first());
        let is_shared = cause.reason.is_some() && all > 1;
        (!is_shared, cause.follows(), if is_shared { usize::MAX - all } else { first.map_or(0, |one| others(one).1) })
    });
    causes
}

/// The reason in the words of the judge.
fn reason(entry: &Entry) -> Option<&str> {
    entry.finding.details.first().map(|detail| detail.message.as_str())
}

/// What a target said, without what we say of it: `the call was refused: …`.
fn said(reason: &str) -> &str {
    reason.split_once(": ").map_or(reason, |(_, said)| said)
}

/// Whether the call that shows a failure was refused, or failed, and a reason was given.
fn not_accepted(log: &RunLog, entry: &Entry) -> bool {
    let calls = calls::of(log, &entry.finding);
    calls.first().is_some_and(Call::is_not_accepted) && reason(entry).is_some_and(|reason| reason.contains(": "))
}
