//! Case × transport → evidence. All the calls are made here, and nothing is judged.

use crate::contracts;
use crate::load::{self, BoundPick, Case};
use crate::model::{
    Contract, Exchange, Failure, Operation, Pick, Problem, Request, Status, Step, SweepValues, TransportKind, Walk,
};
use crate::path::pick_in;
use crate::redact::Redactor;
use crate::targets::Route;
use crate::transport::{Reply, Session, TransportError};
use chrono::{SecondsFormat, Utc};
use serde_json::{Map, Value};
use std::path::Path;

/// A longer text of an answer is nothing to ask with.
const MOST_PICKED: usize = 4096;
/// A text of more lines is not judged.
const MOST_LINES: usize = 22_000;
/// So many lines of it are kept.
const KEPT_LINES: usize = 20;

/// Runs the steps of a case in order: `$[step][exchange]`, each an [`Exchange`].
///
/// A step whose values cannot be taken from earlier evidence stays empty, which checks of it call incomplete.
///
/// # Errors
/// When the target is not there, or this machine cannot make room for the case.
pub async fn collect(
    case: &Case,
    contract: &Contract,
    corpus: &Path,
    route: &Route<'_>,
) -> Result<Value, TransportError> {
    let corpus = case.corpus_part().map(|part| corpus.join(part));
    let home = route.home.open(corpus.as_deref())?;
    let mut sessions = vec![(route.home.kind(), home)];
    for other in &route.others {
        sessions.push((other.kind(), other.open(corpus.as_deref())?));
    }
    let collector = Collector { case, contract, sessions, route };
    let mut evidence = Value::Array(Vec::with_capacity(case.steps.len()));
    for step in &case.steps {
        let exchanges = collector.step(step, &evidence).await?;
        if let Value::Array(steps) = &mut evidence {
            steps.push(Value::Array(exchanges));
        }
    }
    Ok(evidence)
}

struct Collector<'c> {
    case: &'c Case,
    contract: &'c Contract,
    /// The endpoint that the case runs at, then those that its steps name besides.
    sessions: Vec<(TransportKind, Box<dyn Session>)>,
    route: &'c Route<'c>,
}

impl Collector<'_> {
    async fn step(&self, step: &Step, evidence: &Value) -> Result<Vec<Value>, TransportError> {
        let Some(operation) = self.contract.operations.get(&step.call) else {
            return Ok(Vec::new());
        };
        let Some(with) = self.arguments(step, evidence) else {
            return Ok(Vec::new());
        };
        if let Some(walk) = &step.walk {
            return self.walk(step, walk, operation, with).await;
        }
        let Some(sweep) = &step.sweep else {
            return Ok(vec![self.exchange(step, operation, with).await?]);
        };
        let mut exchanges = Vec::new();
        for value in self.values(&sweep.over, evidence) {
            let mut with = with.clone();
            with.insert(sweep.argument.clone(), value);
            exchanges.push(self.exchange(step, operation, with).await?);
        }
        Ok(exchanges)
    }

    /// Page after page, up to an empty one, one that is no answer, or as many as the walk allows.
    async fn walk(
        &self,
        step: &Step,
        walk: &Walk,
        operation: &Operation,
        with: Map<String, Value>,
    ) -> Result<Vec<Value>, TransportError> {
        let size = with.get(&walk.limit).and_then(Value::as_u64).unwrap_or(0);
        let mut exchanges = Vec::new();
        for page in 0..walk.pages as u64 {
            let mut with = with.clone();
            with.insert(walk.offset.clone(), Value::from(page * size));
            let exchange = self.exchange(step, operation, with).await?;
            let is_last = exchange["items"].as_array().is_none_or(Vec::is_empty);
            exchanges.push(exchange);
            if is_last {
                break;
            }
        }
        Ok(exchanges)
    }

    /// The arguments with every pick resolved and what is given put in; nothing when one of them finds nothing.
    fn arguments(&self, step: &Step, evidence: &Value) -> Option<Map<String, Value>> {
        let mut with = step.with.clone();
        for value in with.values_mut() {
            if let Ok(Some(pick)) = pick_in(value) {
                *value = self.pick(&pick, evidence).into_iter().next()?;
            } else if let Some(name) = load::given(value) {
                *value = self.route.given.get(name)?.clone();
            }
        }
        Some(with)
    }

    fn values(&self, over: &SweepValues, evidence: &Value) -> Vec<Value> {
        match over {
            SweepValues::List(values) => values.clone(),
            SweepValues::Range { from, to } => (*from..=*to).map(Value::from).collect(),
            SweepValues::Pick(pick) => self.pick(pick, evidence),
        }
    }

    fn pick(&self, pick: &Pick, evidence: &Value) -> Vec<Value> {
        let Some(BoundPick { path, picking, .. }) = self.case.picks.iter().find(|one| one.pick == *pick) else {
            return Vec::new();
        };
        let nodes: Vec<_> = path.exchanges(evidence).into_iter().flat_map(|exchange| path.inside(exchange)).collect();
        let mut picked = picking.of(&nodes);
        picked.retain(|value| value.as_str().is_none_or(|text| text.len() <= MOST_PICKED));
        picked
    }

    async fn exchange(
        &self,
        step: &Step,
        operation: &Operation,
        with: Map<String, Value>,
    ) -> Result<Value, TransportError> {
        let mut sessions = self.sessions.iter();
        let named = sessions.find(|(kind, _)| step.over.is_none_or(|over| over.covers(*kind)));
        // A route has an endpoint for each transport that a step names.
        let (kind, session) = named.unwrap_or(&self.sessions[0]);
        let over = Some(*kind).filter(|kind| *kind != self.route.home.kind());
        let sent_at = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
        let reply = session.call(operation, &with).await?;
        let request = Request { operation: step.call.clone(), with, over, sent: Value::Null };
        Ok(exchange(request, operation, reply, self.route.redactor, sent_at))
    }
}

/// The evidence of one call, an [`Exchange`]: its reply, without secrets, and what a parser makes of its text.
pub(crate) fn exchange(
    request: Request,
    operation: &Operation,
    mut reply: Reply,
    redactor: &Redactor,
    sent_at: String,
) -> Value {
    reply.redact(redactor);
    let mut exchange = Exchange {
        request: Request { sent: reply.sent, ..request },
        status: reply.status,
        answer: reply.answer,
        items: reply.items,
        lines: None,
        parsed: Value::Null,
        raw: reply.raw,
        problems: reply.problems,
        sent_at,
        elapsed: reply.elapsed.as_secs_f64(),
    };
    if let Some(text) = reply.text.as_deref().map(|text| some_of(text, &mut exchange)) {
        let lines: Vec<&str> = text.split('\n').collect();
        let format = operation.format.as_deref().and_then(contracts::format);
        if let Some(format) = format.filter(|_| exchange.status == Status::Accepted) {
            let parsed = (format.parse)(&lines);
            exchange.parsed = parsed.value;
            exchange.problems.extend(parsed.problems);
        }
        exchange.lines = Some(lines.into_iter().map(str::to_owned).collect());
    }
    Problem::keep_some(&mut exchange.problems);
    exchange.into_value()
}

/// The text that is judged: all of it, unless its lines are so many that they would take many times its room.
fn some_of<'t>(text: &'t str, exchange: &mut Exchange) -> &'t str {
    match text.match_indices('\n').nth(MOST_LINES) {
        None => text,
        Some((end, _)) => {
            exchange.status = Status::Failed;
            exchange.raw.failure.get_or_insert(Failure::TooMany(MOST_LINES));
            // Nothing of it will be judged, so little of it is kept.
            let beginning = text.match_indices('\n').nth(KEPT_LINES).map_or(end, |(end, _)| end);
            &text[..beginning]
        }
    }
}
