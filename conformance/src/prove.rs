//! The proof that every check can fail: counterexamples, laid on the reference's passing evidence.

use crate::format;
use crate::judge::{self, Judgement, judge, judge_always, judge_own};
use crate::load::{Always, Case, Check, ContractSuite, Damage, Use};
use crate::model::{Detail, Verdict};
use json_patch::PatchOperation;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A counterexample that did not do what it is there for: the suite is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// The case, or `always.json`.
    pub case: String,
    /// The requirement of the check.
    pub requirement: String,
    /// The mistake that the counterexample stands for.
    pub about: String,
    /// What went wrong.
    pub why: String,
}

impl fmt::Display for Unproven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}: counterexample `{}` {}", self.requirement, self.case, self.about, self.why)
    }
}

/// Lays each counterexample of a case on its evidence; the number of those that were noticed, and the others.
pub fn case(case: &Case, suite: &ContractSuite, transports: &[&Always], evidence: &Value) -> (usize, Vec<Unproven>) {
    let judgements = judge(case, suite, transports, evidence);
    let ground = Ground { suite, evidence, place: "", violated: violated(&judgements), lenient: false };
    let mut proof = Proof::new(&case.name);
    for check in &case.checks {
        // What did not pass on sound evidence proves nothing; the ledger reports it.
        if !passed(&judgements, &check.requirement) {
            continue;
        }
        for damage in &check.broken_by {
            proof.lay(check, damage, &ground, |damaged| {
                let mut judgements = judge_own(case, damaged);
                // What always applies looks at single exchanges: those that are as they were say what they said.
                let changed = changed(damaged, damage);
                judgements.extend(judge_always(case, suite, transports, &changed));
                judgements
            });
        }
    }
    (proof.caught, proof.unproven)
}

/// Lays the counterexamples of checks that always apply on the first exchange that takes them.
///
/// `laid` remembers those of the transports, which one contract alone need not have an exchange for.
pub fn always(
    suite: &ContractSuite,
    transports: &[&Always],
    evidence: &[(&Case, &Value)],
    laid: &mut BTreeMap<String, bool>,
) -> (usize, Vec<Unproven>) {
    let mut proof = Proof::new("always.json");
    let of_transports = transports.iter().map(|always| (*always, true));
    for (always, is_of_transport) in of_transports.chain(suite.always.iter().map(|always| (always, false))) {
        for damage in &always.check.broken_by {
            let mut places = evidence.iter().flat_map(|(case, evidence)| {
                let steps = evidence.as_array().map_or(0, Vec::len);
                (0..steps).map(move |step| (*case, *evidence, format!("/{step}/0")))
            });
            let found = places.find(|(case, evidence, place)| {
                let judged = judge::judge_one_always(always, case, &only(evidence, place));
                let passes = judged.is_some_and(|judgement| judgement.verdict == Verdict::Pass);
                passes && damaged(evidence, place, damage, suite).is_ok()
            });
            if is_of_transport {
                let name = format!("{}: {}", always.check.requirement, damage.about);
                *laid.entry(name).or_default() |= found.is_some();
            }
            match found {
                None if is_of_transport => {}
                Some((case, evidence, place)) => {
                    let evidence = only(evidence, &place);
                    let judge = |evidence: &Value| judge_always(case, suite, transports, evidence);
                    let violated = violated(&judge(&evidence));
                    let ground =
                        Ground { suite, evidence: &evidence, place: &place, violated, lenient: is_of_transport };
                    proof.lay(&always.check, damage, &ground, judge);
                }
                None => proof.miss(&always.check, damage, "can be laid on no exchange of any case"),
            }
        }
    }
    (proof.caught, proof.unproven)
}

/// What a counterexample does to sound evidence, and what its check says then: for people who want to see it.
#[derive(Debug)]
pub struct Shown {
    /// The exchange that it damages, by step and position.
    pub exchange: (usize, usize),
    /// Each place that it damages: its JSON Pointer, what stood there, and what stands there then.
    pub changes: Vec<(String, Value, Value)>,
    /// What the check says.
    pub details: Vec<Detail>,
}

/// Shows a counterexample on the evidence of a case; nothing where it does not fit.
pub fn show(used: &Use<'_>, damage: &Damage, case: &Case, suite: &ContractSuite, evidence: &Value) -> Option<Shown> {
    let Some(always) = used.always else {
        let after = damaged(evidence, "", damage, suite).ok()?;
        return Some(shown("", damage, evidence, &after, judge::judge_check(used.check, case, &after)));
    };
    let steps = evidence.as_array().map_or(0, Vec::len);
    (0..steps).map(|step| format!("/{step}/0")).find_map(|place| {
        let before = only(evidence, &place);
        let passes = judge::judge_one_always(always, case, &before)?.verdict == Verdict::Pass;
        let after = damaged(evidence, &place, damage, suite).ok().filter(|_| passes)?;
        let judgement = judge::judge_one_always(always, case, &only(&after, &place))?;
        Some(shown(&place, damage, evidence, &after, judgement))
    })
}

fn shown(place: &str, damage: &Damage, before: &Value, after: &Value, judgement: Judgement) -> Shown {
    let mut pointers: Vec<String> = Vec::new();
    for operation in damage.patch.0.iter().filter(|operation| !matches!(operation, PatchOperation::Test(_))) {
        let path = format!("{place}{}", operation.path());
        // A list is shown as a whole, since what is put into it moves the rest.
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let is_list = before.pointer(parent).is_some_and(Value::is_array) && exchange_of(parent).is_some();
        let pointer = if is_list { parent.to_owned() } else { path };
        if !pointers.contains(&pointer) {
            pointers.push(pointer);
        }
    }
    let exchange = pointers.iter().find_map(|pointer| exchange_of(pointer)).unwrap_or_default();
    let at = |evidence: &Value, pointer: &str| evidence.pointer(pointer).cloned().unwrap_or_default();
    let change = |pointer: String| {
        let (before, after) = (at(before, &pointer), at(after, &pointer));
        (pointer, before, after)
    };
    let changes = pointers.into_iter().map(change).collect();
    Shown { exchange, changes, details: judgement.details }
}

/// Sound evidence that a counterexample is laid on.
struct Ground<'g> {
    suite: &'g ContractSuite,
    evidence: &'g Value,
    /// The exchange that patches are relative to, or nothing.
    place: &'g str,
    /// What is violated without any damage.
    violated: BTreeSet<String>,
    /// Whether `also` names what may be violated too: what a transport carries differs from contract to contract.
    lenient: bool,
}

struct Proof {
    case: String,
    caught: usize,
    unproven: Vec<Unproven>,
}

impl Proof {
    fn new(case: &str) -> Self {
        Self { case: case.to_owned(), caught: 0, unproven: Vec::new() }
    }

    fn miss(&mut self, check: &Check, damage: &Damage, why: impl Into<String>) {
        self.unproven.push(Unproven {
            case: self.case.clone(),
            requirement: check.requirement.clone(),
            about: damage.about.clone(),
            why: why.into(),
        });
    }

    /// Damages the evidence and compares what is violated with what should be.
    fn lay(&mut self, check: &Check, damage: &Damage, ground: &Ground<'_>, judge: impl Fn(&Value) -> Vec<Judgement>) {
        let damaged = match damaged(ground.evidence, ground.place, damage, ground.suite) {
            Ok(damaged) => damaged,
            Err(why) => return self.miss(check, damage, format!("cannot be laid on the evidence: {why}")),
        };
        let mut violated = violated(&judge(&damaged));
        violated.retain(|requirement| !ground.violated.contains(requirement));
        let mut due: BTreeSet<String> = damage.also.iter().cloned().collect();
        due.insert(check.requirement.clone());
        if !violated.contains(&check.requirement) {
            return self.miss(check, damage, "is not noticed");
        }
        let names = |ids: Vec<&String>| ids.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let (strangers, stale): (Vec<_>, Vec<_>) =
            (violated.difference(&due).collect(), due.difference(&violated).collect());
        if !strangers.is_empty() {
            self.miss(check, damage, format!("violates {} too, which `also` does not name", names(strangers)));
        } else if !stale.is_empty() && !ground.lenient {
            self.miss(check, damage, format!("does not violate {}, which `also` names", names(stale)));
        } else {
            self.caught += 1;
        }
    }
}

/// The evidence with everything taken away but one exchange, at its place.
fn only(evidence: &Value, place: &str) -> Value {
    let mut parts = place.split('/').skip(1).filter_map(|part| part.parse::<usize>().ok());
    let (step, index) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    let mut steps = vec![json!([]); step];
    steps.push(Value::Array(evidence[step].get(index).cloned().into_iter().collect()));
    Value::Array(steps)
}

/// The exchanges that a damage touches, and no others.
fn changed(damaged: &Value, damage: &Damage) -> Value {
    let steps = damaged.as_array().map_or(0, Vec::len);
    let mut changed = vec![Vec::new(); steps];
    let from = |operation: &PatchOperation| match operation {
        PatchOperation::Move(moved) => exchange_of(moved.from.as_str()),
        _ => None,
    };
    let places = damage.patch.0.iter().flat_map(|one| [exchange_of(one.path().as_str()), from(one)]).flatten();
    for (step, index) in places.collect::<BTreeSet<_>>() {
        if let (Some(exchanges), Some(exchange)) = (changed.get_mut(step), damaged[step].get(index)) {
            exchanges.push(exchange.clone());
        }
    }
    json!(changed)
}

/// The evidence with the damage done, texts read again where it touched them.
fn damaged(evidence: &Value, place: &str, damage: &Damage, suite: &ContractSuite) -> Result<Value, String> {
    let mut damaged = evidence.clone();
    match place {
        "" => json_patch::patch(&mut damaged, &damage.patch).map_err(|error| error.to_string())?,
        _ => {
            let exchange = damaged.pointer_mut(place).ok_or("the exchange is not there")?;
            json_patch::patch(exchange, &damage.patch).map_err(|error| error.to_string())?;
        }
    }
    let touched: BTreeSet<(usize, usize)> = match place {
        "" => damage.patch.0.iter().filter_map(|operation| exchange_of(operation.path().as_str())).collect(),
        _ => exchange_of(&format!("{place}/")).into_iter().collect(),
    };
    for (step, index) in touched {
        let Some(exchange) = damaged.get_mut(step).and_then(|step| step.get_mut(index)) else { continue };
        let operation = exchange["request"]["operation"].as_str().unwrap_or_default();
        let format = suite.contract.operations.get(operation).and_then(|operation| operation.format);
        let text_is_damaged = damage.patch.0.iter().any(|operation| operation.path().as_str().contains("/lines"));
        if let Some(format) = format.filter(|_| text_is_damaged) {
            format::parse_again(format, exchange);
        }
    }
    Ok(damaged)
}

fn exchange_of(pointer: &str) -> Option<(usize, usize)> {
    let mut parts = pointer.split('/').skip(1);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn passed(judgements: &[Judgement], requirement: &str) -> bool {
    judgements.iter().any(|judgement| judgement.requirement == requirement && judgement.verdict == Verdict::Pass)
}

fn violated(judgements: &[Judgement]) -> BTreeSet<String> {
    let failed = judgements.iter().filter(|judgement| judgement.verdict == Verdict::Fail);
    failed.map(|judgement| judgement.requirement.clone()).collect()
}
