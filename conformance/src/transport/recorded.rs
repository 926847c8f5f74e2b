//! A session that answers from a recording.

use super::sending::{Sending, plain};
use super::web::is_this_machine;
use super::{Session, TransportError};
use crate::model::{Contract, Failure, HttpArguments, Operation, RawReply, Recorded, TransportKind};
use futures::future::BoxFuture;
use reqwest::Url;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Calls and their replies, in the order in which they were made.
#[derive(Debug)]
pub struct Recording<'r> {
    calls: &'r [Recorded],
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
    /// A recording of a case, in which some calls are answered otherwise.
    pub fn new(calls: &'r [Recorded], instead: BTreeMap<usize, RawReply>) -> Self {
        let state = State { used: vec![false; calls.len()], ..State::default() };
        Self { calls, instead, state: Mutex::new(state) }
    }

    /// The session of one endpoint: `home` is the transport of the case, `over` the one that a step named besides.
    pub(crate) fn session<'s>(
        &'s self,
        contract: &'s Contract,
        home: TransportKind,
        over: Option<TransportKind>,
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
    kind: TransportKind,
    over: Option<TransportKind>,
}

impl RecordedSession<'_> {
    /// The reply to the first equal call that was not made yet, else to the last one.
    fn reply(&self, operation: &Operation, with: &Map<String, Value>) -> Option<RawReply> {
        let mut operations = self.contract.operations.iter();
        let (name, _) = operations.find(|(_, known)| std::ptr::eq(*known, operation))?;
        let Recording { calls, instead, state } = self.recording;
        let is_equal = |at: usize| {
            let call = &calls[at];
            call.operation == *name && call.over == self.over && self.sends_the_same(operation, &call.with, with)
        };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        // Calls are made again in their order, as long as nothing that they ask with has changed.
        let mut unused = (state.first..calls.len()).filter(|at| !state.used[*at]);
        let Some(at) = unused.find(|at| is_equal(*at)).or_else(|| (0..calls.len()).rev().find(|at| is_equal(*at)))
        else {
            state.missing.push(format!("{name} with {}", Value::Object(with.clone())));
            return None;
        };
        state.used[at] = true;
        state.first = (state.first..calls.len()).find(|at| !state.used[*at]).unwrap_or(calls.len());
        Some(instead.get(&at).unwrap_or(&calls[at].reply).clone())
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
        let reply = self.reply(operation, with);
        let not_asked =
            || Sending::now().failed(Value::Null, Failure::NotAsked("the call was never recorded".to_owned()));
        Box::pin(std::future::ready(Ok(reply.unwrap_or_else(not_asked))))
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
