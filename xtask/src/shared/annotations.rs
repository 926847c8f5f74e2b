//! What GitHub shows beside a file: commands of a workflow, each at the check in the file of its case.

use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Entry, Outcome};
use conformance::report::annotations::{self, Annotation};
use conformance::text::{inert, plural};
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
        let more = plural(left, "more requirement");
        lines.push(format!("::notice title=Not shown::the summary and the reports show {more}"));
    }
    lines
}

fn line(kind: &str, one: &Annotation<'_>, suite: &Suite) -> String {
    let place = place(one.entry, suite).map_or_else(String::new, |(file, line)| {
        format!("file={},line={line},", property(&file.display().to_string()))
    });
    format!("::{kind} {place}title={}::{}", property(&one.title), data(&one.text))
}

/// The file of a check and its line there, where the file is in the folder that is checked out: a check that every case has is in a
/// file of its own. Where neither has the check, it is the first line of the case.
fn place(entry: &Entry, suite: &Suite) -> Option<(PathBuf, usize)> {
    let contract = suite.keyed(&entry.finding.contract)?;
    let case = contract.cases.iter().find(|case| case.name == entry.finding.case)?;
    let cases = case.file.ancestors().find(|folder| folder.ends_with("cases"));
    let always = cases.map(|folder| folder.with_file_name("always.json"));
    let files = [Some(case.file.clone()), always].into_iter().flatten();
    let found = files.filter_map(|file| Some((line_of(&entry.finding.requirement, &file)?, file))).next();
    let (line, file) = found.unwrap_or_else(|| (1, case.file.clone()));
    let root = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from).or_else(|| std::env::current_dir().ok())?;
    let file = file.canonicalize().ok()?;
    Some((file.strip_prefix(root.canonicalize().ok()?).ok()?.to_owned(), line))
}

/// The line of the check of a requirement, from 1.
fn line_of(requirement: &str, file: &Path) -> Option<usize> {
    let named = format!("\"{requirement}\"");
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().position(|line| line.contains("\"requirement\"") && line.contains(&named))?;
    Some(line + 1)
}

fn data(text: &str) -> String {
    inert::line(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
