//! `cargo xtask verify`: run the contracts against a target, judge, report.

use crate::address::Address;
use crate::explore;
use crate::reports::Reports;
use crate::workspace;
use anyhow::{Context, Result, bail};
use chrono::{Local, SecondsFormat, Utc};
use clap::ValueEnum;
use conformance::load::Suite;
use conformance::log::{self, Header, RunLog};
use conformance::report::{json, terminal};
use conformance::run::{self, Options, Progress, Run};
use conformance::target::{Target, TargetError, TargetFile};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
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
    /// Make so many random calls over random corpora instead, and compare with the reference
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["only", "case", "fixtures", "corpus"])]
    explore: Option<NonZeroUsize>,
    /// What random corpora and calls are made from; another every time when left out
    #[arg(long, value_name = "NUMBER", requires = "explore")]
    pub(crate) seed: Option<u64>,
    /// Run the cases and corpora of this folder instead of fixtures/, such as a finding that was saved
    #[arg(long, value_name = "FOLDER")]
    fixtures: Option<PathBuf>,
    /// Only cases that judge this requirement; may be given again
    #[arg(long, value_name = "REQUIREMENT")]
    only: Vec<String>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    /// Hold the target to advice too, and to exercising everything
    #[arg(long)]
    pub(crate) strict: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reports: Reports,
    /// How long one call may take, in seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// How long the whole run may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    pub(crate) total_timeout: u64,
    /// How many cases run at once; as many as there are processors when left out
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    /// Leave out what is verified
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Show advice, known failures and what was not exercised in full
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// For programs
    Json,
}

/// Runs and reports; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = Arc::new(match &arguments.fixtures {
        Some(folder) => workspace::suite_with(folder)?,
        None => workspace::suite()?,
    });
    workspace::known_contracts(&arguments.contracts, &suite)?;
    workspace::known_requirements(&arguments.only, &suite)?;
    let (file, places) = target_file(arguments, &suite)?;
    let is_reference = places.contains_key("reference");
    if let Some(calls) = arguments.explore {
        return explore::run(arguments, calls.get(), &suite, file, places);
    }
    let started = Instant::now();
    let header = Header {
        format: log::FORMAT.to_owned(),
        suite: env!("CARGO_PKG_VERSION").to_owned(),
        target: file.name.clone(),
        started: Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true),
        strict: arguments.strict || is_reference,
    };
    let options = Options {
        contracts: arguments.contracts.clone(),
        requirements: arguments.only.clone(),
        case: arguments.case.clone(),
        time: Duration::from_secs(arguments.total_timeout),
        prove: is_reference && arguments.fixtures.is_none(),
        keep_evidence: arguments.reports.want_evidence(),
        part: arguments.fixtures.is_some(),
    };
    let (run, target) = match file.ready(&places, &|name| std::env::var(name).ok()) {
        Ok(target) => {
            let target = Arc::new(target);
            (execute(&suite, &target, &options)?, Some(target))
        }
        Err(TargetError::Transport(error)) => (Run { unreachable: Some(error), ..Run::default() }, None),
        Err(error) => bail!(error),
    };
    let log =
        RunLog::of(&suite, target.as_deref(), &options, header, run, Local::now().date_naive(), started.elapsed());
    write(arguments, &log)?;
    Ok(log.totals.exit_code)
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
    places.extend(workspace::places(arguments.fixtures.as_deref())?);
    file.timeout = arguments.timeout.or(file.timeout);
    file.jobs = arguments.jobs.or(file.jobs);
    Ok((file, places))
}

fn execute(suite: &Arc<Suite>, target: &Arc<Target>, options: &Options) -> Result<Run> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let bar = progress_bar("cases");
    let told = |progress: Progress| {
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(format!("{} failing", progress.failing));
    };
    let run = runtime.block_on(run::start_and_run(suite, target, options, interrupt(), told));
    bar.finish_and_clear();
    Ok(run)
}

/// Comes to an end when the run is interrupted.
pub(crate) async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without the signal nothing interrupts.
        std::future::pending::<()>().await;
    }
}

/// Progress on standard error; on a terminal only, so that CI logs stay plain.
pub(crate) fn progress_bar(of: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {of}, {{msg}}, {{eta}} left"))
    {
        bar.set_style(style);
    }
    bar
}

pub(crate) fn write(arguments: &Arguments, log: &RunLog) -> Result<()> {
    arguments.reports.write(log)?;
    let text = match arguments.format {
        Format::Json => json::text(log),
        Format::Human => terminal::render(log, style(arguments)),
    };
    match io::stdout().write_all(text.as_bytes()) {
        // Who stops reading has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("the report cannot be printed"),
        _ => Ok(()),
    }
}

fn style(arguments: &Arguments) -> terminal::Style {
    terminal::Style {
        colour: console::colors_enabled(),
        width: console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns)).clamp(80, 100),
        quiet: arguments.quiet,
        verbose: arguments.verbose,
    }
}
