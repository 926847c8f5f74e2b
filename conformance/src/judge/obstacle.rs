//! What keeps a check from telling: a call that was not made, was refused, or brought no answer.

use crate::load::Case;
use crate::model::{Detail, Failure, Verdict};
use crate::path::{ExchangeAt, Reach, exchanges};
use crate::rules::{Ruling, brief};
use serde_json::Value;

/// Something that a check would need and that is not there.
#[derive(Debug)]
pub(super) struct Obstacle {
    detail: Detail,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The data that came has nothing to ask with, which is nobody's fault.
    NothingToAskWith,
    /// It cannot be told.
    Untold,
}

impl Obstacle {
    /// Why a step was not run.
    pub(super) fn not_run(evidence: &Value) -> Self {
        match exchanges(evidence).all(|exchange| exchange.status() == "accepted") {
            true => Self {
                detail: Detail::new("the data that came has nothing to ask with, so the step was not run"),
                kind: Kind::NothingToAskWith,
            },
            false => Self::untold(Detail::new("the step was not run, since earlier evidence lacks what it needs")),
        }
    }

    /// It cannot be told, for this reason.
    pub(super) fn untold(detail: Detail) -> Self {
        Self { detail, kind: Kind::Untold }
    }
}

/// What the obstacles come to: nothing to tell where the data has nothing to ask with, and otherwise that it cannot be told.
pub(super) fn outcome(obstacles: Vec<Obstacle>, exercised: usize) -> Ruling {
    let verdict = match obstacles.iter().all(|obstacle| obstacle.kind == Kind::NothingToAskWith) {
        true => Verdict::Skip,
        false => Verdict::Incomplete,
    };
    Ruling { verdict, details: obstacles.into_iter().map(|obstacle| obstacle.detail).collect(), exercised }
}

/// Why an exchange has nothing of what a path reaches for.
pub(super) fn obstacle(exchange: ExchangeAt<'_>, reach: Reach, case: &Case) -> Option<Obstacle> {
    let failure = failure(exchange.value);
    let status = exchange.status();
    let is_due = || case.steps.get(exchange.step).is_some_and(|step| step.twin.is_some());
    let in_the_way = match reach {
        _ if matches!(failure, Some(Failure::NotAsked(_) | Failure::NoSuchTool(_))) => true,
        Reach::Exchange => false,
        Reach::Reply => status == "failed",
        Reach::Due => status == "failed" || status == "refused" && !is_due(),
        Reach::Answer => status != "accepted",
    };
    in_the_way.then(|| {
        let why = match (failure, status) {
            // Whether a tool of this name is owed, the requirement of its contract says that the list of tools is judged by.
            (Some(failure @ (Failure::NoSuchTool(_) | Failure::NotAsked(_))), _) => failure.to_string(),
            (_, "refused") => format!("the call was refused{}", said(exchange.value)),
            (Some(failure), _) => format!("the call failed: {failure}"),
            (None, _) => "the call failed: no answer that could be judged".to_owned(),
        };
        Obstacle::untold(Detail::new(why).at(exchange.pointer()))
    })
}

/// Whether the target was asked at all, so that its transport can be judged by the exchange.
pub(super) fn was_asked(exchange: &Value) -> bool {
    !matches!(failure(exchange), Some(Failure::NotAsked(_) | Failure::NoSuchTool(_)))
}

fn failure(exchange: &Value) -> Option<Failure> {
    serde_json::from_value(exchange.get("raw")?.get("failure")?.clone()).ok()
}

/// What a refusal said.
fn said(exchange: &Value) -> String {
    let answer = &exchange["answer"];
    let words = [&answer["stderr"], &answer["error"]["message"], &answer["result"]["content"][0]["text"]];
    let line = words.iter().filter_map(|words| words.as_str()?.trim().lines().next()).find(|line| !line.is_empty());
    match (line, &answer["body"]) {
        (Some(line), _) => format!(": {line}"),
        (None, body) if !body.is_null() => format!(": {}", brief(body)),
        _ => String::new(),
    }
}
