//! HTTP: one client that keeps its connections, and answers kept as they came.

use super::web::{self, HttpOptions, chain, plain_headers, read};
use super::{Limits, Reply, Session, Transport, TransportError};
use crate::format::json::{MOST_VALUES, TOO_MANY, read_mending_surrogates};
use crate::model::{Failure, HttpArguments, HttpBinding, Operation, Problem, Raw, Status, TransportKind};
use futures::future::BoxFuture;
use reqwest::{Client, Method, Url};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A server at an address.
#[derive(Debug, Clone)]
pub struct Http(Arc<Server>);

#[derive(Debug)]
struct Server {
    client: Client,
    address: Url,
    headers: BTreeMap<String, String>,
    results: Option<String>,
    limits: Limits,
    /// Whether it ever answered: what fails before is a target that is not there.
    answered: AtomicBool,
}

impl Http {
    /// A client for a server. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address, a header or the file of certificates makes no sense.
    pub fn new(address: &str, options: &HttpOptions<'_>) -> Result<Self, String> {
        let (client, mut address) = web::client(address, options)?;
        let path = address.path().trim_end_matches('/').to_owned();
        address.set_path(&path);
        Ok(Self(Arc::new(Server {
            client,
            address,
            headers: options.headers.clone(),
            results: options.results.clone(),
            limits: options.limits,
            answered: AtomicBool::new(false),
        })))
    }

    /// What a call sends, as evidence has it, without sending it; nothing for an operation that is not spoken over HTTP.
    pub fn would_send(&self, operation: &Operation, with: &Map<String, Value>) -> Option<Value> {
        let binding = operation.http.as_ref()?;
        let (url, body) = self.0.request(binding, with).ok()?;
        Some(self.0.sent(binding, &url, body.as_ref()))
    }
}

impl Transport for Http {
    fn kind(&self) -> TransportKind {
        TransportKind::Http
    }

    fn open(&self, _: Option<&Path>) -> Result<Box<dyn Session>, TransportError> {
        Ok(Box::new(self.clone()))
    }
}

impl Session for Http {
    fn call<'s>(
        &'s self,
        operation: &'s Operation,
        with: &'s Map<String, Value>,
    ) -> BoxFuture<'s, Result<Reply, TransportError>> {
        Box::pin(async move {
            let started = Instant::now();
            let Some(binding) = &operation.http else {
                return Ok(broken(Value::Null, "the operation has no HTTP binding", started));
            };
            let (url, body) = match self.0.request(binding, with) {
                Ok(request) => request,
                Err(why) => return Ok(broken(Value::Null, &why, started)),
            };
            let sent = self.0.sent(binding, &url, body.as_ref());
            self.0.send(binding, url, body, sent, started).await
        })
    }
}

impl Server {
    fn sent(&self, binding: &HttpBinding, url: &Url, body: Option<&Value>) -> Value {
        json!({ "method": binding.method, "url": url.as_str(), "headers": self.headers, "body": body })
    }

    /// The address and the body of a call.
    fn request(&self, binding: &HttpBinding, with: &Map<String, Value>) -> Result<(Url, Option<Value>), String> {
        let mut url = match binding.path.strip_prefix('{').and_then(|path| path.strip_suffix('}')) {
            Some(argument) => self.on_own_origin(with.get(argument).and_then(Value::as_str).unwrap_or_default())?,
            None => {
                let mut url = self.address.clone();
                url.set_path(&format!("{}{}", self.address.path().trim_end_matches('/'), binding.path));
                url
            }
        };
        match binding.arguments {
            HttpArguments::Path => Ok((url, None)),
            HttpArguments::Body => Ok((url, Some(Value::Object(with.clone())))),
            HttpArguments::Query => {
                let pairs: Vec<(&str, String)> = with
                    .iter()
                    .flat_map(|(name, value)| {
                        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
                        values.iter().map(move |value| (name.as_str(), plain(value)))
                    })
                    .collect();
                if !pairs.is_empty() {
                    url.query_pairs_mut().extend_pairs(pairs);
                }
                Ok((url, None))
            }
        }
    }

    /// An address that an answer gave: absolute, or from the root of the target. Another origin is never asked.
    fn on_own_origin(&self, given: &str) -> Result<Url, String> {
        let url = self.address.join(given).map_err(|error| format!("`{given}` is no address: {error}"))?;
        match url.origin() == self.address.origin() {
            true => Ok(url),
            false => Err(format!("`{given}` is on another origin than the target and is not asked")),
        }
    }

    async fn send(
        &self,
        binding: &HttpBinding,
        url: Url,
        body: Option<Value>,
        sent: Value,
        started: Instant,
    ) -> Result<Reply, TransportError> {
        let Ok(method) = Method::from_bytes(binding.method.as_bytes()) else {
            return Ok(broken(sent, "the method of the binding is none", started));
        };
        let request = || {
            let request = self.client.request(method.clone(), url.clone());
            match &body {
                Some(body) => request.header("content-type", "application/json").body(body.to_string()),
                None => request,
            }
        };
        let mut retried = Vec::new();
        let everything = async {
            let response = web::send(request, self.limits, &mut retried).await?;
            self.answered.store(true, Ordering::Relaxed);
            let (status, headers) = (response.status().as_u16(), plain_headers(&response));
            Ok::<_, reqwest::Error>((status, headers, read(response, self.limits.bytes).await))
        };
        let answered = tokio::time::timeout(self.limits.time, everything).await;
        let reply = match answered {
            Err(_) => Ok(failed(sent, Failure::TimedOut(self.limits.time.as_secs()), started)),
            Ok(Err(error)) => match self.answered.load(Ordering::Relaxed) || !error.is_connect() {
                true => Ok(broken(sent, &chain(&error), started)),
                false => {
                    let address = self.address.as_str().trim_end_matches('/').to_owned();
                    Err(TransportError::NotReachable { address, reason: chain(&error) })
                }
            },
            Ok(Ok((401, _, _))) => Err(TransportError::NotAuthorized { address: self.address.to_string() }),
            Ok(Ok((status, headers, body))) => {
                let results = self.results.as_deref().or(binding.results.as_deref());
                Ok(reply(sent, status, headers, body, results, started.elapsed()))
            }
        };
        reply.map(|reply| Reply { raw: Raw { retried, ..reply.raw }, ..reply })
    }
}

/// What became of a request that was answered: with this status, these headers, and this body.
pub(crate) fn reply(
    sent: Value,
    status: u16,
    headers: Value,
    (body, failure): (Vec<u8>, Option<Failure>),
    results: Option<&str>,
    elapsed: Duration,
) -> Reply {
    let not_utf8_at = std::str::from_utf8(&body).err().map(|error| error.valid_up_to());
    let text = String::from_utf8_lossy(&body);
    let (value, mut problems) = read_mending_surrogates(&text);
    let too_many = problems.iter().any(|problem| problem.code == TOO_MANY).then_some(Failure::TooMany(MOST_VALUES));
    if let Some(at) = not_utf8_at {
        let message = format!("is no JSON in UTF-8: byte {at} of the body belongs to no character");
        problems.push(Problem { code: "json".to_owned(), line: 1, column: 1, message });
    }
    let (outcome, failure) = match (failure.or(too_many), status) {
        (Some(failure), _) => (Status::Failed, Some(failure)),
        (None, 200..=299) => (Status::Accepted, None),
        (None, 500..) => (Status::Failed, Some(Failure::ServerError(status))),
        (None, ..200) => {
            (Status::Failed, Some(Failure::Broken(format!("the status {status}, which is no answer to a request"))))
        }
        (None, 300..=399) => {
            (Status::Failed, Some(Failure::Broken(format!("a redirect, {status}, that is not followed"))))
        }
        (None, 403 | 405 | 408 | 429) => {
            (Status::Failed, Some(Failure::Broken(format!("the status {status}, which refuses no argument"))))
        }
        (None, _) => (Status::Refused, None),
    };
    if outcome == Status::Failed {
        problems.clear();
    }
    let items = (outcome == Status::Accepted).then(|| items(&value, results)).flatten().cloned();
    let shown = value.is_null().then(|| text.chars().take(300).collect::<String>());
    let mut answer = json!({ "status": status, "headers": null, "body": null, "text": shown });
    // What may be large is moved in: the macro copies.
    (answer["headers"], answer["body"]) = (headers, value);
    Reply {
        sent,
        status: outcome,
        answer,
        text: None,
        items,
        problems,
        raw: Raw { bytes: body.len(), failure, not_utf8_at, retried: Vec::new() },
        elapsed,
    }
}

/// The items of an answer: where they are said to be; else the first list of objects in the answer or up to two levels
/// below, else the first list.
fn items<'b>(body: &'b Value, results: Option<&str>) -> Option<&'b Value> {
    if let Some(told) = results.and_then(|pointer| body.pointer(pointer)).filter(|value| value.is_array()) {
        return Some(told);
    }
    let below = |value: &'b Value| value.as_object().into_iter().flat_map(Map::values);
    let lists = || {
        let all = std::iter::once(body).chain(below(body)).chain(below(body).flat_map(below));
        all.filter(|value| value.is_array())
    };
    lists().find(|list| list.get(0).is_some_and(Value::is_object)).or_else(|| lists().next())
}

/// A value as it stands in a query.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn broken(sent: Value, why: &str, started: Instant) -> Reply {
    failed(sent, Failure::Broken(why.to_owned()), started)
}

fn failed(sent: Value, failure: Failure, started: Instant) -> Reply {
    let raw = Raw { failure: Some(failure), ..Raw::default() };
    Reply::failed(sent, raw, started.elapsed())
}
