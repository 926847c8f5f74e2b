//! Calls with their checks, over the same calls of a plain client that reads each answer and throws it away.

use super::measured::{Measured, middle, options, shown};
use crate::shared::reference::Reference;
use crate::shared::workspace;
use anyhow::{Context, Result, bail};
use conformance::load::Suite;
use conformance::model::{CaseRun, Keep, Run, Selection, TransportKind};
use conformance::run;
use futures::StreamExt;
use futures::stream;
use reqwest::{Client, Method};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

/// At least this many calls are made.
const CALLS: usize = 2_000;

/// One request of the evidence.
#[derive(Debug, Clone)]
struct Request {
    method: Method,
    url: String,
    body: Option<String>,
}

/// The reference, and the cases of the first contract that its target file has over HTTP.
pub(super) struct Bench {
    /// The suite, cut down to that contract.
    pub(super) suite: Arc<Suite>,
    contract: String,
    reference: Reference,
}

/// The suite and a plain client, in turn.
pub(super) fn measure(times: usize) -> Result<Vec<Measured>> {
    let bench = Bench::start()?;
    let once = bench.run(&bench.suite, Keep::All)?;
    let requests: Vec<Request> = once.cases.iter().flat_map(CaseRun::exchanges).filter_map(sent).collect();
    let rounds = CALLS.div_ceil(requests.len().max(1));
    let suite = bench.repeated(rounds)?;
    let client = Client::builder().no_proxy().tcp_nodelay(true).build().context("no HTTP client can be made")?;
    let (mut judged, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let started = Instant::now();
        bench.run(&suite, Keep::Found)?;
        judged.push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        bench.plain(&client, &requests, rounds)?;
        plain.push(started.elapsed().as_secs_f64());
    }
    bench.stop();
    let (judged, plain) = (middle(judged), middle(plain));
    let calls = requests.len() * rounds;
    let value = format!(
        "{:.2} times: {calls} calls with their checks {}, without {}",
        judged / plain,
        shown(judged),
        shown(plain)
    );
    Ok(vec![Measured::new("calls: over a plain client", value).goal("1.5 times")])
}

impl Bench {
    /// Starts the reference.
    pub(super) fn start() -> Result<Self> {
        let suite = workspace::suite()?;
        let reference = Reference::start(&suite)?;
        let mut endpoints = reference.target.endpoints.iter();
        let over_http = endpoints.find(|endpoint| endpoint.transport.kind() == TransportKind::Http);
        let contract = over_http.context("the reference speaks nothing over HTTP")?.contract.name().to_owned();
        Ok(Self { suite: Arc::new(only(&contract, suite)), contract, reference })
    }

    /// The suite with each case this many times.
    pub(super) fn repeated(&self, rounds: usize) -> Result<Arc<Suite>> {
        let mut suite = only(&self.contract, workspace::suite()?);
        for contract in &mut suite.contracts {
            let once = contract.cases.clone();
            for round in 1..rounds {
                contract.cases.extend(once.iter().cloned().map(|mut case| {
                    case.name = format!("{} {round}", case.name);
                    case
                }));
            }
        }
        Ok(Arc::new(suite))
    }

    /// Runs a suite.
    pub(super) fn run(&self, suite: &Arc<Suite>, keep: Keep) -> Result<Run> {
        let selection = Selection { contracts: vec![self.contract.clone()], ..Selection::default() };
        let options = options(selection, false, keep);
        let never = std::future::pending::<()>();
        let run = self.reference.runtime.block_on(run::run(suite, &self.reference.target, &options, never, |_| {}));
        match run.unreachable {
            Some(error) => bail!("the reference cannot be measured: {error}"),
            None => Ok(run),
        }
    }

    /// Sends the same requests with the same concurrency, and reads the answers.
    fn plain(&self, client: &Client, requests: &[Request], rounds: usize) -> Result<()> {
        let all = (0..rounds).flat_map(|_| requests).map(|Request { method, url, body }| async move {
            let request = client.request(method.clone(), url);
            let request = match body {
                Some(body) => request.header("content-type", "application/json").body(body.clone()),
                None => request,
            };
            request.send().await?.bytes().await.map(|bytes| bytes.len())
        });
        let bytes = self.reference.runtime.block_on(
            stream::iter(all)
                .buffer_unordered(self.reference.target.jobs)
                .map(Result::unwrap_or_default)
                .collect::<Vec<usize>>(),
        );
        match bytes.contains(&0) {
            true => bail!("the plain client got no answer"),
            false => Ok(()),
        }
    }

    /// Stops the reference.
    pub(super) fn stop(self) {
        self.reference.stop();
    }
}

/// The suite with one contract alone.
fn only(name: &str, mut suite: Suite) -> Suite {
    suite.contracts.retain(|contract| contract.contract.name == name);
    suite
}

/// The request of an exchange.
fn sent(exchange: &Value) -> Option<Request> {
    let sent = &exchange["request"]["sent"];
    let method = Method::from_bytes(sent["method"].as_str()?.as_bytes()).ok()?;
    let body = Some(&sent["body"]).filter(|body| !body.is_null()).map(ToString::to_string);
    Some(Request { method, url: sent["url"].as_str()?.to_owned(), body })
}
