//! What a change of contracts breaks: for people at a terminal, and for a pull request.

use super::{Change, Class, Diff, Reviewed, Standing, TRANSPORTS, Turn, Turned};
use crate::report::page::{self, Page};
use crate::text::inert;
use std::collections::BTreeSet;

/// At a terminal.
pub fn text(diff: &Diff, colour: bool, width: usize) -> String {
    let mut page = Page::new(colour, width);
    page.line(&page.bold(&format!("Contracts: {} → {}", inert::line(&diff.before), inert::line(&diff.now))));
    for contract in contracts(diff) {
        page.line("");
        page.line(&page.bold(&headed(diff, contract)));
        for one in diff.changes.iter().filter(|one| one.change.contract == contract) {
            shown(&mut page, one);
        }
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
        page.wrapped("To approve what breaks, raise `revision` in contract.json and write why it is wanted:", "");
        lines.iter().for_each(|line| page.line(&format!("  {line}")));
    }
    page.text
}

fn shown(page: &mut Page, one: &Reviewed) {
    let Change { kind, subject, implementations, clients, .. } = &one.change;
    let code = match (one.change.breaks(), &one.standing) {
        (true, Standing::Approved { .. }) => "33",
        (true, _) => "1;31",
        _ => "2",
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
    if !one.change.breaks() {
        return;
    }
    match &one.change.witness {
        Some(witness) => {
            page.wrapped(&format!("witness, {}:", inert::short(&inert::line(&witness.shows), 300)), "      ");
            page.line(&format!("        {}", page::value(&witness.document)));
        }
        None => page.line("      no document was found that shows it"),
    }
    if !one.change.requirements.is_empty() {
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

/// For a pull request: what breaks in full, the rest as a list.
pub fn markdown(diff: &Diff) -> String {
    let mut page = format!("# Contracts: {} → {}\n\n{}\n", plain(&diff.before), plain(&diff.now), total(diff));
    for contract in contracts(diff) {
        page.push_str(&format!("\n## {}\n\n", headed(diff, contract)));
        page.push_str("| change | of | implementations | clients | |\n|---|---|---|---|---|\n");
        let of_contract = || diff.changes.iter().filter(|one| one.change.contract == contract);
        for Reviewed { change, standing, .. } in of_contract() {
            let standing = match standing {
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
        for one in of_contract().filter(|one| one.change.breaks()) {
            page.push_str(&format!("\n**{}** {}", plain(&one.change.subject), plain(&one.change.says)));
            match &one.change.witness {
                Some(witness) => page.push_str(&format!(
                    "; {}:\n\n{}\n",
                    plain(&witness.shows),
                    fenced(&page::value(&witness.document))
                )),
                None => page.push_str(". No document was found that shows it: a suspicion.\n"),
            }
        }
    }
    if !diff.turned.is_empty() {
        page.push_str("\n## By what implementations answered\n\n");
        diff.turned.iter().for_each(|turned| page.push_str(&format!("- {}\n", plain(&told(turned)))));
    }
    let lines = approvals(diff);
    if !lines.is_empty() {
        page.push_str("\nTo approve what breaks, raise `revision` in contract.json and write why it is wanted:\n\n");
        page.push_str(&fenced(&lines.join("\n")));
        page.push('\n');
    }
    page
}

fn contracts(diff: &Diff) -> BTreeSet<&str> {
    diff.changes.iter().map(|one| one.change.contract.as_str()).collect()
}

fn headed(diff: &Diff, contract: &str) -> String {
    match diff.revisions.get(contract) {
        Some((before, now)) if before == now => format!("{contract}, revision {now}"),
        Some((before, now)) => format!("{contract}, revision {before} → {now}"),
        None => contract.to_owned(),
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
    format!("{breaking} breaking ({approved} approved{suspicions}), {compatible} compatible, {editorial} editorial.")
}

/// The lines that would approve what is not approved.
fn approvals(diff: &Diff) -> Vec<String> {
    let mut lines = Vec::new();
    for contract in contracts(diff) {
        let of_contract: Vec<&Reviewed> = diff.unapproved().filter(|one| one.change.contract == contract).collect();
        if of_contract.is_empty() {
            continue;
        }
        let folder = if contract == TRANSPORTS { "suite" } else { contract };
        let (before, now) = diff.revisions.get(contract).copied().unwrap_or_default();
        lines.push(format!("schemas/{folder}/changes.md"));
        lines.push(format!("## Revision {}", now.max(before + 1)));
        for one in of_contract {
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

/// Text that Markdown leaves as it is, also in a table.
fn plain(text: &str) -> String {
    let text = inert::short(&inert::line(text), 400);
    let mut is_code = false;
    text.chars().fold(String::new(), |mut plain, character| {
        is_code ^= character == '`';
        let acts = matches!(character, '<' | '>' | '*' | '_' | '[' | ']' | '\\' | '#');
        if character == '|' || (acts && !is_code) {
            plain.push('\\');
        }
        plain.push(character);
        plain
    })
}

fn fenced(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{text}\n{fence}")
}
