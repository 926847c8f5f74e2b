//! What keeps a check from telling: a call that was not made, was refused, or brought no answer.

use crate::load::Case;
use crate::model::{Detail, Failure, KEPT_OF_STDERR, Problem, Verdict};
use crate::path::{ExchangeAt, Reach, exchanges};
use crate::rules::{Ruling, brief};
use crate::text::inert;
use serde_json::Value;

/// Something that a check would need and that is not there.
#[derive(Debug)]
pub(super) struct Obstacle {
    detail: Detail,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing was exercised, and nobody is at fault: the data has nothing to ask with, or a refusal is legal.
    NotExercised,
    /// It cannot be judged.
    Untold,
}

impl Obstacle {
    /// Why a step was not taken that nothing but earlier evidence kept from being taken.
    pub(super) fn not_run(case: &Case, evidence: &Value) -> Self {
        // A refusal among the answers of a sweep is an answer of its own.
        let is_sound = |exchange: ExchangeAt<'_>| match exchange.status() {
            "refused" => case.steps.get(exchange.step).is_some_and(|step| {
                step.is_free()
                    || step.sweep.is_some() && step.answered.is_none() && has_answers(exchange.step, evidence)
            }),
            // What a probe is answered with in place of its refusal has no form, and nothing is taken from it.
            "accepted" if case.steps.get(exchange.step).is_some_and(|step| step.twin.is_some()) => true,
            status => status == "accepted" && unreadable(exchange.value).is_none(),
        };
        // Whoever asks for more than the client can give says nothing to ask with, and so does who need not have what is asked for.
        let mut owed_nothing = exchanges(evidence).filter_map(|exchange| nothing_owed(exchange.value));
        if let Some(why) = owed_nothing.next() {
            return Self::not_exercised(why);
        }
        match exchanges(evidence).all(is_sound) {
            true => Self::not_exercised("the data received has nothing to ask with, so the call was not made"),
            false => Self::untold(Detail::new("the call was not made, because earlier evidence lacks what it needs")),
        }
    }

    /// Nothing was exercised, for this reason.
    pub(super) fn not_exercised(why: impl Into<String>) -> Self {
        Self { detail: Detail::new(why), kind: Kind::NotExercised }
    }

    /// It cannot be judged, for this reason.
    pub(super) fn untold(detail: Detail) -> Self {
        Self { detail, kind: Kind::Untold }
    }
}

/// Whether a step has exchanges that were accepted.
pub(super) fn has_answers(step: usize, evidence: &Value) -> bool {
    exchanges(evidence).any(|one| one.step == step && one.status() == "accepted")
}

/// Whether none of the obstacles keeps a check from judging what else there is.
pub(super) fn all_harmless(obstacles: &[Obstacle]) -> bool {
    obstacles.iter().all(|obstacle| obstacle.kind == Kind::NotExercised)
}

/// The ruling where nothing but obstacles is left.
pub(super) fn outcome(obstacles: Vec<Obstacle>, exercised: usize) -> Ruling {
    let verdict = if all_harmless(&obstacles) { Verdict::Skip } else { Verdict::Incomplete };
    Ruling { verdict, details: obstacles.into_iter().map(|obstacle| obstacle.detail).collect(), exercised }
}

/// Why an exchange has nothing of what a path reaches for.
pub(super) fn obstacle(exchange: ExchangeAt<'_>, reach: Reach, case: &Case) -> Option<Obstacle> {
    let failure = failure(exchange.value);
    let status = exchange.status();
    let step = case.steps.get(exchange.step);
    let may_refuse = step.is_some_and(|step| step.free);
    let (is_probe, is_free) = (step.is_some_and(|step| step.twin.is_some()), may_refuse && status == "refused");
    let failure_is_no_fault = failure.as_ref().is_some_and(Failure::is_no_fault);
    let in_the_way = match reach {
        _ if failure_is_no_fault => true,
        Reach::Exchange => is_free,
        Reach::Reply => status == "failed" || is_free,
        Reach::Due => status == "failed" || status == "refused" && !is_probe,
        Reach::Form | Reach::Answer => status != "accepted",
    };
    in_the_way.then(|| {
        let owes_nothing = matches!(failure, Some(Failure::OfProtocol(_) | Failure::NotOffered(_)));
        let why = match (failure, status) {
            // Whether a tool of this name is owed, the requirement of its contract says that the list of tools is judged by.
            (Some(failure), _) if failure.is_no_fault() => failure.to_string(),
            (_, "refused") => format!("the call was refused{}", said(exchange.value)),
            (Some(failure), _) => format!("the call failed: {failure}"),
            (None, _) => "the call failed: no answer that could be judged".to_owned(),
        };
        // Who may refuse a call may also turn the caller away from it.
        let is_turned_away = may_refuse && failure_is_no_fault;
        let is_refused = status == "refused" && (is_free || is_probe);
        let kind = if is_refused || is_turned_away || owes_nothing { Kind::NotExercised } else { Kind::Untold };
        Obstacle { detail: Detail::new(why).at(exchange.pointer()), kind }
    })
}

/// What the calls of a step say of the requirement that allows them; nothing where none was made.
///
/// Of a walk only the first page is: a program may refuse an offset behind the last item.
pub(super) fn allowed(step: usize, case: &Case, evidence: &Value) -> Option<Ruling> {
    let is_walk = case.steps.get(step).is_some_and(|step| step.walk.is_some());
    let (mut accepted, mut refusals, mut obstacles) = (0, Vec::new(), Vec::new());
    let all = exchanges(evidence).filter(|exchange| exchange.step == step);
    for exchange in all.take(if is_walk { 1 } else { usize::MAX }) {
        match exchange.status() {
            "accepted" => accepted += 1,
            "refused" => {
                let why = format!("the call is allowed, but it was refused{}", said(exchange.value));
                refusals.push(Detail::new(why).at(exchange.pointer()));
            }
            _ if nothing_owed(exchange.value).is_some() => {}
            _ => {
                let why = failure(exchange.value).map_or_else(String::new, |failure| format!(": {failure}"));
                let detail = Detail::new(format!("the call was not answered{why}")).at(exchange.pointer());
                obstacles.push(Obstacle::untold(detail));
            }
        }
    }
    match (refusals.is_empty(), obstacles.is_empty(), accepted) {
        (true, true, 0) => None,
        (true, false, _) => Some(outcome(obstacles, accepted)),
        _ => Some(Ruling::of(accepted + refusals.len(), refusals)),
    }
}

/// Why a call that was not accepted proves nothing: its twin, which differs in one argument, was not accepted either.
pub(super) fn refused_twin(exchange: ExchangeAt<'_>, case: &Case, evidence: &Value) -> Option<Obstacle> {
    let twin = case.steps.get(exchange.step)?.twin.filter(|_| exchange.status() != "accepted")?;
    // What kept the call itself from being made says more.
    if failure(exchange.value).is_some_and(|failure| failure.is_no_fault()) {
        return None;
    }
    let twins = evidence[twin].as_array().map_or(&[][..], Vec::as_slice);
    if twins.is_empty() {
        return Some(Obstacle::not_run(case, evidence));
    }
    if let Some(why) = twins.iter().find_map(nothing_owed) {
        return Some(Obstacle::not_exercised(why));
    }
    let is_accepted = |exchange: &Value| exchange["status"] == "accepted";
    (!twins.iter().all(is_accepted)).then(|| {
        let what = if exchange.status() == "refused" { "refusal" } else { "failure" };
        let why =
            format!("the {what} proves nothing: its twin, which differs in one argument, was not accepted either");
        Obstacle::untold(Detail::new(why).at(format!("/{twin}/0")))
    })
}

/// What an answer says that is one of the protocol alone, or why there is none that the document asks for.
fn nothing_owed(exchange: &Value) -> Option<String> {
    match failure(exchange)? {
        Failure::OfProtocol(why) | Failure::NotOffered(why) => Some(why),
        _ => None,
    }
}

/// Whether the target was asked and let us ask, so that its transport can be judged by the exchange.
pub(super) fn was_asked(exchange: &Value) -> bool {
    !failure(exchange).is_some_and(|failure| failure.is_no_fault() && !matches!(failure, Failure::OfProtocol(_)))
}

/// Why nothing that an accepted answer says can be judged: it is not JSON, or no items can be found in it. The requirement on its
/// form reports the fault once.
pub(super) fn unread(exchange: ExchangeAt<'_>) -> Option<Obstacle> {
    let problem = unreadable(exchange.value)?;
    let not_json = not_json(exchange.value).filter(|_| problem["code"] == Problem::NO_JSON);
    let why = not_json.unwrap_or_else(|| problem["message"].as_str().unwrap_or_default().to_owned());
    Some(Obstacle::untold(Detail::new(format!("the answer cannot be read: {why}")).at(exchange.pointer())))
}

/// This many characters of an answer that is not JSON are shown: a page of HTML says here what it is.
const BEGINNING: usize = 60;

/// What an answer is that is not JSON; nothing where its text was not kept.
fn not_json(exchange: &Value) -> Option<String> {
    let answer = &exchange["answer"];
    let text = answer["text"].as_str()?.trim_start();
    let kind = answer["headers"]["content-type"].as_str().map_or_else(String::new, |kind| format!(" ({kind})"));
    Some(match text.is_empty() {
        true => format!("it is empty{kind}, and not JSON"),
        false => format!("it is not JSON{kind}, and begins with {:?}", inert::short(text, BEGINNING)),
    })
}

/// Whether an answer is JSON in which no items can be found.
pub(super) fn lacks_items(exchange: &Value) -> bool {
    unreadable(exchange).is_some_and(|problem| problem["code"] == Problem::NO_ITEMS)
}

fn unreadable(exchange: &Value) -> Option<&Value> {
    let problems = exchange["problems"].as_array().filter(|_| exchange["status"] == "accepted")?;
    let of_code = |code: &str| problems.iter().find(|problem| problem["code"] == code);
    of_code(Problem::NO_JSON).or_else(|| of_code(Problem::NO_ITEMS))
}

fn failure(exchange: &Value) -> Option<Failure> {
    let failure = exchange.get("raw")?.get("failure").filter(|failure| !failure.is_null())?;
    serde_json::from_value(failure.clone()).ok()
}

/// So many lines of standard error are shown: the last ones of a traceback say what is wrong.
const LAST_LINES: usize = 3;

/// What a program said last on standard error.
pub(super) fn errors(exchange: &Value) -> Option<String> {
    let text = exchange["answer"]["stderr"].as_str()?;
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(LAST_LINES)..].join(" / ");
    // A mark says where it was cut: a secret may be split there.
    let end = if text.len() + 3 >= KEPT_OF_STDERR { "…" } else { "" };
    (!last.is_empty()).then(|| format!("{last}{end}"))
}

/// That a call was refused, and what the target said; nothing where it said nothing.
pub(crate) fn refusal(exchange: &Value) -> Option<String> {
    let said = said(exchange);
    (exchange["status"] == "refused" && !said.is_empty()).then(|| format!("the call was refused{said}"))
}

/// What a refusal said.
fn said(exchange: &Value) -> String {
    let answer = &exchange["answer"];
    let words = [&answer["error"]["message"], &answer["result"]["content"][0]["text"]];
    let line = words.iter().filter_map(|words| words.as_str()?.trim().lines().next()).find(|line| !line.is_empty());
    match (errors(exchange).or(line.map(str::to_owned)), &answer["body"]) {
        (Some(line), _) => format!(": {line}"),
        (None, body) if !body.is_null() => format!(": {}", brief(body)),
        (None, _) => ended(answer).unwrap_or_default(),
    }
}

/// How a program ended that said nothing of it.
fn ended(answer: &Value) -> Option<String> {
    Some(format!(": exit status {}, and nothing on standard error", answer["exit"].as_i64()?))
}
