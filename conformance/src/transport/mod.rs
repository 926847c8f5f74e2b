//! Reaching a target: the same calls over different transports, behind one small trait.
//!
//! A [`Transport`] opens a [`Session`] for each case. A session makes calls and hands over what arrived, as it arrived: `derive`
//! makes the rest of it.

mod answering;
mod arriving;
mod broken;
mod caller;
mod cli;
pub(crate) mod coded;
mod counts;
mod group;
pub(crate) mod http;
mod kept;
pub(crate) mod mcp;
mod pace;
mod recorded;
mod sending;
mod tail;
mod waits;
mod web;

pub(crate) use answering::{Answering, Look};
pub use cli::Cli;
pub(crate) use group::{Group, LAST_WORDS, command};
pub use http::Http;
pub use mcp::{Mcp, McpProgram};
pub use pace::Pace;
pub use recorded::Recording;
pub(crate) use sending::plain;
pub(crate) use tail::Tail;
pub use web::HttpOptions;

pub use crate::model::TransportError;

use crate::model::{Channel, Noticed, Operation, Problem, RawReply, Said, TransportKind};
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Duration;

/// A way to reach a target.
pub trait Transport: Send + Sync {
    /// Which way it is.
    fn kind(&self) -> TransportKind;

    /// The same, in the era that is spoken where that is MCP.
    fn channel(&self) -> Channel {
        Channel::new(self.kind(), None)
    }

    /// The ways that it turns out to be when the target is asked: MCP in each era that is spoken, the newer one first, or in the one that
    /// is known. Nothing where there is nothing to find out.
    ///
    /// # Errors
    /// When the target is not there.
    fn in_eras(&self) -> BoxFuture<'_, Result<Vec<InEra>, TransportError>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// The same without a question of the modern era, where it is not known to be spoken alone.
    ///
    /// # Errors
    /// When the target is not there.
    fn in_legacy(&self) -> BoxFuture<'_, Result<Vec<InEra>, TransportError>> {
        self.in_eras()
    }

    /// The same where it is not spoken, for this reason: each call is one that was not made.
    fn not_spoken(&self, _why: &str) -> Option<InEra> {
        None
    }

    /// Opens what the calls of one case share. `corpus` is the folder of data that a command line works on.
    ///
    /// # Errors
    /// When the target is not there, or this machine cannot make room for the case.
    fn open(&self, corpus: Option<&Path>) -> Result<Box<dyn Session>, TransportError>;

    /// What a program that the cases share has said last on standard error.
    fn said(&self) -> Option<Said> {
        None
    }

    /// What was noticed so far that belongs to no answer.
    fn noticed(&self) -> Noticed {
        Noticed::default()
    }

    /// Leaves problems with the form of answers, and why requests were sent again, to the next call, where nothing judges the one that
    /// had them: what is wrong with the beginning of a conversation comes once.
    fn keep(&self, _problems: Vec<Problem>, _retried: Vec<String>) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// Ends what the cases shared: a session, a program that was started. Calls after that are not made.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// A way to reach a target in one era.
pub struct InEra {
    /// The way.
    pub transport: Box<dyn Transport>,
    /// The revision of the protocol that was agreed on.
    pub revision: Option<String>,
    /// Whether the target has shown that it does not speak the other era. Silence, or a bad moment, shows nothing.
    pub alone: bool,
}

/// What the calls of one case share.
pub trait Session: Send + Sync {
    /// Makes one call.
    ///
    /// # Errors
    /// When the target is not there. Everything else that goes wrong is part of the reply.
    fn call<'s>(
        &'s self,
        operation: &'s Operation,
        with: &'s Map<String, Value>,
    ) -> BoxFuture<'s, Result<RawReply, TransportError>>;

    /// The exchange of a call that need not be made, since it is known already.
    fn known(&self, _operation: &Operation, _with: &Map<String, Value>) -> Option<Value> {
        None
    }
}

/// The limits of one call.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long it may take.
    pub time: Duration,
    /// How long the first answer of an MCP server may take: some are fetched and built first.
    pub first: Duration,
    /// How many bytes of answer are read.
    pub bytes: usize,
    /// How often a request is sent again that nobody took, or whose connection broke before any answer.
    pub retries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), first: Duration::from_secs(60), bytes: 8 << 20, retries: 0 }
    }
}
