//! The report as one page that needs nothing else: no network, no other file.
//!
//! Markup is static and complete without scripts; scripts filter, search and copy. Evidence goes into the page as text
//! nodes alone, so nothing of it can act.

use super::diff::{self, Line};
use super::{conclusion, count, exercised, exercised_at, inert_lines, numbers, repeat};
use crate::ledger::{Row, RunLog};
use crate::model::{Conclusion, Detail, Entry, Outcome, Place};
use crate::text::inert;
use chrono::SecondsFormat;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

/// So many characters of an answer are shown.
const MOST_OF_AN_ANSWER: usize = 4000;

/// The page.
pub fn render(log: &RunLog) -> String {
    let target = inert::line(&log.header.title());
    let title = format!("{target}: {}", conclusion(log));
    let body = html! {
        header {
            h1 { "Conformance of " (target) }
            p class=(format!("conclusion {}", conclusion_class(log.totals.conclusion))) role="status" {
                strong { (conclusion(log)) } ", exit code " (log.totals.exit_code)
            }
            p { (when(log)) }
            @let shares = exercised(log);
            @if !shares.is_empty() { p { (shares.join("; ")) " of what binds" } }
        }
        main {
            (picture(log))
            (notes(log))
            (own_problems(log))
            (controls(log))
            p id="none" hidden { "No requirement matches." }
            @for place in log.ledger.places() { (endpoint(log, &place)) }
            (measured(log))
        }
        script { (PreEscaped(include_str!("page.js"))) }
    };
    document(&title, body)
}

/// A whole document with our style and nothing from elsewhere.
pub(crate) fn document(title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

fn when(log: &RunLog) -> String {
    let (checks, cases) = (log.ledger.entries.len(), log.cases.len());
    let held = if log.header.strict { ", held to advice too" } else { "" };
    let started = log.header.started.to_rfc3339_opts(SecondsFormat::Secs, true);
    format!("{started} · {checks} checks of {cases} cases in {:.1} s{held}", log.totals.elapsed)
}

fn conclusion_class(conclusion: Conclusion) -> &'static str {
    if conclusion == Conclusion::Conforms { "verified" } else { "violated" }
}

/// Every outcome, what is verified last, as the page sorts and filters them.
fn outcomes(log: &RunLog) -> Vec<Outcome> {
    let mut outcomes = super::outcomes(log);
    outcomes.rotate_left(1);
    outcomes
}

/// The class of an outcome: `known-failure`.
pub(super) fn class(outcome: Outcome) -> String {
    outcome.to_string().replace(' ', "-")
}

/// Contracts by transports, each with a bar of its outcomes.
fn picture(log: &RunLog) -> Markup {
    html! {
        table class="picture" {
            caption { "Requirements by contract and transport" }
            thead { tr {
                th scope="col" { "contract" } th scope="col" { "transport" } th scope="col" { "outcomes" }
                @for outcome in outcomes(log) { th scope="col" class="number" { (outcome.to_string()) } }
                th scope="col" class="number" { "exercised" }
            } }
            tbody {
                @for place in log.ledger.places() {
                    @let rows = log.ledger.rows_at(&place);
                    tr {
                        th scope="row" { a href=(format!("#{}", anchor(&place))) { (super::contract(log, &place)) } }
                        td { (super::transport(log, &place)) }
                        td { (bar(log, &rows)) }
                        @for outcome in outcomes(log) {
                            @let count = count(&rows, outcome);
                            td class=(format!("number {}", if count > 0 { class(outcome) } else { "zero".to_owned() })) { (count) }
                        }
                        td class="number" { @if let Some(share) = exercised_at(log, &place) { (share.to_string()) } }
                    }
                }
            }
        }
    }
}

fn bar(log: &RunLog, rows: &[&Row]) -> Markup {
    let share = |outcome| 100.0 * count(rows, outcome) as f64 / rows.len().max(1) as f64;
    html! {
        div class="bar" aria-hidden="true" {
            @for outcome in outcomes(log).into_iter().filter(|outcome| count(rows, *outcome) > 0) {
                span class=(class(outcome)) style=(format!("width:{:.2}%", share(outcome))) {}
            }
        }
    }
}

/// What the answers took and cost.
fn measured(log: &RunLog) -> Markup {
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

fn notes(log: &RunLog) -> Markup {
    let all = super::notes(log);
    html! {
        @if !all.is_empty() {
            ul class="notes" { @for note in &all { li { (inert::line(note)) } } }
        }
    }
}

fn own_problems(log: &RunLog) -> Markup {
    let all = super::own_problems(log);
    html! {
        @if !all.is_empty() {
            ul class="problems" { @for problem in &all { li { (inert::line(&problem.text)) } } }
        }
    }
}

fn controls(log: &RunLog) -> Markup {
    html! {
        form class="controls" role="search" {
            label { "Search " input type="search" id="search" placeholder="id, sentence, case" autocomplete="off"; }
            fieldset {
                legend { "Show" }
                @for outcome in outcomes(log).into_iter().filter(|outcome| log.ledger.count(*outcome) > 0) {
                    label class=(class(outcome)) {
                        input type="checkbox" name="outcome" value=(class(outcome)) checked;
                        " " (outcome.to_string()) " (" (log.ledger.count(outcome)) ")"
                    }
                }
            }
            span class="buttons" {
                button type="button" id="open" { "Unfold all" } " "
                button type="button" id="close" { "Fold all" }
            }
        }
    }
}

fn anchor(place: &Place) -> String {
    format!("{}-{}", place.contract, place.transport.word())
}

fn endpoint(log: &RunLog, place: &Place) -> Markup {
    let mut rows = log.ledger.rows_at(place);
    rows.sort_by_key(|row| std::cmp::Reverse(row.outcome));
    let excluded = log.excluded.get(&place.contract.to_string()).copied().unwrap_or(0);
    html! {
        section class="endpoint" id=(anchor(place)) {
            h2 { (super::endpoint(log, place)) }
            p class="dim" {
                (rows.len()) " requirements; " (excluded) " sentences of the document cannot be checked and are excluded."
            }
            @for row in rows { (requirement(log, row)) }
        }
    }
}

fn requirement(log: &RunLog, row: &Row) -> Markup {
    let here = |entry: &&Entry| {
        let finding = &entry.finding;
        (&finding.contract, finding.transport, &finding.requirement)
            == (&row.contract, row.transport, &row.requirement.id)
    };
    let mut entries: Vec<&Entry> = log.ledger.entries.iter().filter(here).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.outcome));
    let one = &row.requirement;
    let cases: Vec<&str> = entries.iter().map(|entry| entry.finding.case.as_str()).collect();
    let found_by = format!("{} {} {}", one.id, one.text, cases.join(" ")).to_lowercase();
    html! {
        details class="requirement" data-outcome=(class(row.outcome)) data-text=(found_by)
            open[row.outcome == Outcome::Violated]
        {
            summary {
                span class=(format!("mark {}", class(row.outcome))) { (row.outcome.to_string()) }
                " " code { (one.id) } " " span class="sentence" { (one.text) }
            }
            p class="dim" {
                (one.level.to_string()) ", " (one.origin.to_string()) ", section “" (one.section) "”, looked at "
                (row.exercised) " times in " (row.checks) " checks"
            }
            @if !one.clients.is_empty() {
                ul class="clients" {
                    @for client in &one.clients { li { (client) ": " a href=(client.source) rel="noreferrer" { (client.source) } } }
                }
            }
            @if let Some(reason) = row.reason.as_ref().filter(|_| entries.is_empty()) { p { (inert::line(reason)) } }
            @for entry in entries { (check(log, entry)) }
        }
    }
}

/// One check of one case, its evidence folded under it.
fn check(log: &RunLog, entry: &Entry) -> Markup {
    let finding = &entry.finding;
    let exchange = log.exchange(finding);
    html! {
        details class="check" open[matches!(entry.outcome, Outcome::Violated | Outcome::Unsteady | Outcome::Incomplete)] {
            summary {
                span class=(format!("mark {}", class(entry.outcome))) { (entry.outcome.to_string()) }
                " in " code { (finding.case) } " (" (finding.exercised) ")"
            }
            @if let Some(follows) = super::follows(&[entry]) { p class="dim" { (follows) } }
            @if let Some(reason) = &entry.reason { p { "known: " (inert::line(reason)) } }
            @for detail in &finding.details { (reason(detail)) }
            @let lines = exchange.map(repeat::lines).unwrap_or_default();
            @if !lines.is_empty() {
                div class="repeat" {
                    pre { (inert_lines(&lines)) }
                    button type="button" class="copy" { "Copy" }
                }
            }
            @if let Some(exchange) = exchange.filter(|_| entry.outcome != Outcome::Verified) {
                details class="evidence" { summary { "request and answer" } pre { (shown(exchange)) } }
            }
        }
    }
}

fn reason(detail: &Detail) -> Markup {
    html! {
        p {
            (inert::short(&inert::line(&detail.message), 1000))
            @if let Some(at) = &detail.at { " " span class="dim" { "(evidence " code { (inert::line(at)) } ")" } }
        }
        @match (&detail.expected, &detail.found) {
            (Some(expected), Some(found)) => pre class="diff" {
                span class="dim" { "- expected   + received\n" }
                @for line in diff::lines(expected, found, diff::MOST_LINES) {
                    @match line {
                        Line::Expected(text) => del { "- " (text) "\n" },
                        Line::Received(text) => ins { "+ " (text) "\n" },
                        Line::Same(text) => span { "  " (text) "\n" },
                    }
                }
            },
            (Some(expected), None) => pre { "expected: " (value(expected)) },
            (None, Some(found)) => pre { "received: " (value(found)) },
            (None, None) => {},
        }
    }
}

fn value(value: &Value) -> String {
    inert::short(&inert::line(&value.to_string()), MOST_OF_AN_ANSWER)
}

/// An exchange as indented JSON, cut where it is long.
fn shown(exchange: &Value) -> String {
    // A little more than is shown, so that it shows where something was left out.
    let beginning = inert::beginning(format_args!("{exchange:#}"), 4 * MOST_OF_AN_ANSWER + 4);
    inert::short(&inert::json(&beginning), MOST_OF_AN_ANSWER)
}
