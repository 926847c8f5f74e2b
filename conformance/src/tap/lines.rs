//! MCP over the standard streams of a program: lines of both directions, put together from pieces.

use super::catalogue::Catalogue;
use super::conversation::{Conversation, Pending, Way, not_judged};
use super::heard::Overheard;
use super::passing::{Direction, MOST_BYTES};
use crate::format::declared::Declared;
use crate::format::json::read_mending_surrogates;
use crate::model::{Channel, Era, Failure, Problem, TransportKind};
use crate::redact::Secrets;
use crate::transport::mcp::rpc::{self, Came, Message};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// So many ids that were answered are remembered.
const MOST_ANSWERED: usize = 10_000;

/// What passes on the standard streams of a program.
#[derive(Debug)]
pub(super) struct Lines {
    program: Vec<String>,
    to_server: Line,
    to_client: Line,
    /// The conversation in each era: a client may speak both.
    conversations: BTreeMap<Era, Conversation>,
    /// What was noticed before any request was made.
    stray: Vec<Problem>,
    /// Requests of the client, by their ids as JSON.
    waiting: BTreeMap<String, Pending>,
    answered: BTreeSet<String>,
    /// Whether something was missed, so that an id that is not known may be known to the client.
    has_gaps: bool,
}

/// A line that is not at its end.
#[derive(Debug, Default)]
struct Line {
    text: Vec<u8>,
    /// Its beginning was missed, or it is too long.
    is_lost: bool,
}

impl Line {
    /// The lines that a piece completes; nothing in place of one that was lost.
    fn read(&mut self, piece: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut lines = Vec::new();
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            if self.text.len() + part.len() > MOST_BYTES {
                self.is_lost = true;
                self.text = Vec::new();
            }
            if !self.is_lost {
                self.text.extend_from_slice(part);
            }
            if part.ends_with(b"\n") {
                let text = std::mem::take(&mut self.text);
                lines.push((!std::mem::take(&mut self.is_lost)).then_some(text));
            }
        }
        lines
    }
}

impl Lines {
    pub(super) fn new(program: Vec<String>) -> Self {
        Self {
            program,
            to_server: Line::default(),
            to_client: Line::default(),
            conversations: BTreeMap::new(),
            stray: Vec::new(),
            waiting: BTreeMap::new(),
            answered: BTreeSet::new(),
            has_gaps: false,
        }
    }

    /// How many requests wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// A piece of a stream passed that was not heard.
    pub(super) fn missed(&mut self, direction: Direction) {
        let line = if direction == Direction::ToServer { &mut self.to_server } else { &mut self.to_client };
        *line = Line { text: Vec::new(), is_lost: true };
        self.lose();
    }

    /// What is not known any more must not be held against anybody.
    fn lose(&mut self) {
        self.has_gaps = true;
        self.waiting.clear();
    }

    /// A piece of a stream.
    pub(super) fn streamed(
        &mut self,
        direction: Direction,
        piece: &[u8],
        now: DateTime<Utc>,
        catalogue: &Catalogue,
    ) -> Vec<Overheard> {
        let line = if direction == Direction::ToServer { &mut self.to_server } else { &mut self.to_client };
        let mut outcomes = Vec::new();
        for line in line.read(piece) {
            match (line, direction) {
                (Some(line), Direction::ToServer) => self.asked(&line, now),
                (Some(line), Direction::ToClient) => outcomes.append(&mut self.said(&line, now, catalogue)),
                (None, _) => {
                    // Whose it was is not known, so nobody is waited for.
                    let lost = self.waiting.len().max(1);
                    outcomes.extend((0..lost).map(|_| not_judged("a line was lost or is too long to be judged")));
                    self.lose();
                }
            }
        }
        outcomes
    }

    /// A line of the client.
    fn asked(&mut self, line: &[u8], now: DateTime<Utc>) {
        let (value, _) = read_mending_surrogates(&String::from_utf8_lossy(line));
        let messages = match value {
            Value::Array(batch) => batch,
            single => vec![single],
        };
        for message in messages {
            let id = &message["id"];
            match message["method"].as_str() {
                Some("notifications/cancelled") => {
                    if let Some(asked) = self.waiting.get_mut(&message["params"]["requestId"].to_string()) {
                        asked.cancelled = true;
                    }
                }
                Some(_) if !id.is_null() => _ = self.waiting.insert(id.to_string(), Pending::new(message, now)),
                _ => {}
            }
        }
    }

    /// A line of the server.
    fn said(&mut self, line: &[u8], now: DateTime<Utc>, catalogue: &Catalogue) -> Vec<Overheard> {
        let (messages, mut problems) = rpc::read(line);
        let mut outcomes = Vec::new();
        for message in messages {
            match message {
                Message::Response(response, message) => {
                    let Some((id, asked)) = self.question(&response) else { continue };
                    problems.extend(rpc::envelope(&response, &id));
                    let problems = std::mem::take(&mut problems);
                    let came = Came { response, message: Some(message), problems, ..Came::default() };
                    outcomes.append(&mut self.answer(asked, came, now, catalogue));
                }
                Message::Notification(method) => {
                    self.conversations.values_mut().for_each(|conversation| conversation.told(&method));
                    let wrong = self.whoever(|declared| declared.told(&method));
                    rpc::note(&mut self.stray, wrong);
                }
                Message::Request(_, method) => {
                    let wrong = self.whoever(|declared| declared.asked(&method));
                    rpc::note(&mut self.stray, wrong);
                }
                Message::Noise(what) => {
                    rpc::note(&mut self.stray, [rpc::noise(&what)]);
                    outcomes.append(&mut self.broken(line, Failure::Broken(what), now, catalogue));
                }
                Message::Batch => {
                    let wrong = self.whoever(Declared::batched);
                    rpc::note(&mut self.stray, wrong);
                }
                Message::Unread(why) => outcomes.append(&mut self.broken(line, why, now, catalogue)),
            }
        }
        rpc::note(&mut self.stray, problems);
        outcomes
    }

    /// What is wrong with something that belongs to no request by itself: only what is wrong for every one that waits, since it may
    /// belong to any of them.
    fn whoever(&self, wrong: impl Fn(&Declared) -> Option<Problem>) -> Option<Problem> {
        let none = Conversation::default();
        let mut waiting = self.waiting.values().map(|asked| {
            let conversation = self.conversations.get(&asked.era()).unwrap_or(&none);
            wrong(&conversation.declared(&asked.message))
        });
        let first = waiting.next()??;
        waiting.all(|one| one.is_some()).then_some(first)
    }

    /// The request that a response answers, with its id. What nobody asked for is noted.
    fn question(&mut self, response: &Value) -> Option<(Value, Pending)> {
        let id = &response["id"];
        let same_number = || {
            let number = rpc::id_of(response)?;
            self.waiting.keys().find(|key| key.trim_matches('"').parse() == Ok(number)).cloned()
        };
        let only = || self.waiting.keys().next().filter(|_| self.waiting.len() == 1 && id.is_null()).cloned();
        let exact = Some(id.to_string()).filter(|key| self.waiting.contains_key(key));
        let Some(key) = exact.or_else(same_number).or_else(only) else {
            if !self.has_gaps {
                let why = match self.answered.contains(&id.to_string()) {
                    true => format!("a response to {id} came that nobody waits for"),
                    false => format!("a response has the id {id}, which nobody sent"),
                };
                rpc::note(&mut self.stray, [rpc::problem("id", why)]);
            }
            return None;
        };
        let asked = self.waiting.remove(&key)?;
        if self.answered.len() == MOST_ANSWERED {
            self.answered.clear();
            self.has_gaps = true;
        }
        self.answered.insert(key);
        Some((asked.message["id"].clone(), asked))
    }

    /// A response that cannot be read answers its request all the same.
    fn broken(&mut self, line: &[u8], why: Failure, now: DateTime<Utc>, catalogue: &Catalogue) -> Vec<Overheard> {
        match rpc::id_in(line).and_then(|id| self.waiting.remove(&id.to_string())) {
            Some(asked) => {
                let came = Came { read: Some(line.len()), ..Came::failed(why) };
                self.answer(asked, came, now, catalogue)
            }
            None => Vec::new(),
        }
    }

    /// The program ended: nothing more will come.
    pub(super) fn over(&mut self, how: &str, now: DateTime<Utc>, catalogue: &Catalogue) -> Vec<Overheard> {
        let waiting = std::mem::take(&mut self.waiting);
        let gone = || Came::gone(Failure::Broken(how.to_owned()));
        waiting.into_values().flat_map(|asked| self.answer(asked, gone(), now, catalogue)).collect()
    }

    fn answer(&mut self, asked: Pending, came: Came, now: DateTime<Utc>, catalogue: &Catalogue) -> Vec<Overheard> {
        let era = asked.era();
        let way = Way {
            kind: Channel::new(TransportKind::McpStdio, Some(era)),
            sent: json!({ "command": self.program, "folder": null, "era": era }),
            secrets: Secrets::default(),
            refusal: None,
        };
        let conversation = self.conversations.entry(era).or_default();
        rpc::note(&mut conversation.stray, std::mem::take(&mut self.stray));
        conversation.answered(asked, came, &way, now, catalogue)
    }
}
