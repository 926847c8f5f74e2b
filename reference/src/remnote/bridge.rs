//! The bridge of a remnote MCP server: it connects to the server, which forwards the requests of its clients.
//!
//! One JSON object is one text frame. The server's releases differ in what they demand of the first one, `hello`: older ones
//! need none, newer ones drop a bridge whose version is not that of their own minor release, but say theirs first.

use super::arguments::{ByTag, Read, Refusal, Search, Unknown};
use super::corpus::Corpus;
use super::search::{read_note, search, search_by_tag};
use crate::contract::{Options, Run};
use crate::data::DataError;
use crate::quote::quoted;
use crate::stop::{exit_code, stop_signal};
use clap::Parser;
use futures::{SinkExt, StreamExt};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::process::ExitCode;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tokio_tungstenite::connect_async_with_config;
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::{Error, Message};

/// The wait before the second attempt; each further attempt waits twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Be the bridge of a remnote MCP server: connect to it and answer its requests.
#[derive(Parser)]
#[command(name = "bridge")]
pub(super) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Where the server waits for its bridge
    #[arg(long, value_name = "URL", default_value = "ws://127.0.0.1:3002", value_parser = server_url)]
    connect: Uri,
    /// The version to send in `hello` until the server has sent its own
    #[arg(long, value_name = "VERSION", default_value = "0.6.0")]
    hello: String,
}

impl Run for Arguments {
    /// Answers until the program is stopped.
    fn run(self) -> ExitCode {
        exit_code("reference bridge", start(self))
    }
}

/// Why the bridge cannot start.
#[derive(Debug, thiserror::Error)]
enum BridgeError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("could not start: {0}")]
    Start(#[from] std::io::Error),
}

fn server_url(text: &str) -> Result<Uri, String> {
    let url: Uri = text.parse().map_err(|problem| format!("{problem}; give a URL like ws://127.0.0.1:3002"))?;
    match (url.scheme_str(), url.host()) {
        (Some("ws"), Some(_)) => Ok(url),
        _ => Err("the server of a bridge is on this machine; give a URL like ws://127.0.0.1:3002".to_owned()),
    }
}

fn start(arguments: Arguments) -> Result<(), BridgeError> {
    let corpus = Corpus::of(&arguments.options)?;
    let mut bridge = Bridge { corpus, url: arguments.connect, version: arguments.hello };
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let stop = stop_signal()?;
        tokio::pin!(stop);
        bridge.keep_connected(stop).await;
        Ok(())
    })
}

struct Bridge {
    corpus: Corpus,
    url: Uri,
    /// The version in `hello`.
    version: String,
}

/// Why a connection is over.
enum End {
    /// The program was asked to stop.
    Stopped,
    /// The connection ended; the reason, for a person.
    Lost(String),
}

impl Bridge {
    /// Connects again whenever the connection ends, and waits longer after each attempt that fails.
    async fn keep_connected(&mut self, mut stop: impl Future<Output = ()> + Unpin) {
        let mut wait = FIRST_WAIT;
        loop {
            let started = Instant::now();
            let reason = match self.connection(&mut stop).await {
                Ok(End::Stopped) => return,
                Ok(End::Lost(reason)) => format!("disconnected from {}: {reason}", self.url),
                Err(problem) => format!("not connected to {}: {problem}", self.url),
            };
            if started.elapsed() > wait {
                wait = FIRST_WAIT;
            }
            eprintln!("reference bridge: {reason}; trying again in {wait:?}");
            tokio::select! {
                () = &mut stop => return,
                () = sleep(wait) => wait = LONGEST_WAIT.min(wait * 2),
            }
        }
    }

    /// One connection, from `hello` to its end. An error means that there was no connection.
    async fn connection(&mut self, stop: &mut (impl Future<Output = ()> + Unpin)) -> Result<End, Error> {
        // Small answers must not wait for the acknowledgement of the one before.
        let connecting = connect_async_with_config(self.url.clone(), None, true);
        let (mut socket, _) = tokio::select! {
            () = &mut *stop => return Ok(End::Stopped),
            connected = connecting => connected?,
        };
        eprintln!("reference bridge: connected to {}", self.url);
        let mut next = Some(json!({ "type": "hello", "version": self.version }));
        loop {
            if let Some(message) = next.take()
                && let Err(problem) = socket.send(Message::text(message.to_string())).await
            {
                return Ok(End::Lost(problem.to_string()));
            }
            let message = tokio::select! {
                () = &mut *stop => {
                    // The server may be gone already, and then the goodbye fails.
                    drop(socket.close(None).await);
                    return Ok(End::Stopped);
                }
                message = socket.next() => message,
            };
            match message {
                Some(Ok(Message::Text(text))) => next = self.answer(&text),
                Some(Ok(Message::Close(Some(frame)))) => return Ok(End::Lost(format!("it said {frame}"))),
                Some(Ok(Message::Close(None))) | None => return Ok(End::Lost("it closed the connection".to_owned())),
                Some(Ok(_)) => {}
                Some(Err(problem)) => return Ok(End::Lost(problem.to_string())),
            }
        }
    }

    /// The answer to a message, if it needs one.
    fn answer(&mut self, text: &str) -> Option<Value> {
        let Ok(Value::Object(message)) = serde_json::from_str(text) else {
            eprintln!("reference bridge: a message is not a JSON object, and is ignored");
            return None;
        };
        match message.get("type").and_then(Value::as_str) {
            Some("ping") => return Some(json!({ "type": "pong" })),
            Some("companion_info") => {
                if let Some(version) = message.get("version").and_then(Value::as_str) {
                    version.clone_into(&mut self.version);
                }
                return None;
            }
            Some(_) => return None,
            None => {}
        }
        // A message with a result or an error is an answer, and we asked nothing.
        let id = message.get("id").filter(|_| !message.contains_key("result") && !message.contains_key("error"))?;
        Some(match self.result(&message) {
            Ok(result) => json!({ "id": id, "result": result }),
            Err(problem) => json!({ "id": id, "error": problem }),
        })
    }

    fn result(&self, message: &Map<String, Value>) -> Result<Value, String> {
        let action = message.get("action").and_then(Value::as_str).ok_or("action must be a string")?;
        let nothing = Map::new();
        let payload = match message.get("payload") {
            None => &nothing,
            Some(Value::Object(payload)) => payload,
            Some(_) => return Err("payload must be an object".to_owned()),
        };
        let (corpus, revision, unknown) = (&self.corpus, self.corpus.revision, Unknown::Ignored);
        match action {
            "search" => found(Search::parse(payload, revision, unknown).and_then(|asked| search(corpus, &asked))),
            "search_by_tag" => {
                found(ByTag::parse(payload, revision, unknown).and_then(|asked| search_by_tag(corpus, &asked)))
            }
            "read_note" => found(Read::parse(payload, revision, unknown).and_then(|asked| read_note(corpus, &asked))),
            "get_status" => Ok(json!({
                "connected": true,
                "pluginVersion": self.version,
                "acceptWriteOperations": false,
                "acceptReplaceOperation": false,
            })),
            _ => Err(format!("there is no action {}", quoted(action))),
        }
    }
}

fn found(answer: Result<impl Serialize, Refusal>) -> Result<Value, String> {
    let answer = answer.map_err(|refusal| refusal.to_string())?;
    serde_json::to_value(answer).map_err(|problem| format!("could not write the answer as JSON: {problem}"))
}
