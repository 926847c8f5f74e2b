//! Runs side by side, for people at a terminal and for a pull request.

use super::counts;
use super::marked;
use super::numbers::{seconds, tokens};
use super::page::{Page, colour};
use crate::ledger::compare::{Cell, Change, Changed, Column, Comparison, Row};
use crate::ledger::shifts::{Shift, Shifted};
use crate::model::Outcome;
use crate::text::inert;

/// What stands above the numbers that changed.
pub(super) const NOTICEABLE: &str = "Numbers that changed noticeably, which is no verdict";

/// The table at a terminal: rows that differ, or all of them.
pub fn text(comparison: &Comparison, all: bool, colour: bool, width: usize) -> String {
    let mut page = Page::new(colour, width);
    for contract in comparison.contracts() {
        table(&mut page, comparison, contract, all);
    }
    if let Some(changes) = comparison.changes() {
        page.line(&page.bold("Between the two runs"));
        for Changed { change, row, transport, was, is } in &changes {
            let line = format!(
                "  {:<9} {} over {transport}: {} → {}",
                name(*change),
                row.requirement.id,
                word(*was),
                word(*is)
            );
            let painted = match change {
                Change::Worse => page.painted("1;31", &line),
                Change::Better => page.painted("32", &line),
                Change::Otherwise => page.dim(&line),
            };
            page.line(&painted);
        }
        if changes.is_empty() {
            page.line("  nothing changed");
        }
        if !comparison.shifts.is_empty() {
            page.line("");
            page.line(&page.bold(NOTICEABLE));
            comparison.shifts.iter().for_each(|shift| page.line(&page.dim(&format!("  {}", told(shift)))));
        }
    }
    page.text
}

fn table(page: &mut Page, comparison: &Comparison, contract: &str, all: bool) {
    let columns: Vec<(usize, &Column)> = comparison.columns_of(contract).collect();
    page.line(&page.bold(contract));
    for (number, (at, column)) in columns.iter().enumerate() {
        let counted = counts(comparison.rows_of(contract).filter_map(|row| row.cells[*at].outcome()));
        let name = format!("{} over {}{}", inert::line(&column.target), column.place.transport, revision(column));
        page.wrapped(&format!("{}: {name}: {counted}", number + 1), "  ");
    }
    let rows: Vec<&Row> = comparison.rows_of(contract).filter(|row| all || row.differs(&comparison.columns)).collect();
    let widest = rows.iter().map(|row| row.requirement.id.len()).max().unwrap_or(0);
    if rows.is_empty() {
        page.line("  every requirement has the same outcome");
    } else {
        let numbers: String = (1..=columns.len()).map(|number| format!(" {number:^8}")).collect();
        page.line(&page.dim(&format!("  {:<widest$}  level {numbers}", "requirement")));
    }
    for row in rows {
        let marks: String = columns
            .iter()
            .map(|(at, _)| {
                let cell = row.cells[*at];
                page.painted(cell.outcome().map_or("2", colour), &format!(" {:^8}", mark(cell)))
            })
            .collect();
        page.line(&format!("  {:<widest$}  {:<6}{marks}", row.requirement.id, row.requirement.level));
    }
    page.line("");
}

/// What changed between two runs of one target, for a pull request.
pub fn markdown(comparison: &Comparison) -> String {
    let Some(changes) = comparison.changes() else {
        return "## Between the two runs\n\nThese are not two runs of one target, so nothing is compared.\n".to_owned();
    };
    let count = |change| changes.iter().filter(|changed| changed.change == change).count();
    let counts = [Change::Worse, Change::Better, Change::Otherwise].map(|one| format!("{} {}", count(one), name(one)));
    let mut page = format!("## Between the two runs: {}\n\n", counts.join(", "));
    for Changed { change, row, transport, was, is } in &changes {
        let strong = if *change == Change::Worse { "**" } else { "" };
        let (id, sentence) = (&row.requirement.id, marked::sentence(&row.requirement.text));
        let turn = format!("{} → {}", word(*was), word(*is));
        page.push_str(&format!("- {strong}{}{strong} `{id}` over {transport}: {turn}. {sentence}\n", name(*change)));
    }
    page
}

/// A number that changed, in words: `search of memory over http: p95 12 ms → 1.4 s`.
pub(super) fn told(shift: &Shift) -> String {
    let (place, operation) = (&shift.place, inert::line(&shift.operation));
    let how = match shift.of {
        Shifted::Elapsed(name, was, is) => format!("{name} {} → {}", seconds(was), seconds(is)),
        Shifted::Tokens(name, was, is) => {
            let [was, is] = [was, is].map(|cost| tokens(cost).unwrap_or_default());
            format!("{name} {was} → {is} tokens")
        }
    };
    format!("{operation} of {place}: {how}")
}

/// What a change is called.
pub(super) fn name(change: Change) -> &'static str {
    match change {
        Change::Better => "better",
        Change::Worse => "worse",
        Change::Otherwise => "otherwise",
    }
}

/// What became of a requirement, in a word or two.
pub(super) fn word(cell: Cell) -> String {
    match cell {
        Cell::Judged(outcome) => outcome.to_string(),
        Cell::NotJudged => "not judged".to_owned(),
        Cell::NotApplicable => "not applicable".to_owned(),
    }
}

/// The revision of a column, where there was another one to take: `, memory@2 (ADR-020, pinned)`.
fn revision(column: &Column) -> String {
    column.speaks.as_ref().map_or_else(String::new, |speaks| format!(", {}", inert::line(&speaks.to_string())))
}

/// An outcome in a few characters.
fn mark(cell: Cell) -> &'static str {
    match cell.outcome() {
        Some(Outcome::Verified) => "yes",
        Some(Outcome::Violated) => "NO",
        Some(Outcome::Incomplete) => "?",
        Some(Outcome::Unsteady) => "unsteady",
        Some(Outcome::KnownFailure) => "known",
        Some(Outcome::Advice) => "advice",
        Some(Outcome::ClientAdvice) => "clients",
        Some(Outcome::NotExercised) => "-",
        Some(Outcome::Unsupported) => "unsupp.",
        None if cell == Cell::NotApplicable => "n/a",
        None => "",
    }
}
