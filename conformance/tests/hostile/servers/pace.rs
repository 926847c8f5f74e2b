//! How many requests a server is sent at once, and that nobody is condemned for it.

use super::{NOTHING, target, tried_file};
use crate::trial::{PATIENT, SOON, SUITE, Trial};
use conformance::model::Verdict;
use conformance::targets::{CorpusState, TargetFile};
use rstest::rstest;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use testing::{Answer, Request, Server, answer, ok, whole};

/// Three walks of many pages, of a known size.
const WALKS: &str = "paging/browse-one-moment";
/// As many items as the walks look for.
const ITEMS: u64 = 320;

/// A target that is said to hold the corpus, so that every case can be run.
fn loaded(address: &str, jobs: usize, timeout: u64) -> TargetFile {
    let corpus = Some(CorpusState::Loaded);
    TargetFile { corpus, jobs: Some(jobs), timeout: Some(timeout), ..target(address) }
}

fn tried_loaded(file: &TargetFile, case: &str) -> Trial {
    Trial::unlooked(&SUITE, file, case)
}

/// The page of a walk that a request asks for.
fn page(asked: &Request) -> Answer {
    let number = |name: &str| {
        let value = asked.target().split(['?', '&']).find_map(|pair| pair.strip_prefix(&format!("{name}=")));
        value.and_then(|value| value.parse::<u64>().ok())
    };
    let (limit, offset) = (number("limit").unwrap_or(20), number("offset").unwrap_or(0));
    let items = (offset..ITEMS.min(offset + limit)).map(|id| json!({ "frame_id": id })).collect::<Vec<_>>();
    ok(json!({ "data": items }).to_string())
}

/// Counts what is under way at a server.
#[derive(Default)]
struct Crowd {
    /// How many there are, and how many there were at most.
    count: Mutex<(usize, usize)>,
    changed: Condvar,
}

impl Crowd {
    /// Answers once so many are under way, or none came any more.
    fn meet(&self, wanted: usize, answer: impl FnOnce() -> Answer) -> Answer {
        let mut count = self.count.lock().unwrap();
        count.0 += 1;
        count.1 = count.1.max(count.0);
        self.changed.notify_all();
        let is_lonely = |count: &mut (usize, usize)| count.0 < wanted && count.1 < wanted;
        let (mut count, _) = self.changed.wait_timeout_while(count, Duration::from_secs(5), is_lonely).unwrap();
        count.0 -= 1;
        drop(count);
        answer()
    }

    fn most(&self) -> usize {
        self.count.lock().unwrap().1
    }
}

#[rstest]
#[case::one(1)]
#[case::some(3)]
#[case::as_many_as_one_case_sends(8)]
fn a_case_alone_keeps_a_server_as_busy_as_the_jobs_allow(#[case] jobs: usize) {
    let crowd = Arc::new(Crowd::default());
    let seen = Arc::clone(&crowd);
    let server = Server::new(move |asked| seen.meet(jobs, || page(asked)));
    tried_loaded(&loaded(&server.address, jobs, PATIENT), WALKS);
    assert_eq!(crowd.most(), jobs);
}

#[test]
fn evidence_of_pages_that_were_asked_for_ahead_ends_as_if_they_had_come_one_by_one() {
    let server = Server::new(page);
    let trial = tried_loaded(&loaded(&server.address, 8, PATIENT), WALKS);
    let evidence = &trial.log.cases[0].evidence;
    // The first step asks for one page alone, which shows how many results a page may have.
    for (step, size) in (1..).zip([20, 20, 15]) {
        let offsets = evidence[step].as_array().unwrap().iter().map(|page| page["request"]["with"]["offset"].as_u64());
        let wanted = (0..=ITEMS.div_ceil(size)).map(|page| Some(page * size));
        assert!(offsets.eq(wanted), "{}", evidence[step]);
        let pages = evidence[step].as_array().unwrap();
        let (last, full) = pages.split_last().unwrap();
        assert_eq!(last["items"], json!([]));
        assert!(full.iter().all(|page| page["items"][0].is_object()));
    }
    let kept: usize = evidence.as_array().unwrap().iter().map(|pages| pages.as_array().unwrap().len()).sum();
    assert!(server.requests().len() > kept, "some were asked for ahead");
}

/// A server that serves a connection to its end before it takes the next one.
fn of_one_connection() -> (String, Arc<AtomicUsize>) {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", server.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    std::thread::spawn(move || {
        for connection in server.incoming().flatten() {
            count.fetch_add(1, Ordering::Relaxed);
            let mut reader = BufReader::new(connection.try_clone().unwrap());
            while !reader.fill_buf().unwrap_or_default().is_empty() {
                testing::skip_request(&mut reader);
                let answer = whole("200 OK", "content-type: application/json\r\n", NOTHING);
                let _ = (&connection).write_all(&answer);
            }
        }
    });
    (address, connections)
}

/// The next request waits until the connection of the last one is free, which is a moment after its answer was read.
#[test]
fn one_request_at_a_time_takes_one_connection() {
    let (address, connections) = of_one_connection();
    let file = TargetFile { jobs: Some(1), timeout: Some(SOON), ..target(&address) };
    let trial = tried_file(&file, "params/");
    assert!(trial.log.totals.retried.is_empty(), "{:?}", trial.log.totals.retried);
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Pass));
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

/// One that ends each connection and does not say so is not waited for again and again.
#[test]
fn a_server_that_keeps_no_connection_is_asked_on_new_ones() {
    let server = Server::new(|_| Answer::End(whole("200 OK", "content-type: application/json\r\n", NOTHING)));
    let trial = tried_file(&TargetFile { jobs: Some(1), ..target(&server.address) }, "params/");
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Pass));
    assert!(server.connections() >= server.requests().len());
}

#[test]
fn a_server_of_one_connection_at_a_time_is_asked_so_and_judged_the_same() {
    let hint = "if the server handles one request or one connection at a time, run with --jobs 1";
    let [one, many] = [1, 4].map(|jobs| {
        let file = TargetFile { jobs: Some(jobs), timeout: Some(SOON), ..target(&of_one_connection().0) };
        tried_file(&file, "params/")
    });
    let verdicts = |trial: &Trial| {
        let findings =
            trial.findings().map(|finding| (finding.case.clone(), finding.requirement.clone(), finding.verdict));
        findings.collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&one), verdicts(&many));
    for (trial, is_told) in [(one, false), (many, true)] {
        let is_there = trial.log.header.warnings.iter().any(|warning| warning.contains(hint));
        assert_eq!(is_there, is_told, "{:?}", trial.log.header.warnings);
        assert_eq!(!trial.log.totals.retried.is_empty(), is_told, "{:?}", trial.log.totals.retried);
    }
}

/// One that never answers a request is not asked for ever, and what it answers is still judged.
#[test]
fn what_is_never_answered_alone_either_is_a_finding() {
    let server = Server::new(|asked| match asked.target().contains("offset=40") {
        true => Answer::Hang(Vec::new()),
        false => page(asked),
    });
    let trial = tried_loaded(&loaded(&server.address, 4, SOON), WALKS);
    let page = &trial.log.cases[0].evidence[1][2];
    assert_eq!(page["raw"]["failure"]["kind"], "timed-out", "{page}");
    assert!(
        trial.log.header.warnings.iter().all(|warning| !warning.contains("--jobs 1")),
        "{:?}",
        trial.log.header.warnings
    );
}

#[test]
fn a_server_that_asks_to_wait_is_sent_fewer_at_once() {
    let (crowd, was_told) = (Arc::new(Crowd::default()), AtomicBool::new(false));
    let seen = Arc::clone(&crowd);
    let server = Server::new(move |asked| match was_told.swap(true, Ordering::SeqCst) {
        false => answer("429 Too Many Requests", "retry-after: 0\r\n", ""),
        // The first request is alone. Of those that follow, no more than half are ever under way.
        true => seen.meet(4, || page(asked)),
    });
    tried_loaded(&loaded(&server.address, 8, PATIENT), WALKS);
    assert_eq!(crowd.most(), 4);
}
