//! How a conversation begins in each era, and how a client finds out which era a server speaks.
//!
//! The procedure is that of MCP 2026-07-28, basic/versioning and the Backward Compatibility sections of both transports: a modern
//! question first, `initialize` after any answer that is not modern. It is put to processes and connections of its own, so that a
//! server which dies, hangs or is confused by it loses nothing.

use super::connection::Connection;
use super::outgoing::client;
use super::rpc::Came;
use super::way::Way;
use crate::format::codes::{HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION};
use crate::model::{Era, Failure};
use crate::text::inert;
use crate::transport::{Limits, TransportError};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How long silence after a modern question is taken for a slow start, before `initialize` is tried beside it.
const SILENCE: Duration = Duration::from_secs(3);
/// How much longer a modern answer is waited for once `initialize` was answered.
const GRACE: Duration = Duration::from_secs(1);

/// Who answers so is modern.
const MODERN_ERRORS: [i64; 3] = [HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION];

/// What came of the attempt to begin a conversation in one era.
pub(super) enum Attempt {
    /// It has begun; with the way, as it knows what a program of its own said.
    Begun(Box<Begun>),
    /// It has not, for this reason.
    Not(String),
    /// Something was said that tells nothing of the era: the caller or the moment was refused, or the server failed.
    Unclear(String),
    /// The server wants a token for this, which tells nothing of the era either.
    Unauthorized(TransportError),
    /// There was no time for an answer.
    Silent,
    /// It was not tried.
    Untried,
}

/// A conversation that has begun.
pub(super) struct Begun {
    pub(super) way: Way,
    pub(super) connection: Connection,
    /// Whether more than a code of an error, or a list that names no version, says that the server is of this era.
    is_sure: bool,
}

impl Attempt {
    /// Why it did not begin, for people.
    pub(super) fn why(&self, era: Era) -> String {
        let asked = match era {
            Era::Legacy => "`initialize`",
            Era::Modern => "`server/discover`",
        };
        match self {
            Self::Not(why) | Self::Unclear(why) => format!("{asked} brings no result: {why}"),
            Self::Unauthorized(error) => format!("{asked} brings no result: {error}"),
            Self::Silent | Self::Untried | Self::Begun(_) => format!("{asked} brings no answer"),
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        matches!(self, Self::Begun(_))
    }
}

/// A server in both eras, as far as it was asked.
pub(super) struct Found {
    pub(super) modern: Attempt,
    pub(super) legacy: Attempt,
}

impl Found {
    /// The conversation in the newer era of those in which one has begun; otherwise why there is none.
    pub(super) fn best(self) -> Result<Connection, String> {
        match (self.modern, self.legacy) {
            (Attempt::Begun(begun), _) | (_, Attempt::Begun(begun)) => Ok(begun.connection),
            (modern, legacy) => Err(Self { modern, legacy }.why()),
        }
    }

    /// Why there is no conversation, for people.
    pub(super) fn why(&self) -> String {
        match (&self.modern, &self.legacy) {
            (modern, Attempt::Untried) => modern.why(Era::Modern),
            (Attempt::Untried, legacy) => legacy.why(Era::Legacy),
            (Attempt::Not(one) | Attempt::Unclear(one), Attempt::Not(other) | Attempt::Unclear(other))
                if one == other =>
            {
                format!("neither `initialize` nor `server/discover` brings a result: {one}")
            }
            (modern, legacy) => format!("{}; {}", legacy.why(Era::Legacy), modern.why(Era::Modern)),
        }
    }

    /// Whether it was asked in both eras, and says nothing at all.
    pub(super) fn is_silent(&self) -> bool {
        matches!((&self.modern, &self.legacy), (Attempt::Silent, Attempt::Silent))
    }

    /// The same, where a token is not what keeps it from beginning.
    fn authorized(self) -> Result<Self, TransportError> {
        match self {
            Self { modern: Attempt::Unauthorized(error), legacy } if !legacy.has_begun() => Err(error),
            Self { modern, legacy: Attempt::Unauthorized(error) } if !modern.has_begun() => Err(error),
            found => Ok(found),
        }
    }

    /// The same without the modern era where a server speaks the legacy one, and nothing shows the modern one but a code that a legacy
    /// server may have for something else.
    async fn sure(self) -> Self {
        match self.modern {
            Attempt::Begun(modern) if !modern.is_sure && self.legacy.has_begun() => {
                modern.connection.close().await;
                let why = "it answers as a modern server may, and then lists no tools as one";
                Self { modern: Attempt::Not(why.to_owned()), legacy: self.legacy }
            }
            modern => Self { modern, ..self },
        }
    }
}

/// Begins a conversation in an era, or in each that the server speaks.
///
/// # Errors
/// When nothing is there, or it wants a token.
pub(super) async fn open(way: &Way, limits: Limits, era: Option<Era>) -> Result<Found, TransportError> {
    match era {
        Some(Era::Legacy) => {
            Ok(Found { modern: Attempt::Untried, legacy: surely(way.apart(), Era::Legacy, limits).await? })
        }
        Some(Era::Modern) => {
            Ok(Found { modern: surely(way.apart(), Era::Modern, limits).await?, legacy: Attempt::Untried })
        }
        None => Ok(detect(way, limits).await?.authorized()?.sure().await),
    }
}

/// Begins a conversation anew, in the era that the server is known to speak; otherwise why it does not begin.
pub(super) async fn again(way: &Way, era: Era, limits: Limits) -> Result<Result<Connection, String>, TransportError> {
    Ok(match surely(way.clone(), era, limits).await? {
        Attempt::Begun(begun) => Ok(begun.connection),
        other => Err(other.why(era)),
    })
}

/// Finds out what a server speaks of which nothing is known.
async fn detect(way: &Way, limits: Limits) -> Result<Found, TransportError> {
    let since = Instant::now();
    let mut first = Box::pin(tried(way.apart(), Era::Modern, limits));
    let modern = match timeout(SILENCE, &mut first).await {
        Ok(modern) => modern?,
        // A slow start is not evidence of an era: the question stays, and the other one is asked beside it.
        Err(_) => return beside(way, limits, first).await,
    };
    drop(first);
    let took = since.elapsed();
    match modern {
        // Whether it speaks the other era too. It has as much time for that as it took, and some more.
        modern @ Attempt::Begun(_) => {
            let legacy = timeout(SILENCE + took * 2, begin(way.apart(), Era::Legacy, limits)).await;
            // What goes wrong with the second program says nothing of the first.
            let legacy = legacy.ok().and_then(Result::ok).unwrap_or(Attempt::Silent);
            Ok(Found { modern, legacy })
        }
        modern => {
            let legacy = tried(way.apart(), Era::Legacy, limits).await.map_err(since_the_question)?;
            // The moment may have been a bad one, or the connection broke: nobody is blamed for one question in vain.
            let modern = match (&modern, legacy.has_begun()) {
                (Attempt::Unclear(_) | Attempt::Unauthorized(_), _) | (_, false) => {
                    or_unauthorized(surely(way.apart(), Era::Modern, limits).await)?
                }
                (_, true) => modern,
            };
            Ok(Found { modern, legacy })
        }
    }
}

/// Asks in the other era while the modern question waits for its answer.
async fn beside(
    way: &Way,
    limits: Limits,
    mut modern: std::pin::Pin<Box<impl Future<Output = Result<Attempt, TransportError>>>>,
) -> Result<Found, TransportError> {
    let since = Instant::now();
    let mut other = Box::pin(tried(way.apart(), Era::Legacy, limits));
    tokio::select! {
        modern = &mut modern => {
            let modern = modern?;
            let legacy = match modern.has_begun() {
                // It began later, and may take as long to start.
                true => timeout(SILENCE * 2 + since.elapsed(), other).await.ok().and_then(Result::ok).unwrap_or(Attempt::Silent),
                false => other.await.map_err(since_the_question)?,
            };
            Ok(Found { modern, legacy })
        }
        legacy = &mut other => {
            drop(other);
            // It may be the only one of its kind that can run: then the second could not start, or not for long.
            let legacy = legacy.unwrap_or(Attempt::Silent);
            let time = if legacy.has_begun() { GRACE } else { limits.first };
            match (timeout(time, &mut modern).await, legacy.has_begun()) {
                (Ok(modern), _) => Ok(Found { modern: modern?, legacy }),
                (Err(_), true) => Ok(Found { modern: Attempt::Silent, legacy }),
                (Err(_), false) => {
                    drop(modern);
                    Ok(Found { modern: Attempt::Silent, legacy: tried(way.apart(), Era::Legacy, limits).await? })
                }
            }
        }
    }
}

/// How a server is asked that a modern question costs too much.
pub(super) const AS_LEGACY: &str =
    "start it again, and ask it with --mcp-era legacy (in a target file, era = \"legacy\")";

/// That nobody is there any more who was there for the modern question.
fn since_the_question(error: TransportError) -> TransportError {
    match error {
        TransportError::NotReachable { address, reason } => {
            let reason = format!("{reason}, since it was asked for the modern era (`server/discover`): {AS_LEGACY}");
            TransportError::NotReachable { address, reason }
        }
        other => other,
    }
}

/// What came of an attempt, where that a token is wanted is no end of it: a gate may let one method pass that knows no other.
fn or_unauthorized(tried: Result<Attempt, TransportError>) -> Result<Attempt, TransportError> {
    match tried {
        Err(error @ TransportError::NotAuthorized { .. }) => Ok(Attempt::Unauthorized(error)),
        tried => tried,
    }
}

/// Begins a conversation, if no token is wanted.
async fn tried(way: Way, era: Era, limits: Limits) -> Result<Attempt, TransportError> {
    or_unauthorized(begin(way, era, limits).await)
}

/// A conversation with a server that is said to be of this era.
async fn surely(way: Way, era: Era, limits: Limits) -> Result<Attempt, TransportError> {
    match begin(way.clone(), era, limits).await? {
        begun @ Attempt::Begun(_) => Ok(begun),
        other if era == Era::Modern => without_discover(&way, limits, other).await,
        other => Ok(other),
    }
}

/// A server may be modern and lack `server/discover`: then the result of another request says so. Otherwise `before` is what is known.
async fn without_discover(way: &Way, limits: Limits, before: Attempt) -> Result<Attempt, TransportError> {
    let way = way.apart();
    let connection = Connection::new(way.wire(Era::Modern, limits)?, Era::Modern, limits);
    let (_, came) = connection.ask(connection.request("tools/list", json!({}))).await?;
    if came.failure.is_some() || came.response["result"].get("resultType").is_none() {
        connection.close().await;
        return Ok(before);
    }
    let hello = json!({ "failure": before.why(Era::Modern) });
    let connection = connection.listing(Some(Era::Modern.revision().to_owned()), hello, Came::default()).await?;
    Ok(Attempt::Begun(Box::new(Begun { way, connection, is_sure: true })))
}

/// Begins a conversation in one era, in which nothing is known of the server.
async fn begin(way: Way, era: Era, limits: Limits) -> Result<Attempt, TransportError> {
    let connection = Connection::new(way.wire(era, limits)?, era, limits);
    let request = match era {
        Era::Legacy => {
            let offered = json!({
                "protocolVersion": Era::Legacy.revision(), "capabilities": {}, "clientInfo": client()
            });
            connection.request("initialize", offered)
        }
        Era::Modern => connection.request("server/discover", json!({})),
    };
    let mut came = connection.first(&request, limits.first).await?;
    if era == Era::Modern && came.response.get("error").is_some() && discovery(&came).is_ok() {
        // It says that it is modern, and may have had a bad moment.
        let again = connection.request("server/discover", json!({}));
        came = connection.first(&again, limits.first).await?;
    }
    let answer = match era {
        Era::Legacy => greeting(&came),
        Era::Modern => discovery(&came),
    };
    match answer {
        Ok((revision, hello)) => {
            let connection = connection.listing(revision, hello, came).await?;
            let is_sure = era == Era::Legacy || names_ours(&connection.hello) || connection.lists_as_modern;
            Ok(Attempt::Begun(Box::new(Begun { way, connection, is_sure })))
        }
        Err(attempt) => {
            connection.close().await;
            Ok(attempt)
        }
    }
}

/// What the answer to `initialize` says: the revision, and the result.
fn greeting(came: &Came) -> Result<(Option<String>, Value), Attempt> {
    let result = &came.response["result"];
    match &came.failure {
        Some(Failure::Hindered(_) | Failure::ServerError(_)) => return Err(Attempt::Unclear(refusal(came))),
        // A program that ends may be the second one of its kind, where only one can run.
        Some(_) if !came.status.is_some_and(|status| (400..500).contains(&status)) => {
            return Err(Attempt::Unclear(refusal(came)));
        }
        Some(_) => return Err(Attempt::Not(refusal(came))),
        None if !result.is_object() => return Err(Attempt::Not(refusal(came))),
        None => {}
    }
    Ok((result["protocolVersion"].as_str().map(str::to_owned), result.clone()))
}

/// What the answer to `server/discover` says: the revision that is spoken from now on, and the response.
fn discovery(came: &Came) -> Result<(Option<String>, Value), Attempt> {
    let (result, error) = (&came.response["result"], &came.response["error"]);
    let code = error["code"].as_i64();
    let is_modern_error = code.is_some_and(|code| MODERN_ERRORS.contains(&code));
    match &came.failure {
        Some(Failure::TimedOut(_)) => return Err(Attempt::Silent),
        Some(Failure::Hindered(_) | Failure::ServerError(_)) => return Err(Attempt::Unclear(refusal(came))),
        Some(_) => return Err(Attempt::Not(refusal(came))),
        None if !result["supportedVersions"].is_array() && !is_modern_error => return Err(Attempt::Not(refusal(came))),
        None => {}
    }
    let named = named(&came.response);
    let ours = Era::Modern.revision();
    let mut hello = came.response.clone();
    if let Value::Object(hello) = &mut hello {
        hello.retain(|name, _| matches!(name.as_str(), "result" | "error"));
    }
    // A list that cannot be read is judged, and does not keep anybody from asking.
    if named.is_empty() || named.contains(&ours) {
        return Ok((Some(ours.to_owned()), hello));
    }
    let all = named.join(", ");
    Err(Attempt::Not(match named.iter().any(|version| *version >= ours) {
        true => format!("the server speaks MCP {all}, and this program speaks {ours} and {}", Era::Legacy.revision()),
        false => format!("the server speaks MCP {all}"),
    }))
}

/// The versions that a response to `server/discover` names.
fn named(response: &Value) -> Vec<&str> {
    let (result, error) = (&response["result"], &response["error"]);
    let named = if result.is_object() { &result["supportedVersions"] } else { &error["data"]["supported"] };
    named.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether a response to `server/discover` names the version that we speak.
fn names_ours(response: &Value) -> bool {
    named(response).contains(&Era::Modern.revision())
}

/// What came in place of a result.
fn refusal(came: &Came) -> String {
    let start = || inert::short(&came.response.to_string(), 200);
    let why = came.failure.as_ref().map_or_else(start, ToString::to_string);
    let noise = came.problems.first().map_or_else(String::new, |problem| format!("; {}", problem.message));
    format!("{why}{noise}")
}
