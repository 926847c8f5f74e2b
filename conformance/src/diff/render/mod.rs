//! What a change of contracts breaks: for people at a terminal, for a pull request, and as a page. All of them begin with whom it breaks.

mod evidence;
mod html;
mod markdown;
mod text;

pub use html::html;
pub use markdown::markdown;
pub use text::text;

use super::approval::Heading;
use super::{Change, Class, Diff, Pair, Reviewed, Standing, TRANSPORTS};
use crate::model::ContractKey;
use crate::report::diff::plain;
use crate::text::{inert, listed, plural};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is above the lines that approve.
const APPROVE: &str = "Write why, each line with its reason; one line may name several changes, as in `a`, `b`:";
/// At most this many lines of a document are shown.
const MOST_LINES: usize = 12;
/// At most this many characters of a line of a document are shown.
const MOST_OF_A_LINE: usize = 400;

/// Whom the changes break, in a sentence.
fn opening(diff: &Diff) -> String {
    if diff.changes.is_empty() {
        return "Nothing changed.".to_owned();
    }
    let count = |class: &dyn Fn(&Change) -> Class| {
        diff.changes.iter().filter(|one| class(&one.change) == Class::Breaking).count()
    };
    let (implementations, clients) = (count(&|one| one.implementations), count(&|one| one.clients));
    match (implementations, clients) {
        (0, 0) => "No change breaks an implementation or a client.".to_owned(),
        (some, 0) => format!("{} implementations; none breaks clients.", breaking(some, true)),
        (0, some) => format!("{} clients; none breaks implementations.", breaking(some, true)),
        (some, others) => format!("{} implementations, {} clients.", breaking(some, true), breaking(others, false)),
    }
}

fn breaking(count: usize, with_noun: bool) -> String {
    let what = if with_noun { plural(count, "change") } else { count.to_string() };
    format!("{what} {}", if count == 1 { "breaks" } else { "break" })
}

/// Whom one change breaks, in a few words; nothing where it breaks nobody.
fn whom(change: &Change) -> Option<&'static str> {
    match (change.implementations == Class::Breaking, change.clients == Class::Breaking) {
        (true, true) => Some("breaks implementations and clients"),
        (true, false) => Some("breaks implementations"),
        (false, true) => Some("breaks clients"),
        (false, false) => None,
    }
}

/// The call or the document that shows a change, in lines.
fn witness(change: &Change) -> Vec<String> {
    let Some(witness) = &change.witness else { return Vec::new() };
    let document = &plain(&witness.document);
    let lines: Vec<String> = match document {
        _ if document["call"].is_string() => {
            let call = document["call"].as_str().unwrap_or_default();
            let with = document.get("with").map_or_else(String::new, |with| format!(" {with}"));
            let mistake = document["mistake"].as_str().map(|mistake| format!("the mistake: {mistake}"));
            [format!("{call}{with}")].into_iter().chain(mistake).collect()
        }
        Value::Object(_) if change.kind.starts_with("argument-") => {
            let operation = change.subject.split(':').next().unwrap_or_default();
            vec![format!("{operation} {document}")]
        }
        Value::String(text) => text.lines().map(str::to_owned).collect(),
        other => format!("{:#}", inner(other)).lines().map(str::to_owned).collect(),
    };
    let left = lines.len().saturating_sub(MOST_LINES);
    let shown = lines.iter().take(MOST_LINES).map(|line| inert::short(&inert::line(line), MOST_OF_A_LINE));
    shown.chain((left > 0).then(|| format!("… and {}", plural(left, "more line")))).collect()
}

/// What a document holds, without lists of one and the frame of an exchange around it.
fn inner(document: &Value) -> &Value {
    match document {
        Value::Array(one) if one.len() == 1 => inner(&one[0]),
        Value::Object(members) if members.len() == 1 => match members.iter().next() {
            Some((name, member)) if ["answer", "body", "result"].contains(&name.as_str()) => inner(member),
            _ => document,
        },
        other => other,
    }
}

/// The changes of each contract, apart by the revisions that they lie between.
fn parts(diff: &Diff) -> BTreeMap<(&str, &[Pair]), Vec<&Reviewed>> {
    let mut parts: BTreeMap<_, Vec<&Reviewed>> = BTreeMap::new();
    for one in &diff.changes {
        parts.entry((one.change.contract.as_str(), one.revisions.as_slice())).or_default().push(one);
    }
    parts
}

/// `memory, revision 1 (ADR-017) → 2 (ADR-020)`, or the revisions that changed alike.
fn headed(diff: &Diff, contract: &str, revisions: &[Pair]) -> String {
    let named = |revision: u32| match diff.names.get(&ContractKey::new(contract).at(revision).to_string()) {
        Some(name) if *name != revision.to_string() => format!("{revision} ({})", inert::line(name)),
        _ => revision.to_string(),
    };
    let told: Vec<String> = revisions
        .iter()
        .map(|pair| match pair.is_of_one() || pair.before == 0 {
            true => named(pair.now),
            false => format!("{} → {}", named(pair.before), named(pair.now)),
        })
        .collect();
    match told.as_slice() {
        _ if contract == TRANSPORTS => contract.to_owned(),
        [] => contract.to_owned(),
        [one] => format!("{contract}, revision {one}"),
        some => format!("{contract}, revisions {}", listed(some, some.len())),
    }
}

/// The lines that would approve what is not approved.
pub(super) fn approvals(diff: &Diff) -> Vec<String> {
    let mut lines = Vec::new();
    for ((contract, revisions), changes) in parts(diff) {
        let missing: Vec<&&Reviewed> =
            changes.iter().filter(|one| matches!(one.standing, Standing::Unapproved { .. })).collect();
        if missing.is_empty() {
            continue;
        }
        let (folder, heading) = match contract == TRANSPORTS {
            true => ("suite", Heading::of(&[])),
            false => (contract, Heading::of(revisions)),
        };
        lines.push(format!("schemas/{folder}/changes.md"));
        lines.push(format!("## {heading}"));
        for one in missing {
            let subject = inert::line(&one.change.subject);
            lines.push(format!("- `{}` {} of {subject}: why", one.fingerprint, one.change.kind));
        }
    }
    lines
}

/// All changes, counted.
fn total(diff: &Diff) -> String {
    let count = |is: &dyn Fn(&Reviewed) -> bool| diff.changes.iter().filter(|one| is(one)).count();
    let breaking = count(&|one| one.change.breaks());
    let approved = count(&|one| matches!(one.standing, Standing::Approved { .. }));
    let suspicions = count(&|one| one.change.is_suspicion());
    let editorial =
        count(&|one| one.change.implementations == Class::Editorial && one.change.clients == Class::Editorial);
    let compatible = diff.changes.len() - breaking - editorial;
    let suspicions = if suspicions > 0 { format!(", {suspicions} of them suspicions") } else { String::new() };
    let total = format!(
        "{}, {breaking} breaking{suspicions}, {compatible} compatible, {editorial} editorial",
        plural(diff.changes.len(), "change")
    );
    match approved + diff.unapproved().count() {
        0 => format!("{total}."),
        all => format!("{total}; {approved} of {all} that need a reason have one."),
    }
}
