//! A session that answers from a recording.

use super::sending::Sending;
use super::{Session, TransportError};
use crate::model::{Contract, Failure, HttpArguments, Operation, RawReply, Recorded, TransportKind};
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, PoisonError};

/// Calls and their replies, in the order in which they were made.
#[derive(Debug)]
pub struct Recording {
    calls: Vec<Recorded>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The calls that were made again.
    used: Vec<bool>,
    /// Calls that were never recorded.
    missing: Vec<String>,
}

impl Recording {
    /// A recording of a case.
    pub fn new(calls: Vec<Recorded>) -> Arc<Self> {
        let state = Mutex::new(State { used: vec![false; calls.len()], missing: Vec::new() });
        Arc::new(Self { calls, state })
    }

    /// The session of one endpoint: `home` is the transport of the case, `over` the one that a step named besides.
    pub(crate) fn session(
        self: &Arc<Self>,
        contract: &Contract,
        home: TransportKind,
        over: Option<TransportKind>,
    ) -> Box<dyn Session> {
        let operations = contract.operations.iter().map(|(name, operation)| (name.clone(), operation.clone()));
        let kind = over.unwrap_or(home);
        Box::new(RecordedSession { recording: Arc::clone(self), operations: operations.collect(), kind, over })
    }

    /// The calls that were asked for and never recorded.
    pub fn missing(&self) -> Vec<String> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).missing.clone()
    }
}

struct RecordedSession {
    recording: Arc<Recording>,
    operations: Vec<(String, Operation)>,
    kind: TransportKind,
    over: Option<TransportKind>,
}

impl RecordedSession {
    /// The reply to the first equal call that was not made yet, else to the last one.
    fn reply(&self, operation: &Operation, with: &Map<String, Value>) -> Option<RawReply> {
        let name = self.operations.iter().find(|(_, known)| known == operation).map(|(name, _)| name.as_str())?;
        let is_equal = |call: &Recorded| {
            call.operation == name && call.over == self.over && self.sends_the_same(operation, &call.with, with)
        };
        let mut state = self.recording.state.lock().unwrap_or_else(PoisonError::into_inner);
        let equal: Vec<usize> =
            self.recording.calls.iter().enumerate().filter(|(_, call)| is_equal(call)).map(|(at, _)| at).collect();
        let at = equal.iter().find(|at| !state.used[**at]).or(equal.last()).copied();
        let Some(at) = at else {
            state.missing.push(format!("{name} with {}", Value::Object(with.clone())));
            return None;
        };
        state.used[at] = true;
        Some(self.recording.calls[at].reply.clone())
    }

    /// Whether two calls look the same on the wire: where no JSON carries arguments, 7 and "7" do.
    fn sends_the_same(&self, operation: &Operation, left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
        if operation.carries_json_over(self.kind.protocol()) {
            return left == right;
        }
        let is_path = operation.http.as_ref().is_some_and(|http| http.arguments == HttpArguments::Path);
        let plain = |value: &Value| match value {
            Value::String(text) if is_path => own_path(text).to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        left.len() == right.len()
            && left.iter().all(|(name, value)| right.get(name).is_some_and(|other| plain(value) == plain(other)))
    }
}

impl Session for RecordedSession {
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

/// The path of an address on this machine, which an answer may give with any of its names.
fn own_path(address: &str) -> &str {
    let Some((_, rest)) = address.split_once("://") else { return address };
    let (host, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
    let is_own = ["localhost", "127.0.0.1", "[::1]"].iter().any(|own| host.starts_with(own));
    if is_own { path } else { address }
}
