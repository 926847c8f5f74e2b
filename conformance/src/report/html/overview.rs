//! What stands first on the page: what was tested by what, what is violated, and the numbers.

use super::frame::{addresses, class, outcomes};
use super::judged::{Judged, Whole};
use super::{anchor, evidence};
use crate::ledger::{Row, RunLog};
use crate::model::{ContractKey, Outcome, Place};
use crate::report::{self, count, exercised_at, numbers, transport};
use crate::text::{inert, plural};
use chrono::SecondsFormat;
use maud::{Markup, html};

/// What was tested, by what, and when.
pub(super) fn provenance(log: &RunLog, contracts: &[Judged<'_>]) -> Markup {
    let header = &log.header;
    let held = if header.strict { ", advice counts as a violation" } else { "" };
    html! {
        dl class="provenance" {
            dt { "Target" } dd { (inert::line(&header.title())) }
            @let addresses = addresses(log);
            @if !addresses.is_empty() {
                dt { "Address" }
                dd { @for (place, address) in &addresses { div { (inert::line(place)) ": " code { (inert::line(address)) } } } }
            }
            dt { "Contract" }
            dd { @for one in contracts { div { (document(log, &one.contract)) } } }
            dt { "Suite" } dd { (inert::line(&header.suite)) }
            dt { "Seed" } dd { (header.seed) }
            dt { "Time" }
            dd {
                (header.started.to_rfc3339_opts(SecondsFormat::Secs, true)) ", "
                (plural(log.ledger.entries.len(), "check")) " of " (plural(log.cases.len(), "case")) " in "
                (format!("{:.1} s", log.totals.elapsed)) (held)
            }
        }
    }
}

/// A contract at its revision, how that is known, and its document: a link where its address is known, else where it is described.
fn document(log: &RunLog, contract: &ContractKey) -> Markup {
    let title = log.header.documents.get(&contract.to_string());
    let speaks = log.header.speaks.iter().find(|speaks| speaks.place.contract == *contract);
    let address = title.and_then(|title| title.split_whitespace().find(|word| word.starts_with("https://")));
    html! {
        a href=(anchor::link(&contract.to_string())) { (contract.full()) }
        @if let Some(speaks) = speaks.filter(|speaks| speaks.is_a_choice()) {
            (inert::line(speaks.to_string().strip_prefix(&contract.full()).unwrap_or_default()))
        }
        @if let Some(title) = title {
            ": "
            @match address {
                Some(address) => a href=(address) rel="noreferrer" { (inert::line(title)) },
                None => { (inert::line(title)) " (" code { "schemas/" (contract.name()) "/contract.json" } ")" },
            }
        }
    }
}

/// What is violated and what could not be judged, each with a link.
pub(super) fn violations(log: &RunLog, contracts: &[Judged<'_>]) -> Markup {
    let of = |wanted: fn(Outcome) -> bool| -> Vec<(&Judged<'_>, &Whole<'_>)> {
        let all = contracts.iter().flat_map(|judged| judged.requirements.iter().map(move |whole| (judged, whole)));
        all.filter(|(_, whole)| wanted(whole.outcome())).collect()
    };
    let violated = of(|outcome| outcome == Outcome::Violated);
    let unknown = of(|outcome| matches!(outcome, Outcome::Incomplete | Outcome::Unsteady));
    html! {
        @if !violated.is_empty() {
            nav class="violations" id="violations" aria-label="Violations" {
                h2 { (plural(violated.len(), "violated requirement")) }
                ul { @for (judged, whole) in &violated { (linked(log, judged, whole)) } }
            }
        }
        @if !unknown.is_empty() {
            nav class="violations" id="incomplete" aria-label="What could not be judged" {
                h2 { (plural(unknown.len(), "requirement")) " could not be judged" }
                ul { @for (judged, whole) in &unknown { (linked(log, judged, whole)) } }
            }
        }
    }
}

fn linked(log: &RunLog, judged: &Judged<'_>, whole: &Whole<'_>) -> Markup {
    let (id, outcome) = (&whole.requirement.id, whole.outcome());
    let rows = whole.rows.iter().filter(|row| row.outcome == outcome);
    let transports: Vec<String> = rows.map(|row| transport(log, &row.place())).collect();
    html! {
        li {
            a href=(anchor::link(&anchor::requirement(&judged.contract, id))) { code { (id) } } " "
            (evidence::sentence(&whole.requirement.text)) " "
            span class="dim" { "over " (transports.join(", ")) }
        }
    }
}

/// Contracts by transports, each with a bar of its outcomes.
pub(super) fn picture(log: &RunLog) -> Markup {
    let shown = outcomes(log);
    // Of some of the cases, no share is known.
    let has_shares = !log.totals.exercised.is_empty();
    html! {
        table class="picture" {
            caption { "Requirements by contract and transport" }
            thead { tr {
                th scope="col" { "contract" } th scope="col" { "transport" } th scope="col" class="bars" { "outcomes" }
                @for outcome in &shown { th scope="col" class="number" { (outcome.to_string()) } }
                @if has_shares { th scope="col" class="number" { "exercised" } }
            } }
            tbody {
                @for place in log.ledger.places() {
                    @let rows = log.ledger.rows_at(&place);
                    tr {
                        th scope="row" { a href=(anchor::link(&place.contract.to_string())) { (report::contract(log, &place)) } }
                        td { (transport(log, &place)) }
                        td class="bars" { (bar(&shown, &rows)) }
                        @for outcome in &shown {
                            @let count = count(&rows, *outcome);
                            td class=(format!("number {}", if count > 0 { class(*outcome) } else { "zero".to_owned() })) { (count) }
                        }
                        @if has_shares { td class="number" { @if let Some(share) = exercised_at(log, &place) { (share.to_string()) } } }
                    }
                }
            }
        }
    }
}

fn bar(outcomes: &[Outcome], rows: &[&Row]) -> Markup {
    let share = |outcome| 100.0 * count(rows, outcome) as f64 / rows.len().max(1) as f64;
    html! {
        div class="bar" aria-hidden="true" {
            @for outcome in outcomes.iter().filter(|outcome| count(rows, **outcome) > 0) {
                span class=(class(*outcome)) style=(format!("width:{:.2}%", share(*outcome))) {}
            }
        }
    }
}

/// What the answers took and cost.
pub(super) fn measured(log: &RunLog) -> Markup {
    let rows = numbers::rows(log);
    html! {
        @if !rows.is_empty() {
            table class="picture" {
                caption { (numbers::TITLE) }
                thead { tr {
                    @for (at, head) in numbers::HEADS.iter().enumerate() { th scope="col" class=[(at > 1).then_some("number")] { (head) } }
                } }
                tbody {
                    @for row in &rows {
                        tr { @for (at, cell) in row.iter().enumerate() { td class=[(at > 1).then_some("number")] { (cell) } } }
                    }
                }
            }
        }
    }
}

/// What has to be known of a run besides what came of it, and what keeps it from success and belongs to no check.
pub(super) fn remarks(log: &RunLog) -> Markup {
    let (notes, problems) = (report::notes(log), report::own_problems(log));
    html! {
        @if !problems.is_empty() {
            ul class="problems" { @for problem in &problems { li { (evidence::sentence(&problem.text)) } } }
        }
        @if !notes.is_empty() {
            ul class="notes" { @for note in &notes { li { (evidence::sentence(note)) } } }
        }
    }
}

/// Where an endpoint is named on the page.
pub(super) fn endpoints(log: &RunLog, places: &[Place]) -> String {
    places.iter().map(|place| transport(log, place)).collect::<Vec<_>>().join(", ")
}
