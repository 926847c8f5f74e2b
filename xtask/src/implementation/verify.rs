//! `cargo xtask verify`: run the contracts against a target, judge, report.

mod arguments;
mod explore;
mod watch;
mod watched;

use crate::shared::history::{self, Folder};
use crate::shared::running::run_once;
use crate::shared::workspace;
use anyhow::{Context, Result};
pub(crate) use arguments::Arguments;
use conformance::load::Suite;
use conformance::model::{Eras, Selection};
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
  cargo xtask verify --target my-server.toml --only recall.offset --watch   after each change
  cargo xtask verify --target my-server.toml --revision memory@1            by an earlier contract
  cargo xtask verify --target my-server.toml --explore 500 --seed 7

Exit codes:
  0 conforms   1 does not conform   2 wrong usage, or the suite is broken   3 incomplete
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
    let past = arguments.cases.revision.as_deref().map(past).transpose()?;
    let suite = Arc::new(match (&arguments.cases.fixtures, &past) {
        (_, Some(past)) => Suite::load(&past.path)
            .with_context(|| format!("the suite of {} cannot be used by this program", past.name))?,
        (Some(folder), _) => workspace::suite_with(folder)?,
        (None, None) => workspace::suite()?,
    });
    workspace::known_contracts(&arguments.contracts, &suite)?;
    workspace::known_requirements(&arguments.cases.only, &suite)?;
    let (file, mut places) = target_file(arguments, &suite)?;
    target(&file);
    if let Some(past) = &past {
        places.extend(workspace::places(Some(&past.path.join("fixtures")))?);
    }
    let is_reference = places.contains_key("reference");
    if let Some(calls) = arguments.exploration.explore {
        return explore::run(arguments, calls.get(), &suite, file, places);
    }
    let options = Options {
        selection: Selection {
            contracts: arguments.contracts.clone(),
            requirements: arguments.cases.only.clone(),
            case: arguments.cases.case.clone(),
            part: arguments.cases.fixtures.is_some(),
            shard: arguments.cases.shard,
            no_clients: arguments.target.no_clients,
        },
        seed: arguments.seed(),
        time: Duration::from_secs(arguments.running.total_timeout),
        // In one era alone, what is there for the other one cannot be shown.
        prove: is_reference
            && arguments.cases.fixtures.is_none()
            && past.is_none()
            && arguments.target.mcp_era.is_none_or(|eras| eras == Eras::Both),
        keep: arguments.output.keep()?,
    };
    let strict = arguments.target.strict || (is_reference && past.is_none());
    let log = run_once(&suite, &file, &places, &options, strict)?;
    arguments.output.write(log, &suite)
}

/// The contracts of an earlier revision.
fn past(revision: &str) -> Result<Folder> {
    Folder::of_revision(revision, &history::checkout()?)
}

fn target_file(arguments: &Arguments, suite: &Suite) -> Result<(TargetFile, BTreeMap<String, String>)> {
    let mut places = BTreeMap::new();
    let mut file = match &arguments.target.file {
        Some(path) => TargetFile::read(path, suite)?,
        None => match arguments.target.address.target(&arguments.contracts, suite)? {
            Some(file) => file,
            None => {
                places = workspace::reference_program()?;
                workspace::reference_file(suite)?
            }
        },
    };
    arguments.target.known.add_to(&mut file, suite)?;
    places.extend(workspace::places(arguments.cases.fixtures.as_deref())?);
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
