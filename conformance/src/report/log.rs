//! The run log as NDJSON: everything that another report can be made from.

use crate::ledger::RunLog;
use crate::model::{CaseLine, ContractKey, Entry, Totals, TransportKind};
use crate::text::inert;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

impl RunLog {
    /// Writes the log, a JSON value on each line.
    ///
    /// # Errors
    /// When `to` cannot be written.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        write_line(&mut to, &self.header)?;
        for run in &self.cases {
            let (contract, transport, case) = (&run.contract, run.transport, &run.case);
            let line = CaseLine {
                contract: contract.clone(),
                transport,
                case: case.clone(),
                calls: run.calls.clone(),
                steps: array(&run.evidence).len(),
            };
            write_line(&mut to, &Written::Case(line))?;
            for (step, exchanges) in array(&run.evidence).iter().enumerate() {
                for (index, evidence) in array(exchanges).iter().enumerate() {
                    let exchange = WrittenExchange { contract, transport, case, step, index, evidence };
                    write_line(&mut to, &Written::Exchange(exchange))?;
                }
            }
        }
        for entry in &self.ledger.entries {
            write_line(&mut to, &Written::Finding(entry))?;
        }
        write_line(&mut to, &Written::Totals(&self.totals))
    }
}

/// A line of the log but the first.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Written<'l> {
    Case(CaseLine),
    Exchange(WrittenExchange<'l>),
    Finding(&'l Entry),
    Totals(&'l Totals),
}

/// An exchange and where it belongs.
#[derive(Serialize)]
pub(crate) struct WrittenExchange<'l> {
    pub(crate) contract: &'l ContractKey,
    pub(crate) transport: TransportKind,
    pub(crate) case: &'l str,
    pub(crate) step: usize,
    pub(crate) index: usize,
    pub(crate) evidence: &'l Value,
}

pub(crate) fn write_line(to: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    writeln!(to, "{}", inert::json(&serde_json::to_string(line)?))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
