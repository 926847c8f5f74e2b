//! The report for people at a terminal. `brief` is what they read first: the verdict, the causes, and how to repeat them. `full` has
//! every requirement and every check. Both end in the same lines, which are here.

mod brief;
mod full;

use super::page::{Page, colour};
use super::{contract, count, counts, exercised, exercised_at, numbers, own_problems, remarks, restart};
use crate::ledger::RunLog;
use crate::model::{Conclusion, Outcome};
use crate::text::{inert, plural};

/// How much is shown, and whether in colour.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Use colours.
    pub colour: bool,
    /// The width of the terminal, from 40 to 200.
    pub width: usize,
    /// Show what fails or could not be judged, and the verdict.
    pub quiet: bool,
    /// Show every requirement and every check.
    pub verbose: bool,
}

/// The whole report.
pub fn render(log: &RunLog, style: Style) -> String {
    let report = Report { log, style };
    let mut page = Page::new(style.colour, style.width);
    if style.verbose {
        report.full(&mut page);
    } else {
        report.brief(&mut page);
    }
    inert::page(&page.text)
}

#[derive(Clone, Copy)]
struct Report<'l> {
    log: &'l RunLog,
    style: Style,
}

impl Report<'_> {
    /// The outcomes of all requirements: contracts by transports, or a line where there is but one.
    fn summary(self, page: &mut Page) {
        let log = self.log;
        let places = log.ledger.places();
        if places.len() < 2 {
            let counts = counts(log.ledger.rows.iter().map(|row| row.outcome));
            if !self.style.verbose && !counts.is_empty() {
                page.wrapped(&format!("{}: {counts}", plural(log.ledger.rows.len(), "requirement")), "");
            }
            return;
        }
        let all: Vec<Outcome> = Outcome::ALL.into_iter().filter(|outcome| log.ledger.count(*outcome) > 0).collect();
        let names: String = all.iter().map(|outcome| format!("  {outcome}")).collect();
        let share = if log.totals.exercised.is_empty() { "" } else { "  exercised" };
        let widest = |words: &mut dyn Iterator<Item = String>| words.map(|word| word.len()).max().unwrap_or(0) + 1;
        let of_transport = places.iter().map(|place| place.transport.to_string()).chain(["transport".to_owned()]);
        let of_contract = places.iter().map(|place| contract(log, place)).chain(["contract ".to_owned()]);
        let (first, second) = (widest(&mut { of_contract }), widest(&mut { of_transport }));
        page.line(&page.dim(&format!("{:<first$}{:<second$}{names}{share}", "contract", "transport")));
        for place in places {
            let rows = log.ledger.rows_at(&place);
            let mut line = format!("{:<first$}{:<second$}", contract(log, &place), place.transport);
            for outcome in &all {
                let width = outcome.to_string().len() + 2;
                let count = format!("{:>width$}", count(&rows, *outcome));
                line += &if count.trim() == "0" { page.dim(&count) } else { page.painted(colour(*outcome), &count) };
            }
            if let Some(share) = exercised_at(log, &place) {
                line += &format!("  {share}");
            }
            page.line(&line);
        }
        page.line("");
    }

    /// What keeps the run from success and belongs to no check.
    fn own_problems(self, page: &mut Page) {
        for own in own_problems(self.log) {
            for line in own.text.lines() {
                page.wrapped(&page.painted("31", &inert::line(line)), "");
            }
        }
    }

    /// How to start the server again, as a line that can be pasted.
    fn restart(self, page: &mut Page) {
        if let Some(restart) = restart(self.log) {
            page.line(&restart);
        }
    }

    /// What a reader has to know beside the outcomes.
    fn remarks(self, page: &mut Page) {
        for remark in remarks(self.log) {
            page.wrapped(&page.painted("33", &inert::line(&remark)), "");
        }
    }

    /// The last lines on standard error of each program that was started.
    fn said(self, page: &mut Page, most: usize) {
        for said in &self.log.header.said {
            page.wrapped(&format!("The last lines on standard error of `{}`:", inert::line(&said.command)), "");
            let skipped = said.lines.len().saturating_sub(most);
            for line in &said.lines[skipped..] {
                page.line(&page.dim(&format!("  {}", inert::short(&inert::line(line), self.style.width.max(40) - 3))));
            }
        }
    }

    /// What the answers took and cost: every operation, or what stands out.
    fn numbers(self, page: &mut Page) {
        if self.style.verbose && !self.log.totals.numbers.is_empty() {
            numbers::table(self.log).iter().for_each(|line| page.line(line));
            page.line("");
        } else if !self.style.quiet {
            numbers::summary(self.log).iter().for_each(|line| page.wrapped(line, ""));
        }
    }

    /// The verdict, how much was exercised, and the exit code.
    fn end(self, page: &mut Page) {
        let log = self.log;
        if let Some(caught) = log.totals.counterexamples {
            let unproven = log.totals.problems.len();
            let missed = if unproven == 0 { String::new() } else { format!(", {}", plural(unproven, "problem")) };
            let accepted = log
                .totals
                .legal_answers
                .map_or_else(String::new, |accepted| format!(", {} accepted", plural(accepted, "legal answer")));
            page.line(&format!("{} noticed{accepted}{missed}", plural(caught, "counterexample")));
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
        let parts: Vec<String> = parts.iter().map(|part| page.painted(colour, part)).collect();
        page.filled(parts.iter().map(String::as_str), "");
    }
}
