//! What a tap makes of what passes: the right findings, and none that a correct server does not deserve.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod anything;
mod eras;
mod http;
mod mcp;
mod packed;
mod revisions;
mod streams;

use chrono::{DateTime, Utc};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{ContractKey, Header, Keep, Outcome, Shelf};
use conformance::rejudge::Stored;
use conformance::spill::Spill;
use conformance::tap::{Behind, Direction, Ended, Options, Request, Tap};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static SUITE: LazyLock<Arc<Suite>> = LazyLock::new(|| {
    let root = testing::root();
    Arc::new(Suite::load(root).unwrap())
});

/// A tap that is told what passes.
struct Listening {
    tap: Tap,
    number: u64,
    pinned: Vec<ContractKey>,
}

/// What it came to.
struct Report {
    log: RunLog,
}

impl Listening {
    fn to(behind: &Behind, options: &Options) -> Self {
        Self { tap: Tap::new(Arc::clone(&SUITE), behind, options), number: 0, pinned: options.pinned.clone() }
    }

    /// To a server at an address.
    fn web() -> Self {
        let options = Options { keep: Keep::All, ..Options::default() };
        Self::to(&Behind::Address("http://127.0.0.1:1".to_owned()), &options)
    }

    /// To a program.
    fn program() -> Self {
        let options = Options { keep: Keep::All, ..Options::default() };
        Self::to(&Behind::Program(vec!["server".to_owned()]), &options)
    }

    /// A request and its answer.
    fn http(&mut self, (method, target, sent): (&str, &str, &str), (status, kind, came): (u16, &str, &[u8])) {
        self.with(&[], (method, target, sent), (status, &[("content-type", kind)], came), Ended::Whole);
    }

    fn with(
        &mut self,
        asked: &[(&str, &str)],
        (method, target, sent): (&str, &str, &str),
        (status, headers, came): (u16, &[(&str, &str)], &[u8]),
        ended: Ended,
    ) {
        let number = self.begin(asked, method, target, sent);
        self.tap.answered(number, status, &plain(headers));
        self.tap.came(number, came, now());
        self.tap.ended(number, ended, now());
    }

    fn begin(&mut self, headers: &[(&str, &str)], method: &str, target: &str, sent: &str) -> u64 {
        self.number += 1;
        let (method, target, headers) = (method.to_owned(), target.to_owned(), plain(headers));
        self.tap.begun(self.number, Request { method, target, headers, at: now() });
        self.tap.sent(self.number, sent.as_bytes());
        self.number
    }

    /// A message over HTTP, answered with JSON.
    fn post(&mut self, message: &Value, answer: &Value) {
        let (message, answer) = (message.to_string(), answer.to_string());
        self.http(("POST", "/mcp", &message), (200, "application/json", answer.as_bytes()));
    }

    /// A line of the client.
    fn says(&mut self, message: &Value) {
        self.tap.streamed(Direction::ToServer, format!("{message}\n").as_bytes(), now());
    }

    /// A line of the server.
    fn hears(&mut self, line: &str) {
        self.tap.streamed(Direction::ToClient, format!("{line}\n").as_bytes(), now());
    }

    /// What it all came to, the same when its log is read again.
    fn end(self) -> Report {
        let mut header = Header::of("test", now().fixed_offset(), false, 0, <_>::default());
        let run = self.tap.finish(&mut header);
        header.describe_revisions(&SUITE, &self.pinned);
        let log = RunLog::of(&SUITE, header, run, Duration::from_secs(1));
        let mut written = Vec::new();
        log.write(&mut written).unwrap();
        let shelf: Arc<dyn Shelf> = Spill::new().unwrap();
        shelf.put(&written);
        let stored = Stored::read(&*written, &shelf).unwrap();
        assert_eq!(stored.gone(&SUITE), Vec::<&str>::new());
        let again = stored.judge(&SUITE);
        assert_eq!(outcomes(&again), outcomes(&log), "what is judged again comes to the same");
        assert_eq!(again.totals.conclusion, log.totals.conclusion);
        Report { log }
    }
}

fn outcomes(log: &RunLog) -> Vec<(String, String, Outcome, usize)> {
    let rows = log.ledger.rows.iter();
    rows.map(|row| (row.contract.to_string(), row.requirement.id.clone(), row.outcome, row.exercised)).collect()
}

impl Report {
    fn with(&self, outcome: Outcome) -> Vec<&str> {
        let rows = self.log.ledger.rows.iter().filter(|row| row.outcome == outcome);
        rows.map(|row| row.requirement.id.as_str()).collect()
    }

    fn violated(&self) -> Vec<&str> {
        self.with(Outcome::Violated)
    }

    fn verified(&self, id: &str) -> bool {
        self.with(Outcome::Verified).contains(&id)
    }

    /// How many exchanges were judged, and why others were not.
    fn heard(&self) -> (usize, Vec<(&str, usize)>) {
        let heard = self.log.header.tap.as_ref().unwrap();
        (heard.judged, heard.not_judged.iter().map(|(why, count)| (why.as_str(), *count)).collect())
    }
}

fn plain(headers: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    headers.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect()
}

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}

/// A request of MCP.
fn request(id: Value, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A response with a result.
fn result(id: Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}
