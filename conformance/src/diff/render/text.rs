//! At a terminal.

use super::evidence::answered;
use super::{APPROVE, approvals, headed, opening, parts, total, whom, witness};
use crate::diff::{Class, Diff, Reviewed, Standing};
use crate::report::page::Page;
use crate::text::inert;

/// At a terminal.
pub fn text(diff: &Diff, colour: bool, width: usize) -> String {
    let mut page = Page::new(colour, width);
    page.line(&page.bold(&format!("Contracts: {} → {}", inert::line(&diff.before), inert::line(&diff.now))));
    page.wrapped(&page.bold(&opening(diff)), "");
    for ((contract, revisions), changes) in parts(diff) {
        page.line("");
        page.line(&page.bold(&headed(diff, contract, revisions)));
        changes.into_iter().for_each(|one| shown(&mut page, one));
    }
    if !diff.turned.is_empty() {
        page.line("");
        page.line(&page.bold("By what implementations answered"));
        for (is_violated, line) in answered(diff) {
            let code = if is_violated { "1;31" } else { "0" };
            page.wrapped(&page.painted(code, &line), "  ");
        }
    }
    if !diff.changes.is_empty() {
        page.line("");
        page.wrapped(&total(diff), "");
    }
    let lines = approvals(diff);
    if !lines.is_empty() {
        page.line("");
        page.wrapped(APPROVE, "");
        lines.iter().for_each(|line| page.line(&format!("  {line}")));
    }
    page.text
}

fn shown(page: &mut Page, one: &Reviewed) {
    let change = &one.change;
    let code = match &one.standing {
        Standing::Approved { .. } => "33",
        Standing::Unapproved { .. } => "1;31",
        Standing::Free => "2",
    };
    let suspicion = if change.is_suspicion() { ", a suspicion" } else { "" };
    let (kind, subject) = (&change.kind, inert::line(&change.subject));
    let breaks = whom(change).map_or_else(String::new, |whom| format!("  {whom}"));
    page.line(&page.painted(code, &format!("  {kind}  {subject}{breaks}{suspicion}")));
    page.wrapped(&inert::short(&inert::line(&change.says), 400), "      ");
    if !change.breaks() && [change.implementations, change.clients].contains(&Class::Compatible) {
        page.line("      compatible");
    }
    if !change.also.is_empty() {
        page.wrapped(&format!("also in {}", inert::line(&change.also.join(", "))), "      ");
    }
    if let Some(lacks) = &change.lacks {
        page.wrapped(&page.painted("33", &inert::line(lacks)), "      ");
    }
    match &change.witness {
        _ if !change.breaks() => {}
        Some(shown) => {
            page.wrapped(&format!("{}:", inert::short(&inert::line(&shown.shows), 300)), "      ");
            witness(change).iter().for_each(|line| page.line(&format!("        {line}")));
        }
        None => page.line("      no document was found that shows it"),
    }
    if change.follows && change.breaks() {
        page.line("      it follows a bound of an argument, and needs no reason of its own");
    }
    if let Some(asks) = &change.asks {
        page.wrapped(&format!("a question to its author: {asks}"), "      ");
    }
    if change.breaks() && !change.requirements.is_empty() {
        page.wrapped(&format!("requirements: {}", change.requirements.join(", ")), "      ");
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
