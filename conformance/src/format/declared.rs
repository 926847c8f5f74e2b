//! What a client has declared, by which it is judged what a server may ask it for and tell it.

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
    wants_progress: bool,
    /// The request is one for notifications.
    listens: bool,
    /// The revision that is spoken knows batches, or it is not known which one is spoken.
    knows_batches: bool,
}

/// The first revision without batches (2025-06-18, changelog).
const WITHOUT_BATCHES: &str = "2025-06-18";

/// The era of a request: a modern one says its version by itself.
pub(crate) fn era(request: &Value) -> Era {
    if request["params"]["_meta"][VERSION].is_string() { Era::Modern } else { Era::Legacy }
}

impl Declared {
    /// What a client can be asked for.
    pub(crate) const KNOWN: [&str; 3] = ["elicitation/create", "roots/list", "sampling/createMessage"];

    /// By our own client, which declares nothing.
    pub(crate) fn nothing(era: Era) -> Self {
        let knows_batches = era == Era::Legacy;
        Self { era, capabilities: json!({}), wants_log: false, wants_progress: false, listens: false, knows_batches }
    }

    /// The same in a conversation in which this revision was agreed on.
    pub(crate) fn agreed(mut self, revision: Option<&str>) -> Self {
        self.knows_batches &= revision.is_none_or(|revision| revision < WITHOUT_BATCHES);
        self
    }

    /// By whoever sent a request; `before` is what a legacy client said in `initialize`.
    pub(crate) fn with(request: &Value, before: &Value) -> Self {
        let meta = &request["params"]["_meta"];
        match era(request) {
            Era::Legacy => Self { capabilities: before.clone(), ..Self::nothing(Era::Legacy) },
            Era::Modern => Self {
                era: Era::Modern,
                capabilities: meta[CAPABILITIES].clone(),
                wants_log: !meta[LOG_LEVEL].is_null(),
                wants_progress: !meta["progressToken"].is_null(),
                listens: request["method"] == "subscriptions/listen",
                knows_batches: false,
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
            Era::Modern => Some(Problem::of(
                "server-request",
                format!(
                    "the server sends a request, `{method}`: since 2026-07-28 it asks by a result of the type `input_required`"
                ),
            )),
            Era::Legacy if !self.has(method) => Some(undeclared(method)),
            Era::Legacy => None,
        }
    }

    /// What is wrong with messages that come in one array.
    pub(crate) fn batched(&self) -> Option<Problem> {
        let message =
            || format!("the server answers by an array of messages, a batch; there are none since {WITHOUT_BATCHES}");
        (!self.knows_batches).then(|| Problem::of("envelope", message()))
    }

    /// What is wrong with a notification of the server: since 2026-07-28, each belongs to a request that asks for it. Before, a server
    /// may send what it likes.
    pub(crate) fn told(&self, method: &str) -> Option<Problem> {
        if self.era == Era::Legacy || self.listens {
            return None;
        }
        let (code, asks) = match method {
            "notifications/message" if !self.wants_log => {
                ("unasked-log", "has asked for log messages by its `logLevel`")
            }
            "notifications/progress" if !self.wants_progress => ("unasked", "has given a `progressToken`"),
            "notifications/message" | "notifications/progress" => return None,
            _ if method.starts_with("notifications/") => ("unasked", "has asked for it"),
            _ => return None,
        };
        Some(Problem::of(code, format!("the server sends `{method}`, and no request {asks}")))
    }
}

/// That a client is asked for what it did not declare.
pub(crate) fn undeclared(method: &str) -> Problem {
    Problem::of("undeclared", format!("the server asks for `{method}`, which the client did not declare"))
}

#[cfg(test)]
mod tests {
    use super::Declared;
    use crate::model::Era;
    use rstest::rstest;

    #[rstest]
    #[case::of_the_revision_that_has_them(Era::Legacy, Some("2025-03-26"), true)]
    #[case::of_one_that_is_not_known(Era::Legacy, None, true)]
    #[case::of_the_next_one(Era::Legacy, Some("2025-06-18"), false)]
    #[case::of_a_modern_one(Era::Modern, None, false)]
    fn batches_belong_to_a_revision(#[case] era: Era, #[case] revision: Option<&str>, #[case] is_right: bool) {
        assert_eq!(Declared::nothing(era).agreed(revision).batched().is_none(), is_right);
    }
}
