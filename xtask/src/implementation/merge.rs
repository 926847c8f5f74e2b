//! `cargo xtask merge`: the logs of shards, merged into the log of the whole run.

use crate::shared::print::{say, tell};
use crate::shared::{files, logs, program};
use anyhow::Result;
use conformance::rejudge::merge;
use conformance::text::shell;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask verify --target conformance.toml --shard 1/3 --log 1.ndjson      on one machine, and so on
  cargo xtask merge 1.ndjson 2.ndjson 3.ndjson -o run.ndjson
  cargo xtask judge run.ndjson --html report.html                              the whole, with its exit code

The logs are of one target, one suite and one choice of cases, and every shard is there. Of two logs of one shard the later
counts.

Exit codes:
  0 the log is written   2 they do not belong together, or a shard is missing";

/// Which logs, and where to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run logs of shards, written by `verify --shard --log`
    #[arg(value_name = "SHARD.ndjson", required = true)]
    runs: Vec<PathBuf>,
    /// The log of the whole run
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
}

/// Merges; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    files::check([("the log".to_owned(), arguments.output.as_path())])?;
    let logs = arguments.runs.iter().map(|path| Ok((path.display().to_string(), logs::read(path)?)));
    let merged = merge(logs.collect::<Result<Vec<_>>>()?)?;
    for name in &merged.replaced {
        tell!("{name} is left out: another log of the same shard is later");
    }
    let path = &arguments.output;
    files::write_with(path, |file| merged.write(file))?;
    let (shards, cases, target) = (merged.shards, merged.cases(), merged.target());
    say!(
        "{shards} shards of {target}, {cases} cases in all: `{} judge {}` judges them",
        program::name(),
        shell::path(path)
    );
    Ok(0)
}
