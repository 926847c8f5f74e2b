//! A tap: judges what passes between a client and a server, neither of which the suite asked for anything.
//!
//! `catalogue` knows what a request may be, `web` and `lines` put together what came over HTTP and over standard streams,
//! `conversation` remembers what an MCP server said of itself, `cases` finds the cases that a session happens to ask, and
//! `judging` says what can be told of them. All of it is pure: bytes and times in, findings out; who moves the bytes is
//! elsewhere. What cannot be judged is counted, and what a client does wrong is never the server's fault.

mod cases;
mod catalogue;
mod conversation;
mod heard;
mod lines;
mod packed;
mod passing;
mod plain;
mod session;
mod web;

pub use passing::{Direction, Ended, MOST_BYTES, Request};
pub use session::{News, Violation};

use crate::load::Suite;
use crate::model::{CaseRun, ContractKey, Header, Heard, Keep, Run, Selection};
use crate::redact::{Redactor, Secrets};
use crate::rejudge::Judging;
use crate::report::log;
use crate::transport::TransportError;
use catalogue::Catalogue;
use chrono::{DateTime, Utc};
use lines::Lines;
use session::Session;
use std::sync::Arc;
use web::Web;

/// What stands behind the tap.
#[derive(Debug, Clone)]
pub enum Behind {
    /// A server at an address, without a path.
    Address(String),
    /// A program that speaks MCP on its standard streams, with its arguments.
    Program(Vec<String>),
}

impl Behind {
    /// What nobody else may see of how it is reached.
    fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        match self {
            Self::Address(address) => secrets.address(address),
            Self::Program(command) => secrets.words(command.iter().map(String::as_str)),
        }
        secrets
    }

    /// The first line of a log that is written while a tap listens: what is known before anything was heard.
    pub fn first_line(&self, header: &Header, corpus: bool) -> Vec<u8> {
        let redactor = Redactor::new(self.secrets());
        log::first_line(&Header {
            target: redactor.redacted(&header.target),
            selection: Selection { part: true, ..Selection::default() },
            tap: Some(Heard { corpus, ..Heard::default() }),
            ..header.clone()
        })
    }
}

/// What is listened for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The contracts; those whose tools and paths are seen when none is named.
    pub contracts: Vec<String>,
    /// The revisions that were asked for; those that the server shows by its tools when none is.
    pub pinned: Vec<ContractKey>,
    /// The server holds the corpus.
    pub corpus: bool,
    /// What is kept of what was judged.
    pub keep: Keep,
}

/// Listens to everything that passes.
#[derive(Debug)]
pub struct Tap {
    catalogue: Catalogue,
    session: Session,
    web: Web,
    lines: Lines,
    name: String,
    corpus: bool,
    /// Why the server was not there, the first time.
    unreachable: Option<String>,
    answered: bool,
}

impl Tap {
    /// A tap that has not heard anything.
    pub fn new(suite: Arc<Suite>, behind: &Behind, options: &Options) -> Self {
        let judging = Judging::new(options.corpus);
        let (name, address, program) = match behind {
            Behind::Address(address) => (address.clone(), address.trim_end_matches('/').to_owned(), Vec::new()),
            Behind::Program(command) => (command.join(" "), String::new(), command.clone()),
        };
        let secrets = behind.secrets();
        Self {
            catalogue: Catalogue::new(Arc::clone(&suite), &options.contracts, &options.pinned),
            session: Session::new(suite, judging, (options.keep.clone(), options.pinned.clone()), secrets),
            web: Web::new(address),
            lines: Lines::new(program),
            name,
            corpus: options.corpus,
            unreachable: None,
            answered: false,
        }
    }

    /// A request begins to pass, known by a number from now on.
    pub fn begun(&mut self, number: u64, request: Request) {
        self.web.begun(number, request);
    }

    /// A piece of the body of a request.
    pub fn sent(&mut self, number: u64, piece: &[u8]) {
        self.web.sent(number, piece);
    }

    /// The head of an answer.
    pub fn answered(&mut self, number: u64, status: u16, headers: &[(String, Vec<u8>)]) {
        self.answered = true;
        self.web.answered(number, status, headers, &self.catalogue);
    }

    /// A piece of the body of an answer.
    pub fn came(&mut self, number: u64, piece: &[u8], now: DateTime<Utc>) {
        let came = self.web.came(number, piece, now, &self.catalogue);
        self.session.take(came);
    }

    /// A request is over.
    pub fn ended(&mut self, number: u64, how: Ended, now: DateTime<Utc>) {
        if let Ended::NotReachable(why) = &how
            && !self.answered
        {
            self.unreachable.get_or_insert_with(|| why.clone());
        }
        let ended = self.web.ended(number, how, now, &self.catalogue);
        self.session.take(ended);
    }

    /// Bytes of a standard stream.
    pub fn streamed(&mut self, direction: Direction, piece: &[u8], now: DateTime<Utc>) {
        self.answered |= direction == Direction::ToClient;
        let heard = self.lines.streamed(direction, piece, now, &self.catalogue);
        self.session.take(heard);
    }

    /// Bytes of a standard stream passed that nobody listened to.
    pub fn missed(&mut self, direction: Direction) {
        self.lines.missed(direction);
        self.not_judged("the judge could not keep up, and the traffic does not wait for it");
    }

    /// The program ended by itself, in these words, while its client was still there.
    pub fn program_ended(&mut self, how: &str, now: DateTime<Utc>) {
        let heard = self.lines.over(how, now, &self.catalogue);
        self.session.take(heard);
    }

    /// The program could not be started.
    pub fn not_started(&mut self, why: &str) {
        self.unreachable.get_or_insert_with(|| why.to_owned());
    }

    /// Something passed that could not be judged, for this reason.
    pub fn not_judged(&mut self, why: &str) {
        self.session.not_judged(why);
    }

    /// What became known since this was asked the last time.
    pub fn news(&mut self) -> Vec<News> {
        self.session.news()
    }

    /// What all of it comes to; the header is completed.
    pub fn finish(mut self, header: &mut Header) -> Run {
        let (open, unanswered) = (self.web.open(), self.lines.waiting());
        (0..open + unanswered).for_each(|_| self.session.not_judged("it was under way when the tap ended"));
        header.speaks = self.session.recognised();
        let (cases, mut heard, redactor) = self.session.finish();
        heard.corpus = self.corpus;
        header.target = redactor.redacted(&header.target);
        header.warnings = redactor.warnings();
        header.selection = Selection { part: true, ..Selection::default() };
        header.tap = Some(heard);
        header.endpoints = cases.iter().map(CaseRun::place).collect();
        header.endpoints.dedup();
        let address = self.name;
        let unreachable = self.unreachable.filter(|_| !self.answered);
        let unreachable =
            unreachable.map(|reason| TransportError::NotReachable { address, reason }.redacted(&redactor));
        Run { cases, unreachable, ..Run::default() }
    }
}
