//! Exploring begins with which revisions are spoken, as a run does.

use super::memories::{Manner, serve};
use super::{FIRST, SECOND, SUITE, http, mcp, target};
use conformance::explore::World;
use conformance::ledger::RunLog;
use conformance::model::{Conclusion, ContractKey, Header, KnownBy, Run, Selection};
use conformance::run::began;
use conformance::targets::EndpointFile;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A world with these endpoints that was asked, and what came of asking.
async fn asked(endpoints: Vec<EndpointFile>) -> (World, Run) {
    let mut world = World {
        suite: Arc::clone(&SUITE),
        target: target(endpoints.clone()),
        reference: target(endpoints),
        places: BTreeMap::new(),
        environment: |_| None,
        strict: false,
    };
    let run = world.recognise().await.unwrap();
    (world, run)
}

#[tokio::test]
async fn each_endpoint_is_explored_by_the_revision_that_it_shows() {
    let server = serve(Manner { http: SECOND, ..Manner::of(FIRST) });
    let (world, run) = asked(vec![http(&server), mcp(&server)]).await;
    assert_eq!(world.contracts(), ["memory@2", "memory@1"].map(ContractKey::from));
    let told: Vec<KnownBy> = run.speaks.iter().map(|one| one.by).collect();
    assert_eq!(told, [KnownBy::Recognised; 2]);
}

#[tokio::test]
async fn nothing_is_explored_where_the_revision_is_undecided() {
    let server = serve(Manner { says: Some(FIRST), ..Manner::of(SECOND) });
    let (world, run) = asked(vec![mcp(&server)]).await;
    assert_eq!(world.contracts(), []);
    let header = Header::of("memories", began(), false, 1, Selection { part: true, ..Selection::default() });
    let log = RunLog::of(&SUITE, header, run, Duration::ZERO);
    assert_eq!(log.totals.conclusion, Conclusion::Incomplete);
    assert!(log.summary().contains("its signs belong to no revision together"), "{}", log.summary());
}
