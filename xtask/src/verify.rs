//! `cargo xtask verify`: run the contracts against a target, judge, report.

use crate::address::Address;
use crate::output::Output;
use crate::workspace;
use anyhow::{Result, bail};
use chrono::{Local, SubsecRound};
use conformance::load::Suite;
use conformance::log::{self, Header, RunLog};
use conformance::run::{self, Options, Progress, Run, Selection};
use conformance::target::{Target, TargetError, TargetFile};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask verify                               the reference, and every counterexample
  cargo xtask verify records --cli qipu            the program `qipu`
  cargo xtask verify recall --http http://127.0.0.1:8083 --header 'Authorization: Bearer ${TOKEN}'
  cargo xtask verify remnote --mcp http://127.0.0.1:3001/mcp --corpus
  cargo xtask verify remnote --mcp-stdio 'node dist/index.js'
  cargo xtask verify --target my-server.toml --junit report.xml
  cargo xtask verify records --only records.header-first -v

Exit codes:
  0 conforms   1 does not conform   2 wrong usage, or the suite is broken   3 incomplete
  4 target not reachable   5 nothing was selected   130 interrupted, report written";

/// What to run, against what, and what to write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contracts to run; all of the target's when none is named
    contracts: Vec<String>,
    /// A target file (TOML)
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    target: Option<PathBuf>,
    #[command(flatten)]
    address: Address,
    /// Only cases that judge this requirement; may be given again
    #[arg(long, value_name = "REQUIREMENT")]
    only: Vec<String>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    /// Hold the target to advice too, and to exercising everything
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    output: Output,
    /// How long one call may take, in seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// How long the whole run may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    total_timeout: u64,
    /// How many cases run at once; as many as there are processors when left out
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    /// The order in which cases begin: another one each time when left out, that of the suite with 0
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

/// Runs and reports; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    arguments.output.check()?;
    let suite = Arc::new(workspace::suite()?);
    workspace::known_contracts(&arguments.contracts, &suite)?;
    workspace::known_requirements(&arguments.only, &suite)?;
    let (file, places) = target_file(arguments, &suite)?;
    let is_reference = places.contains_key("reference");
    let started = Instant::now();
    let options = Options {
        selection: Selection {
            contracts: arguments.contracts.clone(),
            requirements: arguments.only.clone(),
            case: arguments.case.clone(),
        },
        seed: arguments.seed.unwrap_or_else(|| fastrand::u64(1..1_000_000)),
        time: Duration::from_secs(arguments.total_timeout),
        prove: is_reference,
        keep_evidence: arguments.output.wants_evidence(),
    };
    let mut header = Header {
        format: log::FORMAT.to_owned(),
        suite: env!("CARGO_PKG_VERSION").to_owned(),
        target: file.name.clone(),
        started: Local::now().trunc_subsecs(3).fixed_offset(),
        strict: arguments.strict || is_reference,
        seed: options.seed,
        selection: options.selection.clone(),
        ..Header::default()
    };
    let run = match file.ready(&places, &|name| std::env::var(name).ok()) {
        Ok(target) => {
            header.describe(&target, &suite);
            execute(&suite, &Arc::new(target), &options)?
        }
        Err(TargetError::Transport(error)) => Run { unreachable: Some(error), ..Run::default() },
        Err(error) => bail!(error),
    };
    let log = RunLog::of(&suite, header, run, started.elapsed());
    arguments.output.write(log, &suite)
}

fn target_file(arguments: &Arguments, suite: &Suite) -> Result<(TargetFile, BTreeMap<String, String>)> {
    let mut places = BTreeMap::new();
    let mut file = match &arguments.target {
        Some(path) => TargetFile::read(path, suite)?,
        None => match arguments.address.target(&arguments.contracts, suite)? {
            Some(file) => file,
            None => {
                places = workspace::build_reference()?;
                workspace::reference_file(suite)?
            }
        },
    };
    places.extend(workspace::places()?);
    file.timeout = arguments.timeout.or(file.timeout);
    file.jobs = arguments.jobs.or(file.jobs);
    Ok((file, places))
}

fn execute(suite: &Arc<Suite>, target: &Arc<Target>, options: &Options) -> Result<Run> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let bar = progress_bar();
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without the signal nothing interrupts.
            std::future::pending::<()>().await;
        }
    };
    let told = |progress: &Progress| {
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(format!("{} failing, {}", progress.failing, progress.last));
    };
    let run = runtime.block_on(run::start_and_run(suite, target, options, interrupt, told));
    bar.finish_and_clear();
    Ok(run)
}

/// Progress on standard error; on a terminal only, so that CI logs stay plain.
fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} cases, {eta} left, {wide_msg}") {
        bar.set_style(style);
    }
    bar
}
