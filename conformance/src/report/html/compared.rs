//! Runs side by side as one page: implementations by requirements, each result with its evidence, and where each run is from.

use super::frame::{addresses, class, document};
use super::{anchor, evidence};
use crate::ledger::compare::{Cell, Change, Changed, Column, Comparison, Row};
use crate::ledger::shifts::Shift;
use crate::ledger::{self, RunLog};
use crate::model::{Channel, ContractKey, Entry};
use crate::report::comparison::{NOTICEABLE, name, told, word};
use crate::report::{calls, conclusion, counts, exercised_at, inert_lines, transport};
use crate::text::{inert, plural};
use chrono::SecondsFormat;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// A page of runs, which are those that were compared, in their order. Each is abridged: of a requirement at an endpoint it has one finding.
pub fn page(comparison: &Comparison, logs: &[RunLog]) -> String {
    let page = Page { comparison, logs, known: logs.iter().map(Known::of).collect() };
    document("Conformance side by side", page.body())
}

struct Page<'c> {
    comparison: &'c Comparison,
    logs: &'c [RunLog],
    /// What is known of each run, by requirement.
    known: Vec<Known<'c>>,
}

/// A requirement at an endpoint.
type At<'l> = (&'l ContractKey, Channel, &'l str);

struct Known<'l> {
    rows: BTreeMap<At<'l>, &'l ledger::Row>,
    entries: BTreeMap<At<'l>, &'l Entry>,
}

impl<'l> Known<'l> {
    fn of(log: &'l RunLog) -> Self {
        let rows = log.ledger.rows.iter().map(|row| ((&row.contract, row.transport, row.requirement.id.as_str()), row));
        let entries = log.ledger.entries.iter().map(|entry| {
            let finding = &entry.finding;
            ((&finding.contract, finding.transport, finding.requirement.as_str()), entry)
        });
        Self { rows: rows.collect(), entries: entries.collect() }
    }
}

impl Page<'_> {
    fn body(&self) -> Markup {
        html! {
            header {
                h1 { "Conformance side by side" }
                p { (plural(self.logs.len(), "run")) ", all judged by suite " (env!("CARGO_PKG_VERSION")) }
                (self.runs())
            }
            main {
                @if let Some(changes) = self.comparison.changes() { (changed(&changes)) (shifted(&self.comparison.shifts)) }
                @for contract in self.comparison.contracts() { (self.contract(contract)) }
            }
        }
    }

    /// Where each run is from.
    fn runs(&self) -> Markup {
        html! {
            table {
                caption { "Runs" }
                thead { tr {
                    @for head in ["run", "target", "verdict", "address", "suite that ran it", "time", "seed"] { th scope="col" { (head) } }
                } }
                tbody {
                    @for (at, log) in self.logs.iter().enumerate() {
                        @let header = &log.header;
                        tr id=(format!("run-{}", at + 1)) {
                            th scope="row" { (at + 1) }
                            td { (inert::line(&header.title())) }
                            td { (conclusion(log)) @if header.strict { ", advice counts as a violation" } }
                            td class="text" { @for (_, address) in addresses(log) { div { code { (inert::line(&address)) } } } }
                            td { (inert::line(&header.suite)) }
                            td { (header.started.to_rfc3339_opts(SecondsFormat::Secs, true)) }
                            td { (header.seed) }
                        }
                    }
                }
            }
        }
    }

    fn contract(&self, contract: &str) -> Markup {
        let columns: Vec<(usize, &Column)> = self.comparison.columns_of(contract).collect();
        html! {
            section id=(contract) {
                h2 { (contract) }
                (self.columns(contract, &columns))
                table {
                    caption { "Requirements by column. Each result leads to its evidence." }
                    thead { tr {
                        th scope="col" { "requirement" } th scope="col" { "level" }
                        @for (number, (_, column)) in columns.iter().enumerate() {
                            th scope="col" { (number + 1) ": " (inert::line(&column.target)) br; span class="dim" { (column.place.transport) } }
                        }
                    } }
                    tbody {
                        @for row in self.comparison.rows_of(contract) {
                            tr class=[row.differs(&self.comparison.columns).then_some("differs")] {
                                th scope="row" { a href=(anchor::link(&anchor_of(row))) { code { (row.requirement.id) } } }
                                td { (row.requirement.level) }
                                @for (number, (at, _)) in columns.iter().enumerate() {
                                    @let cell = row.cells[*at];
                                    td class=(cell.outcome().map_or_else(|| "zero".to_owned(), class)) {
                                        a href=(anchor::link(&cell_of(row, number))) { (word(cell)) }
                                    }
                                }
                            }
                        }
                    }
                }
                h3 { "Evidence" }
                @for row in self.comparison.rows_of(contract) { (self.evidence(row, &columns)) }
            }
        }
    }

    /// By what each column was judged, and how much of it was exercised.
    fn columns(&self, contract: &str, columns: &[(usize, &Column)]) -> Markup {
        html! {
            table {
                caption { "Columns: the revision and the era by which each was judged" }
                thead { tr {
                    @for head in ["column", "run", "target", "transport", "revision", "document", "exercised", "outcomes"] {
                        th scope="col" { (head) }
                    }
                } }
                tbody {
                    @for (number, (at, column)) in columns.iter().enumerate() {
                        @let log = &self.logs[column.run];
                        @let key = &column.place.contract;
                        tr {
                            th scope="row" { (number + 1) }
                            td { a href=(format!("#run-{}", column.run + 1)) { (column.run + 1) } }
                            td { (inert::line(&column.target)) }
                            td { (transport(log, &column.place)) }
                            td { (column.speaks.as_ref().map_or_else(|| format!("{}, the only one", key.full()), |speaks| inert::line(&speaks.to_string()))) }
                            td class="text" { (inert::line(log.header.documents.get(&key.to_string()).map_or("", String::as_str))) }
                            td { (exercised_at(log, &column.place).map_or_else(|| "only some cases ran".to_owned(), ToString::to_string)) }
                            td class="text" { (counts(self.comparison.rows_of(contract).filter_map(|row| row.cells[*at].outcome()))) }
                        }
                    }
                }
            }
        }
    }

    /// What every column has to show for its result. Its places have addresses of their own, and a browser unfolds what they are in.
    fn evidence(&self, row: &Row, columns: &[(usize, &Column)]) -> Markup {
        html! {
            details class="finding" id=(anchor_of(row)) {
                summary { code { (row.requirement.id) } " " (evidence::sentence(&row.requirement.text)) }
                @for (number, (at, column)) in columns.iter().enumerate() {
                    @let cell = row.cells[*at];
                    div class="cell" id=(cell_of(row, number)) {
                        p {
                            (number + 1) ": " (inert::line(&column.target)) " over " (column.place.transport) ": "
                            span class=(format!("mark {}", cell.outcome().map_or_else(|| "dim".to_owned(), class))) { (word(cell)) }
                            (self.examined(row, column))
                        }
                        (self.finding(row, column))
                    }
                }
            }
        }
    }

    /// How much was looked at, or why nothing was.
    fn examined(&self, row: &Row, column: &Column) -> Markup {
        let found = self.known[column.run].rows.get(&at(row, column));
        let why = match found {
            Some(found) if found.reason.is_some() => found.reason.clone().unwrap_or_default(),
            Some(found) => {
                return html! { ", " (plural(found.checks, "check")) " examined " (plural(found.exercised, "value")) };
            }
            None => self.not_judged(row, column),
        };
        html! { ": " (evidence::sentence(&why)) }
    }

    /// Why a column has no result.
    fn not_judged(&self, row: &Row, column: &Column) -> String {
        let (log, place) = (&self.logs[column.run], &column.place);
        let position = self.comparison.columns.iter().position(|one| one == column);
        if position.is_some_and(|at| row.cells[at] == Cell::NotApplicable) {
            return format!("{} does not have this requirement", place.contract.full());
        }
        if log.header.tap.is_some() {
            return "the run recorded traffic, and nothing in it shows this".to_owned();
        }
        if !log.header.selection.is_whole() {
            return "only some of the cases were selected in this run".to_owned();
        }
        if row.requirement.owner() != row.contract {
            return format!("the requirement is about another transport or another era than {}", place.transport);
        }
        format!("no case checks it over {}", place.transport)
    }

    /// The first of the worst findings.
    fn finding(&self, row: &Row, column: &Column) -> Markup {
        let log = &self.logs[column.run];
        let Some(entry) = self.known[column.run].entries.get(&at(row, column)) else { return html! {} };
        let lines = calls::repeated(log, &entry.finding);
        html! {
            p { "in " code { (entry.finding.case) } }
            @if let Some(reason) = &entry.reason { p { "known: " (inert::line(reason)) } }
            @if let Some(detail) = entry.finding.details.first() { (evidence::detail(detail)) }
            @if !lines.is_empty() { pre { (inert_lines(&lines)) } }
            @if let Some(exchange) = log.exchange(&entry.finding) { (evidence::exchange(exchange)) }
        }
    }
}

fn at<'p>(row: &'p Row, column: &'p Column) -> At<'p> {
    (&column.place.contract, column.place.transport, &row.requirement.id)
}

/// Where a requirement is on the page, at whatever revision.
fn anchor_of(row: &Row) -> String {
    anchor::requirement(&ContractKey::new(&row.contract), &row.requirement.id)
}

/// Where the evidence of a column, by its position, is on the page.
fn cell_of(row: &Row, number: usize) -> String {
    format!("{}:{}", anchor_of(row), number + 1)
}

fn changed(changes: &[Changed<'_>]) -> Markup {
    html! {
        h2 { "Between the two runs" }
        @if changes.is_empty() { p { "Nothing changed." } }
        ul {
            @for Changed { change, row, transport, was, is } in changes {
                li class=(match change { Change::Worse => "violated", Change::Better => "verified", Change::Otherwise => "dim" }) {
                    strong { (name(*change)) } " " a href=(anchor::link(&anchor_of(row))) { (row.requirement.id) }
                    " over " (transport) ": " (word(*was)) " → " (word(*is))
                }
            }
        }
    }
}

fn shifted(shifts: &[Shift]) -> Markup {
    html! {
        @if !shifts.is_empty() {
            h2 { (NOTICEABLE) }
            ul { @for shift in shifts { li class="dim" { (told(shift)) } } }
        }
    }
}
