//! Case × transport → evidence. All the calls are made here, and nothing is judged.

mod course;
mod room;
mod waves;

pub(crate) use course::Course;
pub use room::{Budget, Room};
pub use waves::chain;
pub(crate) use waves::length;

use crate::derive;
use crate::load::{self, BoundPick, Case};
use crate::model::{
    Contract, Failure, Operation, Pick, RawReply, Received, Request, Step, SweepValues, TransportKind, Walk, size,
};
use crate::path::{EvidencePath, Located, pick_in};
use crate::targets::{Endpoint, Route};
use crate::transport::{Recording, Session, TransportError};
use futures::future::join_all;
use futures::stream::{self, StreamExt, TryStreamExt};
use serde_json::{Map, Value};
use std::path::Path;

/// A longer text of an answer is nothing to ask with.
const MOST_PICKED: usize = 4096;
/// So many requests of a case wait for a server at most; how many of them are under way is what the target's jobs say.
const AT_ONCE: usize = 64;
/// An answer of so many bytes is read aside.
const LONG: usize = 64 << 10;

/// The evidence of a case: `$[step][exchange]`, each an [`Exchange`](crate::model::Exchange).
///
/// A step is taken after those that it takes values from, and beside others where a server is asked. One whose values cannot be taken
/// from earlier evidence stays empty, which checks of it call incomplete.
///
/// # Errors
/// When the target is not there, or this machine cannot make room for the case.
pub async fn collect(
    case: &Case,
    contract: &Contract,
    corpus: &Path,
    route: &Route<'_>,
    room: &Room,
) -> Result<Value, TransportError> {
    Collector::open(case, contract, corpus, route, room, |_| ())?.run().await.map(|(evidence, _)| evidence)
}

/// The evidence of a case, and the raw replies that its exchanges are derived from, by the same places.
///
/// # Errors
/// As those of [`collect`].
pub async fn record(
    case: &Case,
    contract: &Contract,
    corpus: &Path,
    route: &Route<'_>,
    room: &Room,
) -> Result<(Value, Vec<Vec<RawReply>>), TransportError> {
    Collector::open(case, contract, corpus, route, room, |reply| reply)?.run().await
}

/// The evidence of a case, where its calls are answered from a recording.
///
/// # Errors
/// None of its own: a call that was never recorded is one of [`Recording::missing`].
pub async fn replay(
    case: &Case,
    contract: &Contract,
    recording: &Recording<'_>,
    route: &Route<'_>,
) -> Result<Value, TransportError> {
    let home = route.home.transport.channel();
    let at_home = std::iter::once((route.home, recording.session(contract, home, None)));
    let others = route.others.iter().map(|other| {
        let kind = other.transport.channel();
        (*other, recording.session(contract, home, Some(kind)))
    });
    let sessions = at_home.chain(others).collect();
    let keep: fn(RawReply) = |_| ();
    let room = None;
    Collector { case, contract, sessions, route, room, keep, known: Some(|| ()) }
        .run()
        .await
        .map(|(evidence, _)| evidence)
}

/// `K` is what is kept of a raw reply.
struct Collector<'c, K> {
    case: &'c Case,
    contract: &'c Contract,
    /// The endpoint that the case runs at, then those that its steps name besides.
    sessions: Vec<(&'c Endpoint, Box<dyn Session + 'c>)>,
    route: &'c Route<'c>,
    /// Room for the evidence, where it is not made of replies that are there already.
    room: Option<&'c Room>,
    keep: fn(RawReply) -> K,
    /// What is kept of a call that need not be made, where calls are answered from a recording.
    known: Option<fn() -> K>,
}

impl<'c, K> Collector<'c, K> {
    fn open(
        case: &'c Case,
        contract: &'c Contract,
        corpus: &Path,
        route: &'c Route<'c>,
        room: &'c Room,
        keep: fn(RawReply) -> K,
    ) -> Result<Self, TransportError> {
        let corpus = case.corpus_part().map(|part| corpus.join(part));
        let endpoints = std::iter::once(route.home).chain(route.others.iter().copied());
        let sessions = endpoints
            .map(|endpoint| Ok((endpoint, endpoint.transport.open(corpus.as_deref())? as Box<dyn Session>)))
            .collect::<Result<_, TransportError>>()?;
        Ok(Self { case, contract, sessions, route, room: Some(room), keep, known: None })
    }

    async fn run(&self) -> Result<(Value, Vec<Vec<K>>), TransportError> {
        let count = self.case.steps.len();
        let mut evidence = Value::Array(vec![Value::Array(Vec::new()); count]);
        let mut kept: Vec<Vec<K>> = (0..count).map(|_| Vec::new()).collect();
        let at_once = self.at_once();
        for wave in waves::waves(self.case, at_once == 1 || self.case.of_protocol) {
            let asked: Vec<_> = wave.iter().map(|at| self.step(*at, &evidence)).collect();
            let taken: Vec<_> = stream::iter(asked).buffered(at_once).try_collect().await?;
            for (at, taken) in wave.into_iter().zip(taken) {
                let (exchanges, replies) = taken.into_iter().unzip();
                evidence[at] = Value::Array(exchanges);
                kept[at] = replies;
            }
        }
        Ok((evidence, kept))
    }

    /// How many requests are sent without waiting for one another. Programs that are called here share our processors, and
    /// what was recorded is there already.
    fn at_once(&self) -> usize {
        let is_server = |(endpoint, _): &(&Endpoint, _)| {
            matches!(endpoint.transport.kind(), TransportKind::Http | TransportKind::McpHttp)
        };
        if self.room.is_some() && self.sessions.iter().all(is_server) { AT_ONCE } else { 1 }
    }

    async fn step(&self, at: usize, evidence: &Value) -> Result<Vec<(Value, K)>, TransportError> {
        let step = &self.case.steps[at];
        if self.case.conditions.get(&at).is_some_and(|path| found(path, evidence).is_empty()) {
            return Ok(Vec::new());
        }
        let Some(operation) = self.contract.operations.get(&step.call) else {
            return Ok(Vec::new());
        };
        if let Some(why) = self.full() {
            let reply = RawReply::of(Received::Nothing).broken_off(Some(Failure::NotAsked(why.to_owned())));
            return Ok(vec![self.derived(step, operation, step.with.clone(), self.route.home, reply)]);
        }
        let Some(with) = self.resolved(&step.with, evidence) else {
            return Ok(Vec::new());
        };
        if let Some(walk) = &step.walk {
            return self.walk(step, walk, operation, with).await;
        }
        let Some(sweep) = &step.sweep else {
            return Ok(vec![self.exchange(step, operation, with).await?]);
        };
        let rows: Vec<_> = self
            .values(&sweep.over, evidence)
            .into_iter()
            .filter_map(|value| {
                let mut with = with.clone();
                match &sweep.argument {
                    Some(argument) => drop(with.insert(argument.clone(), value)),
                    None => with.extend(self.resolved(value.as_object()?, evidence)?),
                }
                Some(self.exchange(step, operation, with))
            })
            .collect();
        let mut asked = stream::iter(rows).buffered(self.at_once());
        let mut exchanges = Vec::new();
        while let Some(exchange) = asked.try_next().await? {
            exchanges.push(exchange);
            if self.full().is_some() {
                break;
            }
        }
        Ok(exchanges)
    }

    /// Page after page, up to an empty one, one that is no answer, one that was received before, or as many as the walk allows.
    ///
    /// Where the size of a page is known, ever more pages are asked for at once. What came after the end is dropped: evidence is the
    /// same as if one had been asked for after another.
    async fn walk(
        &self,
        step: &Step,
        walk: &Walk,
        operation: &Operation,
        with: Map<String, Value>,
    ) -> Result<Vec<(Value, K)>, TransportError> {
        let size = with.get(&walk.limit).and_then(Value::as_u64).unwrap_or(0);
        let at_once = if size > 0 { self.at_once() } else { 1 };
        let mut exchanges: Vec<(Value, K)> = Vec::new();
        for batch in waves::batches(walk.pages, at_once) {
            let pages = batch.map(|page| {
                let mut with = with.clone();
                with.insert(walk.offset.clone(), Value::from(page as u64 * size));
                self.exchange(step, operation, with)
            });
            // All of them are waited for: a request that is given up is one that the server did not expect to end so.
            for exchange in join_all(pages).await {
                let exchange = exchange?;
                let is_over = is_last(&exchange.0, exchanges.iter().map(|(page, _)| page));
                exchanges.push(exchange);
                if is_over {
                    return Ok(exchanges);
                }
            }
        }
        Ok(exchanges)
    }

    /// The arguments with every pick resolved and what is given put in; nothing when one of them finds nothing.
    fn resolved(&self, with: &Map<String, Value>, evidence: &Value) -> Option<Map<String, Value>> {
        let mut with = with.clone();
        for value in with.values_mut() {
            if let Ok(Some(pick)) = pick_in(value) {
                *value = self.pick(&pick, evidence).into_iter().next()?;
            } else if let Some(name) = load::given(value) {
                *value = self.route.given.get(name)?.clone();
            }
        }
        Some(with)
    }

    fn values(&self, over: &SweepValues, evidence: &Value) -> Vec<Value> {
        match over {
            SweepValues::Pick(pick) => self.pick(pick, evidence),
            listed => listed.listed().collect(),
        }
    }

    fn pick(&self, pick: &Pick, evidence: &Value) -> Vec<Value> {
        let Some(BoundPick { path, picking, .. }) = self.case.picks.iter().find(|one| one.pick == *pick) else {
            return Vec::new();
        };
        let mut picked = picking.of(&found(path, evidence));
        picked.retain(|value| value.as_str().is_none_or(|text| text.len() <= MOST_PICKED));
        picked
    }

    async fn exchange(
        &self,
        step: &Step,
        operation: &Operation,
        with: Map<String, Value>,
    ) -> Result<(Value, K), TransportError> {
        let mut sessions = self.sessions.iter();
        let named = sessions.find(|(endpoint, _)| {
            let channel = endpoint.transport.channel();
            step.over.is_none_or(|over| over.covers(channel.kind())) && channel.is_in(step.era)
        });
        // A route has an endpoint for each transport that a step names.
        let (endpoint, session) = named.unwrap_or(&self.sessions[0]);
        if let Some((kept, exchange)) = self.known.zip(session.known(operation, &with)) {
            return Ok((exchange, kept()));
        }
        // Until the answer is taken.
        let _asked = match self.room {
            Some(room) => Some(room.ask(&step.call).await),
            None => None,
        };
        let reply = session.call(operation, &with).await?;
        let Some(room) = self.room else { return Ok(self.derived(step, operation, with, endpoint, reply)) };
        let expected = size::of_reply(&reply);
        if let Err(why) = room.take(&step.call, reply.bytes(), expected).await {
            let reply = reply.dropped(Failure::Hindered(why));
            return Ok(self.derived(step, operation, with, endpoint, reply));
        }
        let exchange = match reply.bytes() {
            ..LONG => self.derived(step, operation, with, endpoint, reply),
            _ => self.derived_aside(step, operation.clone(), with, endpoint, reply, room).await,
        };
        room.correct(expected, size::of(&exchange.0)).await;
        Ok(exchange)
    }

    /// A long answer may take seconds to be read.
    async fn derived_aside(
        &self,
        step: &Step,
        operation: Operation,
        with: Map<String, Value>,
        endpoint: &Endpoint,
        reply: RawReply,
        room: &Room,
    ) -> (Value, K) {
        let (request, results) = (self.request(step, with, endpoint), endpoint.results.clone());
        let read = async move {
            let exchange = derive::derive(request, &reply, &operation, results.as_deref()).into_value();
            (exchange, reply)
        };
        let (exchange, reply) = room.aside(read).await;
        (exchange, (self.keep)(reply))
    }

    fn derived(
        &self,
        step: &Step,
        operation: &Operation,
        with: Map<String, Value>,
        endpoint: &Endpoint,
        reply: RawReply,
    ) -> (Value, K) {
        (derived(self.request(step, with, endpoint), &reply, operation, endpoint), (self.keep)(reply))
    }

    fn request(&self, step: &Step, with: Map<String, Value>, endpoint: &Endpoint) -> Request {
        let over = Some(endpoint.transport.channel()).filter(|channel| *channel != self.route.home.transport.channel());
        Request { operation: step.call.clone(), with, over, sent: Value::Null }
    }

    /// Why there is no room for another answer.
    fn full(&self) -> Option<&str> {
        self.room?.full()
    }
}

/// The exchange of a call that an endpoint answered.
pub(crate) fn derived(request: Request, reply: &RawReply, operation: &Operation, endpoint: &Endpoint) -> Value {
    derive::derive(request, reply, operation, endpoint.results.as_deref()).into_value()
}

/// Whether a walk ends at a page: at an empty one, at one that is no answer, and at one that was received before.
fn is_last<'e>(page: &Value, mut before: impl Iterator<Item = &'e Value>) -> bool {
    let items = &page["items"];
    items.as_array().is_none_or(Vec::is_empty) || before.any(|page| page["items"] == *items)
}

/// The values that a path finds in evidence.
fn found<'e>(path: &EvidencePath, evidence: &'e Value) -> Vec<Located<'e>> {
    path.exchanges(evidence).into_iter().flat_map(|exchange| path.inside(exchange)).collect()
}
