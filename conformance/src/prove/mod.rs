//! The proof that every check can fail, and that it lets correct programs pass.
//!
//! Counterexamples are laid on the reference's passing evidence; `legal` puts legal answers in its place.

mod always;
pub mod edits;
pub mod legal;

pub use always::AlwaysProof;

use crate::derive;
use crate::judge::{self, Change, Changes, Judgement, Parts, Scope, judge_within};
use crate::load::{Always, Case, Check, ContractSuite, Use};
use crate::model::{self, Counterexample, Detail, Unproven, Verdict};
use crate::text::pointer;
use json_patch::jsonptr::PointerBuf;
use json_patch::{Patch, PatchOperation, ReplaceOperation};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Lays each counterexample of a case on its evidence, of which `parts` is judged; the number of those that were noticed, and
/// the others.
pub fn case(
    case: &Case,
    suite: &ContractSuite,
    transports: &[&Always],
    evidence: &Value,
    parts: &Parts,
) -> (usize, Vec<Unproven>) {
    let judgements = parts.within(Scope::Case);
    let evidence = evidence.clone();
    let mut ground = Ground { suite, evidence, place: "", violated: violated(&judgements), lenient: false };
    let mut proof = Proof::new(&case.name);
    for check in &case.checks {
        // What did not pass on sound evidence proves nothing; the ledger reports it.
        if !passed(&judgements, &check.requirement) {
            continue;
        }
        for mistake in &check.broken_by {
            let changed: Changes = touched("", mistake).map(|exchange| (exchange, Change::Any)).collect();
            let scope = match pointers("", mistake).all(|pointer| pointer::exchange(&pointer).is_some()) {
                true => parts.scope(&changed),
                // Exchanges come or go.
                false => Scope::Case,
            };
            proof.lay(check, mistake, &mut ground, |damaged| judge_within(scope, case, suite, transports, damaged));
        }
    }
    for (step, requirement) in case.allowed() {
        if passed(&judgements, requirement) && ground.evidence[step][0]["status"] == "accepted" {
            let changed = Changes::from([((step, 0), Change::Any)]);
            proof.refuse(step, requirement, &mut ground, |damaged| {
                judge_within(parts.scope(&changed), case, suite, transports, damaged)
            });
        }
    }
    (proof.caught, proof.unproven)
}

/// What a counterexample does to sound evidence, and what its check says then: for people who want to see it.
#[derive(Debug)]
pub struct Demonstration {
    /// The exchange that it damages, by step and position.
    pub exchange: (usize, usize),
    /// Each place that it damages: its JSON Pointer, what stood there, and what stands there then.
    pub changes: Vec<(String, Value, Value)>,
    /// What the check says.
    pub details: Vec<Detail>,
}

/// Shows a counterexample on the evidence of a case; nothing where it does not fit.
pub fn show(
    used: &Use<'_>,
    mistake: &Counterexample,
    case: &Case,
    suite: &ContractSuite,
    evidence: &Value,
) -> Option<Demonstration> {
    let Some(always) = used.always else {
        let shown = |after: &Value| shown("", mistake, evidence, after, judge::judge_check(used.check, case, after));
        return damaged(&mut evidence.clone(), "", mistake, suite, shown).ok();
    };
    let steps = evidence.as_array().map_or(0, Vec::len);
    (0..steps).find_map(|step| {
        let place = format!("/{step}/0");
        let mut before = only(evidence, step);
        let judge = |evidence: &Value| judge::judge_one_always(always, case, evidence);
        judge(&before).filter(|judgement| judgement.verdict == Verdict::Pass)?;
        let shown = |after: &Value| Some(shown(&place, mistake, evidence, after, judge(after)?));
        damaged(&mut before, &place, mistake, suite, shown).ok()?
    })
}

fn shown(place: &str, mistake: &Counterexample, before: &Value, after: &Value, judgement: Judgement) -> Demonstration {
    let mut pointers: Vec<String> = Vec::new();
    for operation in mistake.patch.0.iter().filter(|operation| !matches!(operation, PatchOperation::Test(_))) {
        let path = format!("{place}{}", operation.path());
        // A list is shown as a whole, since what is put into it moves the rest.
        let parent = pointer::parent(&path);
        let is_list = before.pointer(parent).is_some_and(Value::is_array) && pointer::exchange(parent).is_some();
        let pointer = if is_list { parent.to_owned() } else { path };
        if !pointers.contains(&pointer) {
            pointers.push(pointer);
        }
    }
    let exchange = pointers.iter().find_map(|pointer| pointer::exchange(pointer)).unwrap_or_default();
    let at = |evidence: &Value, pointer: &str| evidence.pointer(pointer).cloned().unwrap_or_default();
    let change = |pointer: String| {
        let (before, after) = (at(before, &pointer), at(after, &pointer));
        (pointer, before, after)
    };
    let changes = pointers.into_iter().map(change).collect();
    Demonstration { exchange, changes, details: judgement.details }
}

/// Sound evidence that a counterexample is laid on.
struct Ground<'g> {
    suite: &'g ContractSuite,
    /// It is damaged where it stands, and mended again.
    evidence: Value,
    /// The exchange that patches are relative to, or nothing.
    place: &'g str,
    /// What is violated without any counterexample.
    violated: BTreeSet<String>,
    /// Whether `also` names what may be violated too: what a transport carries differs from contract to contract.
    lenient: bool,
}

#[derive(Debug)]
struct Proof {
    case: String,
    caught: usize,
    unproven: Vec<Unproven>,
}

impl Proof {
    fn new(case: &str) -> Self {
        Self { case: case.to_owned(), caught: 0, unproven: Vec::new() }
    }

    fn miss(&mut self, requirement: &str, mistake: &Counterexample, why: impl Into<String>) {
        self.unproven.push(Unproven {
            proof: model::Proof::Counterexample,
            case: self.case.clone(),
            requirement: requirement.to_owned(),
            about: mistake.about.clone(),
            why: why.into(),
            repeat: None,
        });
    }

    /// Refuses an allowed call. What else the refusal violates is the matter of the counterexamples.
    fn refuse(
        &mut self,
        step: usize,
        requirement: &str,
        ground: &mut Ground<'_>,
        judge: impl FnOnce(&Value) -> Vec<Judgement>,
    ) {
        let at = |member: &str| PointerBuf::from_tokens([&step.to_string(), "0", member]);
        let replace = |path, value| PatchOperation::Replace(ReplaceOperation { path, value });
        let mistake = Counterexample {
            about: format!("the call of step {step} is refused"),
            also: Vec::new(),
            binds_because: None,
            patch: Patch(vec![replace(at("status"), json!("refused"))]),
        };
        match damaged(&mut ground.evidence, ground.place, &mistake, ground.suite, judge) {
            Ok(judgements) if violated(&judgements).contains(requirement) => self.caught += 1,
            Ok(_) => self.miss(requirement, &mistake, "is not noticed"),
            Err(why) => self.miss(requirement, &mistake, format!("cannot be laid on the evidence: {why}")),
        }
    }

    /// Damages the evidence and compares what is violated with what should be.
    fn lay(
        &mut self,
        check: &Check,
        mistake: &Counterexample,
        ground: &mut Ground<'_>,
        judge: impl FnOnce(&Value) -> Vec<Judgement>,
    ) {
        let judged = damaged(&mut ground.evidence, ground.place, mistake, ground.suite, judge);
        let mut violated = match judged {
            Ok(judgements) => violated(&judgements),
            Err(why) => {
                return self.miss(&check.requirement, mistake, format!("cannot be laid on the evidence: {why}"));
            }
        };
        violated.retain(|requirement| !ground.violated.contains(requirement));
        let mut due: BTreeSet<String> = mistake.also.iter().cloned().collect();
        due.insert(check.requirement.clone());
        if !violated.contains(&check.requirement) {
            return self.miss(&check.requirement, mistake, "is not noticed");
        }
        let names = |ids: Vec<&String>| ids.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let (strangers, stale): (Vec<_>, Vec<_>) =
            (violated.difference(&due).collect(), due.difference(&violated).collect());
        if !strangers.is_empty() {
            self.miss(
                &check.requirement,
                mistake,
                format!("violates {} too, which `also` does not name", names(strangers)),
            );
        } else if !stale.is_empty() && !ground.lenient {
            self.miss(&check.requirement, mistake, format!("does not violate {}, which `also` names", names(stale)));
        } else {
            self.caught += 1;
        }
    }
}

/// The evidence with everything taken away but the first exchange of a step, at its place.
fn only(evidence: &Value, step: usize) -> Value {
    let mut steps = vec![json!([]); step];
    steps.push(Value::Array(evidence[step].get(0).cloned().into_iter().collect()));
    Value::Array(steps)
}

/// Does the counterexample to evidence, reads texts again that it touches, looks at it, and puts everything back as it was.
fn damaged<T>(
    evidence: &mut Value,
    place: &str,
    mistake: &Counterexample,
    suite: &ContractSuite,
    look: impl FnOnce(&Value) -> T,
) -> Result<T, String> {
    laid(evidence, place, mistake, |evidence| {
        read_again(evidence, place, mistake, suite);
        look(evidence)
    })
}

/// Lays a counterexample on evidence, looks at it, and puts everything back as it was.
///
/// Evidence may be large and counterexamples are many, so that nothing is copied but the steps that are touched.
fn laid<T>(
    evidence: &mut Value,
    place: &str,
    mistake: &Counterexample,
    look: impl FnOnce(&mut Value) -> T,
) -> Result<T, String> {
    let before = Before::of(evidence, place, mistake);
    let patched = match evidence.pointer_mut(place) {
        Some(at) => json_patch::patch(at, &mistake.patch).map_err(|error| error.to_string()),
        None => Err("the exchange is not there".to_owned()),
    };
    let looked = patched.map(|()| look(evidence));
    before.put_back(evidence);
    looked
}

/// What a patch is about to change.
enum Before {
    Steps(Vec<(usize, Value)>),
    /// It adds or takes away steps.
    All(Value),
}

impl Before {
    fn of(evidence: &Value, place: &str, mistake: &Counterexample) -> Self {
        // What is put into a step, or taken out of it, moves the exchanges behind it.
        let steps: Option<BTreeSet<usize>> = pointers(place, mistake)
            .map(|pointer| pointer.strip_prefix('/')?.split_once('/').and_then(|(step, _)| step.parse().ok()))
            .collect();
        match steps {
            Some(steps) => {
                Self::Steps(steps.into_iter().filter_map(|at| Some((at, evidence.get(at)?.clone()))).collect())
            }
            None => Self::All(evidence.clone()),
        }
    }

    fn put_back(self, evidence: &mut Value) {
        match self {
            Self::Steps(steps) => steps.into_iter().for_each(|(at, step)| evidence[at] = step),
            Self::All(all) => *evidence = all,
        }
    }
}

/// Where a counterexample changes something: its places, and where it takes away what it moves.
fn pointers(place: &str, mistake: &Counterexample) -> impl Iterator<Item = String> {
    let from = |operation: &PatchOperation| match operation {
        PatchOperation::Move(moved) => Some(moved.from.to_string()),
        _ => None,
    };
    let pointers = mistake.patch.0.iter().flat_map(move |one| [Some(one.path().to_string()), from(one)]);
    pointers.flatten().map(move |pointer| format!("{place}{pointer}"))
}

/// The exchanges that a counterexample changes.
fn touched(place: &str, mistake: &Counterexample) -> impl Iterator<Item = (usize, usize)> {
    pointers(place, mistake).filter_map(|pointer| pointer::exchange(&pointer))
}

fn read_again(evidence: &mut Value, place: &str, mistake: &Counterexample, suite: &ContractSuite) {
    if !mistake.patch.0.iter().any(|operation| operation.path().as_str().contains("/lines")) {
        return;
    }
    for (step, index) in touched(place, mistake).collect::<BTreeSet<_>>() {
        if let Some(exchange) = evidence.get_mut(step).and_then(|step| step.get_mut(index)) {
            derive::read_again(exchange, &suite.contract);
        }
    }
}

fn passed(judgements: &[Judgement], requirement: &str) -> bool {
    judgements.iter().any(|judgement| judgement.requirement == requirement && judgement.verdict == Verdict::Pass)
}

fn violated(judgements: &[Judgement]) -> BTreeSet<String> {
    let failed = judgements.iter().filter(|judgement| judgement.verdict == Verdict::Fail);
    failed.map(|judgement| judgement.requirement.clone()).collect()
}
