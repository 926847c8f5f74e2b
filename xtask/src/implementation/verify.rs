//! `cargo xtask verify`: run the contracts against a target, judge, report.

mod explore;
mod watch;

use crate::shared::address::Address;
use crate::shared::history::{self, Folder};
use crate::shared::known::Known;
use crate::shared::output::Output;
use crate::shared::running::run_once;
use crate::shared::workspace;
use anyhow::{Context, Result};
use conformance::load::Suite;
use conformance::model::{Selection, Shard};
use conformance::run::Options;
use conformance::targets::TargetFile;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask verify                               the reference, and every counterexample
  cargo xtask verify records --cli qipu            the program `qipu`
  cargo xtask verify recall --http http://127.0.0.1:8083 --header 'Authorization: Bearer ${TOKEN}'
  cargo xtask verify remnote --mcp http://127.0.0.1:3001/mcp --corpus
  cargo xtask verify remnote --mcp-stdio 'node dist/index.js'
  cargo xtask verify --target my-server.toml --junit report.xml
  cargo xtask verify records --cli qipu --known-failures known.toml
  cargo xtask verify records --only records.header-first -v
  cargo xtask verify --target my-server.toml --only recall.offset --watch      the loop of mending one requirement
  cargo xtask verify --target my-server.toml --revision memory@1               by the contract as it was
  cargo xtask verify --target my-server.toml --explore 500 --seed 7

Exit codes:
  0 conforms   1 does not conform   2 wrong usage, or the suite is broken   3 incomplete
  4 target not reachable   5 nothing was selected   130 interrupted, report written";

/// What to run, against what, and what to write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contracts to run; all of the target's when none is named
    pub(crate) contracts: Vec<String>,
    /// A target file (TOML)
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    pub(crate) target: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) address: Address,
    #[command(flatten)]
    pub(crate) known: Known,
    /// Make so many random calls over random corpora instead, and compare with the reference
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["only", "case", "fixtures", "corpus"])]
    explore: Option<NonZeroUsize>,
    /// The folder that what --explore finds is saved in; below target/explored/ when left out
    #[arg(long, value_name = "FOLDER", requires = "explore")]
    pub(crate) save: Option<PathBuf>,
    /// Run the cases and corpora of this folder instead of fixtures/, such as a finding that was saved
    #[arg(long, value_name = "FOLDER")]
    fixtures: Option<PathBuf>,
    /// Judge by the contracts as they were: `memory@1` for a revision of a contract, or any revision of git
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["fixtures", "explore"])]
    revision: Option<String>,
    /// Only cases that judge this requirement; may be given again
    #[arg(long, value_name = "REQUIREMENT")]
    only: Vec<String>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    /// Hold the target to advice too, and to exercising everything
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    /// How long one call may take, in seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// How long the whole run may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    pub(crate) total_timeout: u64,
    /// How many cases run at once; as many as there are processors when left out
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    /// Run only the cases of one shard, as in 2/5, and leave the rest to other machines; `merge` puts their logs together
    #[arg(long, value_name = "NUMBER/ALL", conflicts_with_all = ["explore", "fixtures"])]
    shard: Option<Shard>,
    /// How often a request is sent again that nobody took, or whose connection broke before any answer; each is reported,
    /// and with --strict it is no success
    #[arg(long, value_name = "NUMBER")]
    retries: Option<u32>,
    /// The order in which cases begin, and what is random of --explore: another one each time when left out; with 0, the
    /// order of the suite
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Run again whenever a file of the target, the fixtures or the schemas changes, until Ctrl-C
    #[arg(long, conflicts_with = "explore")]
    watch: bool,
}

impl Arguments {
    /// The seed, or any that is short enough to be typed.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| fastrand::u64(1..1_000_000))
    }
}

/// Runs and reports, once or after each change; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    arguments.output.check()?;
    if arguments.watch {
        let files: Vec<&Path> = arguments.target.iter().chain(&arguments.known.files).map(PathBuf::as_path).collect();
        return watch::run(&files, || once(arguments));
    }
    once(arguments)
}

fn once(arguments: &Arguments) -> Result<u8> {
    let past = arguments.revision.as_deref().map(past).transpose()?;
    let suite = Arc::new(match (&arguments.fixtures, &past) {
        (_, Some(past)) => Suite::load(&past.path)
            .with_context(|| format!("the suite of {} cannot be used by this program", past.name))?,
        (Some(folder), _) => workspace::suite_with(folder)?,
        (None, None) => workspace::suite()?,
    });
    workspace::known_contracts(&arguments.contracts, &suite)?;
    workspace::known_requirements(&arguments.only, &suite)?;
    let (file, mut places) = target_file(arguments, &suite)?;
    if let Some(past) = &past {
        places.extend(workspace::places(Some(&past.path.join("fixtures")))?);
    }
    let is_reference = places.contains_key("reference");
    if let Some(calls) = arguments.explore {
        return explore::run(arguments, calls.get(), &suite, file, places);
    }
    let options = Options {
        selection: Selection {
            contracts: arguments.contracts.clone(),
            requirements: arguments.only.clone(),
            case: arguments.case.clone(),
            part: arguments.fixtures.is_some(),
            shard: arguments.shard,
        },
        seed: arguments.seed(),
        time: Duration::from_secs(arguments.total_timeout),
        prove: is_reference && arguments.fixtures.is_none() && past.is_none(),
        keep_evidence: arguments.output.wants_evidence(),
    };
    let strict = arguments.strict || (is_reference && past.is_none());
    let log = run_once(&suite, &file, &places, &options, strict)?;
    arguments.output.write(log, &suite)
}

/// The contracts as they were.
fn past(revision: &str) -> Result<Folder> {
    Folder::of_revision(revision, &history::checkout()?)
}

fn target_file(arguments: &Arguments, suite: &Suite) -> Result<(TargetFile, BTreeMap<String, String>)> {
    let mut places = BTreeMap::new();
    let mut file = match &arguments.target {
        Some(path) => TargetFile::read(path, suite)?,
        None => match arguments.address.target(&arguments.contracts, suite)? {
            Some(file) => file,
            None => {
                places = workspace::reference_program()?;
                workspace::reference_file(suite)?
            }
        },
    };
    arguments.known.add_to(&mut file, suite)?;
    places.extend(workspace::places(arguments.fixtures.as_deref())?);
    file.timeout = arguments.timeout.or(file.timeout);
    file.retries = arguments.retries.or(file.retries);
    file.jobs = arguments.jobs.or(file.jobs);
    Ok((file, places))
}
