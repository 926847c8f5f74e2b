//! What an endpoint holds of the corpus: all of it, a part, nothing. The answers to several looks tell it, and must not contradict
//! each other.

use crate::derive::shown;
use crate::load::{Document, Sentinel, Sight};
use crate::model::{Contract, Detail, Finding, Look, Place, Presence, Verdict};
use chrono::DateTime;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// So many documents that are not found are named.
const NAMED: usize = 12;
/// A time of so many seconds is in the year 5138, so a number above it is a time in milliseconds.
const MOST_SECONDS: f64 = 1e11;

/// What the looks found.
pub(crate) struct Held {
    /// The corpus, where not all of it is there.
    pub(crate) lacking: Option<Presence>,
    /// What the target says of the corpus in one way and not in another, and what it lost of what a seed had put in.
    pub(crate) findings: Vec<Finding>,
}

/// What one look showed.
#[derive(Default)]
struct Seen<'s> {
    /// The first of its calls, and the documents that any of them has to show.
    first: usize,
    due: BTreeSet<&'s str>,
    shown: BTreeSet<&'s str>,
    /// The first exchange that shows a document: its step and its place there.
    shown_at: Option<(usize, usize)>,
    /// The first call that does not show a document that it has to show.
    lacks_at: Option<usize>,
    /// The documents whose call failed, of which nothing is known.
    untold: BTreeSet<&'s str>,
    /// Whether any answer holds an item, be it of the corpus or not: a server may hold data of its own as well.
    has_items: bool,
}

/// Says what the answers to the looks show of the corpus. A target that a seed has filled must not lose a part of it; of one that
/// shows nothing, nobody knows where the seed has put it.
pub(crate) fn held(
    place: &Place,
    contract: &Contract,
    (sentinel, sights): (&Sentinel, &[Sight]),
    evidence: &Value,
    is_seeded: bool,
) -> Held {
    let looks = sentinel.looks();
    let seen = seen(looks.len(), contract, sights, evidence);
    let mut findings = Vec::new();
    let finds_nothing = |seen: &Seen<'_>| seen.shown.is_empty() && !seen.has_items && seen.untold.is_empty();
    for (look, mine) in looks.iter().zip(&seen).filter(|(_, seen)| finds_nothing(seen)) {
        let other = |id: &str| looks.iter().zip(&seen).find(|(other, _)| other.id.as_deref() == Some(id));
        let contradicts = look.violates.iter().find_map(|one| {
            let (_, theirs) = other(&one.unlike)?;
            theirs.shown_at.map(|at| (one, theirs, at))
        });
        if let Some((one, theirs, at)) = contradicts {
            findings.push(finding(place, &one.requirement, [(mine, (mine.first, 0)), (theirs, at)], evidence));
        }
    }
    // What a fault of the target hides is not missing.
    let lacking = Presence { seeded: is_seeded, ..presence(place, looks, &seen) };
    let lacking = Some(lacking).filter(|lacking| lacking.missing > 0 && findings.is_empty());
    if lacking.as_ref().is_some_and(|lacking| is_seeded && !lacking.is_absent()) {
        let shown: BTreeSet<&str> = seen.iter().flat_map(|seen| &seen.shown).copied().collect();
        findings.extend(looks.iter().zip(&seen).filter_map(|(look, seen)| lost(place, look, seen, &shown)));
    }
    Held { lacking, findings }
}

fn seen<'s>(looks: usize, contract: &Contract, sights: &'s [Sight], evidence: &Value) -> Vec<Seen<'s>> {
    let mut all: Vec<Seen<'s>> = std::iter::repeat_with(Seen::default).take(looks).collect();
    for (step, (sight, exchanges)) in sights.iter().zip(evidence.as_array().into_iter().flatten()).enumerate() {
        let seen = &mut all[sight.look];
        if seen.due.is_empty() {
            seen.first = step;
        }
        let names = || sight.documents.iter().map(|document| document.name.as_str());
        seen.due.extend(names());
        // A refusal behind the first page ends a walk.
        let is_told = |(page, exchange): (usize, &Value)| match exchange["status"].as_str() {
            Some("accepted") => true,
            Some("refused") => page > 0 || sight.refused_is_missing,
            _ => false,
        };
        let exchanges = exchanges.as_array().map_or(&[][..], Vec::as_slice);
        seen.has_items |= shown(exchanges.iter(), contract).with_items > 0;
        if exchanges.is_empty() || !exchanges.iter().enumerate().all(is_told) {
            seen.untold.extend(names());
            continue;
        }
        let accepted = || exchanges.iter().enumerate().filter(|(_, exchange)| exchange["status"] == "accepted");
        let shown = Values::of(accepted().map(|(_, exchange)| &exchange["answer"]));
        let missing: BTreeSet<&str> =
            missing(&sight.documents, &shown).into_iter().map(|one| one.name.as_str()).collect();
        seen.shown.extend(names().filter(|name| !missing.contains(name)));
        if !missing.is_empty() {
            seen.lacks_at.get_or_insert(step);
        }
        if seen.shown_at.is_none() && !seen.shown.is_empty() {
            let shows = |exchange: &Value| missing_of(&sight.documents, exchange) < sight.documents.len();
            let index = accepted().find(|(_, exchange)| shows(exchange)).map_or(0, |(index, _)| index);
            seen.shown_at = Some((step, index));
        }
    }
    all
}

/// How many documents a single answer does not show.
fn missing_of(documents: &[Document], exchange: &Value) -> usize {
    missing(documents, &Values::of(std::iter::once(&exchange["answer"]))).len()
}

/// Counts the documents that no look shows.
fn presence(place: &Place, looks: &[Look], seen: &[Seen<'_>]) -> Presence {
    let all: BTreeSet<&str> = seen.iter().flat_map(|seen| &seen.due).copied().collect();
    let shown: BTreeSet<&str> = seen.iter().flat_map(|seen| &seen.shown).copied().collect();
    let whole = || looks.iter().zip(seen).filter(|(look, _)| !look.some).map(|(_, seen)| seen);
    // In the order of the looks, so that the first of the files are named.
    let told = whole().flat_map(|seen| seen.due.difference(&seen.untold)).copied();
    let mut known = shown.clone();
    let missing: Vec<&str> = told.filter(|name| known.insert(name)).collect();
    let untold = whole().map(|seen| seen.untold.difference(&shown).count()).sum();
    let named = missing.iter().take(NAMED).map(|name| (*name).to_owned()).collect();
    Presence { place: place.clone(), documents: all.len(), missing: missing.len(), named, untold, seeded: false }
}

/// That one call shows nothing of what another one shows.
fn finding(place: &Place, requirement: &str, looks: [(&Seen<'_>, (usize, usize)); 2], evidence: &Value) -> Finding {
    let [(mine, here), (theirs, there)] = looks;
    let call = |(step, index): (usize, usize)| {
        let request = &evidence[step][index]["request"];
        format!("`{} {}`", request["operation"].as_str().unwrap_or_default(), request["with"])
    };
    let at = |(step, index): (usize, usize)| format!("/{step}/{index}");
    let (due, shown) = (mine.due.len(), theirs.shown.len());
    let message = format!(
        "{} finds nothing, where it should show {due} documents of the corpus, and {} shows {shown} of them",
        call(here),
        call(there)
    );
    Finding {
        contract: place.contract.clone(),
        transport: place.transport,
        case: Sentinel::CASE.to_owned(),
        requirement: requirement.to_owned(),
        verdict: Verdict::Fail,
        details: vec![
            Detail::new(message).at(at(here)).compare(json!({ "documents": shown }), json!({ "documents": 0 })),
            Detail::new("this call shows them").at(at(there)),
        ],
        more_calls: 0,
        exercised: 1,
        unsteady: None,
    }
}

/// That a look does not show documents which a seed had put in, and no other look does.
fn lost(place: &Place, look: &Look, seen: &Seen<'_>, shown: &BTreeSet<&str>) -> Option<Finding> {
    let (requirement, step) = (look.lost.as_ref()?, seen.lacks_at?);
    let lost: Vec<&str> =
        seen.due.iter().filter(|name| !shown.contains(*name) && !seen.untold.contains(*name)).copied().collect();
    let (due, named) = (seen.due.len(), lost.iter().take(NAMED).copied().collect::<Vec<_>>().join(", "));
    let message = format!(
        "the seed ended with success, and {} of the {due} documents that it had put in are not shown: {named}{}",
        lost.len(),
        if lost.len() > NAMED { ", …" } else { "" }
    );
    (!lost.is_empty()).then(|| Finding {
        contract: place.contract.clone(),
        transport: place.transport,
        case: Sentinel::CASE.to_owned(),
        requirement: requirement.clone(),
        verdict: Verdict::Fail,
        details: vec![
            Detail::new(message)
                .at(format!("/{step}/0"))
                .compare(json!({ "documents": due }), json!({ "documents": due - lost.len() })),
        ],
        more_calls: 0,
        exercised: due,
        unsteady: None,
    })
}

/// The documents that are not shown. Where several are the same in a mark, each has to be shown for itself.
fn missing<'d>(documents: &'d [Document], shown: &Values) -> Vec<&'d Document> {
    // How often a mark is shown, less the documents before that have it too.
    let mut left: HashMap<(usize, &Value), usize> = HashMap::new();
    let mut missing = Vec::new();
    for document in documents {
        let mut is_shown = false;
        for (at, mark) in document.marks.iter().enumerate() {
            let left = left.entry((at, mark)).or_insert_with(|| shown.count(mark));
            is_shown |= *left > 0;
            *left = left.saturating_sub(1);
        }
        if !is_shown {
            missing.push(document);
        }
    }
    missing
}

/// The values that stand somewhere in answers.
#[derive(Default)]
struct Values {
    texts: Vec<String>,
    /// In their order.
    numbers: Vec<f64>,
}

impl Values {
    fn of<'a>(answers: impl Iterator<Item = &'a Value>) -> Self {
        let mut shown = Self::default();
        answers.for_each(|answer| shown.gather(answer));
        shown.numbers.sort_by(f64::total_cmp);
        shown
    }

    fn gather(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.gather(value)),
            Value::Object(fields) => fields.values().for_each(|value| self.gather(value)),
            Value::Number(number) => self.number(number.as_f64()),
            // A text may be JSON itself, as in the text block of a tool's answer, or a number.
            Value::String(text) => match serde_json::from_str(text) {
                Ok(inner @ (Value::Array(_) | Value::Object(_))) => self.gather(&inner),
                Ok(Value::Number(number)) => {
                    self.number(number.as_f64());
                    self.texts.push(text.clone());
                }
                _ => {
                    let time = DateTime::parse_from_rfc3339(text).ok();
                    self.numbers.extend(time.map(|time| time.timestamp_micros() as f64 / 1e6));
                    self.texts.push(text.clone());
                }
            },
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// A time in another unit, or as a text, is not a document that is missing: its requirement says what is wrong with it.
    fn number(&mut self, number: Option<f64>) {
        self.numbers.extend(number);
        self.numbers.extend(number.filter(|number| *number > MOST_SECONDS).map(|number| number / 1000.0));
    }

    fn count(&self, mark: &Value) -> usize {
        match mark {
            Value::String(mark) => self.texts.iter().filter(|text| text.contains(mark.as_str())).count(),
            Value::Number(mark) => mark.as_f64().map_or(0, |mark| {
                let from = self.numbers.partition_point(|number| *number < mark);
                self.numbers[from..].partition_point(|number| *number == mark)
            }),
            _ => 0,
        }
    }
}
