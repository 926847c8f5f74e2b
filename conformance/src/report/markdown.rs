//! The report as Markdown: for the summary of a job, or a comment. At most 1 MiB, failures first.

use super::calls::{self, Call};
use super::diff::{self, Line};
use super::marked::{fenced, text};
use super::page::value;
use super::{
    by_requirement, clients, conclusion, count, exercised, exercised_at, follows, inert_lines, notes, numbers,
    outcomes, own_problems, revision, transport,
};
use crate::ledger::{Row, RunLog};
use crate::model::{Entry, Outcome};
use crate::text::{inert, listed, plural};

/// What GitHub takes for a job summary, less some room for the last line.
const MOST_BYTES: usize = (1 << 20) - 1024;
/// So many cases of one requirement are shown in full.
const CASES_IN_FULL: usize = 3;
/// At most this many of its other cases are named.
const CASES_NAMED: usize = 20;

/// The report.
pub fn render(log: &RunLog) -> String {
    let mut page = format!("# {}: {}\n\n", text(&log.header.title()), conclusion(log));
    page.push_str(&table(log));
    for own in own_problems(log) {
        page.push_str(&format!("- {}\n", text(&own.text)));
    }
    for note in notes(log) {
        page.push_str(&format!("- {}\n", text(&note)));
    }
    for outcome in [Outcome::Violated, Outcome::Unsteady, Outcome::Incomplete] {
        section(&mut page, log, outcome, true);
    }
    for outcome in
        [Outcome::KnownFailure, Outcome::Advice, Outcome::ClientAdvice, Outcome::NotExercised, Outcome::Unsupported]
    {
        section(&mut page, log, outcome, false);
    }
    untouched(&mut page, log);
    measured(&mut page, log);
    let checks = log.ledger.entries.len();
    let (cases, seconds, exit) = (log.cases.len(), log.totals.elapsed, log.totals.exit_code);
    let exercised: String = exercised(log).iter().map(|share| format!("{share}; ")).collect();
    page.push_str(&format!("\n{exercised}{checks} checks of {cases} cases in {seconds:.1} s, exit code {exit}\n"));
    page
}

fn table(log: &RunLog) -> String {
    let outcomes = outcomes(log);
    let heads = outcomes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    let rule = "---:|".repeat(outcomes.len() + 1);
    let mut table = format!("| contract | transport | {heads} | exercised of what binds |\n|---|---|{rule}\n");
    for place in log.ledger.places() {
        let rows = log.ledger.rows_at(&place);
        let counts = outcomes.iter().map(|outcome| count(&rows, *outcome).to_string()).collect::<Vec<_>>().join(" | ");
        let share = exercised_at(log, &place).map_or_else(String::new, ToString::to_string);
        let contract = revision(log, &place).map_or_else(|| place.contract.to_string(), |revision| text(&revision));
        table.push_str(&format!("| {contract} | {} | {counts} | {share} |\n", transport(log, &place)));
    }
    table + "\n"
}

fn section(page: &mut String, log: &RunLog, outcome: Outcome, in_full: bool) {
    let groups = by_requirement(log.ledger.with(outcome));
    if groups.is_empty() {
        return;
    }
    page.push_str(&format!("## {outcome}\n\n"));
    for (at, group) in groups.iter().enumerate() {
        let written = match in_full {
            true => requirement(log, group),
            false => line(log, group),
        };
        if page.len() + written.len() > MOST_BYTES {
            page.push_str(&format!("\n… and {}.\n", plural(groups.len() - at, "more requirement")));
            return;
        }
        page.push_str(&written);
    }
    page.push('\n');
}

/// Requirements that no check had anything to say of.
fn untouched(page: &mut String, log: &RunLog) {
    let rows: Vec<&Row> = log.ledger.rows.iter().filter(|row| row.checks == 0).collect();
    if rows.is_empty() {
        return;
    }
    page.push_str("## without a check\n\n");
    for (at, row) in rows.iter().enumerate() {
        let (id, sentence) = (&row.requirement.id, text(&row.requirement.text));
        let line = format!("- `{id}` {sentence}: {}\n", text(row.reason.as_deref().unwrap_or_default()));
        if page.len() + line.len() > MOST_BYTES {
            page.push_str(&format!("\n… and {}.\n", plural(rows.len() - at, "more requirement")));
            return;
        }
        page.push_str(&line);
    }
}

/// What the answers took and cost.
fn measured(page: &mut String, log: &RunLog) {
    let rows = numbers::rows(log);
    if rows.is_empty() {
        return;
    }
    let heads = numbers::HEADS.map(|head| format!("{head} |")).join(" ");
    let mut table = format!("| {heads}\n|---|---|{}\n", "---:|".repeat(numbers::HEADS.len() - 2));
    for row in rows {
        table.push_str(&format!("| {} |\n", row.map(|cell| text(&cell)).join(" | ")));
    }
    if page.len() + table.len() <= MOST_BYTES {
        page.push_str(&format!("<details><summary>{}</summary>\n\n{table}\n</details>\n", numbers::TITLE));
    }
}

fn line(log: &RunLog, group: &[&Entry]) -> String {
    let first = group[0];
    let sentence = log.requirements.of_finding(&first.finding).map_or("", |one| one.text.as_str());
    let why = first.reason.clone().or_else(|| calls::first(log, &first.finding));
    let why = why.map_or_else(String::new, |why| format!(": {}", text(&inert::short(&why, 300))));
    let follows = follows(group).map_or_else(String::new, |follows| format!(" ({})", text(&follows)));
    // The addresses are those of our own data, so they may be links.
    let clients = clients(log, &first.finding.requirement).iter();
    let clients: String = clients.map(|one| format!("  - {}: <{}>\n", text(&one.to_string()), one.source)).collect();
    format!("- `{}` {}{why}{follows}\n{clients}", first.finding.requirement, text(sentence))
}

fn requirement(log: &RunLog, group: &[&Entry]) -> String {
    let id = &group[0].finding.requirement;
    let mut page = format!("### `{id}`\n\n");
    if let Some(one) = log.requirements.of_finding(&group[0].finding) {
        page.push_str(&format!(
            "{} ({}, {}, section “{}”)\n\n",
            text(&one.text),
            one.level,
            one.origin,
            text(&one.section)
        ));
    }
    if let Some(follows) = follows(group) {
        page.push_str(&format!("{}\n\n", text(&follows)));
    }
    for entry in group.iter().take(CASES_IN_FULL) {
        let finding = &entry.finding;
        page.push_str(&format!("<details open><summary>in {} over {}</summary>\n\n", finding.case, finding.transport));
        let calls = calls::of(log, finding);
        calls.iter().for_each(|call| page.push_str(&one_call(call)));
        if calls.is_empty() {
            page.push_str(&shell(&calls::repeated(log, finding)));
        }
        page.extend(calls::more(finding).map(|more| format!("{more}\n\n")));
        page.push_str("</details>\n\n");
    }
    if let Some(more) = group.get(CASES_IN_FULL..).filter(|more| !more.is_empty()) {
        let names: Vec<&str> = more.iter().map(|entry| entry.finding.case.as_str()).collect();
        let named = &names[..names.len().min(CASES_NAMED)];
        page.push_str(&format!("and in {}: {}\n\n", plural(names.len(), "more case"), listed(named, names.len())));
    }
    page
}

/// A call with what was expected and received, and how to repeat it.
fn one_call(call: &Call<'_>) -> String {
    let mut page = String::new();
    page.extend(call.asked().map(|asked| fenced("", &format!("{}\n", inert::short(&asked, 1000)))));
    for detail in &call.details {
        page.push_str(&format!("{}\n\n", text(&inert::short(&call.said(detail), 500))));
        match call.compared(detail) {
            _ if call.says_all(detail) => {}
            (Some(expected), Some(found)) => {
                let lines = diff::lines(&expected, &found, diff::MOST_LINES).into_iter().map(|line| match line {
                    Line::Expected(text) => format!("- {text}\n"),
                    Line::Received(text) => format!("+ {text}\n"),
                    Line::Same(text) => format!("  {text}\n"),
                });
                page.push_str(&fenced("diff", &lines.collect::<String>()));
            }
            (expected, found) => {
                for (name, one) in [("expected", expected), ("received", found)] {
                    page.extend(one.map(|one| fenced("", &format!("{name}: {}\n", value(&one)))));
                }
            }
        }
    }
    page + &shell(&call.repeat())
}

/// A command in a block of its own; nothing where there is none.
fn shell(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { fenced("sh", &format!("{}\n", inert_lines(lines))) }
}
