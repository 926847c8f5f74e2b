//! The calls that a finding is about: what was asked, what was expected and received there, and how to repeat it.

use super::{diff, repeat};
use crate::judge::refusal;
use crate::ledger::RunLog;
use crate::model::{Detail, Finding};
use crate::text::{inert, plural, shell};
use serde_json::{Value, json};

/// A value of at most this many characters fits in a sentence.
const SHORT: usize = 60;

/// One call, with what is wrong there.
pub(super) struct Call<'l> {
    /// The request and its answer, where they were kept.
    exchange: Option<&'l Value>,
    /// What is wrong.
    pub(super) details: Vec<&'l Detail>,
}

/// The calls of a finding, at most three.
pub(super) fn of<'l>(log: &'l RunLog, finding: &'l Finding) -> Vec<Call<'l>> {
    let first = finding.details.iter().find_map(Detail::exchange);
    let mut calls: Vec<(Option<(usize, usize)>, Call<'l>)> = Vec::new();
    for detail in &finding.details {
        let at = detail.exchange().or(first);
        match calls.iter_mut().find(|(known, _)| *known == at) {
            Some((_, call)) => call.details.push(detail),
            None => {
                let exchange = log.exchange_at(finding, at.unwrap_or((0, 0)));
                calls.push((at, Call { exchange, details: vec![detail] }));
            }
        }
    }
    calls.into_iter().map(|(_, call)| call).collect()
}

/// How many more calls of a finding have such a reason, in words; nothing where all are shown.
pub(super) fn more(finding: &Finding) -> Option<String> {
    (finding.more_calls > 0).then(|| format!("and {} of this case", plural(finding.more_calls, "more call")))
}

/// The calls of a finding as plain text, for the reports of CI: what was asked, expected and received, and how to repeat it.
pub(super) fn text(log: &RunLog, finding: &Finding) -> String {
    /// A value of more characters is cut.
    const MOST: usize = 2000;
    let mut text = String::new();
    for call in of(log, finding) {
        text.extend(call.asked().map(|asked| format!("call: {}\n", inert::short(&asked, MOST))));
        for detail in &call.details {
            text.push_str(&format!("  {}\n", inert::line(&call.said(detail))));
            let (expected, received) = call.compared(detail);
            for (name, value) in [("expected", expected), ("received", received)] {
                let value = value.filter(|_| !call.says_all(detail));
                let value = value.map(|value| inert::short(&inert::line(&diff::plain(&value).to_string()), MOST));
                text.extend(value.map(|value| format!("    {name}: {value}\n")));
            }
        }
        if let Some((command, notes)) = call.repeat().split_last() {
            text.extend(notes.iter().map(|note| format!("{}\n", inert::line(note))));
            text.push_str(&format!("repeat: {}\n", inert::line(command)));
        }
    }
    text.extend(more(finding).map(|more| more + "\n"));
    text
}

/// What is wrong first, in a sentence.
pub(super) fn first(log: &RunLog, finding: &Finding) -> Option<String> {
    let calls = of(log, finding);
    let call = calls.first()?;
    Some(call.said(call.details.first()?))
}

impl<'l> Call<'l> {
    /// The request with its arguments, on one line; nothing where it was not kept.
    pub(super) fn asked(&self) -> Option<String> {
        asked(self.exchange?)
    }

    /// How to repeat it: comments that say what to set first, and a command; nothing where it cannot be repeated.
    pub(super) fn repeat(&self) -> Vec<String> {
        let Some(exchange) = self.exchange else { return Vec::new() };
        // What a server says of itself is part of the exchange that lists its tools.
        let is_discovery = |detail: &&Detail| detail.at.as_deref().is_some_and(|at| at.contains("/answer/discover"));
        match self.details.first().is_some_and(is_discovery) {
            true => repeat::lines(&discovery(exchange)),
            false => repeat::lines(exchange),
        }
    }

    /// Whether it was refused, or failed.
    pub(super) fn is_not_accepted(&self) -> bool {
        self.exchange.is_some_and(|exchange| exchange["status"] != "accepted")
    }

    /// Why it was refused, where it was expected to be accepted.
    pub(super) fn refusal(&self) -> Option<String> {
        let is_of_status = |detail: &&&Detail| detail.at.as_deref().is_some_and(|at| at.ends_with("/status"));
        self.details.first().filter(is_of_status).and_then(|_| refusal(self.exchange?))
    }

    /// What the program said on standard error in this call.
    pub(super) fn standard_error(&self) -> Option<&'l str> {
        self.exchange?["answer"]["stderr"].as_str().filter(|text| !text.trim().is_empty())
    }

    /// What is wrong, in a sentence: with what was expected and received, where both are short.
    pub(super) fn said(&self, detail: &Detail) -> String {
        let message = detail.message.as_str();
        let (Some(expected), Some(found)) = self.compared(detail) else { return message.to_owned() };
        let (expected, found) = (words(&expected), words(&found));
        if !is_short(&expected) || !is_short(&found) {
            return message.to_owned();
        }
        let compared = format!("expected {expected}; received {found}");
        if message == Detail::UNEQUAL { compared } else { format!("{message}: {compared}") }
    }

    /// Whether the sentence says what was expected and received, or neither is known.
    pub(super) fn says_all(&self, detail: &Detail) -> bool {
        match self.compared(detail) {
            (Some(expected), Some(found)) => is_short(&words(&expected)) && is_short(&words(&found)),
            (Some(one), None) | (None, Some(one)) if is_quoted(&words(&one), &detail.message) => true,
            (None, Some(found)) => found.is_null() || found.is_boolean() || found == json!([]) || found == json!({}),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// What was expected beside what was received, where both can be compared. Of a status, what was received says more than the
    /// status alone.
    pub(super) fn compared(&self, detail: &Detail) -> (Option<Value>, Option<Value>) {
        let at = detail.at.as_deref().unwrap_or_default();
        let depth = at.matches('/').count();
        let found = match (depth, self.exchange) {
            // The whole exchange: the call and the message say what it is.
            (0..=2, Some(_)) if detail.expected.is_none() => None,
            (3, Some(exchange)) if at.ends_with("/status") => Some(received(exchange).into()),
            _ => detail.found.clone(),
        };
        (detail.expected.clone(), found)
    }
}

/// Whether a value fits in a sentence.
fn is_short(words: &str) -> bool {
    words.chars().count() <= SHORT && !words.contains('\n')
}

/// Whether a sentence has a value already. A shorter one may be in it by chance.
fn is_quoted(words: &str, sentence: &str) -> bool {
    (4..=SHORT).contains(&words.chars().count()) && sentence.contains(words)
}

/// A value on one line, as a sentence has it: a text without quotation marks.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => diff::plain(other).to_string(),
    }
}

/// How to repeat the first call of a finding: comments that say what to set first, and a command; nothing where it cannot be repeated.
pub(super) fn repeated(log: &RunLog, finding: &Finding) -> Vec<String> {
    of(log, finding).first().map_or_else(|| log.exchange(finding).map(repeat::lines).unwrap_or_default(), Call::repeat)
}

/// The exchange of `server/discover` that went out as another modern request did.
fn discovery(exchange: &Value) -> Value {
    const METHOD: &str = "server/discover";
    let mut exchange = exchange.clone();
    let sent = &mut exchange["request"]["sent"];
    let meta = sent["message"]["params"]["_meta"].take();
    sent["message"] = json!({ "jsonrpc": "2.0", "id": 1, "method": METHOD, "params": { "_meta": meta } });
    let headers = sent["headers"].as_object_mut().into_iter().flatten();
    for (_, value) in headers.filter(|(name, _)| name.eq_ignore_ascii_case("mcp-method")) {
        *value = METHOD.into();
    }
    exchange
}

/// A request with its arguments, on one line.
fn asked(exchange: &Value) -> Option<String> {
    let request = &exchange["request"];
    let sent = &request["sent"];
    let line = if let Some(message) = sent["message"].as_object() {
        let (method, params) = (message["method"].as_str().unwrap_or_default(), message.get("params"));
        let called = params.and_then(|params| Some((params["name"].as_str()?, &params["arguments"])));
        called.map_or_else(|| method.to_owned(), |(tool, arguments)| format!("{tool} {arguments}"))
    } else if let Some(url) = sent["url"].as_str() {
        let path = url.splitn(4, '/').nth(3).unwrap_or_default();
        let body = if sent["body"].is_null() { String::new() } else { format!(" {}", sent["body"]) };
        format!("{} /{path}{body}", sent["method"].as_str().unwrap_or("GET"))
    } else if let Some(argv) = sent["argv"].as_array() {
        let words = argv.iter().filter_map(Value::as_str).map(shell::word);
        words.map(|word| word.unwrap_or_default()).collect::<Vec<_>>().join(" ")
    } else {
        format!("{} {}", request["operation"].as_str()?, request["with"])
    };
    Some(inert::line(&line))
}

/// What came of a call: its status, as the protocol names it, and what a refusal said.
fn received(exchange: &Value) -> String {
    let (status, answer) = (exchange["status"].as_str().unwrap_or_default(), &exchange["answer"]);
    let items = exchange["items"].as_array().map(|items| plural(items.len(), "item"));
    let said = match () {
        () if answer["status"].is_u64() => format!("HTTP status {}", answer["status"]),
        () if answer["exit"].is_i64() => format!("exit status {}", answer["exit"]),
        () if answer["error"].is_object() => format!("error {}", answer["error"]["code"]),
        () if answer["result"]["isError"] == true => "a tool error".to_owned(),
        () if answer["result"].is_object() => "a result".to_owned(),
        () => return status.to_owned(),
    };
    let silent = answer["exit"].is_i64() && status != "accepted" && answer["stderr"].as_str().is_none_or(str::is_empty);
    let silent = if silent { ", nothing on standard error" } else { "" };
    let items = items.filter(|_| status == "accepted").map_or_else(String::new, |items| format!(", {items}"));
    format!("{status} ({said}{items}{silent})")
}
