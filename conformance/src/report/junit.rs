//! The report for CI servers: JUnit, one suite for each contract and transport, one case for each check.

use super::calls;
use crate::ledger::RunLog;
use crate::model::{CaseRun, Entry, Outcome, Place, Verdict};
use crate::text::inert;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The report as XML.
///
/// # Errors
/// When the XML writer refuses, which it has no reason to.
pub fn render(log: &RunLog) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new(format!("conformance of {}", inert::line(&log.header.title())));
    report.set_time(Duration::from_secs_f64(log.totals.elapsed));
    let mut places: Vec<Place> = Vec::new();
    for place in log.cases.iter().map(CaseRun::place) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    for place in &places {
        let Place { contract, transport } = place;
        let class = format!("{contract}.{}", transport.word());
        let mut suite = TestSuite::new(class.clone());
        for note in super::notes(log) {
            suite.add_property(("note", inert::line(&note).as_str()));
        }
        if let Some(revision) = super::revision(log, place) {
            suite.add_property(("contract-revision", revision.as_str()));
        }
        if let Some(revision) = log.header.revision_at(place) {
            suite.add_property(("mcp-protocol-version", inert::line(revision).as_str()));
        }
        if let Some(share) = super::exercised_at(log, place) {
            suite.add_property(("exercised", share.to_string().as_str()));
        }
        for (operation, words) in super::numbers::at(log, place) {
            suite.add_property((format!("numbers.{operation}"), words));
        }
        let here = |entry: &&Entry| entry.finding.contract == *contract && entry.finding.transport == *transport;
        for entry in log.ledger.entries.iter().filter(here) {
            suite.add_test_case(test_case(entry, &class, log));
        }
        report.add_test_suite(suite);
    }
    let own = own_problems(log);
    if !own.test_cases.is_empty() {
        report.add_test_suite(own);
    }
    Ok(without_first_skipped(&report.to_string()?))
}

/// Without the root's count of what was skipped, which the common schema (`junit-10.xsd`) does not allow there. No value
/// before it can look like it: quotes in values are escaped.
fn without_first_skipped(xml: &str) -> String {
    let parts = xml.split_once(" skipped=\"").and_then(|(before, rest)| Some((before, rest.split_once('"')?.1)));
    parts.map_or_else(|| xml.to_owned(), |(before, after)| before.to_owned() + after)
}

fn test_case(entry: &Entry, class: &str, log: &RunLog) -> TestCase {
    let finding = &entry.finding;
    let status = match entry.outcome {
        Outcome::Verified => TestCaseStatus::success(),
        Outcome::Violated => failure(NonSuccessKind::Failure, entry, log),
        Outcome::Incomplete | Outcome::Unsteady => failure(NonSuccessKind::Error, entry, log),
        Outcome::NotExercised
        | Outcome::Unsupported
        | Outcome::ClientAdvice
        | Outcome::Advice
        | Outcome::KnownFailure => {
            let mut status = TestCaseStatus::skipped();
            let why = entry.reason.clone().or_else(|| calls::first(log, finding));
            let follows = super::follows(&[entry]).map_or_else(String::new, |follows| format!(" ({follows})"));
            let clients = super::clients(log, &finding.requirement).iter().filter(|_| finding.verdict == Verdict::Fail);
            let clients: String = clients.map(|client| format!("; {}", client.cited())).collect();
            let why = why.unwrap_or_default();
            status.set_message(inert::line(&format!("{}: {why}{follows}{clients}", entry.outcome)));
            status
        }
    };
    let mut case =
        TestCase::new(format!("{} in {} over {}", finding.requirement, finding.case, finding.transport), status);
    case.set_classname(class);
    case.set_time(elapsed(entry, log));
    if let Some(retried) = super::retried(finding, log) {
        case.set_system_out(format!("asked again, {} in all: {}", retried.times, inert::line(&retried.why)));
    }
    case
}

fn failure(kind: NonSuccessKind, entry: &Entry, log: &RunLog) -> TestCaseStatus {
    let finding = &entry.finding;
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(entry.outcome.to_string());
    status.set_message(inert::line(&calls::first(log, finding).unwrap_or_default()));
    let sentence = log.requirements.of_finding(finding).map_or("", |requirement| requirement.text.as_str());
    let mut text = format!("{sentence}\n");
    if let Some(follows) = super::follows(&[entry]) {
        text.push_str(&format!("{follows}\n"));
    }
    text.push_str(&calls::text(log, finding));
    status.set_description(text);
    status
}

/// The time of the calls of a check's case. Checks of one case share them, so only sums over cases mean something.
fn elapsed(entry: &Entry, log: &RunLog) -> Duration {
    let finding = &entry.finding;
    let exchange = log.first_exchange(finding);
    Duration::try_from_secs_f64(exchange.and_then(|one| one["elapsed"].as_f64()).unwrap_or(0.0)).unwrap_or_default()
}

/// What fails the run and belongs to no check: stale known failures, idle contracts, faults of the suite.
fn own_problems(log: &RunLog) -> TestSuite {
    let mut suite = TestSuite::new("run");
    for (at, own) in super::own_problems(log).into_iter().enumerate() {
        let kind = if own.fails { NonSuccessKind::Failure } else { NonSuccessKind::Error };
        let text = inert::line(&own.text);
        let mut status = TestCaseStatus::non_success(kind);
        status.set_message(text.as_str());
        suite.add_test_case(TestCase::new(format!("{}. {}", at + 1, inert::short(&text, 120)), status));
    }
    suite
}
