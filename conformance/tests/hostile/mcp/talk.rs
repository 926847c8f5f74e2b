//! A conversation with a server, and what the tests say in it.

use crate::trial::runtime;
use conformance::derive::derive;
use conformance::model::{Era, Exchange, Failure, Operation, RawReply, Request, Status};
use conformance::transport::{HttpOptions, Limits, Mcp, McpProgram, Session, Transport, TransportError};
use serde_json::{Value, json};
use std::any::Any;
use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;
use testing::Script;
use tokio::runtime::Runtime;

/// How long a first answer may take.
const FIRST: Duration = Duration::from_secs(60);
/// More than any call needs that ends by itself.
pub(crate) const PATIENT: Limits = Limits { time: Duration::from_secs(60), first: FIRST, bytes: 8 << 20, retries: 0 };
/// The limits of a call that is meant to run out of time.
pub(crate) const SOON: Limits = Limits { time: Duration::from_secs(1), first: FIRST, bytes: 8 << 20, retries: 0 };
/// The limits of a call that is meant to bring too much.
pub(crate) const SMALL: Limits = Limits { time: Duration::from_secs(60), first: FIRST, bytes: 100_000, retries: 0 };
/// A test that takes longer than this hangs.
const WATCHDOG: Duration = Duration::from_secs(120);

/// How often something that is on its way is looked for.
const LOOKS: usize = 10_000;

/// A conversation that is over when this value is gone.
pub(crate) struct Talk {
    pub(crate) mcp: Mcp,
    session: Box<dyn Session>,
    runtime: Runtime,
    _kept: Option<Box<dyn Any>>,
}

impl Talk {
    /// With a program.
    pub(crate) fn with(command: &[String], limits: Limits) -> Result<Self, TransportError> {
        let program = McpProgram { command, environment: BTreeMap::new(), folder: None };
        Ok(Self::over(Mcp::program(program, limits)?.in_era(Era::Legacy)))
    }

    /// With a script.
    pub(crate) fn to(script: &Script, limits: Limits) -> Self {
        Self::with(&script.words(), limits).unwrap()
    }

    /// With a server at an address.
    pub(crate) fn at(address: &str, limits: Limits) -> Self {
        Self::by(address, &BTreeMap::new(), limits)
    }

    /// With headers of the user.
    pub(crate) fn by(address: &str, headers: &BTreeMap<String, String>, limits: Limits) -> Self {
        let options = HttpOptions { headers, ca_cert: None, insecure: false, limits };
        Self::over(Mcp::address(address, &options).unwrap().in_era(Era::Legacy))
    }

    fn over(mcp: Mcp) -> Self {
        let session = mcp.open(None).unwrap();
        Self { mcp, session, runtime: runtime(), _kept: None }
    }

    /// Keeps a script or a server for as long as the conversation.
    pub(crate) fn keep(self, other: impl Any) -> Self {
        Self { _kept: Some(Box::new(other)), ..self }
    }

    /// Runs something to its end, which it has to come to.
    pub(crate) fn run<T>(&self, what: impl Future<Output = T>) -> T {
        self.runtime.block_on(async { tokio::time::timeout(WATCHDOG, what).await.expect("the test hangs") })
    }

    /// Calls an operation.
    pub(crate) fn ask(&self, operation: &Operation, with: Value) -> Result<Exchange, TransportError> {
        Ok(derived(&self.run(self.session.call(operation, with.as_object().unwrap()))?, operation))
    }

    /// Calls the tool `find`.
    pub(crate) fn find(&self) -> Exchange {
        self.ask(&find(), json!({ "query": "a" })).unwrap()
    }

    /// Why the target is not there.
    pub(crate) fn not_there(&self) -> TransportError {
        self.ask(&find(), json!({})).expect_err("the target is not there")
    }

    /// Lists the tools.
    pub(crate) fn list(&self) -> Exchange {
        self.ask(&listing(), json!({})).unwrap()
    }

    /// Calls at the same time, each told from the others by its query.
    pub(crate) fn at_once(&self, queries: impl IntoIterator<Item = String>, most: usize) -> Vec<(String, Exchange)> {
        use futures::{StreamExt, stream};
        let find = find();
        let calls = queries.into_iter().map(async |query: String| {
            let with = json!({ "query": query });
            let reply = self.session.call(&find, with.as_object().unwrap()).await.unwrap();
            (query, derived(&reply, &find))
        });
        self.run(stream::iter(calls).buffer_unordered(most).collect())
    }

    /// Waits for something that is on its way to the server, and asks the server something else meanwhile.
    pub(crate) fn until<T>(&self, arrived: impl Fn() -> Option<T>) -> T {
        (0..LOOKS)
            .find_map(|_| {
                self.list();
                arrived()
            })
            .expect("it never arrived")
    }

    /// Ends the conversation.
    pub(crate) fn close(self) {
        self.run(self.mcp.close());
    }
}

/// What is made of a reply, and of the same reply after it was written down and read.
pub(crate) fn derived(reply: &RawReply, operation: &Operation) -> Exchange {
    let written: RawReply = serde_json::from_str(&serde_json::to_string(reply).unwrap()).unwrap();
    // The last digit of a number that is written and read may be another one.
    let written = RawReply { elapsed: reply.elapsed, ..written };
    let [now, again] = [reply, &written].map(|reply| derive(Request::default(), reply, operation, None));
    assert!(json!(now) == json!(again), "{reply:?}");
    now
}

/// The operation that is the tool `find`, with two arguments.
pub(crate) fn find() -> Operation {
    let binding = json!({ "tool": "find", "results": "/results", "rename": { "noteId": "note_id" } });
    let mut operation: Operation =
        serde_json::from_value(json!({ "about": "Finds", "input": "find.json", "mcp": binding })).unwrap();
    operation.arguments = ["query", "limit", "noteId"].map(str::to_owned).to_vec();
    operation
}

/// The operation that lists the tools.
pub(crate) fn listing() -> Operation {
    serde_json::from_value(json!({ "about": "Lists the tools", "input": "none.json", "mcp": {} })).unwrap()
}

/// What every server of these tests says of its tools.
pub(crate) fn tools() -> Value {
    let properties = json!({ "query": {}, "limit": {}, "note_id": {} });
    let schema = json!({ "type": "object", "properties": properties });
    json!({ "tools": [{ "name": "find", "inputSchema": schema, "x-own": 1 }] })
}

/// What every server of these tests says of itself.
pub(crate) fn initialize() -> Value {
    let server = json!({ "name": "test", "version": "1" });
    json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": server })
}

/// A result with structured content and its copy as text.
pub(crate) fn found(results: Value) -> Value {
    let body = json!({ "results": results });
    json!({ "content": [{ "type": "text", "text": body.to_string() }], "structuredContent": body })
}

/// The codes of the problems of a reply, in order.
pub(crate) fn codes(reply: &Exchange) -> Vec<&str> {
    reply.problems.iter().map(|problem| problem.code.as_str()).collect()
}

/// Fails unless a call was accepted and everything about it is right.
pub(crate) fn assert_fine(reply: &Exchange) {
    assert_eq!(reply.status, Status::Accepted, "{reply:?}");
    assert_eq!(codes(reply), [""; 0], "{reply:?}");
    assert!(reply.items.is_some(), "{reply:?}");
}

/// Fails unless a call failed; what is said of it.
pub(crate) fn assert_failed(reply: &Exchange) -> String {
    assert_eq!(reply.status, Status::Failed, "{reply:?}");
    assert!(!matches!(reply.raw.failure, Some(Failure::NotAsked(_))), "{reply:?}");
    reply.raw.failure.as_ref().unwrap().to_string()
}
