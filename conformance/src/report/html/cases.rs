//! The cases of a contract on the page, each with its address and the requirements that fail in it.

use super::anchor;
use super::frame::class;
use super::judged::{Judged, JudgedCase};
use crate::text::plural;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// So many requirements are named at a case.
const MOST_NAMED: usize = 20;

/// All cases, folded.
pub(super) fn cases(judged: &Judged<'_>) -> Markup {
    html! {
        details class="cases" {
            summary { (plural(judged.cases.len(), "case")) " of " (judged.contract) }
            ul { @for case in &judged.cases { (one(judged, case)) } }
        }
    }
}

fn one(judged: &Judged<'_>, case: &JudgedCase<'_>) -> Markup {
    let outcome = case.outcome();
    let failing = case.entries.iter().filter(|entry| entry.outcome.has_findings());
    let failing: BTreeSet<&str> = failing.map(|entry| entry.finding.requirement.as_str()).collect();
    html! {
        li id=(anchor::case(&judged.contract, case.name)) {
            code { (case.name) } " "
            span class=(class(outcome)) { (outcome.to_string()) } ", " (plural(case.entries.len(), "check"))
            @for (at, id) in failing.iter().take(MOST_NAMED).enumerate() {
                (if at == 0 { ": " } else { ", " })
                a href=(anchor::link(&anchor::requirement(&judged.contract, id))) { code { (id) } }
            }
            @if failing.len() > MOST_NAMED { " and " (plural(failing.len() - MOST_NAMED, "more requirement")) }
        }
    }
}
