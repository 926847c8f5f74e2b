//! A session that answers from a recording.

use super::sending::{Sending, plain};
use super::web::is_this_machine;
use super::{Session, TransportError};
use crate::model::{Channel, Contract, Failure, HttpArguments, Operation, RawReply, Recorded};
use futures::future::BoxFuture;
use reqwest::Url;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Calls and their replies, in the order in which they were made.
#[derive(Debug)]
pub struct Recording<'r> {
    calls: &'r [Recorded],
    /// The exchanges that were derived from the replies.
    exchanges: &'r [&'r Value],
    /// What is answered instead, by the position of the call.
    instead: BTreeMap<usize, RawReply>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The calls that were made again.
    used: Vec<bool>,
    /// The first call that was not.
    first: usize,
    /// Calls that were never recorded.
    missing: Vec<String>,
}

impl<'r> Recording<'r> {
    /// A recording of a case, in which some calls are answered otherwise. Calls and exchanges are in the same order.
    pub fn new(calls: &'r [Recorded], exchanges: &'r [&'r Value], instead: BTreeMap<usize, RawReply>) -> Self {
        let state = State { used: vec![false; calls.len()], ..State::default() };
        Self { calls, exchanges, instead, state: Mutex::new(state) }
    }

    /// The session of one endpoint: `home` is the transport of the case, `over` the one that a step named besides.
    pub(crate) fn session<'s>(
        &'s self,
        contract: &'s Contract,
        home: Channel,
        over: Option<Channel>,
    ) -> Box<dyn Session + 's> {
        Box::new(RecordedSession { recording: self, contract, kind: over.unwrap_or(home), over })
    }

    /// The calls that were asked for and never recorded.
    pub fn missing(&self) -> Vec<String> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).missing.clone()
    }
}

struct RecordedSession<'s> {
    recording: &'s Recording<'s>,
    contract: &'s Contract,
    kind: Channel,
    over: Option<Channel>,
}

impl RecordedSession<'_> {
    /// The position of the first equal call that was not made yet, else of the last one.
    fn position(&self, state: &State, operation: &Operation, with: &Map<String, Value>) -> Option<usize> {
        let (calls, name) = (self.recording.calls, self.name(operation)?);
        let is_equal = |at: &usize| {
            let call = &calls[*at];
            call.operation == *name && call.over == self.over && self.sends_the_same(operation, &call.with, with)
        };
        // Calls are made again in their order, as long as nothing that they ask with has changed.
        let mut unused = (state.first..calls.len()).filter(|at| !state.used[*at]);
        unused.find(is_equal).or_else(|| (0..calls.len()).rev().find(is_equal))
    }

    fn name(&self, operation: &Operation) -> Option<&String> {
        let mut operations = self.contract.operations.iter();
        operations.find(|(_, known)| std::ptr::eq(*known, operation)).map(|(name, _)| name)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.recording.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether two calls look the same on the wire: where no JSON carries arguments, 7 and "7" do.
    fn sends_the_same(&self, operation: &Operation, left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
        if operation.carries_json_over(self.kind.protocol()) {
            return left == right;
        }
        let is_path = operation.http.as_ref().is_some_and(|http| http.arguments == HttpArguments::Path);
        let plain = |value: &Value| match value {
            Value::String(text) if is_path => own_path(text),
            other => plain(other),
        };
        left.len() == right.len()
            && left.iter().all(|(name, value)| right.get(name).is_some_and(|other| plain(value) == plain(other)))
    }
}

impl Session for RecordedSession<'_> {
    fn call<'s>(
        &'s self,
        operation: &'s Operation,
        with: &'s Map<String, Value>,
    ) -> BoxFuture<'s, Result<RawReply, TransportError>> {
        let mut state = self.state();
        let reply = match self.position(&state, operation, with) {
            Some(at) => {
                state.take(at);
                self.recording.instead.get(&at).unwrap_or(&self.recording.calls[at].reply).clone()
            }
            None => {
                let name = self.name(operation).map_or("", String::as_str);
                state.missing.push(format!("{name} with {}", Value::Object(with.clone())));
                Sending::now().failed(Value::Null, Failure::NotAsked("the call was never recorded".to_owned()))
            }
        };
        Box::pin(std::future::ready(Ok(reply)))
    }

    /// What is answered as it was makes the exchange that it made.
    fn known(&self, operation: &Operation, with: &Map<String, Value>) -> Option<Value> {
        let mut state = self.state();
        let at = self.position(&state, operation, with)?;
        let Recording { calls, exchanges, instead, .. } = self.recording;
        let exchange = exchanges.get(at).filter(|_| !instead.contains_key(&at) && calls[at].with == *with)?;
        state.take(at);
        Some((*exchange).clone())
    }
}

impl State {
    fn take(&mut self, at: usize) {
        self.used[at] = true;
        while self.used.get(self.first).copied().unwrap_or_default() {
            self.first += 1;
        }
    }
}

/// An address on this machine without its host, which an answer may give by any of its names; any other as it is.
fn own_path(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) if is_this_machine(&url) => {
            let query = url.query().map_or_else(String::new, |query| format!("?{query}"));
            format!("{}{query}", url.path())
        }
        _ => address.to_owned(),
    }
}
