//! The run log as NDJSON: everything that another report can be made from.

use crate::ledger::RunLog;
use crate::model::{CaseLine, CaseRun, Entry, ExchangeLine, Header, Totals};
use crate::text::inert;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

impl RunLog {
    /// Writes the log, a JSON value on each line.
    ///
    /// # Errors
    /// When `to` cannot be written.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        write(to, &self.header, &self.cases, &self.ledger.entries, &self.totals)
    }
}

/// Writes a log, a JSON value on each line.
pub(crate) fn write<'l>(
    mut to: impl Write,
    header: &Header,
    cases: impl IntoIterator<Item = &'l CaseRun>,
    entries: impl IntoIterator<Item = &'l Entry>,
    totals: &Totals,
) -> io::Result<()> {
    line(&mut to, header)?;
    for run in cases {
        let steps = array(&run.evidence);
        let (contract, transport, case) = (&run.contract, run.transport, &run.case);
        let (calls, count) = (run.calls.clone(), steps.len());
        let head = CaseLine { contract: contract.clone(), transport, case: case.clone(), calls, steps: count };
        tagged(&mut to, "case", &head)?;
        for (step, exchanges) in steps.iter().enumerate() {
            for (index, evidence) in array(exchanges).iter().enumerate() {
                let (contract, case, evidence) = (contract.clone(), Cow::from(case), Cow::Borrowed(evidence));
                tagged(&mut to, "exchange", &ExchangeLine { contract, transport, case, step, index, evidence })?;
            }
        }
    }
    entries.into_iter().try_for_each(|entry| tagged(&mut to, "finding", entry))?;
    tagged(&mut to, "totals", totals)
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
