//! `cargo xtask verify`: run the contracts against a target, judge, report.

mod arguments;
mod explore;
mod own;
mod watch;
mod watched;

use crate::shared::last_failed::LastFailed;
use crate::shared::print::tell;
use crate::shared::revisions::Asked;
use crate::shared::running::run_once;
use crate::shared::{selecting, workspace};
use anyhow::{Result, bail};
pub(crate) use arguments::Arguments;
use conformance::load::Suite;
use conformance::model::{Conclusion, Eras, Selection};
use conformance::run::Options;
use conformance::targets::TargetFile;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask verify                               the reference, and every counterexample
  cargo xtask verify records --cli qipu            the program `qipu`
  cargo xtask verify recall --http http://127.0.0.1:8083 --header 'Authorization: Bearer ${TOKEN}'
  cargo xtask verify remnote --mcp http://127.0.0.1:3001/mcp --corpus-loaded
  cargo xtask verify remnote --mcp-stdio 'node dist/index.js'
  cargo xtask verify --target my-server.toml --junit report.xml
  cargo xtask verify recall --http http://127.0.0.1:8083 --require-exercised 80
  cargo xtask verify records --cli qipu --known-failures known.toml
  cargo xtask verify records --only records.header-first -v
  cargo xtask verify recall --only 'recall.item-*' --case 'params/*'   what patterns match
  cargo xtask verify --target my-server.toml --last-failed   what failed in the last run
  cargo xtask verify --target my-server.toml --only recall.offset --watch   after each change
  cargo xtask verify memory@2 --mcp http://127.0.0.1:3001/mcp   by a later document
  cargo xtask verify --target my-server.toml --runs 5   what is not the same every time
  cargo xtask verify --target my-server.toml --explore 500 --seed 7

Exit codes:
  0 conforms   1 does not conform   2 wrong usage, or the suite is broken   3 incomplete, or unsteady
  4 target not reachable   5 nothing was selected   130 interrupted, report written";

/// Runs and reports, once or after each change; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    arguments.output.check()?;
    if arguments.running.watch {
        return watch::run(arguments, |target| once(arguments, target));
    }
    once(arguments, &mut |_| ())
}

/// Runs once, and hands over the target.
fn once(arguments: &Arguments, target: &mut dyn FnMut(&TargetFile)) -> Result<u8> {
    let target_path = arguments.target.file.as_deref();
    let suite = arguments.target.own.suite_for(target_path, arguments.cases.fixtures.as_deref())?;
    let suite = Arc::new(suite);
    let asked = &Asked::of(&arguments.contracts, &arguments.cases.revision)?;
    workspace::known_contracts(&asked.contracts, &suite)?;
    let requirements = selecting::requirements(&arguments.cases.only, &suite)?;
    if arguments.cases.every_revision {
        return every_revision(arguments, asked, &suite, &requirements);
    }
    let (mut file, places) = target_file(arguments, asked, &suite)?;
    let is_reference = places.contains_key("reference");
    if is_reference {
        workspace::speak(&mut file, &asked.revisions);
        own::only_built_in(&asked.contracts, &suite)?;
    }
    if arguments.target.prove {
        file = own::proving(file, &suite)?;
        // What the sound program does not exercise is not proven.
        let is_whole = asked_for_all(&arguments.cases);
        file.require_exercised = file.require_exercised.or(is_whole.then_some(100));
    }
    file.pin(&asked.revisions, &suite)?;
    target(&file);
    own::only_built_in_explored(arguments, &file, &suite)?;
    if let Some(calls) = arguments.exploration.explore {
        return explore::run(arguments, (asked, calls.get()), &suite, file, places);
    }
    let remembered = LastFailed::of(&file, &asked.contracts)?;
    let cases = match arguments.cases.last_failed {
        true => remembered.cases()?,
        false => arguments.cases.case.clone(),
    };
    let selection = Selection { requirements, cases, ..selection(arguments, asked.contracts.clone()) };
    run_of(arguments, &suite, &file, (&places, is_reference), selection, Some(&remembered))
}

/// Whether no case is left out.
fn asked_for_all(cases: &arguments::Cases) -> bool {
    cases.only.is_empty() && cases.case.is_empty() && cases.shard.is_none()
}

/// What is run of these contracts, but for the names of requirements and cases.
fn selection(arguments: &Arguments, contracts: Vec<String>) -> Selection {
    Selection {
        contracts,
        part: arguments.cases.fixtures.is_some(),
        shard: arguments.cases.shard,
        no_clients: arguments.target.no_clients,
        ..Selection::default()
    }
}

/// Runs a target, which may be the reference, and reports.
fn run_of(
    arguments: &Arguments,
    suite: &Arc<Suite>,
    file: &TargetFile,
    (places, is_reference): (&BTreeMap<String, String>, bool),
    selection: Selection,
    remembered: Option<&LastFailed>,
) -> Result<u8> {
    let options = Options {
        selection,
        seed: arguments.seed(),
        runs: arguments.running.runs.get(),
        time: Duration::from_secs(arguments.running.total_timeout),
        // In one era alone, what is there for the other one cannot be shown.
        prove: (is_reference || arguments.target.prove)
            && arguments.cases.fixtures.is_none()
            && arguments.target.mcp_era.is_none_or(|eras| eras == Eras::Both),
        keep: arguments.output.keep()?,
    };
    let strict = arguments.target.strict || is_reference;
    let log = run_once(suite, file, places, &options, strict)?;
    if let Some(remembered) = remembered {
        remembered.record(&log, suite);
    }
    let nothing = (log.totals.conclusion == Conclusion::NothingSelected).then(|| selecting::nothing(&log, suite));
    let code = arguments.output.write(log, suite)?;
    nothing.into_iter().for_each(|said| tell!("{said}"));
    Ok(code)
}

/// Runs the reference at every revision of the contracts: first all of them at their first, then each later one. Returns the exit code
/// that matters most.
fn every_revision(arguments: &Arguments, asked: &Asked, suite: &Arc<Suite>, requirements: &[String]) -> Result<u8> {
    let of = |contracts| Selection {
        requirements: requirements.to_vec(),
        cases: arguments.cases.case.clone(),
        ..selection(arguments, contracts)
    };
    if let Some(key) = asked.revisions.first() {
        bail!("--every-revision runs all revisions of a contract, and {} is one: leave one of them out", key.full());
    }
    if arguments.output.writes_files() {
        bail!("--every-revision makes several runs, so no report of one can be written; name one by --revision");
    }
    let (file, places) = target_file(arguments, asked, suite)?;
    let mut codes = vec![run_of(arguments, suite, &file, (&places, true), of(asked.contracts.clone()), None)?];
    for key in workspace::later(suite, &asked.contracts) {
        let (mut file, places) = target_file(arguments, asked, suite)?;
        workspace::speak(&mut file, std::slice::from_ref(&key));
        codes.push(run_of(arguments, suite, &file, (&places, true), of(vec![key.name().to_owned()]), None)?);
    }
    Ok(worst(&codes))
}

/// The exit code that wins where several apply.
fn worst(codes: &[u8]) -> u8 {
    let order = [130, 2, 4, 1, 3, 5];
    order.into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}

fn target_file(arguments: &Arguments, asked: &Asked, suite: &Suite) -> Result<(TargetFile, BTreeMap<String, String>)> {
    let mut places = BTreeMap::new();
    let mut file = match &arguments.target.file {
        Some(path) => TargetFile::read(path, suite)?,
        None => match arguments.target.address.target(&asked.contracts, suite)? {
            Some(file) => file,
            None => {
                places = workspace::reference_program()?;
                workspace::reference_file(suite)?
            }
        },
    };
    arguments.target.known.add_to(&mut file, suite)?;
    places.extend(workspace::places_of(&file, suite, arguments.cases.fixtures.as_deref())?);
    file.rate = arguments.running.rate.or(file.rate);
    file.timeout = arguments.running.timeout.or(file.timeout);
    file.retries = arguments.running.retries.or(file.retries);
    file.require_exercised = arguments.target.require_exercised.or(file.require_exercised);
    file.jobs = arguments.running.jobs.or(file.jobs);
    if let Some(eras) = arguments.target.mcp_era {
        file.judge_in(eras)?;
    }
    Ok((file, places))
}
