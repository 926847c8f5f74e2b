//! What transports have in common when they send a request: the moment, on the clock of the machine and on a clock that is
//! never set, and the form of plain arguments.

use crate::model::{Failure, RawReply, Received};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

/// An argument where no JSON carries it: in a query, on a command line.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What was given to a program, with the variables that it has beside ours, where there are some.
pub(super) fn in_environment(mut sent: Value, environment: &BTreeMap<String, String>) -> Value {
    if !environment.is_empty() {
        sent["environment"] = json!(environment);
    }
    sent
}

/// When a request was sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sending {
    at: DateTime<Utc>,
    since: Instant,
}

impl Sending {
    pub(super) fn now() -> Self {
        Self { at: SystemTime::now().into(), since: Instant::now() }
    }

    /// What has arrived by now.
    pub(super) fn reply(self, sent: Value, received: Received) -> RawReply {
        RawReply {
            sent,
            sent_at: self.at.to_rfc3339_opts(SecondsFormat::Millis, true),
            elapsed: self.since.elapsed().as_secs_f64(),
            ..RawReply::of(received)
        }
    }

    /// That nothing arrived, and why.
    pub(super) fn failed(self, sent: Value, failure: Failure) -> RawReply {
        RawReply { failure: Some(failure), ..self.reply(sent, Received::Nothing) }
    }
}

#[cfg(test)]
mod tests {
    use super::Sending;
    use crate::model::Received;
    use serde_json::Value;
    use std::time::{Duration, Instant, SystemTime};

    #[test]
    fn a_clock_before_1970_says_its_time() {
        let past = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
        let sending = Sending { at: past.into(), since: Instant::now() };
        assert_eq!(sending.reply(Value::Null, Received::Nothing).sent_at, "1969-12-31T23:59:59.000Z");
    }
}
