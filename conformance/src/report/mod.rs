//! Reports, all rendered from one [`RunLog`]. They are pure: text in, text out.

use crate::ledger::{Row, RunLog};
use crate::model::{Client, Conclusion, ContractKey, Entry, Exercised, Finding, Outcome, Place, Retried, Speaks};
use crate::text::{inert, plural};
use std::collections::{BTreeMap, BTreeSet};

pub mod annotations;
mod calls;
mod causes;
pub mod comparison;
pub mod content;
pub mod ctrf;
pub mod diff;
mod formats;
pub mod html;
pub mod json;
pub mod junit;
pub(crate) mod log;
pub mod markdown;
pub(crate) mod marked;
mod numbers;
pub mod page;
pub mod repeat;
pub mod terminal;
mod variables;
mod wording;

pub use formats::{FORMATS, ReportFormat};

/// What a tap heard and could not judge, a sentence each: its totals are not those of a whole run.
fn heard(log: &RunLog) -> Vec<String> {
    let Some(heard) = &log.header.tap else { return Vec::new() };
    let judged = plural(heard.judged, "exchange");
    let mut sentences = vec![format!("heard by a tap, {judged} judged: of what nobody asked it says nothing")];
    let mut reasons: Vec<(&String, &usize)> = heard.not_judged.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    sentences.extend(reasons.into_iter().map(|(why, count)| format!("{count} not judged: {why}")));
    sentences
}

/// How to start the server again, so that a call can be repeated: nothing where nothing fails, or no server was started.
fn restart(log: &RunLog) -> Option<String> {
    let fails = log.totals.conclusion != Conclusion::Conforms && log.totals.problems.is_empty();
    let start = log.header.start.as_ref().filter(|_| fails && !log.cases.is_empty())?;
    Some(format!(
        "The server was stopped. Start it before you repeat a call: {}",
        inert::line(&log.header.with_port(start))
    ))
}

/// Lines of a command that act on no terminal.
fn inert_lines(lines: &[String]) -> String {
    lines.iter().map(|line| inert::line(line)).collect::<Vec<_>>().join("\n")
}

/// Checks by their requirements, those first that name a fault themselves.
fn by_requirement<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Vec<&'e Entry>> {
    // Another revision has another sentence.
    let revision = |finding: &Finding| match finding.requirement.split('.').next() {
        Some(owner) if owner == finding.contract.name() => finding.contract.revision(),
        _ => ContractKey::FIRST,
    };
    let mut groups: BTreeMap<(&str, u32), Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        groups.entry((&entry.finding.requirement, revision(&entry.finding))).or_default().push(entry);
    }
    let mut groups: Vec<Vec<&Entry>> = groups.into_values().collect();
    groups.sort_by_key(|group| follows(group).is_some());
    groups
}

/// That failures of one requirement are only consequences, in a line; nothing where one of them names a fault itself.
fn follows(group: &[&Entry]) -> Option<String> {
    let causes: Option<BTreeSet<&str>> = group.iter().map(|entry| entry.follows.as_deref()).collect();
    let causes = causes.filter(|causes| !causes.is_empty())?;
    Some(format!("follows from {}", causes.into_iter().collect::<Vec<_>>().join(", ")))
}

/// The clients that refuse what is not as a requirement has it; none where a document asks for it.
fn clients<'l>(log: &'l RunLog, requirement: &str) -> &'l [Client] {
    log.requirements.first(requirement).map_or(&[], |one| &one.clients)
}

/// How many requirements have this outcome.
fn count(rows: &[&Row], outcome: Outcome) -> usize {
    rows.iter().filter(|row| row.outcome == outcome).count()
}

/// The outcomes that tables have a column for. Only runs that were repeated know of one that is unsteady.
fn outcomes(log: &RunLog) -> Vec<Outcome> {
    let is_shown = |outcome: &Outcome| *outcome != Outcome::Unsteady || log.header.runs > 1;
    Outcome::ALL.into_iter().filter(is_shown).collect()
}

/// What the run comes to, in words.
fn conclusion(log: &RunLog) -> String {
    let has = |outcome| log.ledger.with(outcome).next().is_some();
    match log.totals.conclusion {
        Conclusion::Incomplete if has(Outcome::Unsteady) && !has(Outcome::Incomplete) => {
            "unsteady: a check does not say the same in every run".to_owned()
        }
        conclusion => conclusion.to_string(),
    }
}

/// Outcomes, counted: `40 verified, 2 advice`.
fn counts(outcomes: impl Iterator<Item = Outcome>) -> String {
    let outcomes: Vec<Outcome> = outcomes.collect();
    let counted: Vec<String> = Outcome::ALL
        .into_iter()
        .map(|outcome| (outcomes.iter().filter(|one| **one == outcome).count(), outcome))
        .filter(|(count, _)| *count > 0)
        .map(|(count, outcome)| format!("{count} {outcome}"))
        .collect();
    counted.join(", ")
}

/// How much of what binds was exercised, in a few words for each endpoint: `exercised 61 of 64, 95 %`. Empty where only a part of
/// the cases was asked for.
fn exercised(log: &RunLog) -> Vec<String> {
    match log.totals.exercised.as_slice() {
        [only] => vec![format!("exercised {only}")],
        several => {
            let words = std::iter::once("exercised ").chain(std::iter::repeat(""));
            several.iter().zip(words).map(|(share, word)| format!("{word}{} {share}", share.place)).collect()
        }
    }
}

/// What an endpoint speaks, with the revision of MCP that was agreed on: `mcp-http (modern), 2026-07-28`.
fn transport(log: &RunLog, place: &Place) -> String {
    match log.header.revision_at(place) {
        None => place.transport.to_string(),
        Some(revision) if is_a_revision(revision) => format!("{}, {revision}", place.transport),
        Some(_) => format!("{}, a revision of no known form", place.transport),
    }
}

/// Revisions are dates, sometimes with a word. What else a server says has no place in a heading: it could be taken for the
/// conclusion of the run.
fn is_a_revision(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))
}

/// An endpoint, with the revision of its contract and how that is known, where the contract has several, and the revision of MCP that was
/// agreed on.
fn endpoint(log: &RunLog, place: &Place) -> String {
    let contract = revision(log, place).unwrap_or_else(|| place.contract.to_string());
    format!("{contract} over {}", transport(log, place))
}

/// The contract of an endpoint, with its revision where there are several.
fn contract(log: &RunLog, place: &Place) -> String {
    match speaks(log, place) {
        Some(_) => place.contract.full(),
        None => place.contract.to_string(),
    }
}

/// The revision that an endpoint speaks and how that is known: `memory@2 (ADR-020, pinned)`. Nothing where the contract has only one.
fn revision(log: &RunLog, place: &Place) -> Option<String> {
    Some(inert::line(&speaks(log, place)?.to_string()))
}

fn speaks<'l>(log: &'l RunLog, place: &Place) -> Option<&'l Speaks> {
    log.header.speaks_at(place).filter(|speaks| speaks.is_a_choice())
}

/// What is not known of the revisions that endpoints speak, or has to be pinned, and how.
fn revisions(log: &RunLog) -> Vec<String> {
    let here = log.header.speaks.iter();
    let undecided = here.filter_map(|one| Some(format!("{}: {}", one.place, one.why.as_deref()?)));
    let unpinned = log.totals.unpinned.iter().filter_map(|place| {
        let (known, key) = (log.header.speaks_at(place)?, place.contract.full());
        let pin = match log.header.tap {
            Some(_) => format!("give --revision {key}"),
            None => format!(
                "write `revision = {}` at the endpoint in the target file, or give --revision {key}",
                place.contract.revision()
            ),
        };
        let transport = place.transport;
        Some(format!("{known} over {transport}: whoever is held to everything says which revision is meant: {pin}"))
    });
    undecided.chain(unpinned).collect()
}

/// The share of an endpoint.
fn exercised_at<'l>(log: &'l RunLog, place: &Place) -> Option<&'l Exercised> {
    log.totals.exercised.iter().find(|share| share.place == *place)
}

/// That requests of the case of a finding had to be sent again.
fn retried<'l>(finding: &Finding, log: &'l RunLog) -> Option<&'l Retried> {
    let of = |one: &&Retried| {
        (&one.contract, one.transport, &one.case) == (&finding.contract, finding.transport, &finding.case)
    };
    log.totals.retried.iter().find(of)
}

/// What has to be known of a run besides its outcomes, on a page without a place of its own for what programs said on standard error.
fn notes(log: &RunLog) -> Vec<String> {
    let said = log.header.said.iter();
    let said = said.map(|said| format!("`{}` said last on standard error: {}", said.command, said.lines.join(" / ")));
    restart(log).into_iter().chain(remarks(log)).chain(said).collect()
}

/// What has to be known of a run besides its outcomes: how long a corpus was waited for, that it is a shard, what was asked again.
fn remarks(log: &RunLog) -> Vec<String> {
    let settled = log.header.settled.iter().map(ToString::to_string);
    let warnings = log.header.warnings.iter().cloned();
    let mut notes: Vec<String> = settled.chain(heard(log)).chain(warnings).collect();
    if log.header.runs > 1 {
        let unsteady = plural(log.ledger.with(Outcome::Unsteady).count(), "unsteady check");
        notes.push(format!(
            "the cases ran {} times, with {unsteady}: of each case the run is shown in which most of it fails",
            log.header.runs
        ));
    }
    if let Some(shard) = log.header.selection.shard {
        let count = shard.of();
        notes.push(format!("this is shard {shard}: the whole is judged when the logs of all {count} are merged"));
    }
    notes.extend(log.totals.retried.iter().map(|one| {
        let times = if one.times == 1 { "once".to_owned() } else { format!("{} times", one.times) };
        let (case, contract, transport) = (&one.case, &one.contract, one.transport);
        format!("asked again {times} in {case} of {contract} over {transport}: {}", one.why)
    }));
    if log.totals.reconnected > 0 {
        let requests = plural(log.totals.reconnected, "request");
        notes.push(format!(
            "{requests} sent once more on a new connection: the server had ended the one that it kept open"
        ));
    }
    notes
}

/// Something that keeps a run from success and belongs to no check.
struct OwnProblem {
    text: String,
    /// Whether the target fails by it; otherwise something could not be told.
    fails: bool,
}

/// Stale known failures, corpora of which not all is there, endpoints that were exercised too little or show nothing, faults of the
/// suite, why the target is not there.
fn own_problems(log: &RunLog) -> Vec<OwnProblem> {
    let stale = log.ledger.stale.iter().map(|text| (text.clone(), true));
    let idle = log.totals.idle.iter().map(|place| format!("nothing of {place} was exercised, which is not a success"));
    let blind = log.totals.blind.iter().map(|place| {
        format!(
            "{place} answers, and no answer holds an item that can be read: give it data to search, or name the place of the \
             items in an answer with --results"
        )
    });
    let short = log.totals.short.iter().map(|share| {
        let (place, required) = (&share.place, log.header.require_exercised.unwrap_or_default());
        format!(
            "{place} exercised {share} of what binds, and {required} % are required: give it the corpus or more data, or \
             require less; each requirement that was not exercised says why (-v)"
        )
    });
    let too_little = idle.chain(blind).chain(short).chain(revisions(log)).map(|text| (text, false));
    let problems = log.totals.problems.iter().map(|text| (text.clone(), false));
    let lacking = log.header.corpora.iter().map(|one| (one.to_string(), false));
    stale.chain(lacking).chain(too_little).chain(problems).map(|(text, fails)| OwnProblem { text, fails }).collect()
}
