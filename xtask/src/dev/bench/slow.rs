//! A server that is 200 ms away: how long a run takes over the time that its requests have to take.

use super::measured::{Measured, options, shown};
use crate::shared::reference::Reference;
use crate::shared::workspace;
use anyhow::{Context, Result};
use conformance::collect::chain;
use conformance::load::Suite;
use conformance::model::{Keep, Operation, Run, Selection};
use conformance::run::{self, Options};
use conformance::targets::{Address, CorpusState, EndpointFile, TargetFile};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How much later than it was given an answer arrives.
const DELAY: Duration = Duration::from_millis(200);

/// Runs contracts against the reference behind the delay, with few and with many requests at once.
pub(super) fn measure() -> Result<Vec<Measured>> {
    let suite = Arc::new(workspace::suite()?);
    let reference = Reference::start(&suite)?;
    let port = reference.target.port.context("the reference has no port")?;
    let behind = SocketAddr::from(([127, 0, 0, 1], port));
    let mut lines = Vec::new();
    for contract in suite.contracts.iter().map(|contract| &contract.contract) {
        let is_spoken = |over: fn(&Operation) -> bool| contract.operations.values().any(over);
        let (over_http, over_mcp) = (is_spoken(|one| one.http.is_some()), is_spoken(|one| one.mcp.is_some()));
        if !over_http && !over_mcp {
            continue;
        }
        for jobs in [8, 32] {
            let requests = Arc::new(AtomicUsize::new(0));
            let address = delaying(behind, Arc::clone(&requests))?;
            let address = match over_http {
                true => Address::Http(format!("http://{address}")),
                false => Address::McpHttp(format!("http://{address}/mcp")),
            };
            let endpoints = vec![EndpointFile::new(contract.name.as_str(), address)];
            let (jobs, corpus) = (Some(jobs), Some(CorpusState::Loaded));
            let file = TargetFile { name: "slow".to_owned(), endpoints, jobs, corpus, ..TargetFile::default() };
            let options = Options { seed: 1, ..options(Selection::default(), false, Keep::All) };
            let target = file.ready(&BTreeMap::new(), &|_| None)?;
            let started = Instant::now();
            let never = std::future::pending::<()>();
            let run = reference.runtime.block_on(run::start_and_run(&suite, target, &options, never, |_| {}));
            let wall = started.elapsed().as_secs_f64();
            let (requests, longest) = (requests.load(Ordering::Relaxed), longest(&suite, &run));
            let jobs = file.jobs.unwrap_or(1);
            let needed = DELAY.as_secs_f64() * (requests as f64 / jobs as f64).max(longest as f64);
            let what = format!("slow: {}, {jobs} jobs", contract.name);
            let value = format!(
                "{:.2} times: {} over {}, for {requests} requests, at most {longest} in a row",
                wall / needed,
                shown(wall),
                shown(needed)
            );
            lines.push(Measured::new(what, value).goal("1.3 times"));
        }
    }
    reference.stop();
    Ok(lines)
}

/// How many requests of a case follow one another, of the case where they are most.
fn longest(suite: &Suite, run: &Run) -> usize {
    let of_case = |case: &conformance::model::CaseRun| {
        let contract = suite.keyed(&case.contract)?;
        let known = contract.cases.iter().find(|known| known.name == case.case)?;
        Some(chain(known, &case.evidence))
    };
    run.cases.iter().filter_map(of_case).max().unwrap_or(0)
}

/// A port of this machine behind which a server is that answers later. What is sent to it is counted. It has a thread of its own, so
/// that judging does not hold it up.
fn delaying(server: SocketAddr, requests: Arc<AtomicUsize>) -> Result<SocketAddr> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            while let Ok((client, _)) = listener.accept().await {
                let requests = Arc::clone(&requests);
                tokio::spawn(async move {
                    if let Ok(server) = TcpStream::connect(server).await {
                        let _ = (client.set_nodelay(true), server.set_nodelay(true));
                        pass(client, server, &requests).await;
                    }
                });
            }
        });
    });
    Ok(address)
}

/// Passes on what comes, what the server says so much later.
async fn pass(client: TcpStream, server: TcpStream, requests: &AtomicUsize) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let (said, mut hear) = tokio::sync::mpsc::unbounded_channel::<(tokio::time::Instant, Vec<u8>)>();
    let asking = async {
        let mut piece = vec![0; 64 << 10];
        while let Ok(read @ 1..) = from_client.read(&mut piece).await {
            requests.fetch_add(1, Ordering::Relaxed);
            if to_server.write_all(&piece[..read]).await.is_err() {
                break;
            }
        }
        let _ = to_server.shutdown().await;
    };
    let hearing = async move {
        let mut piece = vec![0; 64 << 10];
        while let Ok(read @ 1..) = from_server.read(&mut piece).await {
            let _ = said.send((tokio::time::Instant::now() + DELAY, piece[..read].to_vec()));
        }
    };
    let telling = async {
        while let Some((at, piece)) = hear.recv().await {
            tokio::time::sleep_until(at).await;
            if to_client.write_all(&piece).await.is_err() {
                break;
            }
        }
    };
    tokio::join!(asking, hearing, telling);
}
