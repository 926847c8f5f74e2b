//! Calls with their checks, over the same calls of a plain client that reads each answer and throws it away.

use super::{Measured, middle, shown};
use crate::workspace;
use anyhow::{Context, Result, bail};
use conformance::load::Suite;
use conformance::run::{self, Options, Run, Selection};
use conformance::target::{Running, Target};
use futures::StreamExt;
use futures::stream;
use reqwest::{Client, Method};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// So many calls are made at least.
const CALLS: usize = 2_000;

/// One request, as evidence has it.
#[derive(Debug, Clone)]
struct Request {
    method: Method,
    url: String,
    body: Option<String>,
}

/// The reference over HTTP with the cases of `recall`, several times over.
pub(super) struct Bench {
    suite: Arc<Suite>,
    target: Arc<Target>,
    runtime: Runtime,
    server: Option<Running>,
}

/// The suite and a plain client, in turn.
pub(super) fn measure(times: usize) -> Result<Vec<Measured>> {
    let bench = Bench::start()?;
    let once = bench.run(1, true)?;
    let requests: Vec<Request> = once.cases.iter().flat_map(|case| sent(&case.evidence)).collect();
    let rounds = CALLS.div_ceil(requests.len().max(1));
    let client = Client::builder().no_proxy().tcp_nodelay(true).build().context("no HTTP client can be made")?;
    let (mut judged, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let started = Instant::now();
        bench.run(rounds, false)?;
        judged.push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        bench.plain(&client, &requests, rounds)?;
        plain.push(started.elapsed().as_secs_f64());
    }
    bench.stop();
    let (judged, plain) = (middle(judged), middle(plain));
    let calls = requests.len() * rounds;
    let told = format!(
        "{:.2} times: {calls} calls with their checks {}, without {}",
        judged / plain,
        shown(judged),
        shown(plain)
    );
    Ok(vec![Measured::new("calls: over a plain client", told).goal("1.5 times")])
}

impl Bench {
    /// Starts the reference.
    pub(super) fn start() -> Result<Self> {
        let mut suite = workspace::suite()?;
        let mut places = workspace::reference_program()?;
        places.extend(workspace::places(None)?);
        let target = workspace::reference_file(&suite)?.ready(&places, &|name| std::env::var(name).ok())?;
        suite.contracts.retain(|contract| contract.contract.name == "recall");
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let server = runtime.block_on(target.start())?;
        Ok(Self { suite: Arc::new(suite), target: Arc::new(target), runtime, server })
    }

    /// Runs the cases so many times over.
    pub(super) fn run(&self, rounds: usize, keep_evidence: bool) -> Result<Run> {
        let suite = match rounds {
            1 => Arc::clone(&self.suite),
            rounds => Arc::new(repeated(rounds)?),
        };
        let options = Options {
            selection: Selection { contracts: vec!["recall".to_owned()], ..Selection::default() },
            seed: 0,
            time: Duration::from_secs(900),
            prove: false,
            keep_evidence,
        };
        let never = std::future::pending::<()>();
        let run = self.runtime.block_on(run::run(&suite, &self.target, &options, never, |_| {}));
        match run.unreachable {
            Some(error) => bail!("the reference cannot be measured: {error}"),
            None => Ok(run),
        }
    }

    /// Sends the same requests, as many at once, and reads the answers.
    fn plain(&self, client: &Client, requests: &[Request], rounds: usize) -> Result<()> {
        let all = (0..rounds).flat_map(|_| requests).map(|Request { method, url, body }| async move {
            let request = client.request(method.clone(), url);
            let request = match body {
                Some(body) => request.header("content-type", "application/json").body(body.clone()),
                None => request,
            };
            request.send().await?.bytes().await.map(|bytes| bytes.len())
        });
        let bytes = self.runtime.block_on(
            stream::iter(all).buffer_unordered(self.target.jobs).map(Result::unwrap_or_default).collect::<Vec<usize>>(),
        );
        match bytes.contains(&0) {
            true => bail!("the plain client got no answer"),
            false => Ok(()),
        }
    }

    /// Ends the reference.
    pub(super) fn stop(self) {
        self.runtime.block_on(self.target.stop(self.server));
    }
}

/// The suite with the cases of `recall` so many times over.
fn repeated(rounds: usize) -> Result<Suite> {
    let mut suite = workspace::suite()?;
    suite.contracts.retain(|contract| contract.contract.name == "recall");
    for contract in &mut suite.contracts {
        let once = contract.cases.clone();
        for round in 1..rounds {
            contract.cases.extend(once.iter().cloned().map(|mut case| {
                case.name = format!("{} {round}", case.name);
                case
            }));
        }
    }
    Ok(suite)
}

/// The requests of the evidence of a case.
fn sent(evidence: &Value) -> Vec<Request> {
    let exchanges = evidence.as_array().into_iter().flatten().filter_map(Value::as_array).flatten();
    exchanges
        .filter_map(|exchange| {
            let sent = &exchange["request"]["sent"];
            let method = Method::from_bytes(sent["method"].as_str()?.as_bytes()).ok()?;
            let body = Some(&sent["body"]).filter(|body| !body.is_null()).map(ToString::to_string);
            Some(Request { method, url: sent["url"].as_str()?.to_owned(), body })
        })
        .collect()
}
