//! Several runs side by side: who does what, and what became better or worse between two runs of one target. Pure.

use crate::ledger::RunLog;
use crate::model::{Channel, ContractKey, Outcome, Place, Requirement};
use std::cmp::Ordering;

/// Runs side by side.
#[derive(Debug)]
pub struct Comparison {
    /// The runs, by contract: what stands in one column.
    pub columns: Vec<Column>,
    /// The requirements that at least one run judged.
    pub rows: Vec<Row>,
}

/// A contract at a transport in one of the runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The position of the run.
    pub run: usize,
    /// What was tested.
    pub target: String,
    /// The contract at the transport.
    pub place: Place,
}

/// A requirement, with what became of it in each column.
#[derive(Debug)]
pub struct Row {
    /// The contract that was run, which for requirements of a transport is not the requirement's own.
    pub contract: ContractKey,
    /// The requirement.
    pub requirement: Requirement,
    /// One for each column; nothing where the column has another contract, or did not judge it.
    pub outcomes: Vec<Option<Outcome>>,
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
    pub was: Option<Outcome>,
    /// What it comes to in the second.
    pub is: Option<Outcome>,
}

/// What became of a requirement between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It conforms now, or nearer to it.
    Better,
    /// It does not conform any more.
    Worse,
    /// Only one of the runs exercised it.
    Otherwise,
}

impl Comparison {
    /// Puts runs side by side, in the order of the runs.
    pub fn of(logs: &[RunLog]) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        for (run, log) in logs.iter().enumerate() {
            for place in log.ledger.places() {
                columns.push(Column { run, target: log.header.target.clone(), place });
            }
        }
        columns.sort_by(|a, b| a.place.contract.cmp(&b.place.contract));
        for (at, column) in columns.iter().enumerate() {
            for row in logs[column.run].ledger.rows_at(&column.place) {
                let is_same = |one: &Row| one.contract == row.contract && one.requirement.id == row.requirement.id;
                let place = rows.iter().position(is_same).unwrap_or_else(|| {
                    let outcomes = vec![None; columns.len()];
                    rows.push(Row { contract: row.contract.clone(), requirement: row.requirement.clone(), outcomes });
                    rows.len() - 1
                });
                rows[place].outcomes[at] = Some(row.outcome);
            }
        }
        rows.sort_by_cached_key(|row| {
            let is_of_transport = row.requirement.owner() != row.contract.name();
            (row.contract.clone(), is_of_transport, row.requirement.id.clone())
        });
        Self { columns, rows }
    }

    /// The contracts, each once.
    pub fn contracts(&self) -> Vec<&ContractKey> {
        let mut contracts: Vec<&ContractKey> = self.columns.iter().map(|column| &column.place.contract).collect();
        contracts.dedup();
        contracts
    }

    /// The columns of a contract, by position.
    pub fn columns_of<'c>(&'c self, contract: &'c ContractKey) -> impl Iterator<Item = (usize, &'c Column)> {
        self.columns.iter().enumerate().filter(move |(_, column)| column.place.contract == *contract)
    }

    /// The rows of a contract.
    pub fn rows_of<'c>(&'c self, contract: &'c ContractKey) -> impl Iterator<Item = &'c Row> {
        self.rows.iter().filter(move |row| row.contract == *contract)
    }

    /// What changed between two runs of one target, where these are two such runs; the worse first.
    pub fn changes(&self) -> Option<Vec<Changed<'_>>> {
        let [first, _, ..] = self.columns.as_slice() else { return None };
        let is_pair = self.columns.iter().all(|column| column.run < 2 && column.target == first.target);
        if !is_pair || self.columns.iter().all(|column| column.run == 0) {
            return None;
        }
        let mut changes = Vec::new();
        for (before, column) in self.columns.iter().enumerate().filter(|(_, column)| column.run == 0) {
            let is_same = |other: &Column| other.run == 1 && other.place == column.place;
            let Some(after) = self.columns.iter().position(is_same) else { continue };
            for row in self.rows_of(&column.place.contract) {
                let (was, is) = (row.outcomes[before], row.outcomes[after]);
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
            columns.iter().zip(&self.outcomes).filter(|(column, _)| column.place.contract == self.contract);
        let mut outcomes = of_contract.map(|(_, outcome)| outcome);
        let first = outcomes.next();
        outcomes.any(|outcome| Some(outcome) != first)
    }
}

/// Whether an outcome is nearer to conforming than another one.
fn change(was: Option<Outcome>, is: Option<Outcome>) -> Change {
    let tells = |outcome: Option<Outcome>| match outcome? {
        Outcome::NotExercised | Outcome::Unsupported | Outcome::ClientAdvice => None,
        Outcome::Verified => Some(0),
        Outcome::Advice => Some(1),
        Outcome::KnownFailure => Some(2),
        Outcome::Incomplete => Some(3),
        Outcome::Violated => Some(4),
    };
    match (tells(was), tells(is)) {
        (Some(was), Some(is)) => match is.cmp(&was) {
            Ordering::Less => Change::Better,
            Ordering::Equal => Change::Otherwise,
            Ordering::Greater => Change::Worse,
        },
        // What was never seen before and fails now is worse than not knowing.
        (None, Some(3..)) => Change::Worse,
        _ => Change::Otherwise,
    }
}
