//! What GitHub shows beside a file: commands of a workflow, each at the check in the file of its case.

use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Entry, Outcome};
use conformance::report::annotations::{self, Annotation};
use conformance::text::inert;
use std::fs;
use std::path::{Path, PathBuf};

/// GitHub shows at most this many annotations of a kind for each step.
const MOST: usize = 10;

/// One line for each cause of what fails or could not be judged, then a notice for each requirement that clients ask for. What is left
/// out is counted.
pub(crate) fn lines(log: &RunLog, suite: &Suite) -> Vec<String> {
    let all = annotations::of(log);
    let is_notice = |one: &&Annotation<'_>| one.entry.outcome == Outcome::ClientAdvice;
    let (notices, errors): (Vec<_>, Vec<_>) = all.iter().partition(is_notice);
    let mut lines = Vec::new();
    // The last notice has room for what is left out.
    for (kind, all, most) in [("error", &errors, MOST), ("notice", &notices, MOST - 1)] {
        lines.extend(all.iter().take(most).map(|one| line(kind, one, suite)));
    }
    let left = |all: &[&Annotation<'_>], most: usize| all.iter().skip(most).map(|one| one.requirements).sum::<usize>();
    let left = left(&errors, MOST) + left(&notices, MOST - 1);
    if left > 0 {
        lines.push(format!("::notice title=Not shown::{left} more requirements are in the summary and in the reports"));
    }
    lines
}

fn line(kind: &str, one: &Annotation<'_>, suite: &Suite) -> String {
    let place = place(one.entry, suite).map_or_else(String::new, |(file, line)| {
        format!("file={},line={line},", property(&file.display().to_string()))
    });
    format!("::{kind} {place}title={}::{}", property(&one.title), data(&one.text))
}

/// The file of a case and the line of the check in it, where the file is in the folder that is checked out.
fn place(entry: &Entry, suite: &Suite) -> Option<(PathBuf, usize)> {
    let contract = suite.keyed(&entry.finding.contract)?;
    let case = contract.cases.iter().find(|case| case.name == entry.finding.case)?;
    let text = fs::read_to_string(&case.file).ok()?;
    let root = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from).or_else(|| std::env::current_dir().ok())?;
    let file = case.file.canonicalize().ok()?;
    let file = file.strip_prefix(root.canonicalize().ok()?).map(Path::to_owned).ok()?;
    let named = format!("\"{}\"", entry.finding.requirement);
    let line = text.lines().position(|line| line.contains("\"requirement\"") && line.contains(&named));
    Some((file, line.map_or(1, |line| line + 1)))
}

fn data(text: &str) -> String {
    inert::line(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
