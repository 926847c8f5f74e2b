//! The options of `verify`, in the groups of its help.

use crate::shared::address::Address;
use crate::shared::known::Known;
use crate::shared::output::Output;
use crate::shared::own::Own;
use crate::shared::revisions;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use conformance::model::{ContractKey, Eras, Rate, Shard};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use strum::VariantNames;

/// What to run, against what, and what to write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contracts to run, perhaps with their revisions, as in memory@2; all of the target's when none is named
    pub(super) contracts: Vec<String>,
    #[command(flatten)]
    pub(super) target: Target,
    #[command(flatten)]
    pub(super) cases: Cases,
    #[command(flatten)]
    pub(super) running: Running,
    #[command(flatten)]
    pub(super) exploration: Exploration,
    #[command(flatten)]
    pub(super) output: Output,
}

/// What is judged.
#[derive(clap::Args)]
#[command(next_help_heading = "Target")]
pub(super) struct Target {
    /// A target file (TOML)
    #[arg(id = "target", long, value_name = "FILE", conflicts_with = "address")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) address: Address,
    #[command(flatten)]
    pub(super) own: Own,
    /// Prove contracts of your own: the target, or the `reference` that its file names, is a program whose answers you declare sound.
    /// Every counterexample is laid on them and every legal answer put in their place, as for the built-in contracts
    #[arg(long, conflicts_with_all = ["explore", "every_revision", "fixtures", "last_failed", "runs"])]
    pub(super) prove: bool,
    #[command(flatten)]
    pub(super) known: Known,
    /// Hold the target to advice too, and to exercising everything
    #[arg(long)]
    pub(super) strict: bool,
    /// Leave out what clients refuse although the protocol allows it (`client.*`): advice of its own kind, which never changes the
    /// exit code, not even with --strict
    #[arg(long)]
    pub(super) no_clients: bool,
    /// Exit with 3 when less than this share of the binding requirements is exercised at an endpoint, in percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100),
          conflicts_with_all = ["only", "case", "last_failed", "fixtures", "explore"])]
    pub(super) require_exercised: Option<u8>,
    /// The era of MCP: auto finds out what each server speaks, legacy is up to 2025-11-25, modern from 2026-07-28 on, and both judges
    /// everything in both
    #[arg(long, value_name = "ERA", value_parser = eras())]
    pub(super) mcp_era: Option<Eras>,
}

/// Which cases run, and by which contracts they judge.
#[derive(clap::Args)]
#[command(next_help_heading = "Cases")]
pub(super) struct Cases {
    /// Only cases that judge this requirement, or those that a pattern such as 'recall.item-*' matches; may be given again
    #[arg(long, value_name = "REQUIREMENT")]
    pub(super) only: Vec<String>,
    /// Only cases whose name contains this, or that a pattern such as 'params/*' matches; may be given again
    #[arg(long, value_name = "NAME")]
    pub(super) case: Vec<String>,
    /// Only the cases in which something failed, or could not be judged, when this target was last run from this folder
    #[arg(long, conflicts_with_all = ["only", "case", "shard", "fixtures", "explore", "every_revision"])]
    pub(super) last_failed: bool,
    /// Run only the cases of one shard, as in 2/5, and leave the rest to other machines; `merge` merges their logs
    #[arg(long, value_name = "NUMBER/ALL", conflicts_with_all = ["explore", "fixtures"])]
    pub(super) shard: Option<Shard>,
    /// Run the cases and corpora of this folder instead of fixtures/, such as a finding that was saved
    #[arg(long, value_name = "FOLDER")]
    pub(super) fixtures: Option<PathBuf>,
    /// The revision of a contract that endpoints speak, as in memory@2; recognised by what they show when left out; may be given again,
    /// for other contracts
    #[arg(long, value_name = "CONTRACT@REVISION", value_parser = revisions::parsed)]
    pub(super) revision: Vec<ContractKey>,
    /// Prove the contracts at each of their revisions, one after the other, against the reference
    #[arg(long, conflicts_with_all = ["target", "address", "revision", "fixtures", "explore", "shard", "watch"])]
    pub(super) every_revision: bool,
}

/// How long, how often and in which order.
#[derive(clap::Args)]
#[command(next_help_heading = "Running")]
pub(super) struct Running {
    /// How long one call may take, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) timeout: Option<u64>,
    /// How long the whole run may take, in seconds; with --runs, each of them
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    pub(super) total_timeout: u64,
    /// How many cases run at once, and requests are under way at its servers; left out, 8 for servers at addresses, else as many as
    /// there are processors. A server that cannot keep up is sent fewer
    #[arg(long, value_name = "NUMBER")]
    pub(super) jobs: Option<usize>,
    /// How often a server is asked over HTTP at most, all endpoints together, as in 5/s, 100/m or 1000/h
    #[arg(long, value_name = "RATE")]
    pub(super) rate: Option<Rate>,
    /// How often a request is sent again that was not accepted, or whose connection broke before any answer; each is reported,
    /// and with --strict it is no success
    #[arg(long, value_name = "NUMBER")]
    pub(super) retries: Option<u32>,
    /// Run the cases this many times, and start the target anew each time. A check that passes in some runs and fails in others is
    /// unsteady, which is never success: exit 3, or 1 if something else fails in every run that exercises it. Reports and the log hold,
    /// of each case, the run in which most of it fails
    #[arg(long, value_name = "NUMBER", default_value_t = NonZeroUsize::MIN, hide_default_value = true,
          conflicts_with_all = ["explore", "every_revision"])]
    pub(super) runs: NonZeroUsize,
    /// The seed of the order in which cases begin, and of --explore; random when left out; with 0, cases begin in the order of
    /// the suite
    #[arg(long, value_name = "NUMBER")]
    pub(super) seed: Option<u64>,
    /// Run again whenever a file of the target, the fixtures or the schemas changes, until Ctrl-C
    #[arg(long, conflicts_with = "explore")]
    pub(super) watch: bool,
}

/// Random calls in place of cases.
#[derive(clap::Args)]
#[command(next_help_heading = "Exploration")]
pub(super) struct Exploration {
    /// Make this many random calls over random corpora instead, and compare with the reference
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["only", "case", "fixtures", "corpus_loaded"])]
    pub(super) explore: Option<NonZeroUsize>,
    /// The folder that what --explore finds is saved in; below target/explored/ when left out
    #[arg(long, value_name = "FOLDER", requires = "explore")]
    pub(super) save: Option<PathBuf>,
}

impl Arguments {
    /// The seed, or a random one that is short enough to type.
    pub(super) fn seed(&self) -> u64 {
        self.running.seed.unwrap_or_else(|| fastrand::u64(1..1_000_000))
    }
}

/// Reads the eras of MCP.
fn eras() -> impl TypedValueParser<Value = Eras> {
    PossibleValuesParser::new(Eras::VARIANTS).try_map(|name| name.parse::<Eras>())
}
