//! Every requirement with its outcome, then every check that does not pass.

use super::Report;
use crate::ledger::Row;
use crate::model::{Detail, Entry, Finding, Outcome, Place};
use crate::report::calls::{self, Call};
use crate::report::page::{Page, colour, value};
use crate::report::{by_requirement, clients, counts, endpoint, exercised_at, follows};
use crate::text::{inert, plural};
use std::collections::BTreeMap;

/// The outcomes whose checks are shown below the ledger, in this order.
const SHOWN: [Outcome; 7] = [
    Outcome::Violated,
    Outcome::Unsteady,
    Outcome::Incomplete,
    Outcome::KnownFailure,
    Outcome::Advice,
    Outcome::ClientAdvice,
    Outcome::NotExercised,
];

/// At most this many lines of a difference are shown.
const LINES_OF_A_DIFFERENCE: usize = 24;

impl Report<'_> {
    /// The whole report, in full.
    pub(super) fn full(self, page: &mut Page) {
        for place in self.log.ledger.places() {
            self.ledger(page, &place);
        }
        self.restart(page);
        for outcome in SHOWN {
            self.failures(page, outcome);
        }
        self.summary(page);
        self.own_problems(page);
        self.remarks(page);
        self.said(page, usize::MAX);
        self.numbers(page);
        self.end(page);
    }

    /// The requirements of a contract at a transport.
    fn ledger(self, page: &mut Page, place: &Place) {
        let log = self.log;
        let rows = log.ledger.rows_at(place);
        let title = format!("{}, {}", endpoint(log, place), inert::line(&log.header.title()));
        page.line(&page.bold(&title));
        let shown: Vec<&&Row> =
            rows.iter().filter(|row| !self.style.quiet || row.outcome != Outcome::Verified).collect();
        let widest = shown.iter().map(|row| row.requirement.id.len()).max().unwrap_or(0).min(56);
        for row in shown {
            let (level, origin) = (row.requirement.level, row.requirement.origin);
            let cases = plural(row.checks, "case");
            let line = format!("{:<15} {:<widest$}  {level:<6} {origin:<7} {cases}", row.outcome, row.requirement.id);
            let line = page.painted(colour(row.outcome), &inert::short(&line, self.style.width.max(40) - 2));
            page.line(&format!("  {line}"));
        }
        let excluded = plural(log.excluded.get(&place.contract.to_string()).copied().unwrap_or(0), "sentence");
        let exercised = if log.header.tap.is_some() { " exercised by what passed" } else { "" };
        let requirements = plural(rows.len(), "requirement") + exercised;
        let counts = counts(rows.iter().map(|row| row.outcome));
        page.wrapped(
            &format!("{requirements}: {counts} ({excluded} of the document cannot be tested; see `coverage`)"),
            "  ",
        );
        if let Some(share) = exercised_at(log, place) {
            page.line(&format!("  exercised {share} of those that bind"));
        }
        not_exercised(page, &rows);
        page.line("");
    }

    /// The checks with one outcome, grouped by requirement.
    fn failures(self, page: &mut Page, outcome: Outcome) {
        for group in by_requirement(self.log.ledger.with(outcome)) {
            self.heading(page, &group);
            group.iter().for_each(|entry| self.failure(page, &entry.finding));
        }
    }

    fn heading(self, page: &mut Page, group: &[&Entry]) {
        let entry = group[0];
        let finding = &entry.finding;
        let head = format!("{} {}", entry.outcome.to_string().to_uppercase(), finding.requirement);
        page.line(&page.painted(colour(entry.outcome), &head));
        if let Some(requirement) = self.log.requirements.of_finding(finding) {
            let origin = format!("{}, {}, section \"{}\"", requirement.level, requirement.origin, requirement.section);
            page.wrapped(&format!("{} ({origin})", requirement.text), "  ");
        }
        for client in clients(self.log, &finding.requirement) {
            page.wrapped(&client.cited(), "    ");
        }
        if let Some(follows) = follows(group) {
            page.wrapped(&follows, "    ");
        }
        if let Some(reason) = &entry.reason {
            page.wrapped(&format!("known: {}", inert::line(reason)), "    ");
        }
    }

    fn failure(self, page: &mut Page, finding: &Finding) {
        page.line(&format!("    in {} over {}", finding.case, finding.transport));
        let calls = calls::of(self.log, finding);
        for call in &calls {
            if let Some(asked) = call.asked() {
                page.line(&format!("      {}", inert::short(&asked, 1000)));
            }
            call.details.iter().for_each(|detail| self.detail(page, call, detail));
            repeat(page, call, "      ");
        }
        if calls.is_empty() {
            let lines = calls::repeated(self.log, finding);
            lines.iter().for_each(|line| page.line(&format!("      {}", inert::line(line))));
        }
        if let Some(more) = calls::more(finding) {
            page.line(&format!("      {more}"));
        }
        page.line("");
    }

    fn detail(self, page: &mut Page, call: &Call<'_>, detail: &Detail) {
        let place = detail.at.as_deref().filter(|at| !at.is_empty());
        let place = place.map_or(String::new(), |at| format!(" (evidence {})", inert::line(at)));
        page.wrapped(&format!("{}{place}", inert::short(&inert::line(&call.said(detail)), 500)), "        ");
        if call.says_all(detail) {
            return;
        }
        match call.compared(detail) {
            (Some(expected), Some(found)) => page.difference(&expected, &found, "        ", LINES_OF_A_DIFFERENCE),
            (Some(expected), None) => page.line(&format!("        expected: {}", value(&expected))),
            (None, Some(found)) => page.line(&format!("        received: {}", value(&found))),
            (None, None) => {}
        }
    }
}

/// How to repeat a call: what to set first, and the command.
pub(super) fn repeat(page: &mut Page, call: &Call<'_>, indent: &str) {
    let lines = call.repeat();
    if let Some((command, notes)) = lines.split_last() {
        notes.iter().for_each(|note| page.line(&format!("{indent}{}", inert::line(note))));
        page.line(&format!("{indent}repeat: {}", inert::line(command)));
    }
}

/// Why requirements were not exercised or are not supported, the most frequent reasons first.
fn not_exercised(page: &mut Page, rows: &[&Row]) {
    for ((outcome, reason), count) in reasons(rows) {
        page.wrapped(&format!("{count} {outcome}: {}", inert::short(&inert::line(reason), 300)), "    ");
    }
}

/// The reasons why requirements were not exercised or are not supported, each with their number, the most frequent first.
pub(super) fn reasons<'r>(rows: &[&'r Row]) -> Vec<((Outcome, &'r str), usize)> {
    let mut reasons: BTreeMap<(Outcome, &str), usize> = BTreeMap::new();
    for row in rows {
        if let Some(reason) = &row.reason {
            *reasons.entry((row.outcome, reason)).or_default() += 1;
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    reasons
}
