//! `cargo xtask serve`: leave the reference running with the corpora, for people who build a client.

use crate::shared::output::say;
use crate::shared::{program, workspace};
use anyhow::{Context, Result, bail};
use std::process::Command;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask serve
  cargo xtask serve --port 9000";

/// Where to listen.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The port on loopback
    #[arg(long, default_value_t = 8090)]
    port: u16,
}

/// Serves until it is stopped; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = workspace::suite()?;
    let (program, words) = workspace::reference_start(&suite, arguments.port)?;
    let url = format!("http://127.0.0.1:{}", arguments.port);
    say!("The reference serves the corpora at {url} until Ctrl-C. Things to try:");
    say!("  curl -s '{url}/api/v1/search?start_time=1700000000&limit=5'");
    say!("  curl -s '{url}/api/v1/search?start_time=1700000000&q=Marzipan&app_name=Ledger'");
    say!("  curl -s '{url}/api/v1/search?start_time=1700000000&content_type=audio'");
    say!("  curl -s '{url}/api/v1/frames/1001'");
    say!("  curl -s '{url}/v0/search' --json '{{\"memoryId\": \"orchard\", \"query\": \"apple\"}}'");
    let name = program::name();
    say!("  {name} verify recall --http {url} --corpus-loaded");
    say!("  {name} verify outline --mcp {url}/mcp --corpus-loaded");
    let status = Command::new(&program).args(words).status().with_context(|| format!("{program} cannot be started"))?;
    if !status.success() {
        bail!("the reference ended with {status}; is port {} taken?", arguments.port);
    }
    Ok(0)
}
