//! `cargo xtask bless`: compare the goldens with the reference's answers, and write them with `--write`.

use crate::shared::print::say;
use crate::shared::reference::Reference;
use crate::shared::{files, program, workspace};
use anyhow::{Context, Result, bail};
use conformance::judge;
use conformance::load::{Case, Check, ContractSuite};
use conformance::report::diff::{self, Line};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask bless            show where goldens and the reference differ; exit 1 when they do
  cargo xtask bless --write    make the goldens what the reference answers, to be read before it is committed";

/// Show, or write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the goldens; refused in CI
    #[arg(long)]
    write: bool,
}

/// Compares or writes; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    if arguments.write {
        program::needs_checkout("bless")?;
    }
    if arguments.write && std::env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false") {
        bail!("goldens are not written in CI: run `cargo xtask bless --write` on your machine and read the difference");
    }
    let suite = workspace::suite()?;
    // The first revisions are spoken all at once, each later one by a reference of its own.
    let later = workspace::later(&suite, &[]).into_iter().map(|key| vec![key]);
    let mut differing = 0;
    for revision in std::iter::once(Vec::new()).chain(later) {
        let reference = Reference::at(&suite, &revision)?;
        for (at, endpoint) in reference.target.endpoints.iter().enumerate() {
            if revision.first().is_some_and(|only| *only != endpoint.contract) {
                continue;
            }
            let contract = suite.keyed(&endpoint.contract).context("the reference speaks an unknown contract")?;
            for case in contract.cases.iter().filter(|case| case.checks.iter().any(|check| check.golden().is_some())) {
                if reference.target.runs_at(at, case, &contract.contract) {
                    let evidence = reference.evidence(at, case, contract)?;
                    differing += compare(case, contract, &evidence, arguments.write)?;
                }
            }
        }
        reference.stop();
    }
    match differing {
        0 => say!("every golden is what the reference answers"),
        count if arguments.write => say!("{count} written; read the difference before you commit it"),
        count if program::is_installed() => say!("{count} differ"),
        count => say!("{count} differ; `cargo xtask bless --write` makes them what the reference answers"),
    }
    Ok(u8::from(differing > 0 && !arguments.write))
}

/// Prints the goldens of a case that differ, and writes them if asked to; returns how many differ.
fn compare(case: &Case, contract: &ContractSuite, evidence: &Value, write: bool) -> Result<usize> {
    let mut answers: BTreeMap<&str, (&Check, Vec<Value>)> = BTreeMap::new();
    for check in &case.checks {
        if let Some(file) = check.golden() {
            answers.insert(file, (check, judge::selected(check, case, evidence)));
        }
    }
    let mut differing = 0;
    for (file, (check, answer)) in answers {
        let verdict = judge::judge_case_check(check, case, evidence);
        if verdict == conformance::model::Verdict::Pass {
            continue;
        }
        differing += 1;
        let path = contract.goldens.join(file);
        let old = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let new = format!("{:#}\n", Value::Array(answer));
        say!("{} in {}", path.display(), case.name);
        for line in diff::lines(&Value::from(old), &Value::from(new.as_str()), diff::MOST_LINES) {
            match line {
                Line::Expected(text) => say!("- {text}"),
                Line::Received(text) => say!("+ {text}"),
                Line::Same(text) => say!("  {text}"),
            }
        }
        if write {
            files::write(&path, new)?;
        }
    }
    Ok(differing)
}
