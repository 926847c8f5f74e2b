//! HTTP: one client that keeps its connections, and answers kept as they came.

use super::broken::failure;
use super::caller::Caller;
use super::sending::{Sending, plain};
use super::waits::{Waits, asked_to_wait};
use super::web::{self, HttpOptions, asked_alone, is_this_machine, plain_headers, read, token_refused};
use super::{Limits, Pace, Session, Transport, TransportError};
use crate::model::{
    Body, Failure, HttpArguments, HttpBinding, Names, Noticed, Operation, RawReply, Received, TransportKind,
};
use futures::future::BoxFuture;
use reqwest::{Method, RequestBuilder, Url};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The longest address that our client sends.
const LONGEST_ADDRESS: usize = u16::MAX as usize - 1;

/// A server at an address.
#[derive(Debug, Clone)]
pub struct Http(Arc<Server>, Names);

#[derive(Debug)]
struct Server {
    caller: Caller,
    address: Url,
    headers: BTreeMap<String, String>,
    limits: Limits,
    /// Whether it ever answered: what fails before is a target that is not there.
    answered: AtomicBool,
    /// How often it answered anything but that it wants a token: until it did, it cannot be tested.
    let_in: AtomicUsize,
    /// Whether there was ever something at a path that the document does not give.
    found: AtomicBool,
}

impl Http {
    /// A client for a server. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address, a header or the file of certificates makes no sense.
    pub fn new(address: &str, options: &HttpOptions<'_>) -> Result<Self, String> {
        let (caller, mut address) = web::client(address, options)?;
        let path = address.path().trim_end_matches('/').to_owned();
        address.set_path(&path);
        let server = Server {
            caller,
            address,
            headers: options.headers.clone(),
            limits: options.limits,
            answered: AtomicBool::new(false),
            let_in: AtomicUsize::new(0),
            found: AtomicBool::new(false),
        };
        Ok(Self(Arc::new(server), Names::default()))
    }

    /// The same with the names of the target for what the document gives no name.
    pub fn naming(self, names: Names) -> Self {
        Self(self.0, names)
    }

    /// The same at a pace that others share.
    pub fn paced(self, pace: &Pace) -> Self {
        self.0.caller.keep_to(pace);
        self
    }

    /// What a call sends, as evidence has it, without sending it; nothing for an operation that is not spoken over HTTP.
    pub fn would_send(&self, operation: &Operation, with: &Map<String, Value>) -> Option<Value> {
        let binding = operation.http.as_ref()?.named(&self.1);
        let (url, body) = self.0.request(&binding, with).ok()?;
        Some(self.0.sent(&binding, &url, body.as_ref()))
    }
}

impl Transport for Http {
    fn kind(&self) -> TransportKind {
        TransportKind::Http
    }

    fn open(&self, _: Option<&Path>) -> Result<Box<dyn Session>, TransportError> {
        Ok(Box::new(self.clone()))
    }

    fn noticed(&self) -> Noticed {
        self.0.caller.noticed()
    }
}

impl Session for Http {
    fn call<'s>(
        &'s self,
        operation: &'s Operation,
        with: &'s Map<String, Value>,
    ) -> BoxFuture<'s, Result<RawReply, TransportError>> {
        Box::pin(async move {
            let not_sent = |why: Failure| Ok(Sending::now().failed(Value::Null, why));
            let Some(binding) = &operation.http else {
                return not_sent(Failure::Broken("the operation has no HTTP binding".to_owned()));
            };
            let binding = binding.named(&self.1);
            let (url, body) = match self.0.request(&binding, with) {
                Ok(request) => request,
                Err(why) => return not_sent(why),
            };
            if url.as_str().len() > LONGEST_ADDRESS {
                let why = format!("an address of {} bytes cannot be sent", url.as_str().len());
                return not_sent(Failure::NotAsked(why));
            }
            let sent = self.0.sent(&binding, &url, body.as_ref());
            let mut reply = self.0.send(&binding, url, body, sent).await?;
            if binding.free_path && self.1.path.is_none() {
                reply.failure = reply.failure.or_else(|| self.0.nothing_there(&binding, &reply.received));
            }
            Ok(reply)
        })
    }
}

impl Server {
    fn sent(&self, binding: &HttpBinding, url: &Url, body: Option<&Value>) -> Value {
        json!({ "method": binding.method, "url": url.as_str(), "headers": self.headers, "body": body })
    }

    /// The address and the body of a call.
    fn request(&self, binding: &HttpBinding, with: &Map<String, Value>) -> Result<(Url, Option<Value>), Failure> {
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
                    // A form has `+` for a blank, which readers by RFC 3986 take for a plus. All of them read %20.
                    let query = url.query().map(|query| query.replace('+', "%20"));
                    url.set_query(query.as_deref());
                }
                Ok((url, None))
            }
        }
    }

    /// That there is nothing at a path that is our own, so that the server may answer at another one. Once there was, a 404
    /// says something of the call.
    fn nothing_there(&self, binding: &HttpBinding, received: &Received) -> Option<Failure> {
        let Received::Response { status, .. } = received else { return None };
        if !matches!(status, 404 | 405 | 501) {
            self.found.store(true, Ordering::Relaxed);
            return None;
        }
        let HttpBinding { method, path, .. } = binding;
        (!self.found.load(Ordering::Relaxed)).then(|| {
            Failure::NotAsked(format!(
                "there is nothing at {method} {path}, which the document does not give: say in the target file where it is, \
                 path = \"…\""
            ))
        })
    }

    /// An address that an answer gave: absolute, or from the root of the target. Another origin is never asked.
    fn on_own_origin(&self, given: &str) -> Result<Url, Failure> {
        let no_address = |error| Failure::NotAsked(format!("`{given}` is not an address, so it is not asked: {error}"));
        let url = self.address.join(given).map_err(no_address)?;
        let is_same_machine = is_this_machine(&url) && is_this_machine(&self.address);
        let is_same_door = (url.scheme(), url.port_or_known_default())
            == (self.address.scheme(), self.address.port_or_known_default());
        match url.origin() == self.address.origin() || is_same_machine && is_same_door {
            true => Ok(url),
            false => Err(Failure::NotAsked(format!("`{given}` is on another origin than the target and is not asked"))),
        }
    }

    async fn send(
        &self,
        binding: &HttpBinding,
        url: Url,
        body: Option<Value>,
        sent: Value,
    ) -> Result<RawReply, TransportError> {
        let Ok(method) = Method::from_bytes(binding.method.as_bytes()) else {
            let why = "the method of the binding is none".to_owned();
            return Ok(Sending::now().failed(sent, Failure::Broken(why)));
        };
        let with = |request: RequestBuilder| match &body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()),
            None => request,
        };
        let (mut retried, mut waits, mut alone) = (Vec::new(), Waits::default(), false);
        let (sending, answered) = loop {
            let everything = async {
                let response = self.caller.send(&method, &url, with, self.limits, &mut retried).await?;
                self.answered.store(true, Ordering::Relaxed);
                let (status, headers) = (response.status().as_u16(), plain_headers(&response));
                self.let_in.fetch_add(usize::from(status != 401), Ordering::Relaxed);
                Ok::<_, reqwest::Error>((status, headers, read(response, self.limits.bytes).await))
            };
            let turn = self.caller.turn(alone).await;
            let sending = Sending::now();
            let answered = tokio::time::timeout(self.limits.time, everything).await;
            if self.caller.is_again(&turn, answered.is_ok(), self.limits.time) {
                alone = true;
                retried.push(asked_alone(self.limits.time));
                continue;
            }
            let Ok(Ok((status, headers, _))) = &answered else { break (sending, answered) };
            let Some(pause) =
                self.caller.pause(&mut waits, *status, headers.get("retry-after").and_then(Value::as_str))
            else {
                break (sending, answered);
            };
            turn.was_slow();
            drop(turn);
            retried.push(asked_to_wait(*status, pause));
            tokio::time::sleep(pause).await;
        };
        let reply = match answered {
            Err(_) => sending.failed(sent, Failure::TimedOut(self.limits.time.as_secs())),
            Ok(Err(error)) => match failure(&error) {
                Failure::Broken(reason) if error.is_connect() && !self.answered.load(Ordering::Relaxed) => {
                    let address = self.address.as_str().trim_end_matches('/').to_owned();
                    return Err(TransportError::NotReachable { address, reason });
                }
                failure => sending.failed(sent, failure),
            },
            Ok(Ok((401, headers, (body, _)))) => {
                let Some(failure) = token_refused(self.let_in.load(Ordering::Relaxed)) else {
                    return Err(TransportError::NotAuthorized { address: self.address.to_string() });
                };
                let received = Received::Response { status: 401, headers, body: Body(body) };
                sending.reply(sent, received).broken_off(Some(failure))
            }
            Ok(Ok((status, headers, (body, failure)))) => {
                sending.reply(sent, Received::Response { status, headers, body: Body(body) }).broken_off(failure)
            }
        };
        Ok(RawReply { retried, ..reply })
    }
}
