//! As a page that needs nothing else.

use super::evidence::answered;
use super::{APPROVE, approvals, headed, opening, parts, total, whom, witness};
use crate::diff::{Change, Diff, Reviewed, Standing};
use crate::report::html::document;
use crate::text::inert;
use maud::{Markup, html as markup};

/// The page.
pub fn html(diff: &Diff) -> String {
    let title = format!("Contracts: {} → {}", inert::line(&diff.before), inert::line(&diff.now));
    let lines = approvals(diff);
    let body = markup! {
        header {
            h1 { (title) }
            p role="status" { strong { (opening(diff)) } }
            @if !diff.changes.is_empty() { p { (total(diff)) } }
        }
        main {
            @if !diff.turned.is_empty() {
                section class="endpoint" {
                    h2 { "By what implementations answered" }
                    ul { @for (_, line) in answered(diff) { li { (inert::line(&line)) } } }
                }
            }
            @if !lines.is_empty() {
                section class="endpoint" { p { (APPROVE) } pre { (lines.join("\n")) } }
            }
            @for ((contract, revisions), changes) in parts(diff) {
                section class="endpoint" {
                    h2 { (headed(diff, contract, revisions)) }
                    @for one in changes { (change(one)) }
                }
            }
        }
    };
    document(&title, body)
}

fn change(one: &Reviewed) -> Markup {
    let Change { kind, subject, says, .. } = &one.change;
    let whom = whom(&one.change);
    let class = if whom.is_some() { "violated" } else { "verified" };
    markup! {
        details class="requirement" open[whom.is_some()] {
            summary {
                span class=(format!("mark {class}")) { (whom.unwrap_or("breaks nobody")) }
                " " (kind) " " code { (inert::line(subject)) }
            }
            p { (inert::line(says)) }
            @if let Some(shown) = one.change.witness.as_ref().filter(|_| one.change.breaks()) {
                p { (inert::line(&shown.shows)) ":" }
                pre { (witness(&one.change).join("\n")) }
            }
            @if one.change.is_suspicion() { p { "No document was found that shows it: a suspicion." } }
            @if let Some(lacks) = &one.change.lacks { p { (inert::line(lacks)) } }
            @if let Some(asks) = &one.change.asks { p { "A question to its author: " (inert::line(asks)) } }
            @if !one.change.requirements.is_empty() { p class="dim" { "Requirements: " (one.change.requirements.join(", ")) } }
            @match &one.standing {
                Standing::Approved { reason } => p { "Approved: " (inert::line(reason)) },
                Standing::Unapproved { missing } => p { strong { "Not approved" } ": " (missing) },
                Standing::Free => {},
            }
        }
    }
}
