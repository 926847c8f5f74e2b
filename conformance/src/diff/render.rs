//! What a change of contracts breaks: for people at a terminal, and for a pull request.

use super::approval::Heading;
use super::{Change, Class, Diff, Pair, Reviewed, Standing, TRANSPORTS, Turn, Turned};
use crate::model::ContractKey;
use crate::report::marked;
use crate::report::page::{self, Page};
use crate::text::{inert, listed};
use std::collections::BTreeMap;

/// What stands above the lines that approve.
const APPROVE: &str = "Write why, each line with its reason; one line may name several changes, as in `a`, `b`:";

/// At a terminal.
pub fn text(diff: &Diff, colour: bool, width: usize) -> String {
    let mut page = Page::new(colour, width);
    page.line(&page.bold(&format!("Contracts: {} → {}", inert::line(&diff.before), inert::line(&diff.now))));
    for ((contract, revisions), changes) in parts(diff) {
        page.line("");
        page.line(&page.bold(&headed(diff, contract, revisions)));
        changes.into_iter().for_each(|one| shown(&mut page, one));
    }
    if !diff.turned.is_empty() {
        page.line("");
        page.line(&page.bold("By what implementations answered"));
        for turned in &diff.turned {
            let code = if turned.turn == Turn::Violated { "1;31" } else { "0" };
            page.line(&page.painted(code, &format!("  {}", told(turned))));
        }
    }
    page.line("");
    page.wrapped(&total(diff), "");
    let lines = approvals(diff);
    if !lines.is_empty() {
        page.line("");
        page.wrapped(APPROVE, "");
        lines.iter().for_each(|line| page.line(&format!("  {line}")));
    }
    page.text
}

fn shown(page: &mut Page, one: &Reviewed) {
    let Change { kind, subject, implementations, clients, .. } = &one.change;
    let code = match &one.standing {
        Standing::Approved { .. } => "33",
        Standing::Unapproved { .. } => "1;31",
        Standing::Free => "2",
    };
    let suspicion = if one.change.is_suspicion() { ", a suspicion" } else { "" };
    page.line(&page.painted(code, &format!("  {kind}  {}{suspicion}", inert::line(subject))));
    page.wrapped(&inert::short(&inert::line(&one.change.says), 400), "      ");
    if one.change.breaks() || *implementations == Class::Compatible || *clients == Class::Compatible {
        page.line(&format!("      implementations: {implementations}   clients: {clients}"));
    }
    if !one.change.also.is_empty() {
        page.wrapped(&format!("also in {}", inert::line(&one.change.also.join(", "))), "      ");
    }
    if let Some(lacks) = &one.change.lacks {
        page.wrapped(&page.painted("33", &inert::line(lacks)), "      ");
    }
    match &one.change.witness {
        _ if !one.change.breaks() => {}
        Some(witness) => {
            page.wrapped(&format!("witness, {}:", inert::short(&inert::line(&witness.shows), 300)), "      ");
            page.line(&format!("        {}", page::value(&witness.document)));
        }
        None => page.line("      no document was found that shows it"),
    }
    if one.change.follows && one.change.breaks() {
        page.line("      it follows a bound of an argument, and needs no reason of its own");
    }
    if let Some(asks) = &one.change.asks {
        page.wrapped(&format!("a question to its author: {asks}"), "      ");
    }
    if one.change.breaks() && !one.change.requirements.is_empty() {
        page.wrapped(&format!("requirements: {}", one.change.requirements.join(", ")), "      ");
    }
    match &one.standing {
        Standing::Approved { reason } => {
            page.wrapped(&format!("approved ({}): {}", one.fingerprint, inert::line(reason)), "      ")
        }
        Standing::Unapproved { missing } => {
            page.wrapped(&page.painted("1;31", &format!("not approved ({}): {missing}", one.fingerprint)), "      ");
        }
        Standing::Free => {}
    }
}

/// For a pull request: first what its author and its reviewers act on, then what breaks in full, the rest as a list. A comment has
/// room for so much, and what does not fit is cut off its end.
pub fn markdown(diff: &Diff) -> String {
    let mut page = format!("# Contracts: {} → {}\n\n{}\n", plain(&diff.before), plain(&diff.now), total(diff));
    if !diff.turned.is_empty() {
        page.push_str("\n## By what implementations answered\n\n");
        diff.turned.iter().for_each(|turned| page.push_str(&format!("- {}\n", plain(&told(turned)))));
    }
    let lines = approvals(diff);
    if !lines.is_empty() {
        page.push_str(&format!("\n{APPROVE}\n\n{}", fenced(&lines.join("\n"))));
    }
    for ((contract, revisions), changes) in parts(diff) {
        page.push_str(&format!("\n## {}\n\n", headed(diff, contract, revisions)));
        page.push_str("| change | of | implementations | clients | |\n|---|---|---|---|---|\n");
        for Reviewed { change, standing, .. } in &changes {
            let standing = match standing {
                Standing::Free if change.follows => "follows a bound".to_owned(),
                Standing::Free => String::new(),
                Standing::Approved { reason } => format!("approved: {}", plain(reason)),
                Standing::Unapproved { .. } => "**not approved**".to_owned(),
            };
            let (kind, subject) = (&change.kind, plain(&change.subject));
            page.push_str(&format!(
                "| {kind} | {subject} | {} | {} | {standing} |\n",
                word(change.implementations),
                word(change.clients)
            ));
        }
        for one in changes.iter().filter(|one| one.change.breaks() || one.change.asks.is_some()) {
            page.push_str(&format!("\n**{}** {}", plain(&one.change.subject), plain(&one.change.says)));
            if let Some(lacks) = &one.change.lacks {
                page.push_str(&format!("; {}", plain(lacks)));
            }
            if let Some(asks) = &one.change.asks {
                page.push_str(&format!(". A question to its author: {}.\n", plain(asks)));
            }
            match &one.change.witness {
                _ if !one.change.breaks() => {}
                Some(witness) => {
                    let document = fenced(&page::value(&witness.document));
                    page.push_str(&format!("; {}:\n\n{document}", plain(&witness.shows)));
                }
                None => page.push_str(". No document was found that shows it: a suspicion.\n"),
            }
        }
    }
    page
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

fn total(diff: &Diff) -> String {
    if diff.changes.is_empty() {
        return "Nothing changed.".to_owned();
    }
    let count = |is: &dyn Fn(&Reviewed) -> bool| diff.changes.iter().filter(|one| is(one)).count();
    let breaking = count(&|one| one.change.breaks());
    let approved = count(&|one| matches!(one.standing, Standing::Approved { .. }));
    let suspicions = count(&|one| one.change.is_suspicion());
    let editorial =
        count(&|one| one.change.implementations == Class::Editorial && one.change.clients == Class::Editorial);
    let compatible = diff.changes.len() - breaking - editorial;
    let suspicions = if suspicions > 0 { format!(", {suspicions} of them suspicions") } else { String::new() };
    let total = format!("{breaking} breaking{suspicions}, {compatible} compatible, {editorial} editorial");
    match approved + diff.unapproved().count() {
        0 => format!("{total}."),
        all => format!("{total}; {approved} of {all} that need a reason have one."),
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

fn told(turned: &Turned) -> String {
    let Turned { target, contract, transport, requirement, turn } = turned;
    let turn = match turn {
        Turn::Violated => "is violated now",
        Turn::Untold => "cannot be told without a new run",
        Turn::Kept => "was violated and is not any more",
    };
    let of = if requirement.starts_with(contract.name()) { String::new() } else { format!(" of {contract}") };
    format!("{}: {requirement}{of} over {transport} {turn}", inert::line(target))
}

fn word(class: Class) -> String {
    if class == Class::Breaking { "**breaking**".to_owned() } else { class.to_string() }
}

/// Text for Markdown, also in a table, and not too much of it.
fn plain(text: &str) -> String {
    marked::sentence(&inert::short(&inert::line(text), 400))
}

fn fenced(text: &str) -> String {
    format!("{}\n", marked::fenced("", &format!("{text}\n")).trim_end())
}
