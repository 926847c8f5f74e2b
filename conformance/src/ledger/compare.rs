//! Several runs side by side: who does what, and what became better or worse between two runs of one target. Pure.

use super::shifts::{Shift, shifts};
use crate::ledger::RunLog;
use crate::model::{Channel, Outcome, Place, Requirement, Speaks};
use std::cmp::Ordering;

/// Runs side by side.
#[derive(Debug)]
pub struct Comparison {
    /// The runs, by contract and revision: what stands in one column.
    pub columns: Vec<Column>,
    /// The requirements that at least one run judged.
    pub rows: Vec<Row>,
    /// Of two runs of one target: the numbers that changed noticeably, which are no verdict.
    pub shifts: Vec<Shift>,
}

/// A contract at a transport in one of the runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The position of the run.
    pub run: usize,
    /// What was tested.
    pub target: String,
    /// The contract, at its revision, at the transport.
    pub place: Place,
    /// How that revision is known, where there was another one to take.
    pub speaks: Option<Speaks>,
}

/// What became of a requirement in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// This.
    Judged(Outcome),
    /// It was not judged, or the column has another contract.
    NotJudged,
    /// The contract does not have it at the revision of the column.
    NotApplicable,
}

impl Cell {
    /// What it came to, where it was judged.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Judged(outcome) => Some(outcome),
            Self::NotJudged | Self::NotApplicable => None,
        }
    }
}

/// A requirement, with what became of it in each column.
#[derive(Debug)]
pub struct Row {
    /// The name of the contract that was run, which for requirements of a transport is not the requirement's own.
    pub contract: String,
    /// The requirement, as the first column has it that judged it.
    pub requirement: Requirement,
    /// One for each column.
    pub cells: Vec<Cell>,
}

/// A requirement that came to something else in the second run of a target.
#[derive(Debug)]
pub struct Changed<'c> {
    /// Whether that is better.
    pub change: Change,
    /// The requirement.
    pub row: &'c Row,
    /// The transport.
    pub transport: Channel,
    /// What it came to in the first run.
    pub was: Cell,
    /// What it comes to in the second.
    pub is: Cell,
}

/// What became of a requirement between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It conforms now, or nearer to it.
    Better,
    /// It does not conform any more.
    Worse,
    /// Only one of the runs exercised it, or has it.
    Otherwise,
}

impl Comparison {
    /// Puts runs side by side, in the order of the runs.
    pub fn of(logs: &[RunLog]) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        for (run, log) in logs.iter().enumerate() {
            for place in log.ledger.places() {
                let speaks = log.header.speaks_at(&place).filter(|speaks| speaks.is_a_choice()).cloned();
                columns.push(Column { run, target: log.header.target.clone(), place, speaks });
            }
        }
        columns.sort_by(|a, b| a.place.contract.name().cmp(b.place.contract.name()));
        for (at, column) in columns.iter().enumerate() {
            for row in logs[column.run].ledger.rows_at(&column.place) {
                let (contract, requirement) = (row.contract.name(), &row.requirement);
                let is_same = |one: &Row| one.contract == contract && one.requirement.id == requirement.id;
                let place = rows.iter().position(is_same).unwrap_or_else(|| {
                    let cells = vec![Cell::NotJudged; columns.len()];
                    rows.push(Row { contract: contract.to_owned(), requirement: requirement.clone(), cells });
                    rows.len() - 1
                });
                rows[place].cells[at] = Cell::Judged(row.outcome);
            }
        }
        for row in rows.iter_mut().filter(|row| row.requirement.owner() == row.contract) {
            for (cell, column) in row.cells.iter_mut().zip(&columns) {
                let key = &column.place.contract;
                let has = || logs[column.run].requirements.get(key, &row.requirement.id).is_some();
                if *cell == Cell::NotJudged && key.name() == row.contract && !has() {
                    *cell = Cell::NotApplicable;
                }
            }
        }
        rows.sort_by_cached_key(|row| {
            let is_of_transport = row.requirement.owner() != row.contract;
            (row.contract.clone(), is_of_transport, row.requirement.id.clone())
        });
        let mut comparison = Self { columns, rows, shifts: Vec::new() };
        if let [before, after] = logs
            && comparison.is_of_one_target()
        {
            comparison.shifts = shifts(before, after);
        }
        comparison
    }

    /// The names of the contracts, each once.
    pub fn contracts(&self) -> Vec<&str> {
        let mut contracts: Vec<&str> = self.columns.iter().map(|column| column.place.contract.name()).collect();
        contracts.dedup();
        contracts
    }

    /// The columns of a contract, at whatever revision, by position.
    pub fn columns_of<'c>(&'c self, contract: &'c str) -> impl Iterator<Item = (usize, &'c Column)> {
        self.columns.iter().enumerate().filter(move |(_, column)| column.place.contract.name() == contract)
    }

    /// The rows of a contract.
    pub fn rows_of<'c>(&'c self, contract: &'c str) -> impl Iterator<Item = &'c Row> {
        self.rows.iter().filter(move |row| row.contract == contract)
    }

    /// Whether these are two runs of one target.
    fn is_of_one_target(&self) -> bool {
        let [first, _, ..] = self.columns.as_slice() else { return false };
        let is_pair = self.columns.iter().all(|column| column.run < 2 && column.target == first.target);
        is_pair && self.columns.iter().any(|column| column.run > 0)
    }

    /// What changed between two runs of one target, where these are two such runs; the worse first.
    pub fn changes(&self) -> Option<Vec<Changed<'_>>> {
        if !self.is_of_one_target() {
            return None;
        }
        let mut changes = Vec::new();
        for (before, column) in self.columns.iter().enumerate().filter(|(_, column)| column.run == 0) {
            // A later revision of a contract is judged in the place of an earlier one.
            let place = |column: &Column| (column.place.contract.name().to_owned(), column.place.transport);
            let is_same = |other: &Column| other.run == 1 && place(other) == place(column);
            let Some(after) = self.columns.iter().position(is_same) else { continue };
            for row in self.rows_of(column.place.contract.name()) {
                let (was, is) = (row.cells[before], row.cells[after]);
                if was != is {
                    let change = change(was, is);
                    // What clients refuse makes no target better or worse by its contract.
                    let change = if row.requirement.is_of_clients() { Change::Otherwise } else { change };
                    changes.push(Changed { change, row, transport: column.place.transport, was, is });
                }
            }
        }
        changes.sort_by_key(|changed| match changed.change {
            Change::Worse => 0,
            Change::Better => 1,
            Change::Otherwise => 2,
        });
        Some(changes)
    }
}

impl Row {
    /// Whether the columns of its contract differ.
    pub fn differs(&self, columns: &[Column]) -> bool {
        let of_contract =
            columns.iter().zip(&self.cells).filter(|(column, _)| column.place.contract.name() == self.contract);
        let mut cells = of_contract.map(|(_, cell)| cell);
        let first = cells.next();
        cells.any(|cell| Some(cell) != first)
    }
}

/// Whether an outcome is nearer to conforming than another one.
fn change(was: Cell, is: Cell) -> Change {
    let tells = |cell: Cell| match cell.outcome()? {
        Outcome::NotExercised | Outcome::Unsupported | Outcome::ClientAdvice => None,
        Outcome::Verified => Some(0),
        Outcome::Advice => Some(1),
        Outcome::KnownFailure => Some(2),
        Outcome::Incomplete => Some(3),
        Outcome::Unsteady => Some(4),
        Outcome::Violated => Some(5),
    };
    match (tells(was), tells(is)) {
        (Some(was), Some(is)) => match is.cmp(&was) {
            Ordering::Less => Change::Better,
            Ordering::Equal => Change::Otherwise,
            Ordering::Greater => Change::Worse,
        },
        // What was never seen before and fails now is worse than not knowing. What nobody asked for before is another question.
        (None, Some(3..)) if was != Cell::NotApplicable => Change::Worse,
        _ => Change::Otherwise,
    }
}
