//! `cargo xtask comment`: reports as one comment of a pull request, which the next run updates in place.
//!
//! `body` makes the text, `pull` knows the pull request and GitHub's API. A comment is a courtesy: when it cannot be written, the
//! reports go to the summary of the job, and nothing fails.

mod body;
mod pull;

use crate::shared::{files, print, program};
use anyhow::{Context, Result, bail};
use body::Body;
use pull::{Done, Pull};
use std::path::PathBuf;
use std::{env, fs};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask comment report.md                          what `verify --markdown report.md` wrote
  cargo xtask comment comparison.md report.md            several reports, one comment
  cargo xtask comment --name contracts diff.md           a comment of its own, beside that of other reports

In a workflow of GitHub for pull requests, with `pull-requests: write` and GITHUB_TOKEN in the environment of this step. Without
them, the reports go to the summary of the job.
Exit codes:
  0 the comment is there, or the reason why not was printed   2 wrong usage, or a report cannot be read";

/// GitHub shows no more of the summary of a step.
const MOST_SUMMARY: usize = 1 << 20;

/// Which reports, and where they go.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Reports in Markdown, in the order of the comment
    #[arg(value_name = "REPORT.md", required = true)]
    reports: Vec<PathBuf>,
    /// The name of the comment: lower-case letters, digits and hyphens. Each name has one comment
    #[arg(long, value_name = "NAME", default_value = "conformance", value_parser = name)]
    name: String,
    /// Who writes the comment: only a comment of this user is updated
    #[arg(long, value_name = "LOGIN", default_value = "github-actions[bot]")]
    author: String,
}

/// Writes the comment, or says why it does not; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let read = |path: &PathBuf| {
        conformance::files::text(path).with_context(|| format!("the report {} cannot be read", path.display()))
    };
    let reports = arguments.reports.iter().map(read).collect::<Result<Vec<String>>>()?;
    let body = Body::of(&reports, pull::token().as_deref());
    let done = Pull::of_environment()
        .and_then(|pull| pull.put(&arguments.name, &arguments.author, &body).map(|done| (done, pull.place())));
    match done {
        Ok((Done::Created, place)) => print::say!("the comment `{}` is new: {place}", arguments.name),
        Ok((Done::Updated, place)) => print::say!("the comment `{}` is updated: {place}", arguments.name),
        Ok((Done::Unchanged, place)) => print::say!("the comment `{}` says this already: {place}", arguments.name),
        Err(why) => print::say!("no comment is written: {why:#}; {}", summarised(&body)?),
    }
    Ok(0)
}

/// Puts the reports into the summary of the job, where there is one; says where they are.
fn summarised(body: &Body) -> Result<String> {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) else {
        return Ok(format!("the reports are in the files that {} was given", program::name()));
    };
    let taken = fs::metadata(&path).map_or(0, |file| usize::try_from(file.len()).unwrap_or(MOST_SUMMARY));
    files::append(&path, body.within(MOST_SUMMARY.saturating_sub(taken)))?;
    Ok("the reports are in the summary of the job".to_owned())
}

fn name(text: &str) -> Result<String> {
    let is_plain = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-';
    // Two hyphens would end the HTML comment that the name stands in.
    if text.is_empty() || !text.chars().all(is_plain) || text.contains("--") || text.ends_with('-') {
        bail!("a name has lower-case letters, digits and single hyphens, as in `my-server`");
    }
    Ok(text.to_owned())
}
