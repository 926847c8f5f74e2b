//! What a person reads first: the verdict, the causes of what fails or could not be judged, each with a call, and what to do next. It
//! fits a screen: the more there is to show, the less is shown of each cause, and what is left out is counted.

use super::Report;
use super::full::{reasons, repeat};
use crate::ledger::Row;
use crate::model::{Conclusion, Entry, Outcome};
use crate::report::calls::{self, Call};
use crate::report::causes::{self, Cause};
use crate::report::page::{Page, colour, value};
use crate::report::{by_requirement, conclusion, endpoint, revision, transport};
use crate::text::{inert, listed, plural};
use std::collections::BTreeMap;

/// The report takes at most this many lines of a terminal with 100 columns.
const MOST_LINES: usize = 50;
/// At most this many pieces of advice are shown.
const ADVICE: usize = 5;
/// At most this many lines of each program's standard error are shown.
const LINES_OF_ERROR: usize = 5;
/// At most this many lines of a difference are shown.
const LINES_OF_A_DIFFERENCE: usize = 8;
/// At most this many requirements of one cause are named.
const REQUIREMENTS_OF_A_CAUSE: usize = 8;

/// How much is shown of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// One line.
    Line,
    /// Its requirement and one call.
    Call,
    /// How to repeat that call, too.
    Repeat,
    /// The other calls, too.
    Calls,
}

/// The outcomes that keep a run from success.
fn failed() -> [Outcome; 3] {
    [Outcome::Violated, Outcome::Unsteady, Outcome::Incomplete]
}

impl Report<'_> {
    /// The whole report, in brief.
    pub(super) fn brief(self, page: &mut Page) {
        let mut head = self.page();
        self.verdict(&mut head);
        let mut tail = self.page();
        self.tail(&mut tail);
        let rows = MOST_LINES * 100 / self.style.width.clamp(40, 100);
        page.text.push_str(&head.text);
        self.causes(page, rows.saturating_sub(head.rows() + tail.rows()));
        page.text.push_str(&tail.text);
    }

    fn page(self) -> Page {
        Page::new(self.style.colour, self.style.width)
    }

    /// Who was judged, and what keeps the run from success.
    fn verdict(self, page: &mut Page) {
        let log = self.log;
        let places = log.ledger.places();
        if self.is_clean() {
            return;
        }
        let of = match places.as_slice() {
            [place] => format!(", {}", endpoint(log, place)),
            _ => String::new(),
        };
        let counts = failed().into_iter().map(|outcome| (log.ledger.count(outcome), outcome));
        let counts = counts.filter(|(count, _)| *count > 0);
        let counts: String = counts.map(|(count, outcome)| format!(", {count} {outcome}")).collect();
        let title = format!("{}{of}: {}{counts}", inert::line(&log.header.title()), conclusion(log));
        page.wrapped(&page.bold(&title), "");
        self.own_problems(page);
        self.restart(page);
        page.line("");
    }

    /// What is below the causes.
    fn tail(self, page: &mut Page) {
        if !self.style.quiet {
            self.advice(page);
        }
        self.known_failures(page);
        self.said(page, LINES_OF_ERROR);
        self.summary(page);
        if self.is_clean() || self.log.ledger.places().len() > 1 {
            self.revisions(page);
        }
        if self.is_clean() {
            self.own_problems(page);
        }
        self.remarks(page);
        if !self.style.quiet {
            self.not_exercised(page);
        }
        self.numbers(page);
        self.end(page);
    }

    /// Whether nothing keeps the run from success, or nothing was run.
    fn is_clean(self) -> bool {
        matches!(self.log.totals.conclusion, Conclusion::Conforms | Conclusion::NothingSelected)
    }

    /// As much of each cause as there is room for, the first in most detail.
    fn causes(self, page: &mut Page, rows: usize) {
        let causes = causes::of(self.log);
        let mut left = rows;
        for (at, cause) in causes.iter().enumerate() {
            let others = causes.len() - at - 1;
            let levels = [Level::Calls, Level::Repeat, Level::Call, Level::Line];
            let shown = levels.iter().map(|level| {
                let mut block = self.page();
                self.cause(&mut block, cause, *level);
                block
            });
            // Each of the others gets a line, as long as that leaves room for this one.
            let fits = |block: &Page| block.rows() + others.min(left * 2 / 3) <= left;
            match shown.into_iter().find(fits) {
                Some(block) if left > 1 || others == 0 => {
                    left = left.saturating_sub(block.rows());
                    page.text.push_str(&block.text);
                }
                _ => {
                    let rest =
                        plural(causes[at..].iter().map(|cause| cause.groups().count()).sum(), "more requirement");
                    page.line(&format!("and {rest} violated or not judged (-v shows all)"));
                    break;
                }
            }
        }
        if !causes.is_empty() {
            page.line("");
        }
    }

    fn cause(self, page: &mut Page, cause: &Cause<'_>, level: Level) {
        let Some(entry) = cause.first() else { return };
        let calls = calls::of(self.log, &entry.finding);
        match cause.reason {
            Some(reason) if cause.groups().count() > 1 || cause.failing.is_empty() => {
                let (failing, unjudged) = (cause.failing.len(), cause.unjudged.len());
                let fail = (failing > 0).then(|| format!("{} violated", plural(failing, "requirement")));
                let cannot = (unjudged > 0).then(|| format!("{} could not be judged", plural(unjudged, "requirement")));
                let parts: Vec<String> = fail.into_iter().chain(cannot).collect();
                let head = format!("{}: {}", parts.join(" and "), inert::short(&inert::line(reason), 300));
                self.head(page, entry, &head, level);
                if level > Level::Line {
                    let ids: Vec<&str> = cause.groups().map(|group| group[0].finding.requirement.as_str()).collect();
                    let named = &ids[..ids.len().min(REQUIREMENTS_OF_A_CAUSE)];
                    page.wrapped(&listed(named, ids.len()), "  ");
                    self.calls(page, &calls[..calls.len().min(1)], level, true);
                }
            }
            _ => {
                let id = &entry.finding.requirement;
                let first = calls.first().and_then(|call| Some((call, call.details.first()?)));
                let said = first.map_or_else(String::new, |(call, detail)| call.said(detail));
                let requirement = self.log.requirements.of_finding(&entry.finding);
                let sentence =
                    requirement.map_or_else(String::new, |one| format!("{} (section \"{}\")", one.text, one.section));
                let kind = entry.outcome.to_string().to_uppercase();
                let words = if level == Level::Line { said.as_str() } else { sentence.as_str() };
                self.head(page, entry, &format!("{kind} {id}: {}", inert::line(words)), level);
                if level > Level::Line {
                    let most = if level == Level::Calls { calls.len() } else { calls.len().min(1) };
                    self.calls(page, &calls[..most], level, false);
                    self.elsewhere(page, cause, calls.len() - most);
                }
            }
        }
    }

    fn head(self, page: &mut Page, entry: &Entry, head: &str, level: Level) {
        let head =
            if level == Level::Line { inert::short(head, self.style.width.max(40) - 1) } else { head.to_owned() };
        page.wrapped(&page.painted(colour(entry.outcome), &head), "");
    }

    /// Calls, each with what was expected and received.
    fn calls(self, page: &mut Page, calls: &[Call<'_>], level: Level, is_known: bool) {
        let width = self.style.width.max(40) - 5;
        for (at, call) in calls.iter().enumerate() {
            if let Some(asked) = call.asked() {
                // A narrow terminal breaks the line: an argument that is cut off says nothing.
                page.line(&format!("  {}", inert::short(&asked, width.max(95))));
            }
            if let Some(detail) = call.details.first().filter(|_| !is_known) {
                page.wrapped(&inert::short(&inert::line(&call.said(detail)), 300), "    ");
                match call.compared(detail) {
                    _ if call.says_all(detail) => {}
                    (Some(expected), Some(found)) => {
                        page.difference(&expected, &found, "    ", LINES_OF_A_DIFFERENCE);
                    }
                    (Some(one), None) => {
                        page.line(&format!("    expected: {}", inert::short(&value(&one), width - 12)))
                    }
                    (None, Some(one)) => {
                        page.line(&format!("    received: {}", inert::short(&value(&one), width - 12)))
                    }
                    (None, None) => {}
                }
            }
            // The same words of a program are told once.
            if let Some(error) = call.standard_error().filter(|_| at == 0 && level >= Level::Repeat) {
                let last = error.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                page.line(&page.dim(&format!("    standard error: {}", inert::short(&inert::line(last), width - 18))));
            }
            if at == 0 && level >= Level::Repeat {
                repeat(page, call, "    ");
            }
        }
    }

    /// Where else a requirement is violated: the calls and cases that are not shown.
    fn elsewhere(self, page: &mut Page, cause: &Cause<'_>, hidden: usize) {
        let entries: Vec<&&Entry> = cause.groups().flatten().collect();
        let Some((first, others)) = entries.split_first() else { return };
        let calls = hidden + first.finding.more_calls;
        let calls = (calls > 0).then(|| format!(" and {}", plural(calls, "more call")));
        let cases = (!others.is_empty()).then(|| format!("; also in {}", plural(others.len(), "other case")));
        page.wrapped(
            &format!("in {}{}{}", first.finding.case, calls.unwrap_or_default(), cases.unwrap_or_default()),
            "    ",
        );
    }

    /// The first pieces of advice, a line each, and how many there are.
    fn advice(self, page: &mut Page) {
        let log = self.log;
        let of = |outcome| by_requirement(log.ledger.with(outcome));
        let groups: Vec<Vec<&Entry>> = of(Outcome::Advice).into_iter().chain(of(Outcome::ClientAdvice)).collect();
        let width = self.style.width.max(40) - 1;
        for group in groups.iter().take(ADVICE) {
            let calls = calls::of(log, &group[0].finding);
            let said = calls.first().and_then(|call| Some(call.said(call.details.first()?))).unwrap_or_default();
            let line = format!("ADVICE {}: {}", group[0].finding.requirement, inert::line(&said));
            page.line(&page.painted(colour(Outcome::Advice), &inert::short(&line, width)));
        }
        if let Some(more) = groups.len().checked_sub(ADVICE + 1) {
            page.line(&page.dim(&format!("{} more with advice (-v shows all)", more + 1)));
        }
    }

    /// The first known failures, a line each with its reason, and how many there are.
    fn known_failures(self, page: &mut Page) {
        let groups = by_requirement(self.log.ledger.with(Outcome::KnownFailure));
        let width = self.style.width.max(40) - 1;
        for group in groups.iter().take(ADVICE) {
            let reason = group[0].reason.as_deref().unwrap_or_default();
            let line = format!("KNOWN FAILURE {}: {}", group[0].finding.requirement, inert::line(reason));
            page.line(&page.painted(colour(Outcome::KnownFailure), &inert::short(&line, width)));
        }
        if let Some(more) = groups.len().checked_sub(ADVICE + 1) {
            page.line(&page.dim(&format!("{} more known failures (-v shows all)", more + 1)));
        }
    }

    /// The revisions of contracts that have several, each with how it is known and the transports over which it was judged.
    fn revisions(self, page: &mut Page) {
        let mut spoken: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for place in self.log.ledger.places() {
            if let Some(revision) = revision(self.log, &place) {
                spoken.entry(revision).or_default().push(transport(self.log, &place));
            }
        }
        for (revision, transports) in spoken {
            page.wrapped(&format!("{revision} over {}", transports.join(", ")), "");
        }
    }

    /// Why requirements were not exercised, in a sentence.
    fn not_exercised(self, page: &mut Page) {
        let rows: Vec<&Row> = self.log.ledger.rows.iter().collect();
        let reasons = reasons(&rows);
        let Some(((_, first), count)) = reasons.first() else { return };
        let all: usize = reasons.iter().map(|(_, count)| count).sum();
        let (of, others) = match all - count {
            0 => ("the reason".to_owned(), ""),
            _ => (format!("the reason for {count}"), " and the other reasons"),
        };
        let first = inert::short(&inert::line(first), 200);
        page.wrapped(
            &format!("{} not exercised; {of}: {first} (-v shows which{others})", plural(all, "requirement")),
            "",
        );
    }
}
