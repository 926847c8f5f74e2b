//! Plain HTTP: which call a request is, and what its answer comes to.

use super::catalogue::{Catalogue, arguments};
use super::conversation::{not_judged, raw};
use super::heard::{Call, Overheard, own_headers};
use super::packed;
use super::passing::Request as Asking;
use crate::derive;
use crate::model::{Body, Channel, Failure, HttpArguments, HttpBinding, Received, Request, Status, TransportKind};
use chrono::{DateTime, Utc};
use reqwest::Url;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// So many addresses that answers gave are remembered.
const MOST_ADDRESSES: usize = 10_000;

/// What a request over HTTP calls.
#[derive(Debug)]
pub(super) struct Calls(Vec<PossibleCall>);

/// A call of one contract.
#[derive(Debug)]
struct PossibleCall {
    contract: usize,
    operation: String,
    binding: HttpBinding,
    /// Its arguments; nothing where they cannot be told.
    with: Option<Map<String, Value>>,
}

/// Addresses that answers gave, by their path: what a client asks for is what it was told.
#[derive(Debug, Default)]
pub(super) struct Addresses(BTreeMap<String, String>);

/// An answer that passed.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
    /// Why it could not be read to its end.
    pub(super) failure: Option<Failure>,
}

/// The operations that a request calls: nothing where it is none of ours.
pub(super) fn calls(request: &Asking, body: &[u8], addresses: &Addresses, catalogue: &Catalogue) -> Option<Calls> {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let query = pairs(query);
    let mut calls: Vec<_> = catalogue
        .at(&request.method, path)
        .map(|(known, binding)| {
            let with = arguments(known.operation, binding, &query, body);
            PossibleCall { contract: known.contract, operation: known.name.to_owned(), binding: binding.clone(), with }
        })
        .collect();
    if let Some(given) = addresses.0.get(&request.target) {
        for (known, argument) in catalogue.by_address(&request.method) {
            let with = Some(Map::from_iter([(argument.to_owned(), Value::from(given.as_str()))]));
            let (contract, operation) = (known.contract, known.name.to_owned());
            let binding = known.operation.http.clone();
            calls.extend(binding.map(|binding| PossibleCall { contract, operation, binding, with }));
        }
    }
    (!calls.is_empty()).then_some(Calls(calls))
}

/// The names and values of a query.
fn pairs(query: &str) -> Vec<(String, String)> {
    let url = Url::parse(&format!("http://localhost/?{query}"));
    let pairs = |url: Url| url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    url.map(pairs).unwrap_or_default()
}

/// What the answer to a request comes to.
pub(super) fn answered(
    calls: Calls,
    request: &Asking,
    answer: Answer,
    (upstream, now): (&str, DateTime<Utc>),
    catalogue: &Catalogue,
    addresses: &mut Addresses,
) -> Vec<Overheard> {
    if let Some(why) = not_for_judging(&answer) {
        return vec![Overheard::NotJudged(why)];
    }
    let (body, failure) = match packed::unpacked(&answer.headers, answer.body, answer.failure) {
        Ok(came) => came,
        Err(why) => return vec![Overheard::NotJudged(why)],
    };
    let received = Received::Response { status: answer.status, headers: plain(&answer.headers), body: Body(body) };
    let mut raw = raw((request.at, now), received).broken_off(failure);
    let mut outcomes = Vec::new();
    let (headers, mut secrets) = own_headers(&request.headers);
    let url = format!("{upstream}{}", request.target);
    secrets.address(&url);
    for PossibleCall { contract, operation, binding, with } in calls.0 {
        let Some(with) = with else {
            outcomes.push(not_judged("the body of the request is not a JSON object"));
            continue;
        };
        let body = (binding.arguments == HttpArguments::Body).then(|| Value::Object(with.clone()));
        raw.sent = json!({ "method": request.method, "url": url, "headers": headers, "body": body });
        let Some(known) = catalogue.suite.nth(contract).and_then(|one| one.contract.operations.get(&operation)) else {
            continue;
        };
        let asked = Request { operation, with, over: None, sent: Value::Null };
        let exchange = derive::answered(asked, &raw, known, None);
        if exchange.status == Status::Accepted {
            addresses.learn(&exchange.answer["body"], upstream, catalogue);
        }
        let (kind, secrets) = (Channel::new(TransportKind::Http, None), secrets.clone());
        outcomes.push(Overheard::Call(Box::new(Call { contract, kind, signs: Vec::new(), exchange, secrets })));
    }
    outcomes
}

/// Why an answer says nothing of the call: it is about the caller, the moment, a part, or a copy that the client has.
fn not_for_judging(answer: &Answer) -> Option<String> {
    match answer.status {
        _ if answer.failure.is_some() => None,
        status if status == 405 || Failure::is_turned_away(status) => Some(Failure::turned_away(status)),
        206 | 300..=399 => Some(format!("the status {}, which is no whole answer", answer.status)),
        _ => None,
    }
}

/// Headers as evidence has them.
fn plain(headers: &[(String, Vec<u8>)]) -> Map<String, Value> {
    let shown = headers.iter().take(64).map(|(name, value)| (name.clone(), String::from_utf8_lossy(value).into()));
    shown.collect()
}

impl Addresses {
    /// Remembers the addresses in an answer: values of fields that are called as an argument that holds a path.
    fn learn(&mut self, body: &Value, upstream: &str, catalogue: &Catalogue) {
        for (_, argument) in catalogue.by_address("GET") {
            self.find(body, argument, upstream);
        }
    }

    fn find(&mut self, value: &Value, name: &str, upstream: &str) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.find(value, name, upstream)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value.as_str().filter(|_| key == name) {
                        Some(given) => self.keep(given, upstream),
                        None => self.find(value, name, upstream),
                    }
                }
            }
            _ => {}
        }
    }

    fn keep(&mut self, given: &str, upstream: &str) {
        let path = given.strip_prefix(upstream).unwrap_or(given);
        if path.starts_with('/') && self.0.len() < MOST_ADDRESSES {
            self.0.insert(path.to_owned(), given.to_owned());
        }
    }
}
