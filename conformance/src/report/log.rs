//! The run log as NDJSON: everything that another report can be made from.

use crate::ledger::RunLog;
use crate::model::{CaseLine, CaseRun, ExchangeLine, Header, Keep, Lines, Shelf, Totals, cut};
use crate::text::inert;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

impl RunLog {
    /// Writes the log, a JSON value on each line.
    ///
    /// # Errors
    /// When `to` cannot be written, or evidence that lies on a shelf cannot be read.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let mut entries = self.ledger.entries.iter();
        write(
            to,
            &self.header,
            &self.cases,
            |to| entries.try_for_each(|entry| tagged(to, "finding", entry)),
            &self.totals,
        )
    }
}

/// The first line of a log.
pub(crate) fn first_line(header: &Header) -> Vec<u8> {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = line(&mut text, header);
    text
}

/// The line before the exchanges of a case, which has so many steps at most.
pub(crate) fn case_line(run: &CaseRun, steps: usize) -> Vec<u8> {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = begin(&mut text, run, steps);
    text
}

fn begin(to: &mut impl Write, run: &CaseRun, steps: usize) -> io::Result<()> {
    let (contract, case, calls) = (run.contract.clone(), run.case.clone(), run.calls.clone());
    tagged(to, "case", &CaseLine { contract, transport: run.transport, case, calls, steps })
}

/// Writes a log, a JSON value on each line. `findings` writes those of the findings.
pub(crate) fn write<'l, W: Write>(
    mut to: W,
    header: &Header,
    cases: impl IntoIterator<Item = &'l CaseRun>,
    findings: impl FnOnce(&mut W) -> io::Result<()>,
    totals: &Totals,
) -> io::Result<()> {
    line(&mut to, header)?;
    for run in cases {
        let steps = run.lines.as_ref().map_or_else(|| array(&run.evidence).len(), |lines| lines.steps);
        begin(&mut to, run, steps)?;
        if let Some(lines) = &run.lines {
            lines.write(&mut to)?;
            continue;
        }
        for (step, exchanges) in array(&run.evidence).iter().enumerate() {
            for (index, one) in array(exchanges).iter().enumerate() {
                exchange(&mut to, run, (step, index), one)?;
            }
        }
    }
    findings(&mut to)?;
    tagged(&mut to, "totals", totals)
}

/// A case that was judged: its evidence is released, but for what is kept of it.
pub(crate) fn settled(run: CaseRun, keep: &Keep) -> CaseRun {
    let lines = match keep {
        Keep::All => return run,
        Keep::Found => None,
        Keep::Shelved(shelf) => shelved(&run, shelf),
    };
    let evidence = cut::evidence(&run.evidence, &run.findings);
    CaseRun { lines, evidence, ..run }
}

/// Puts the evidence of a case on a shelf, as the lines that the log will have.
fn shelved(run: &CaseRun, shelf: &Arc<dyn Shelf>) -> Option<Lines> {
    let mut lines = Lines::new(shelf);
    for (step, exchanges) in run.evidence.as_array()?.iter().enumerate() {
        lines.steps += 1;
        for (index, exchange) in array(exchanges).iter().enumerate() {
            put(&mut lines, run, (step, index), exchange);
        }
    }
    Some(lines)
}

/// Puts one exchange of a case on the shelf of its lines.
pub(crate) fn put(lines: &mut Lines, run: &CaseRun, at: (usize, usize), exchange: &Value) {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    if self::exchange(&mut text, run, at, exchange).is_ok() {
        lines.put(&text);
    }
}

/// The line of an exchange.
fn exchange(to: &mut impl Write, run: &CaseRun, (step, index): (usize, usize), exchange: &Value) -> io::Result<()> {
    let (contract, case, evidence) = (run.contract.clone(), Cow::from(&run.case), Cow::Borrowed(exchange));
    tagged(to, "exchange", &ExchangeLine { contract, transport: run.transport, case, step, index, evidence })
}

/// A line as `LogLine` reads it.
fn tagged(to: &mut impl Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    line(to, &BTreeMap::from([(name, value)]))
}

fn line(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    writeln!(to, "{}", inert::json(&serde_json::to_string(value)?))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
