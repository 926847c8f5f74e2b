//! Which revision of a contract small servers turn out to speak, and what they come to by it.

mod again;
mod explored;
mod memories;
mod reported;

use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Conclusion, ContractKey, Keep, KnownBy, KnownFailure, Outcome, Selection, Speaks};
use conformance::run::{Options, reported};
use conformance::targets::{Address, CorpusState, EndpointFile, TargetFile};
use memories::{Manner, serve};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use testing::Server;

static SUITE: LazyLock<Arc<Suite>> = LazyLock::new(|| Arc::new(Suite::load(testing::root()).unwrap()));

/// The ranges of the first document, and of the one that amends it.
const FIRST: (u64, u64) = (10, 3);
const SECOND: (u64, u64) = (25, 10);

/// What the two documents fix by their numbers.
const BY_NUMBERS: [&str; 4] =
    ["memory.most-contexts", "memory.most-entries", "memory.tool-top-kc-range", "memory.tool-top-ke-range"];

fn http(server: &Server) -> EndpointFile {
    EndpointFile::new("memory", Address::Http(server.address.clone()))
}

fn mcp(server: &Server) -> EndpointFile {
    EndpointFile::new("memory", Address::McpHttp(format!("{}/mcp", server.address)))
}

fn pinned(endpoint: EndpointFile, revision: u32) -> EndpointFile {
    EndpointFile { contract: endpoint.contract.at(revision), is_pinned: true, ..endpoint }
}

/// Endpoints that hold the corpus.
fn target(endpoints: Vec<EndpointFile>) -> TargetFile {
    TargetFile { name: "memories".to_owned(), endpoints, corpus: Some(CorpusState::Loaded), ..TargetFile::default() }
}

async fn run(endpoints: Vec<EndpointFile>) -> RunLog {
    run_by(&SUITE, &target(endpoints), false).await
}

/// A run of everything, of which all evidence is kept.
async fn run_by(suite: &Arc<Suite>, file: &TargetFile, strict: bool) -> RunLog {
    let options = Options {
        selection: Selection::default(),
        seed: 0,
        runs: 1,
        time: Duration::from_secs(300),
        prove: false,
        keep: Keep::All,
    };
    let never = std::future::pending();
    reported(suite, file, &BTreeMap::new(), &options, strict, never, |_| {}).await.unwrap()
}

/// What is known of an endpoint, by position.
fn speaks(log: &RunLog, at: usize) -> (&Speaks, String) {
    let speaks = &log.header.speaks[at];
    (speaks, speaks.to_string())
}

fn violated(log: &RunLog) -> Vec<&str> {
    let rows = log.ledger.rows.iter().filter(|row| row.outcome == Outcome::Violated);
    rows.map(|row| row.requirement.id.as_str()).collect()
}

#[tokio::test]
async fn a_server_of_the_later_document_is_recognised_and_conforms() {
    let server = serve(Manner::of(SECOND));
    let log = run(vec![mcp(&server)]).await;
    log.assert_conforms();
    let (known, told) = speaks(&log, 0);
    assert_eq!((&known.place.contract, known.by), (&ContractKey::from("memory@2"), KnownBy::Recognised));
    let signs = "search_memories says 25 entries and 10 contexts, more than 10 entries came, more than 3 contexts came";
    assert_eq!(told, format!("memory@2 (ADR-020, recognised: {signs})"));
    assert_eq!(log.header.documents.keys().collect::<Vec<_>>(), ["memory@2"]);
}

#[tokio::test]
async fn it_is_recognised_over_http_by_what_came_alone() {
    let server = serve(Manner::of(SECOND));
    let log = run(vec![http(&server)]).await;
    log.assert_conforms();
    assert_eq!(
        speaks(&log, 0).1,
        "memory@2 (ADR-020, recognised: more than 10 entries came, more than 3 contexts came)"
    );
}

#[tokio::test]
async fn by_the_first_document_it_does_not_conform() {
    let server = serve(Manner::of(SECOND));
    let log = run(vec![pinned(mcp(&server), 1)]).await;
    assert_eq!(log.totals.conclusion, Conclusion::DoesNotConform);
    assert_eq!(speaks(&log, 0).1, "memory@1 (ADR-017, pinned)");
    assert_eq!(violated(&log), BY_NUMBERS);
}

#[tokio::test]
async fn a_server_of_the_first_document_is_recognised_and_conforms_by_it_alone() {
    let server = serve(Manner::of(FIRST));
    let log = run(vec![mcp(&server)]).await;
    log.assert_conforms();
    assert_eq!(speaks(&log, 0).1, "memory@1 (ADR-017, recognised: search_memories says 10 entries and 3 contexts)");
    let log = run(vec![pinned(mcp(&server), 2)]).await;
    assert_eq!(log.totals.conclusion, Conclusion::DoesNotConform);
}

/// What a case asks for at both ends is the end that the revision has.
#[tokio::test]
async fn a_pair_of_ends_is_asked_for_by_the_revision() {
    for most in [FIRST, SECOND] {
        let server = serve(Manner { refuses_contexts_alone: true, ..Manner::of(most) });
        let revision = if most == FIRST { 1 } else { 2 };
        let log = run(vec![pinned(http(&server), revision)]).await;
        assert!(violated(&log).contains(&"memory.search-offered"), "memory@{revision}: {:?}", violated(&log));
    }
}

#[tokio::test]
async fn one_program_speaks_one_revision_over_http_and_another_over_mcp() {
    let server = serve(Manner { http: FIRST, ..Manner::of(SECOND) });
    let log = run(vec![http(&server), mcp(&server)]).await;
    log.assert_conforms();
    assert_eq!(speaks(&log, 0).1, "memory@1 (ADR-017, assumed)");
    assert_eq!(speaks(&log, 1).0.place.contract, ContractKey::from("memory@2"));
    let compared = log.ledger.rows.iter().filter(|row| row.requirement.id == "memory.same-entries");
    let why: Vec<&str> = compared.filter_map(|row| row.reason.as_deref()).collect();
    assert_eq!(why[0], "compares with mcp, which speaks memory@2 there, and memory@1 is judged here");
}

#[tokio::test]
async fn a_request_that_was_accepted_is_no_sign() {
    // It reads what is too large as the most that it gives.
    let server = serve(Manner { clamps: true, ..Manner::of(FIRST) });
    let log = run(vec![http(&server)]).await;
    log.assert_conforms();
    assert_eq!(speaks(&log, 0).1, "memory@1 (ADR-017, assumed)");
}

#[tokio::test]
async fn who_shows_nothing_is_judged_by_the_first_document() {
    let server = serve(Manner { says: None, ..Manner::of(FIRST) });
    let log = run(vec![mcp(&server)]).await;
    assert_eq!(speaks(&log, 0).1, "memory@1 (ADR-017, assumed)");
    let untold = ["kc-default", "kc-range", "ke-default", "ke-range"].map(|what| format!("memory.tool-top-{what}"));
    assert_eq!(violated(&log), untold);
}

#[tokio::test]
async fn without_the_corpus_a_probe_needs_what_the_target_gives() {
    let server = serve(Manner::of(SECOND));
    let bare = TargetFile { corpus: None, ..target(vec![http(&server)]) };
    assert_eq!(speaks(&run_by(&SUITE, &bare, false).await, 0).1, "memory@1 (ADR-017, assumed)");
    assert!(
        server.requests().iter().all(|one| one.message["top_ke"] != 25),
        "nothing is asked of a memory of no known name"
    );
    let arguments = BTreeMap::from([("memoryId".to_owned(), "orchard".into())]);
    let given = TargetFile { corpus: None, ..target(vec![EndpointFile { arguments, ..http(&server) }]) };
    let log = run_by(&SUITE, &given, false).await;
    assert_eq!(speaks(&log, 0).0.place.contract, ContractKey::from("memory@2"));
}

#[tokio::test]
async fn signs_that_contradict_each_other_condemn_nobody() {
    let server = serve(Manner { says: Some(FIRST), ..Manner::of(SECOND) });
    let log = run(vec![mcp(&server)]).await;
    assert_eq!((log.totals.conclusion, log.totals.exit_code), (Conclusion::Incomplete, 3));
    assert!(log.ledger.rows.iter().all(|row| row.outcome == Outcome::NotExercised), "{}", log.summary());
    let (known, told) = speaks(&log, 0);
    assert_eq!(told, "memory@2 (ADR-020, undecided, but the nearest)");
    assert_eq!(
        known.why.as_deref().unwrap(),
        "its signs belong to no revision together: search_memories says 10 entries and 3 contexts (memory@1 alone), more than 10 entries \
         came (memory@2), more than 3 contexts came (memory@2). The nearest is memory@2, but for: search_memories says 10 entries and 3 \
         contexts (memory@1 alone). To have it judged by that, write `revision = 2` at the endpoint in the target file, or give --revision \
         memory@2"
    );
    // What is asked of it besides is judged all the same.
    let other = serve(Manner::of(SECOND));
    let both = run(vec![mcp(&server), http(&other)]).await;
    assert_eq!(both.totals.conclusion, Conclusion::Incomplete);
    assert!(both.ledger.rows.iter().any(|row| row.outcome == Outcome::Verified), "{}", both.summary());
}

#[tokio::test]
async fn whoever_is_held_to_everything_pins_a_revision() {
    let server = serve(Manner::of(SECOND));
    let log = run_by(&SUITE, &target(vec![http(&server)]), true).await;
    assert_eq!(log.totals.unpinned.len(), 1);
    let due = "whoever is held to everything says which revision is meant: write `revision = 2` at the endpoint in the target file, or \
               give --revision memory@2";
    assert!(log.summary().replace('\n', " ").contains(due), "{}", log.summary());
    let log = run_by(&SUITE, &target(vec![pinned(http(&server), 2)]), true).await;
    assert_eq!(log.totals.unpinned, []);
}

/// A failure that is known at a revision, or at any.
fn known(requirement: &str, revision: Option<u32>) -> KnownFailure {
    let text = format!("requirement = \"{requirement}\"\nreason = \"#12\"");
    KnownFailure { revision, ..toml::from_str(&text).unwrap() }
}

#[tokio::test]
async fn what_is_known_of_another_revision_is_idle() {
    let server = serve(Manner::of(SECOND));
    let known = || vec![known("memory.most-entries", Some(1)), known("memory.most-contexts", Some(1))];
    let file = TargetFile { known_failures: known(), ..target(vec![pinned(http(&server), 2)]) };
    let log = run_by(&SUITE, &file, false).await;
    log.assert_conforms();
    assert_eq!(log.ledger.stale, [""; 0]);
    let file = TargetFile { known_failures: known(), ..target(vec![pinned(http(&server), 1)]) };
    let log = run_by(&SUITE, &file, false).await;
    log.assert_conforms();
    assert_eq!(log.ledger.count(Outcome::KnownFailure), 2, "{}", log.summary());
}
