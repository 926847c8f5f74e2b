//! The server in this process, judged by the contract of `memory`.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

use conformance::gate::Gate;
use conformance::load::Suite;
use rust_memory::{Memories, app};
use std::path::Path;
use tokio::net::TcpListener;

/// Where `schemas/` and `fixtures/` are.
const CONTRACTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");

#[tokio::test(flavor = "multi_thread")]
async fn the_search_conforms() {
    let suite = Suite::load(Path::new(CONTRACTS)).unwrap();
    let memories = Memories::load(&suite.contract("memory").unwrap().corpus).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, app(memories)).await });
    Gate::http(suite, "memory", &address).with_corpus().run().await.unwrap().assert_conforms();
}
