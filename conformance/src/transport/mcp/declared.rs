//! What a client has declared, by which it is judged what a server may ask it for and tell it.

use super::rpc::problem;
use crate::model::{Era, Problem};
use serde_json::{Value, json};

/// Where a modern request says what its client can do, and where it asks for log messages (2026-07-28, basic/index, `_meta`).
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// What a client has declared.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    era: Era,
    capabilities: Value,
    wants_log: bool,
}

/// The era of a request: a modern one says its version by itself.
pub(crate) fn era(request: &Value) -> Era {
    if request["params"]["_meta"][VERSION].is_string() { Era::Modern } else { Era::Legacy }
}

impl Declared {
    /// By our own client, which declares nothing. A legacy server sends log messages to whom it likes.
    pub(crate) fn nothing(era: Era) -> Self {
        Self { era, capabilities: json!({}), wants_log: era == Era::Legacy }
    }

    /// By whoever sent a request; `before` is what a legacy client said in `initialize`.
    pub(crate) fn with(request: &Value, before: &Value) -> Self {
        let meta = &request["params"]["_meta"];
        match era(request) {
            Era::Legacy => Self { era: Era::Legacy, capabilities: before.clone(), wants_log: true },
            Era::Modern => Self {
                era: Era::Modern,
                capabilities: meta[CAPABILITIES].clone(),
                wants_log: !meta[LOG_LEVEL].is_null(),
            },
        }
    }

    /// Whether the client can be asked by this method.
    pub(crate) fn has(&self, method: &str) -> bool {
        let needs = match method {
            "sampling/createMessage" => "sampling",
            "elicitation/create" => "elicitation",
            "roots/list" => "roots",
            _ => return true,
        };
        self.capabilities[needs].is_object()
    }

    /// Whether the client speaks extensions, which may have results of other types.
    pub(crate) fn has_extensions(&self) -> bool {
        self.capabilities["extensions"].as_object().is_some_and(|extensions| !extensions.is_empty())
    }

    /// What is wrong with a request of the server.
    pub(crate) fn asked(&self, method: &str) -> Option<Problem> {
        match self.era {
            Era::Modern => Some(problem(
                "server-request",
                format!(
                    "the server sends a request, `{method}`: since 2026-07-28 it asks by a result of the type `input_required`"
                ),
            )),
            Era::Legacy if !self.has(method) => Some(undeclared(method)),
            Era::Legacy => None,
        }
    }

    /// What is wrong with a notification of the server.
    pub(crate) fn told(&self, method: &str) -> Option<Problem> {
        (method == "notifications/message" && !self.wants_log).then(|| {
            let message = "the server sends a log message, `notifications/message`, and no request has asked for any by its `logLevel`";
            problem("unasked-log", message.to_owned())
        })
    }
}

/// That a client is asked for what it did not declare.
pub(crate) fn undeclared(method: &str) -> Problem {
    problem("undeclared", format!("the server asks for `{method}`, which the client did not declare"))
}
