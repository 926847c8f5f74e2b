//! A target that is only an address or a command, given on the command line.

use anyhow::{Context, Result, bail};
use conformance::load::Suite;
use conformance::model::{Operation, TransportKind};
use conformance::redact::without_secrets;
use conformance::targets::{Address as At, CorpusState, EndpointFile, TargetFile};
use conformance::text::{shell, suggest};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Where a target is, and how it is spoken to.
#[derive(clap::Args)]
pub(crate) struct Address {
    /// A program to call, with its leading arguments, as one shell word list
    #[arg(long, value_name = "COMMAND", group = "address")]
    cli: Option<String>,
    /// The address of an HTTP server
    #[arg(long, value_name = "URL", group = "address")]
    http: Option<String>,
    /// The address of an MCP server (streamable HTTP)
    #[arg(long, value_name = "URL", group = "address")]
    mcp: Option<String>,
    /// An MCP server to start, with its arguments, as one shell word list
    #[arg(long, value_name = "COMMAND", group = "address")]
    mcp_stdio: Option<String>,
    /// A header of every HTTP request; `${NAME}` comes from the environment; may be given again
    #[arg(long, value_name = "NAME: VALUE", requires = "address", conflicts_with_all = ["cli", "mcp_stdio"])]
    header: Vec<String>,
    /// A variable of the environment that is a secret, besides those whose names say so, as in LICENCE; may be given again
    #[arg(long, value_name = "NAME", requires = "address")]
    secret: Vec<String>,
    /// Where the items of an HTTP answer are, as a JSON Pointer; looked for when left out
    #[arg(long, value_name = "POINTER", requires = "http")]
    results: Option<String>,
    /// A value for an argument that names data of the server's own, as in memoryId=m-1; may be given again
    #[arg(long, value_name = "NAME=VALUE", requires = "address")]
    argument: Vec<String>,
    /// The server holds the corpus
    #[arg(long, requires = "address", conflicts_with = "cli")]
    corpus_loaded: bool,
    /// A file of certificates to trust (PEM)
    #[arg(long, value_name = "FILE", requires = "address", conflicts_with_all = ["cli", "mcp_stdio"])]
    ca_cert: Option<PathBuf>,
    /// Take any certificate
    #[arg(long, requires = "address", conflicts_with_all = ["cli", "mcp_stdio"])]
    insecure: bool,
}

impl Address {
    /// The target, for the contracts that are named, or for all that have a binding to that transport; nothing without an address.
    pub(crate) fn target(&self, contracts: &[String], suite: &Suite) -> Result<Option<TargetFile>> {
        let Some((name, at)) = self.at()? else { return Ok(None) };
        let endpoint = |contract: String| -> Result<EndpointFile> {
            Ok(EndpointFile {
                headers: headers(&self.header)?,
                results: self.results.clone(),
                arguments: self.arguments(suite)?,
                ..EndpointFile::new(contract, at.clone())
            })
        };
        let endpoints = spoken(contracts, suite, at.kind())?.into_iter().map(endpoint).collect::<Result<_>>()?;
        Ok(Some(TargetFile {
            name: without_secrets(name),
            endpoints,
            corpus: self.corpus_loaded.then_some(CorpusState::Loaded),
            ca_cert: self.ca_cert.clone(),
            insecure: self.insecure,
            secret: secrets(&self.secret)?,
            ..TargetFile::default()
        }))
    }

    /// The address that was given, as text and parsed.
    fn at(&self) -> Result<Option<(&str, At)>> {
        Ok(if let Some(command) = &self.cli {
            Some((command, At::Cli(words(command)?)))
        } else if let Some(url) = &self.http {
            Some((url, At::Http(url.clone())))
        } else if let Some(url) = &self.mcp {
            Some((url, At::McpHttp(url.clone())))
        } else if let Some(command) = &self.mcp_stdio {
            Some((command, At::McpStdio(words(command)?)))
        } else {
            None
        })
    }

    /// The option with a command and its value, to be typed again. A server that runs already cannot be explored.
    pub(crate) fn words(&self) -> String {
        let given = [("--cli", &self.cli), ("--mcp-stdio", &self.mcp_stdio)];
        let given = given.into_iter().find_map(|(option, command)| Some((option, command.as_deref()?)));
        // What was an argument of ours holds no NUL byte.
        let quoted = given.and_then(|(option, command)| Some((option, shell::word(command).ok()?)));
        quoted.map_or_else(String::new, |(option, command)| format!(" {option} {command}"))
    }

    /// The values of `--argument`. Each name must be an argument of some operation.
    fn arguments(&self, suite: &Suite) -> Result<BTreeMap<String, Value>> {
        let operations = suite.contracts.iter().flat_map(|contract| contract.contract.operations.values());
        let known: BTreeSet<&str> = operations.flat_map(|operation| &operation.arguments).map(String::as_str).collect();
        let pairs = self.argument.iter().map(|pair| {
            let (name, value) = pair.split_once('=').context("an argument is NAME=VALUE, as in id=m-1")?;
            match known.contains(name) {
                true => Ok((name.to_owned(), Value::from(value))),
                false => {
                    bail!("no operation has an argument `{name}`{}", suggest::hint(name, known.iter().copied()))
                }
            }
        });
        pairs.collect()
    }
}

/// The option for an address of a transport, with a placeholder.
pub(crate) fn option(kind: TransportKind) -> &'static str {
    match kind {
        TransportKind::Cli => "--cli 'PROGRAM'",
        TransportKind::Http => "--http ADDRESS",
        TransportKind::McpStdio => "--mcp-stdio 'COMMAND'",
        TransportKind::McpHttp => "--mcp ADDRESS",
    }
}

/// Parses headers, each `NAME: VALUE`.
pub(crate) fn headers(given: &[String]) -> Result<BTreeMap<String, String>> {
    let mut headers = BTreeMap::new();
    for header in given {
        let (name, value) = header
            .split_once(':')
            .with_context(|| "a header is NAME: VALUE, as in `Authorization: Bearer ${TOKEN}`")?;
        headers.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    Ok(headers)
}

/// The names of variables that are secrets. What is no name of one may be a secret itself, and is not shown.
pub(crate) fn secrets(given: &[String]) -> Result<Vec<String>> {
    match given.iter().all(|name| std::env::var_os(name).is_some()) {
        true => Ok(given.to_vec()),
        false => {
            bail!("--secret takes the name of a variable that is set, as in `--secret LICENCE`; give no value there")
        }
    }
}

/// The words of a command as a shell splits them.
pub(crate) fn words(command: &str) -> Result<Vec<String>> {
    shlex::split(command).with_context(|| format!("`{command}` has a quotation mark that is not closed"))
}

/// The contracts that have a binding to a transport, among those that are named, or among all.
fn spoken(contracts: &[String], suite: &Suite, kind: TransportKind) -> Result<Vec<String>> {
    let speaks = |operation: &Operation| operation.binding(kind.protocol()).is_some();
    let all = suite.contracts.iter().map(|contract| &contract.contract);
    let wanted: Vec<String> = all
        .filter(|contract| contracts.is_empty() || contracts.contains(&contract.name))
        .filter(|contract| contract.operations.values().any(speaks))
        .map(|contract| contract.name.clone())
        .collect();
    if wanted.is_empty() {
        bail!("no contract among {} is spoken over {}", contracts.join(", "), kind.title());
    }
    Ok(wanted)
}
