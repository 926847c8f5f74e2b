//! The formats in which a run is written to a file. This list makes the options, writes the files, and says to the tests of hostile
//! answers what they must read.

use super::{ctrf, html, json, junit, markdown};
use crate::ledger::RunLog;
use std::io::{self, Write};

/// A format of a report.
pub struct ReportFormat {
    /// Its name, and that of its option: `--html FILE`.
    pub name: &'static str,
    /// What the option does.
    pub about: &'static str,
    /// Whether it holds the evidence of every case, and not only what findings point to.
    pub has_all_evidence: bool,
    /// Whether it holds all that is known of a run beside its evidence, the numbers of the reference too.
    pub is_for_programs: bool,
    write: fn(&RunLog, &mut dyn Write) -> io::Result<()>,
}

/// All of them, in the order of the help.
pub static FORMATS: [ReportFormat; 6] = [
    ReportFormat {
        name: "html",
        about: "Write the report as one HTML page that needs nothing else",
        has_all_evidence: false,
        is_for_programs: false,
        write: |log, to| to.write_all(html::render(log).as_bytes()),
    },
    ReportFormat {
        name: "markdown",
        about: "Write the report as Markdown",
        has_all_evidence: false,
        is_for_programs: false,
        write: |log, to| to.write_all(markdown::render(log).as_bytes()),
    },
    ReportFormat {
        name: "junit",
        about: "Write a JUnit report",
        has_all_evidence: false,
        is_for_programs: false,
        write: |log, to| to.write_all(junit::render(log).map_err(io::Error::other)?.as_bytes()),
    },
    ReportFormat {
        name: "ctrf",
        about: "Write the report in the Common Test Report Format",
        has_all_evidence: false,
        is_for_programs: false,
        write: |log, to| to.write_all(ctrf::text(log).as_bytes()),
    },
    ReportFormat {
        name: "json",
        about: "Write the report as JSON",
        has_all_evidence: false,
        is_for_programs: true,
        write: |log, to| to.write_all(json::text(log).as_bytes()),
    },
    ReportFormat {
        name: "log",
        about: "Write the run log, every exchange and finding, as NDJSON",
        has_all_evidence: true,
        is_for_programs: true,
        write: |log, to| log.write(to),
    },
];

impl ReportFormat {
    /// Writes a run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, log: &RunLog, to: &mut dyn Write) -> io::Result<()> {
        (self.write)(log, to)
    }
}
