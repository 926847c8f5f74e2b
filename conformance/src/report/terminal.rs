//! The report for people at a terminal: a ledger, then what is wrong, why, and how to repeat it.

use super::diff::{self, Line};
use super::{count, inert, own_problems, places, repeat, rows};
use crate::ledger::{Conclusion, Entry, Outcome, Row};
use crate::log::RunLog;
use crate::model::{Detail, TransportKind};
use std::collections::BTreeMap;
use std::fmt::Write;

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

/// The whole report.
pub fn render(log: &RunLog, style: Style) -> String {
    let mut page = Page { text: String::new(), style };
    for (contract, transport) in places(log) {
        page.ledger(log, contract, transport);
    }
    for outcome in
        [Outcome::Violated, Outcome::Incomplete, Outcome::KnownFailure, Outcome::Advice, Outcome::NotExercised]
    {
        page.failures(log, outcome);
    }
    page.own_problems(log);
    page.end(log);
    page.text
}

struct Page {
    text: String,
    style: Style,
}

impl Page {
    /// The requirements of a contract at a transport, by section of the document.
    fn ledger(&mut self, log: &RunLog, contract: &str, transport: TransportKind) {
        let rows = rows(log, contract, transport);
        let title = format!("{contract} over {transport}, {}", inert::line(&log.header.target));
        self.line(&self.bold(&title));
        let shown: Vec<&&Row> =
            rows.iter().filter(|row| !self.style.quiet || row.outcome != Outcome::Verified).collect();
        let widest = shown.iter().map(|row| row.requirement.id.len()).max().unwrap_or(0).min(56);
        for row in shown {
            let (level, origin) = (row.requirement.level, row.requirement.origin);
            let cases = plural(row.checks, "case");
            let line = format!("{:<15} {:<widest$}  {level:<6} {origin:<7} {cases}", row.outcome, row.requirement.id);
            let line = self.coloured(row.outcome, &inert::short(&line, self.style.width.max(60) - 2));
            self.line(&format!("  {line}"));
        }
        let excluded = plural(log.excluded.get(contract).copied().unwrap_or(0), "sentence");
        let requirements = plural(rows.len(), "requirement");
        self.line(&format!("  {requirements}: {} ({excluded} of the document excluded)", counts(&rows)));
        self.not_exercised(&rows);
        self.line("");
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
            self.wrapped(&format!("{count} {outcome}: {}", inert::short(&inert::line(reason), 300)), "    ");
        }
        let rest: usize = reasons[shown..].iter().map(|(_, count)| count).sum();
        if rest > 0 {
            self.line(&format!("    {rest} for other reasons (-v shows them)"));
        }
    }

    /// The failures with one outcome, grouped by requirement.
    fn failures(&mut self, log: &RunLog, outcome: Outcome) {
        let mut entries: Vec<&Entry> = log.ledger.with(outcome).collect();
        entries.sort_by(|a, b| a.finding.requirement.cmp(&b.finding.requirement));
        let in_full = matches!(outcome, Outcome::Violated | Outcome::Incomplete) || self.style.verbose;
        if outcome == Outcome::NotExercised && !self.style.verbose {
            return;
        }
        for group in entries.chunk_by(|a, b| a.finding.requirement == b.finding.requirement) {
            self.heading(log, group[0]);
            let shown = if self.style.verbose { group.len() } else { CASES_IN_FULL.min(group.len()) };
            if in_full {
                group[..shown].iter().for_each(|entry| self.failure(log, entry));
                if let Some(more) = group.get(shown..).filter(|more| !more.is_empty()) {
                    let names: Vec<&str> = more.iter().map(|entry| entry.finding.case.as_str()).collect();
                    self.wrapped(&format!("and in {} (-v shows them)", names.join(", ")), "    ");
                    self.line("");
                }
            } else if group[0].reason.is_none() {
                let finding = &group[0].finding;
                let why = finding.details.first().map_or("", |detail| detail.message.as_str());
                self.wrapped(&format!("in {}: {}", finding.case, inert::line(why)), "    ");
            }
        }
    }

    fn heading(&mut self, log: &RunLog, entry: &Entry) {
        let finding = &entry.finding;
        let head = format!("{} {}", entry.outcome.to_string().to_uppercase(), finding.requirement);
        self.line(&self.coloured(entry.outcome, &head));
        if let Some(requirement) = log.requirements.get(&finding.requirement) {
            let origin = format!("{}, {}, section \"{}\"", requirement.level, requirement.origin, requirement.section);
            self.wrapped(&format!("{} ({origin})", requirement.text), "  ");
        }
        if let Some(reason) = &entry.reason {
            self.wrapped(&format!("known: {}", inert::line(reason)), "    ");
        }
    }

    fn failure(&mut self, log: &RunLog, entry: &Entry) {
        let finding = &entry.finding;
        self.line(&format!("    in {} over {}", finding.case, finding.transport));
        for detail in finding.details.iter().take(if self.style.verbose { 5 } else { 2 }) {
            self.detail(detail);
        }
        if let Some(command) = log.exchange(finding).and_then(repeat::command) {
            self.line(&format!("      repeat: {}", inert::line(&command)));
        }
        self.line("");
    }

    fn detail(&mut self, detail: &Detail) {
        let place = detail.at.as_deref().filter(|at| !at.is_empty());
        let place = place.map_or(String::new(), |at| format!(" (evidence {})", inert::line(at)));
        self.wrapped(&format!("{}{place}", inert::short(&inert::line(&detail.message), 500)), "      ");
        match (&detail.expected, &detail.found) {
            (Some(expected), Some(found)) => {
                self.line(&self.dim("      - due   + came"));
                for line in diff::lines(expected, found) {
                    let (mark, text, colour) = match line {
                        Line::Due(text) => ('-', text, "31"),
                        Line::Came(text) => ('+', text, "32"),
                        Line::Same(text) => (' ', text, "2"),
                    };
                    self.line(&self.painted(colour, &format!("      {mark} {text}")));
                }
            }
            (Some(expected), None) => self.line(&format!("      due: {}", value(expected))),
            (None, Some(found)) => self.line(&format!("      came: {}", value(found))),
            (None, None) => {}
        }
    }

    fn own_problems(&mut self, log: &RunLog) {
        for own in own_problems(log) {
            let text = own.text.lines().map(inert::line).collect::<Vec<_>>().join("\n  ");
            self.line(&self.painted("31", &text));
        }
    }

    fn end(&mut self, log: &RunLog) {
        if let Some(caught) = log.totals.counterexamples {
            let unproven = log.totals.problems.len();
            let missed = if unproven == 0 { String::new() } else { format!(", {}", plural(unproven, "problem")) };
            self.line(&format!("{} noticed{missed}", plural(caught, "counterexample")));
        }
        let (checks, cases) = (log.ledger.entries.len(), log.cases.len());
        let summary = format!(
            "{}: {} of {} in {:.1} s, exit {}",
            log.totals.conclusion,
            plural(checks, "check"),
            plural(cases, "case"),
            log.totals.elapsed,
            log.totals.exit_code
        );
        let colour = if log.totals.conclusion == Conclusion::Conforms { "1;32" } else { "1;31" };
        self.line(&self.painted(colour, &summary));
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    /// A sentence, broken at spaces to fit the width.
    fn wrapped(&mut self, sentence: &str, indent: &str) {
        let width = self.style.width.max(40) - indent.len();
        let mut line = String::new();
        for word in sentence.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                self.line(&format!("{indent}{line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(&format!("{indent}{line}"));
    }

    fn painted(&self, code: &str, text: &str) -> String {
        match self.style.colour {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }

    fn bold(&self, text: &str) -> String {
        self.painted("1", text)
    }

    fn dim(&self, text: &str) -> String {
        self.painted("2", text)
    }

    fn coloured(&self, outcome: Outcome, text: &str) -> String {
        let code = match outcome {
            Outcome::Verified => "32",
            Outcome::Violated => "1;31",
            Outcome::Incomplete => "35",
            Outcome::KnownFailure | Outcome::Advice => "33",
            Outcome::NotExercised | Outcome::Unsupported => "2",
        };
        self.painted(code, text)
    }
}

/// The requirements by outcome: `40 verified, 2 advice`.
fn counts(rows: &[&Row]) -> String {
    let counted: Vec<String> = Outcome::ALL
        .into_iter()
        .map(|outcome| (count(rows, outcome), outcome))
        .filter(|(count, _)| *count > 0)
        .map(|(count, outcome)| format!("{count} {outcome}"))
        .collect();
    counted.join(", ")
}

fn value(value: &serde_json::Value) -> String {
    inert::short(&inert::line(&value.to_string()), 300)
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
