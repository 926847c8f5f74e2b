//! `cargo xtask serve`: leave the reference running with the corpora, for people who build a client.

use super::init::http_call;
use crate::shared::print::say;
use crate::shared::{address, program, workspace};
use anyhow::{Context, Error, Result, bail};
use conformance::load::Suite;
use conformance::report::repeat;
use conformance::transport::{Http, HttpOptions, Limits};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::Command;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask serve
  cargo xtask serve --port 9000
  cargo xtask serve --era modern   MCP of 2026-07-28 alone, for a client that has to cope with it";

/// Where to listen.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The port on loopback
    #[arg(long, default_value_t = 8090)]
    port: u16,
    /// The eras of MCP that it speaks: legacy is up to 2025-11-25, modern from 2026-07-28 on
    #[arg(long, value_name = "ERA", default_value = "both", value_parser = ["legacy", "modern", "both"])]
    era: String,
}

/// Serves until it is stopped; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = workspace::suite()?;
    let (program, mut words) = workspace::reference_start(&suite, arguments.port)?;
    words.extend(["--era".to_owned(), arguments.era.clone()]);
    let url = format!("http://127.0.0.1:{}", arguments.port);
    say!("The reference serves the corpora at {url} until Ctrl-C. Things to try:");
    for line in things_to_try(&suite, &url)? {
        say!("  {line}");
    }
    let status = Command::new(&program).args(words).status().with_context(|| format!("{program} cannot be started"))?;
    if !status.success() {
        bail!("the reference ended with {status}; is port {} taken?", arguments.port);
    }
    Ok(0)
}

/// A call of each contract over HTTP, and commands that verify what is served.
fn things_to_try(suite: &Suite, url: &str) -> Result<Vec<String>> {
    let headers = BTreeMap::new();
    let options = HttpOptions { headers: &headers, ca_cert: None, insecure: false, limits: Limits::default() };
    let http = Http::new(url, &options).map_err(Error::msg)?;
    let calls = suite.contracts.iter().filter_map(|contract| {
        let (operation, with) = http_call(contract)?;
        repeat::command(&json!({ "request": { "sent": http.would_send(operation, &with)? } }))
    });
    let endpoints = workspace::reference_file(suite)?.endpoints;
    let verifications = endpoints.iter().filter_map(|endpoint| {
        let address = endpoint.address.url()?.replace("http://127.0.0.1:{port}", url);
        let option = address::option(endpoint.address.kind()).replace("ADDRESS", &address);
        Some(format!("{} verify {} {option} --corpus-loaded", program::name(), endpoint.contract))
    });
    Ok(calls.chain(verifications).collect())
}
