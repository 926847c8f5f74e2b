//! The report for people at a terminal: a ledger, then what is wrong, why, and how to repeat it.

use super::page::{Page, colour, value};
use super::{
    by_requirement, clients, contract, count, counts, endpoint, exercised, exercised_at, follows, notes, numbers,
    own_problems, repeated,
};
use crate::ledger::{Row, RunLog};
use crate::model::{Conclusion, Detail, Entry, Outcome, Place};
use crate::text::{inert, plural};
use std::collections::BTreeMap;

/// How much is told, and whether in colour.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Use colours.
    pub colour: bool,
    /// The width of the terminal, at most 100.
    pub width: usize,
    /// Leave out the requirements that are verified.
    pub quiet: bool,
    /// Show advice and what was not exercised in full.
    pub verbose: bool,
}

/// So many reasons why requirements were not exercised are shown, unless more is asked for.
const REASONS_SHOWN: usize = 4;
/// So many cases of one requirement are shown in full, unless more is asked for.
const CASES_IN_FULL: usize = 3;

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

/// The whole report.
pub fn render(log: &RunLog, style: Style) -> String {
    let mut report = Report { page: Page::new(style.colour, style.width), style };
    for place in log.ledger.places() {
        report.ledger(log, &place);
    }
    for outcome in SHOWN {
        report.failures(log, outcome);
    }
    report.summary(log);
    report.own_problems(log);
    report.numbers(log);
    report.end(log);
    inert::page(&report.page.text)
}

struct Report {
    page: Page,
    style: Style,
}

impl Report {
    /// The requirements of a contract at a transport, by section of the document.
    fn ledger(&mut self, log: &RunLog, place: &Place) {
        let rows = log.ledger.rows_at(place);
        let title = format!("{}, {}", endpoint(log, place), inert::line(&log.header.title()));
        self.page.line(&self.page.bold(&title));
        let shown: Vec<&&Row> =
            rows.iter().filter(|row| !self.style.quiet || row.outcome != Outcome::Verified).collect();
        let widest = shown.iter().map(|row| row.requirement.id.len()).max().unwrap_or(0).min(56);
        for row in shown {
            let (level, origin) = (row.requirement.level, row.requirement.origin);
            let cases = plural(row.checks, "case");
            let line = format!("{:<15} {:<widest$}  {level:<6} {origin:<7} {cases}", row.outcome, row.requirement.id);
            let line = self.coloured(row.outcome, &inert::short(&line, self.style.width.max(60) - 2));
            self.page.line(&format!("  {line}"));
        }
        let excluded = plural(log.excluded.get(&place.contract.to_string()).copied().unwrap_or(0), "sentence");
        let exercised = if log.header.tap.is_some() { " exercised by what passed" } else { "" };
        let requirements = plural(rows.len(), "requirement") + exercised;
        self.page.line(&format!(
            "  {requirements}: {} ({excluded} of the document excluded)",
            counts(rows.iter().map(|row| row.outcome))
        ));
        if let Some(share) = exercised_at(log, place) {
            self.page.line(&format!("  exercised {share} of those that bind"));
        }
        self.not_exercised(&rows);
        self.page.line("");
    }

    /// Why requirements were not exercised or are not supported, the most frequent reasons first.
    fn not_exercised(&mut self, rows: &[&Row]) {
        let mut reasons: BTreeMap<(Outcome, &str), usize> = BTreeMap::new();
        for row in rows {
            if let Some(reason) = &row.reason {
                *reasons.entry((row.outcome, reason)).or_default() += 1;
            }
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let shown = if self.style.verbose { reasons.len() } else { REASONS_SHOWN.min(reasons.len()) };
        for ((outcome, reason), count) in &reasons[..shown] {
            self.page.wrapped(&format!("{count} {outcome}: {}", inert::short(&inert::line(reason), 300)), "    ");
        }
        let rest: usize = reasons[shown..].iter().map(|(_, count)| count).sum();
        if rest > 0 {
            self.page.line(&format!("    {rest} for other reasons (-v shows them)"));
        }
    }

    /// The failures with one outcome, grouped by requirement.
    fn failures(&mut self, log: &RunLog, outcome: Outcome) {
        let in_full =
            matches!(outcome, Outcome::Violated | Outcome::Unsteady | Outcome::Incomplete) || self.style.verbose;
        if outcome == Outcome::NotExercised && !self.style.verbose {
            return;
        }
        for group in by_requirement(log.ledger.with(outcome)) {
            self.heading(log, &group);
            let shown = if self.style.verbose { group.len() } else { CASES_IN_FULL.min(group.len()) };
            if in_full {
                group[..shown].iter().for_each(|entry| self.failure(log, entry));
                if let Some(more) = group.get(shown..).filter(|more| !more.is_empty()) {
                    let names: Vec<&str> = more.iter().map(|entry| entry.finding.case.as_str()).collect();
                    self.page.wrapped(&format!("and in {} (-v shows them)", names.join(", ")), "    ");
                    self.page.line("");
                }
            } else if group[0].reason.is_none() {
                let finding = &group[0].finding;
                let why = finding.details.first().map_or("", |detail| detail.message.as_str());
                self.page.wrapped(&format!("in {}: {}", finding.case, inert::line(why)), "    ");
            }
        }
    }

    fn heading(&mut self, log: &RunLog, group: &[&Entry]) {
        let entry = group[0];
        let finding = &entry.finding;
        let head = format!("{} {}", entry.outcome.to_string().to_uppercase(), finding.requirement);
        self.page.line(&self.coloured(entry.outcome, &head));
        if let Some(requirement) = log.requirements.of_finding(finding) {
            let origin = format!("{}, {}, section \"{}\"", requirement.level, requirement.origin, requirement.section);
            self.page.wrapped(&format!("{} ({origin})", requirement.text), "  ");
        }
        for client in clients(log, &finding.requirement) {
            self.page.wrapped(&client.cited(), "    ");
        }
        if let Some(follows) = follows(group) {
            self.page.wrapped(&follows, "    ");
        }
        if let Some(reason) = &entry.reason {
            self.page.wrapped(&format!("known: {}", inert::line(reason)), "    ");
        }
    }

    fn failure(&mut self, log: &RunLog, entry: &Entry) {
        let finding = &entry.finding;
        self.page.line(&format!("    in {} over {}", finding.case, finding.transport));
        for detail in finding.details.iter().take(if self.style.verbose { 5 } else { 2 }) {
            self.detail(detail);
        }
        let lines = repeated(log, finding);
        if let Some((command, notes)) = lines.split_last() {
            notes.iter().for_each(|note| self.page.line(&format!("      {}", inert::line(note))));
            self.page.line(&format!("      repeat: {}", inert::line(command)));
        }
        self.page.line("");
    }

    fn detail(&mut self, detail: &Detail) {
        let place = detail.at.as_deref().filter(|at| !at.is_empty());
        let place = place.map_or(String::new(), |at| format!(" (evidence {})", inert::line(at)));
        self.page.wrapped(&format!("{}{place}", inert::short(&inert::line(&detail.message), 500)), "      ");
        match (&detail.expected, &detail.found) {
            (Some(expected), Some(found)) => self.page.difference(expected, found, "      "),
            (Some(expected), None) => self.page.line(&format!("      due: {}", value(expected))),
            (None, Some(found)) => self.page.line(&format!("      came: {}", value(found))),
            (None, None) => {}
        }
    }

    /// Contracts by transports, each with its outcomes; where there are several.
    fn summary(&mut self, log: &RunLog) {
        let places = log.ledger.places();
        if places.len() < 2 {
            return;
        }
        let all: Vec<Outcome> = Outcome::ALL.into_iter().filter(|outcome| log.ledger.count(*outcome) > 0).collect();
        let names: String = all.iter().map(|outcome| format!("  {outcome}")).collect();
        let share = if log.totals.exercised.is_empty() { "" } else { "  exercised" };
        let widest = |words: &mut dyn Iterator<Item = String>| words.map(|word| word.len()).max().unwrap_or(0) + 1;
        let of_transport = places.iter().map(|place| place.transport.to_string()).chain(["transport".to_owned()]);
        let of_contract = places.iter().map(|place| contract(log, place)).chain(["contract ".to_owned()]);
        let (first, second) = (widest(&mut { of_contract }), widest(&mut { of_transport }));
        self.page.line(&self.page.dim(&format!("{:<first$}{:<second$}{names}{share}", "contract", "transport")));
        for place in places {
            let rows = log.ledger.rows_at(&place);
            let mut line = format!("{:<first$}{:<second$}", contract(log, &place), place.transport);
            for outcome in &all {
                let width = outcome.to_string().len() + 2;
                let count = format!("{:>width$}", count(&rows, *outcome));
                line += &if count.trim() == "0" { self.page.dim(&count) } else { self.coloured(*outcome, &count) };
            }
            if let Some(share) = exercised_at(log, &place) {
                line += &format!("  {share}");
            }
            self.page.line(&line);
        }
        self.page.line("");
    }

    fn own_problems(&mut self, log: &RunLog) {
        for own in own_problems(log) {
            let text = own.text.lines().map(inert::line).collect::<Vec<_>>().join("\n  ");
            self.page.line(&self.page.painted("31", &text));
        }
        for note in notes(log) {
            self.page.wrapped(&self.page.painted("33", &inert::line(&note)), "");
        }
    }

    /// What the answers took and cost: every operation, or what stands out.
    fn numbers(&mut self, log: &RunLog) {
        if self.style.verbose && !log.totals.numbers.is_empty() {
            numbers::table(log).iter().for_each(|line| self.page.line(line));
            self.page.line("");
        } else if !self.style.quiet {
            numbers::summary(log).iter().for_each(|line| self.page.wrapped(line, ""));
        }
    }

    fn end(&mut self, log: &RunLog) {
        if let Some(caught) = log.totals.counterexamples {
            let unproven = log.totals.problems.len();
            let missed = if unproven == 0 { String::new() } else { format!(", {}", plural(unproven, "problem")) };
            let accepted = log
                .totals
                .legal_answers
                .map_or_else(String::new, |accepted| format!(", {} accepted", plural(accepted, "legal answer")));
            self.page.line(&format!("{} noticed{accepted}{missed}", plural(caught, "counterexample")));
        }
        let (checks, cases) = (log.ledger.entries.len(), log.cases.len());
        let (checks, elapsed, exit) = (plural(checks, "check"), log.totals.elapsed, log.totals.exit_code);
        let conclusion = match (&log.header.tap, log.totals.conclusion) {
            (Some(_), Conclusion::NothingSelected) => "nothing passed that a contract speaks of".to_owned(),
            (Some(_), Conclusion::Conforms) => "conforms as far as it was heard".to_owned(),
            _ => super::conclusion(log),
        };
        let asked = match &log.header.tap {
            Some(_) => format!("{checks} in {elapsed:.1} s"),
            None => format!("{checks} of {} in {elapsed:.1} s, seed {}", plural(cases, "case"), log.header.seed),
        };
        let mut parts: Vec<String> = exercised(log).into_iter().map(|share| share + ";").collect();
        parts.push(format!("{asked}, exit {exit}"));
        parts[0].insert_str(0, &format!("{conclusion}: "));
        let colour = if log.totals.conclusion == Conclusion::Conforms { "1;32" } else { "1;31" };
        let parts: Vec<String> = parts.iter().map(|part| self.page.painted(colour, part)).collect();
        self.page.filled(parts.iter().map(String::as_str), "");
    }

    fn coloured(&self, outcome: Outcome, text: &str) -> String {
        self.page.painted(colour(outcome), text)
    }
}
