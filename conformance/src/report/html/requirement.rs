//! A requirement on the page: what every endpoint makes of it, and its failing checks with their evidence.

use super::frame::class;
use super::judged::{Judged, Whole};
use super::{anchor, evidence};
use crate::ledger::{Row, RunLog};
use crate::model::{Entry, Outcome};
use crate::report::{calls, follows, inert_lines, transport};
use crate::text::{inert, plural};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// So many checks at an endpoint are shown with their reasons; the others are listed.
const MOST_IN_FULL: usize = 3;
/// So many cases are named in a list.
const MOST_NAMED: usize = 20;
/// So many cases are named where all is well.
const FEW_NAMED: usize = 3;

/// A requirement, unfolded where it is violated.
pub(super) fn requirement(log: &RunLog, judged: &Judged<'_>, whole: &Whole<'_>) -> Markup {
    let one = whole.requirement;
    let id = anchor::requirement(&judged.contract, &one.id);
    let outcomes: Vec<String> = whole.outcomes().into_iter().map(class).collect();
    let verified: Vec<&Row> = whole.rows.iter().filter(|row| row.outcome == Outcome::Verified).copied().collect();
    html! {
        details class="requirement" id=(id) data-outcome=(outcomes.join(" ")) data-cases=(ranges(&whole.cases))
            open[whole.outcome() == Outcome::Violated]
        {
            summary {
                span class=(format!("mark {}", class(whole.outcome()))) { (whole.outcome().to_string()) }
                " " a href=(anchor::link(&id)) { code { (one.id) } } " "
                (evidence::sentence(&one.text))
            }
            p class="dim" { (one.level.to_string()) ", " (one.origin.to_string()) ", section “" (one.section) "”" }
            @if !one.clients.is_empty() {
                ul class="clients" {
                    @for client in &one.clients { li { (client) ": " a href=(client.source) rel="noreferrer" { (client.source) } } }
                }
            }
            @for row in whole.rows.iter().filter(|row| row.outcome != Outcome::Verified) { (place(log, judged, whole, row)) }
            @if !verified.is_empty() { (sound(log, judged, whole, &verified)) }
        }
    }
}

/// The endpoints at which a requirement is verified, in one line.
fn sound(log: &RunLog, judged: &Judged<'_>, whole: &Whole<'_>, rows: &[&Row]) -> Markup {
    let transports: Vec<String> = rows.iter().map(|row| transport(log, &row.place())).collect();
    let is_here = |entry: &&&Entry| {
        entry.outcome == Outcome::Verified && rows.iter().any(|row| row.transport == entry.finding.transport)
    };
    let cases: BTreeSet<&str> = whole.entries.iter().filter(is_here).map(|entry| entry.finding.case.as_str()).collect();
    let (checks, values) = (rows.iter().map(|row| row.checks).sum(), rows.iter().map(|row| row.exercised).sum());
    html! {
        p {
            span class="verified" { "verified" } " over " (transports.join(", ")) ": "
            (looked_at(checks, values)) ", in " (named(judged, &cases, FEW_NAMED))
        }
    }
}

fn looked_at(checks: usize, values: usize) -> String {
    format!("{} examined {}", plural(checks, "check"), plural(values, "value"))
}

/// What became of a requirement at one endpoint, where it is not verified.
fn place(log: &RunLog, judged: &Judged<'_>, whole: &Whole<'_>, row: &Row) -> Markup {
    let entries = whole.entries_at(row);
    let told: Vec<&Entry> = entries.iter().filter(|entry| entry.outcome.has_findings()).copied().collect();
    let (full, others) = told.split_at(told.len().min(MOST_IN_FULL));
    html! {
        p {
            span class=(format!("mark {}", class(row.outcome))) { (row.outcome.to_string()) }
            " over " (transport(log, &row.place()))
            @if row.checks > 0 { ": " (looked_at(row.checks, row.exercised)) }
            @if let Some(reason) = &row.reason { ": " (evidence::sentence(reason)) }
        }
        @for (at, entry) in full.iter().enumerate() { (check(log, judged, entry, at == 0)) }
        @for outcome in others.iter().map(|entry| entry.outcome).collect::<BTreeSet<_>>().into_iter().rev() {
            @let cases = others.iter().filter(|entry| entry.outcome == outcome).map(|entry| entry.finding.case.as_str()).collect();
            p class="more" { "also " (outcome.to_string()) " in " (named(judged, &cases, MOST_NAMED)) }
        }
    }
}

/// One check of one case. The evidence of the first is enough of an endpoint.
fn check(log: &RunLog, judged: &Judged<'_>, entry: &Entry, with_evidence: bool) -> Markup {
    let finding = &entry.finding;
    let lines = calls::repeated(log, finding);
    html! {
        details class="check" open[matches!(entry.outcome, Outcome::Violated | Outcome::Unsteady | Outcome::Incomplete)] {
            summary {
                span class=(format!("mark {}", class(entry.outcome))) { (entry.outcome.to_string()) }
                " in " (case(judged, &finding.case)) ", " (plural(finding.exercised, "value")) " examined"
            }
            @if let Some(follows) = follows(&[entry]) { p class="dim" { (follows) } }
            @if let Some(reason) = &entry.reason { p { "known: " (inert::line(reason)) } }
            @for detail in &finding.details { (evidence::detail(detail)) }
            @if !lines.is_empty() {
                div class="repeat" {
                    pre { (inert_lines(&lines)) }
                    button type="button" class="copy" { "Copy" }
                }
            }
            @if let Some(exchange) = log.exchange(finding).filter(|_| with_evidence) { (evidence::exchange(exchange)) }
        }
    }
}

/// Cases with their links; those that are left out are counted.
fn named(judged: &Judged<'_>, cases: &BTreeSet<&str>, most: usize) -> Markup {
    html! {
        @for (at, name) in cases.iter().take(most).enumerate() {
            @if at > 0 { ", " }
            (case(judged, name))
        }
        @if cases.len() > most { " and " (plural(cases.len() - most, "more case")) }
    }
}

fn case(judged: &Judged<'_>, name: &str) -> Markup {
    html! { a href=(anchor::link(&anchor::case(&judged.contract, name))) { code { (name) } } }
}

/// Positions, those in a row as `3-7`.
fn ranges(positions: &BTreeSet<usize>) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for at in positions.iter().copied() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => ranges.push((at, at)),
        }
    }
    let written =
        ranges.iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
    written.collect::<Vec<_>>().join(" ")
}
