//! The proof that checks let correct programs pass: legal answers, put in place of the reference's and collected again.

use crate::collect::replay;
use crate::judge::{Judgement, judge};
use crate::load::{Case, ContractSuite, Legal, Suite};
use crate::model::{Detail, Place, Proof, Protocol, Recorded, Requirement, Unproven, Verdict};
use crate::rewrite::rewritten;
use crate::targets::Route;
use crate::transport::Recording;
use serde_json::Value;
use std::collections::BTreeSet;

/// What a legal answer does in one case.
#[derive(Debug, Default)]
pub struct Tried {
    /// Its position in the list of its contract.
    pub(crate) at: usize,
    /// The operations whose answers it changes, and over which protocol.
    changed: BTreeSet<(String, Protocol)>,
    /// The advice that fails.
    failed: BTreeSet<String>,
    /// The binding requirements that are exercised less.
    less: BTreeSet<String>,
    problems: Vec<Unproven>,
}

/// Rewrites the recorded replies of a case as each legal answer says, collects it again from them, and compares what is
/// judged with `before`, the judgements of the recorded evidence.
pub async fn case(
    case: &Case,
    contract: &ContractSuite,
    suite: &Suite,
    route: &Route<'_>,
    recorded: &[Recorded],
    before: &[Judgement],
) -> Vec<Tried> {
    let mut all = Vec::new();
    for (at, legal) in contract.legal.iter().enumerate().filter(|(_, legal)| legal.has_case(case)) {
        let (calls, changed) = rewrite(legal, contract, route, recorded);
        if changed.is_empty() {
            continue;
        }
        let mut tried = Tried { at, changed, ..Tried::default() };
        let trial = Trial { case, contract, suite, route, legal };
        trial.run(calls, before, &mut tried).await;
        all.push(tried);
    }
    all
}

/// The calls with the replies that a legal answer gives, and what it changes.
fn rewrite(
    legal: &Legal,
    contract: &ContractSuite,
    route: &Route<'_>,
    recorded: &[Recorded],
) -> (Vec<Recorded>, BTreeSet<(String, Protocol)>) {
    let lists = contract
        .contract
        .operations
        .iter()
        .filter(|(_, operation)| operation.mcp.as_ref().is_some_and(|mcp| mcp.tool.is_none()));
    let lists: Vec<&str> = lists.map(|(name, _)| name.as_str()).collect();
    let (mut calls, mut changed) = (Vec::new(), BTreeSet::new());
    if legal.rewritings.is_empty() {
        return (calls, changed);
    }
    let mut fresh = Vec::new();
    for (at, call) in recorded.iter().enumerate() {
        let protocol = call.over.unwrap_or(route.home.transport.kind()).protocol();
        let Some(operation) = contract.contract.operations.get(&call.operation) else { continue };
        if !legal.answer.over.is_empty() && !legal.answer.over.contains(&protocol) {
            continue;
        }
        if let Some(reply) = rewritten(call, operation, &legal.rewritings, &lists) {
            changed.insert((call.operation.clone(), protocol));
            fresh.push((at, reply));
        }
    }
    if !changed.is_empty() {
        calls = recorded.to_vec();
        fresh.into_iter().for_each(|(at, reply)| calls[at].reply = reply);
    }
    (calls, changed)
}

/// A legal answer in a case.
struct Trial<'t> {
    case: &'t Case,
    contract: &'t ContractSuite,
    suite: &'t Suite,
    route: &'t Route<'t>,
    legal: &'t Legal,
}

impl Trial<'_> {
    async fn run(&self, calls: Vec<Recorded>, before: &[Judgement], tried: &mut Tried) {
        let recording = Recording::new(calls);
        let evidence = match replay(self.case, &self.contract.contract, &recording, self.route).await {
            Ok(evidence) => evidence,
            Err(error) => {
                tried.problems.push(self.problem("", format!("cannot be collected: {error}")));
                return;
            }
        };
        if let Some(call) = recording.missing().first() {
            let why = format!("leads to a call that was never recorded, so it takes a variant: {call}");
            tried.problems.push(self.problem("", why));
            return;
        }
        let always = self.suite.transports.of(self.route.home.transport.kind());
        let after = judge(self.case, self.contract, &always, &evidence);
        let ids = before.iter().chain(&after).map(|judgement| judgement.requirement.as_str());
        for id in ids.collect::<BTreeSet<_>>() {
            self.compare(id, of(before, id), of(&after, id), tried);
        }
    }

    fn compare(&self, id: &str, before: Option<&Judgement>, after: Option<&Judgement>, tried: &mut Tried) {
        let verdict = |judgement: Option<&Judgement>| judgement.map_or(Verdict::Skip, |one| one.verdict);
        let (was, is) = (verdict(before), verdict(after));
        let (looked_before, looked) = (exercised(before), exercised(after));
        // What the reference itself violates is reported elsewhere.
        if was == Verdict::Fail {
            return;
        }
        if !self.suite.requirement(id).is_some_and(Requirement::binds) {
            if is == Verdict::Fail {
                tried.failed.insert(id.to_owned());
                if !self.legal.answer.against.iter().chain(&self.legal.answer.also).any(|named| named == id) {
                    let why = format!("fails advice that neither `against` nor `also` names: {}", received(after));
                    tried.problems.push(self.problem(id, why));
                }
            }
            return;
        }
        let is_less = was == Verdict::Pass && is != Verdict::Fail && (is != Verdict::Pass || looked < looked_before);
        if is_less {
            tried.less.insert(id.to_owned());
        }
        let is_excused = is_less && is != Verdict::Incomplete && self.legal.answer.not_exercised.contains_key(id);
        let is_worse = is.severity() > was.severity().max(Verdict::Pass.severity());
        if is_worse || is_less && !is_excused {
            let why = format!(
                "is condemned: expected {was} with {looked_before} values looked at, received {}",
                received(after)
            );
            tried.problems.push(self.problem(id, why));
        }
    }

    fn problem(&self, requirement: &str, why: String) -> Unproven {
        let place = self.route.home.place();
        Unproven {
            proof: Proof::LegalAnswer,
            case: format!("{} {} over {}", place.contract, self.case.name, place.transport),
            requirement: requirement.to_owned(),
            about: self.legal.answer.id.clone(),
            why,
        }
    }
}

fn of<'j>(judgements: &'j [Judgement], id: &str) -> Option<&'j Judgement> {
    judgements.iter().find(|judgement| judgement.requirement == id)
}

fn exercised(judgement: Option<&Judgement>) -> usize {
    judgement.map_or(0, |judgement| judgement.exercised)
}

/// What a check says now, in a sentence.
fn received(judgement: Option<&Judgement>) -> String {
    let Some(judgement) = judgement else { return "nothing that it could judge".to_owned() };
    let mut said = format!("{} with {}", judgement.verdict, judgement.exercised);
    if let Some(Detail { message, at, expected, found }) = judgement.details.first() {
        said += &format!(": {message}");
        said += &at.as_ref().map_or_else(String::new, |at| format!(" (evidence {at})"));
        let shown = |value: &Value| value.to_string().chars().take(200).collect::<String>();
        said += &expected.as_ref().map_or_else(String::new, |value| format!(", expected {}", shown(value)));
        said += &found.as_ref().map_or_else(String::new, |value| format!(", received {}", shown(value)));
    }
    said
}

/// The legal answers of a contract after all its cases: how many are accepted, and what is wrong with the others.
///
/// `places` are the endpoints of the contract. What no case shows is told only where `every_case` was tried.
pub fn whole(
    contract: &ContractSuite,
    tried: Vec<Tried>,
    places: &[Place],
    every_case: bool,
) -> (usize, Vec<Unproven>) {
    let (mut accepted, mut unproven) = (0, Vec::new());
    let mut by_answer: Vec<Vec<Tried>> = contract.legal.iter().map(|_| Vec::new()).collect();
    for one in tried {
        by_answer[one.at].push(one);
    }
    for (legal, trials) in contract.legal.iter().zip(by_answer).filter(|(legal, _)| legal.answer.variant.is_none()) {
        let mut all = Tried::default();
        for mut one in trials {
            all.changed.append(&mut one.changed);
            all.failed.append(&mut one.failed);
            all.less.append(&mut one.less);
            all.problems.append(&mut one.problems);
        }
        if every_case {
            let stale = stale(legal, contract, &all, places).into_iter().map(|why| Unproven {
                proof: Proof::LegalAnswer,
                case: format!("{}/legal.json", contract.contract.name),
                requirement: String::new(),
                about: legal.answer.id.clone(),
                why,
            });
            all.problems.extend(stale);
        }
        accepted += usize::from(all.problems.is_empty() && !all.changed.is_empty());
        unproven.extend(first_of_each(all.problems));
    }
    (accepted, unproven)
}

/// The first problem with each requirement, and how many more cases have it.
fn first_of_each(problems: Vec<Unproven>) -> Vec<Unproven> {
    let mut first: Vec<(Unproven, usize)> = Vec::new();
    for problem in problems {
        match first.iter_mut().find(|(one, _)| !one.requirement.is_empty() && one.requirement == problem.requirement) {
            Some((_, more)) => *more += 1,
            None => first.push((problem, 0)),
        }
    }
    let with_count = first.into_iter().map(|(mut one, more)| {
        if more > 0 {
            one.why += &format!("; so it is in {more} more");
        }
        one
    });
    with_count.collect()
}

/// What a legal answer says of itself and no case shows.
fn stale(legal: &Legal, contract: &ContractSuite, all: &Tried, places: &[Place]) -> Vec<String> {
    let answer = &legal.answer;
    let mut stale = Vec::new();
    let protocols: BTreeSet<Protocol> = places.iter().map(|place| place.transport.protocol()).collect();
    let meant = |over: &&Protocol| answer.over.is_empty() || answer.over.contains(over);
    for protocol in protocols.iter().filter(meant) {
        for name in &answer.of {
            let is_spoken = contract.contract.operations.get(name).is_some_and(|one| one.binding(*protocol).is_some());
            if is_spoken && !all.changed.contains(&(name.clone(), *protocol)) {
                stale.push(format!("changes no answer of `{name}` over {protocol}"));
            }
        }
    }
    let named = |list: &[String], seen: &BTreeSet<String>| -> Vec<String> {
        list.iter().filter(|id| !seen.contains(*id)).cloned().collect()
    };
    for id in named(&answer.against, &all.failed) {
        stale.push(format!("never fails {id}, which `against` names"));
    }
    for id in named(&answer.also, &all.failed) {
        stale.push(format!("never fails {id}, which `also` names"));
    }
    let less: Vec<String> = answer.not_exercised.keys().cloned().collect();
    for id in named(&less, &all.less) {
        stale.push(format!("exercises {id} as much as the reference does, and `not-exercised` names it"));
    }
    stale
}
