//! Looking at a server or a program: what it answers to a call of each contract, and which tools it lists.

use super::arguments::Arguments;
use super::recognise;
use conformance::derive::derive;
use conformance::load::{ContractSuite, Suite};
use conformance::model::{Exchange, Failure, McpBinding, Operation, Request, Speaks};
use conformance::targets::Address;
use conformance::text::inert;
use conformance::transport::{Cli, Http, HttpOptions, Limits, Mcp, McpProgram, Session, Transport, TransportError};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// What was seen.
#[derive(Debug, Default)]
pub(super) struct Probed {
    /// The contracts that it looks like, and where each is spoken.
    pub(super) found: Vec<(String, Address)>,
    /// What was tried and what was received, one line each.
    pub(super) seen: Vec<String>,
    /// The revisions of their contracts that it speaks there, as far as contracts have several.
    pub(super) speaks: Vec<Speaks>,
}

/// Why probing failed.
pub(super) enum Trouble {
    /// The target is not there.
    Dead(TransportError),
    /// The arguments make no sense.
    Wrong(String),
}

impl From<TransportError> for Trouble {
    fn from(error: TransportError) -> Self {
        Self::Dead(error)
    }
}

/// Looks at an address.
pub(super) async fn address(
    suite: &Suite,
    address: &str,
    arguments: &Arguments,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Probed, Trouble> {
    let headers =
        crate::shared::address::headers(&arguments.header).map_err(|error| Trouble::Wrong(error.to_string()))?;
    let headers = headers.into_iter().map(|(name, value)| (name, filled(&value, environment))).collect();
    let options = || HttpOptions {
        headers: &headers,
        ca_cert: arguments.ca_cert.as_deref(),
        insecure: false,
        limits: limits(arguments),
    };
    let mut probed = Probed::default();
    let mut answers = true;
    for contract in &suite.contracts {
        let Some((operation, with)) = recognise::http_call(contract).filter(|_| answers) else { continue };
        let path = operation.http.as_ref().map_or("", |http| http.path.as_str());
        // The address may be that of the call itself.
        let base = address.trim_end_matches('/');
        let base = base.strip_suffix(path).unwrap_or(base);
        let http = Http::new(base, &options()).map_err(Trouble::Wrong)?.open(None)?;
        let reply = call(&*http, operation, &with).await?;
        let elsewhere = call(&*http, &nowhere(operation), &with).await?;
        answers = !matches!(reply.raw.failure, Some(Failure::TimedOut(_)));
        let is_it = recognise::is_answer(contract, &reply, &elsewhere);
        probed.seen.push(seen(operation, &reply, is_it.then_some(contract)));
        if is_it || arguments.contract.contains(&contract.contract.name) {
            probed.found.push((contract.contract.name.clone(), Address::Http(given(address, base, arguments))));
        }
    }
    let base = address.trim_end_matches('/');
    let below = (!base.ends_with("/mcp")).then(|| format!("{base}/mcp"));
    for address_of_mcp in std::iter::once(address.to_owned()).chain(below) {
        let mcp = Mcp::address(&address_of_mcp, &options()).map_err(Trouble::Wrong)?;
        let found = tools(suite, &mcp, &format!("MCP at {address_of_mcp}"), arguments, &mut probed).await;
        let way = Address::McpHttp(given(address, &address_of_mcp, arguments));
        probed.found.extend(found.iter().flatten().map(|contract| (contract.clone(), way.clone())));
        if found.is_some() {
            break;
        }
    }
    Ok(probed)
}

/// Looks at a program.
pub(super) async fn command(suite: &Suite, arguments: &Arguments) -> Result<Probed, Trouble> {
    let mut probed = Probed::default();
    let program = McpProgram { command: &arguments.command, environment: BTreeMap::new(), folder: None };
    let mcp = Mcp::program(program, limits(arguments))?;
    if let Some(found) = tools(suite, &mcp, "MCP on standard streams", arguments, &mut probed).await {
        probed.found.extend(found.into_iter().map(|contract| (contract, Address::McpStdio(arguments.command.clone()))));
        return Ok(probed);
    }
    let cli = Cli::new(&arguments.command, None, BTreeMap::new(), limits(arguments))?;
    for contract in &suite.contracts {
        let in_store = |operation: &&Operation| operation.cli.as_ref().is_some_and(|cli| cli.folder.is_some());
        let operations = contract.contract.operations.values().filter(in_store);
        // The one that needs least can be called without knowing anything of the store.
        let Some(operation) = operations.min_by_key(|one| one.arguments.len()) else { continue };
        let session = cli.open(Some(&contract.corpus))?;
        let with = store(contract, operation);
        let reply = call(&*session, operation, &with).await?;
        let is_it = recognise::is_output(operation, &reply);
        let words = operation.cli.as_ref().map(|cli| cli.argv.join(" ")).unwrap_or_default();
        probed.seen.push(format!("{words}: {}{}", came(&reply), looks_like(is_it.then_some(contract))));
        if is_it || arguments.contract.contains(&contract.contract.name) {
            probed.found.push((contract.contract.name.clone(), Address::Cli(arguments.command.clone())));
        }
    }
    Ok(probed)
}

fn limits(arguments: &Arguments) -> Limits {
    Limits { time: Duration::from_secs(arguments.timeout), ..Limits::default() }
}

/// An address for the target file: with `{port}` if it was given so.
fn given(address: &str, found: &str, arguments: &Arguments) -> String {
    let written = arguments.address.as_deref().unwrap_or(address);
    match found.strip_prefix(address.trim_end_matches('/')) {
        Some(below) => format!("{}{below}", written.trim_end_matches('/')),
        // It is shorter than the given address.
        None => {
            let cut = address.trim_end_matches('/').len().saturating_sub(found.len());
            let written = written.trim_end_matches('/');
            written[..written.len().saturating_sub(cut)].to_owned()
        }
    }
}

/// The value of a header, with variables of the environment filled in.
fn filled(value: &str, environment: &dyn Fn(&str) -> Option<String>) -> String {
    let Some((before, rest)) = value.split_once("${") else { return value.to_owned() };
    match rest.split_once('}') {
        Some((name, after)) => {
            format!("{before}{}{}", environment(name).unwrap_or_default(), filled(after, environment))
        }
        None => value.to_owned(),
    }
}

/// Calls an operation, and says what became of it.
async fn call(
    session: &dyn Session,
    operation: &Operation,
    with: &Map<String, Value>,
) -> Result<Exchange, TransportError> {
    Ok(derive(Request::default(), &session.call(operation, with).await?, operation, None))
}

/// The same call at a path that no contract has.
fn nowhere(operation: &Operation) -> Operation {
    let mut operation = operation.clone();
    if let Some(http) = &mut operation.http {
        http.path += "-of-no-contract";
    }
    operation
}

/// The contracts whose tools a server lists, and those that were named; nothing if it does not speak MCP.
async fn tools(suite: &Suite, mcp: &Mcp, way: &str, arguments: &Arguments, probed: &mut Probed) -> Option<Vec<String>> {
    let list = Operation { mcp: Some(McpBinding::default()), ..nothing() };
    let asking = async { call(&*mcp.open(None)?, &list, &Map::new()).await };
    // The limit for the first answer of a known server is too long for a probe.
    let asked = tokio::time::timeout(limits(arguments).time * 2, asking).await;
    mcp.close().await;
    let reply = match asked {
        Ok(Ok(reply)) => reply,
        Ok(Err(error)) => {
            probed.seen.push(format!("{way}: {}", reason(error)));
            return None;
        }
        Err(_) => {
            probed.seen.push(format!("{way}: no answer within {} s", arguments.timeout * 2));
            return None;
        }
    };
    let Some(tools) = reply.answer["body"]["tools"].as_array() else {
        probed.seen.push(format!("{way}: {}", came(&reply)));
        return None;
    };
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let mut found: Vec<String> =
        conformance::targets::recognise::by_tools_of_any(suite, tools).into_iter().map(str::to_owned).collect();
    let shown = match names.is_empty() {
        true => "no tools".to_owned(),
        false => format!("the tools {}", names.join(", ")),
    };
    let era = reply.request.sent["era"].as_str().map_or_else(String::new, |era| format!(" ({era})"));
    let looks = if found.is_empty() { String::new() } else { format!(", as in {}", found.join(" and ")) };
    probed.seen.push(format!("{way}{era}: {shown}{looks}"));
    let named = arguments.contract.iter().filter(|name| {
        let operations = suite.contract(name).into_iter().flat_map(|one| one.contract.operations.values());
        operations.into_iter().any(|operation| operation.mcp.is_some()) && !found.contains(name)
    });
    let named: Vec<String> = named.cloned().collect();
    found.extend(named);
    Some(found)
}

/// An operation that calls nothing.
fn nothing() -> Operation {
    Operation {
        about: String::new(),
        input: String::new(),
        output: None,
        item: None,
        given: Vec::new(),
        format: None,
        cli: None,
        http: None,
        mcp: None,
        arguments: Vec::new(),
        example: Map::new(),
        takes: Value::Null,
        found_by: None,
    }
}

/// The folder of the first store of a corpus, for operations that need one.
fn store(contract: &ContractSuite, operation: &Operation) -> Map<String, Value> {
    let folder = operation.cli.as_ref().and_then(|cli| cli.folder.clone());
    let mut stores: Vec<String> = std::fs::read_dir(&contract.corpus)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    stores.sort();
    folder.zip(stores.into_iter().next()).map(|(name, store)| (name, Value::from(store))).into_iter().collect()
}

/// Why a server does not speak MCP, without naming it again.
fn reason(error: TransportError) -> String {
    match error {
        TransportError::DidNotStart { reason, .. } | TransportError::NotReachable { reason, .. } => reason,
        other => other.to_string(),
    }
}

/// A call over HTTP, and its reply.
fn seen(operation: &Operation, reply: &Exchange, of: Option<&ContractSuite>) -> String {
    let http = operation.http.as_ref();
    let (method, path) = http.map_or(("", ""), |http| (http.method.as_str(), http.path.as_str()));
    format!("{method} {path}: {}{}", came(reply), looks_like(of))
}

fn looks_like(contract: Option<&ContractSuite>) -> String {
    contract.map_or_else(String::new, |contract| format!(", as in {}", contract.contract.name))
}

/// The reply in a few words.
fn came(reply: &Exchange) -> String {
    if let Some(status) = reply.answer["status"].as_u64() {
        let kind = reply.answer["headers"]["content-type"].as_str().unwrap_or("no content type");
        return format!("{status}, {kind}");
    }
    match (&reply.raw.failure, reply.answer["exit"].as_i64()) {
        (Some(failure), _) => failure.to_string(),
        (None, Some(code)) if code != 0 => format!("it ends with {code}"),
        _ => {
            let first = reply.lines.iter().flatten().find(|line| !line.is_empty()).map_or("nothing", String::as_str);
            inert::short(first, 60)
        }
    }
}
