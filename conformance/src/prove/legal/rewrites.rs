//! Legal answers that are rewrites: put in place of the recorded replies of a case, whose evidence is made again from them.

use super::Tried;
use super::compare::{Said, compare};
use crate::collect::{Course, derived, replay};
use crate::judge::{Change, Changes, Judgement, Parts, alter, differing, judge_within};
use crate::load::{Always, Case, ContractSuite, Legal, Suite};
use crate::model::{Proof, Protocol, RawReply, Recorded, Request, Unproven};
use crate::path::{Footprint, exchanges};
use crate::rewrite::{Opened, Rewriter};
use crate::targets::Route;
use crate::transport::Recording;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What the reference was found to do in a case.
#[derive(Debug, Clone, Copy)]
pub struct Sound<'s> {
    /// The evidence of the case.
    pub evidence: &'s Value,
    /// The calls that it is made of, and their replies, in the same order.
    pub recorded: &'s [Recorded],
    /// What is judged of the evidence.
    pub parts: &'s Parts,
}

/// Rewrites the recorded replies of a case as each legal answer says, makes evidence from them, and compares what is judged
/// with what is judged of the reference.
pub async fn case(
    case: &Case,
    contract: &ContractSuite,
    suite: &Suite,
    route: &Route<'_>,
    sound: Sound<'_>,
) -> Vec<Tried> {
    let mut trials = Trials::new(case, contract, suite, route, sound);
    let opened: Vec<Opened> = sound.recorded.iter().map(|_| Opened::default()).collect();
    // The operations that list tools.
    let lists =
        contract.contract.operations.iter().filter(|(_, one)| one.mcp.as_ref().is_some_and(|mcp| mcp.tool.is_none()));
    let lists: Vec<&str> = lists.map(|(name, _)| name.as_str()).collect();
    let mut all = Vec::new();
    for (at, legal) in contract.legal.iter().enumerate().filter(|(_, legal)| legal.has_case(case)) {
        let (instead, changed) = rewrite(legal, contract, route, &lists, sound.recorded.iter().zip(&opened));
        if changed.is_empty() {
            continue;
        }
        let mut tried = Tried { at, changed, ..Tried::default() };
        trials.run(legal, instead, &mut tried).await;
        all.push(tried);
    }
    all
}

/// The replies that a legal answer gives instead, by the position of their calls, and what it changes.
fn rewrite<'r>(
    legal: &Legal,
    contract: &ContractSuite,
    route: &Route<'_>,
    lists: &[&str],
    recorded: impl Iterator<Item = (&'r Recorded, &'r Opened)>,
) -> (BTreeMap<usize, RawReply>, BTreeSet<(String, Protocol)>) {
    let (mut instead, mut changed) = (BTreeMap::new(), BTreeSet::new());
    if legal.rewritings.is_empty() {
        return (instead, changed);
    }
    let mut rewriter = Rewriter::of(&legal.rewritings, lists);
    for (at, (call, opened)) in recorded.enumerate() {
        let protocol = call.over.unwrap_or(route.home.transport.channel()).protocol();
        let Some(operation) = contract.contract.operations.get(&call.operation) else { continue };
        if !legal.answer.over.is_empty() && !legal.answer.over.contains(&protocol) {
            continue;
        }
        if let Some(reply) = rewriter.rewritten(call, opened, operation) {
            changed.insert((call.operation.clone(), protocol));
            instead.insert(at, reply);
        }
    }
    (instead, changed)
}

/// Legal answers in a case. They are many, and most change few of its exchanges, so that only what these can alter is judged.
struct Trials<'t> {
    case: &'t Case,
    contract: &'t ContractSuite,
    suite: &'t Suite,
    route: &'t Route<'t>,
    sound: Sound<'t>,
    always: Vec<&'t Always>,
    /// The step and the position of each recorded call.
    places: Vec<(usize, usize)>,
    /// The exchange of each.
    exchanges: Vec<&'t Value>,
    /// The evidence, in which exchanges are replaced and put back.
    ground: Value,
    course: Course<'t>,
}

impl<'t> Trials<'t> {
    fn new(
        case: &'t Case,
        contract: &'t ContractSuite,
        suite: &'t Suite,
        route: &'t Route<'t>,
        sound: Sound<'t>,
    ) -> Self {
        Self {
            case,
            contract,
            suite,
            route,
            sound,
            always: suite.transports.of(route.home.transport.channel()),
            places: exchanges(sound.evidence).map(|one| (one.step, one.index)).collect(),
            exchanges: exchanges(sound.evidence).map(|one| one.value).collect(),
            ground: sound.evidence.clone(),
            course: Course::of(case, sound.evidence),
        }
    }

    async fn run(&mut self, legal: &Legal, instead: BTreeMap<usize, RawReply>, tried: &mut Tried) {
        let judged = match self.in_place(&instead) {
            Some(judged) => Ok(judged),
            None => self.again(instead).await,
        };
        let (changed, after) = match judged {
            Ok(judged) => judged,
            Err(why) => {
                tried.problems.push(self.problem(legal, "", why));
                return;
            }
        };
        let before = self.sound.parts.within(self.sound.parts.scope(&changed));
        let ids = before.iter().chain(&after).map(|judgement| judgement.requirement.as_str());
        let key = self.contract.contract.key();
        for id in ids.collect::<BTreeSet<_>>() {
            let said = (Said::judged(of(&before, id)), Said::judged(of(&after, id)));
            let requirement = self.suite.requirement_at(&key, id);
            let legal_here = (key.name(), legal);
            compare(legal_here, requirement, id, said, tried, |why| self.problem(legal, id, why));
        }
    }

    /// Puts the exchanges of other replies into the evidence, judges it, and puts everything back as it was; nothing where other
    /// calls would follow from them.
    fn in_place(&mut self, instead: &BTreeMap<usize, RawReply>) -> Option<(Changes, Vec<Judgement>)> {
        let fresh = instead.iter().filter_map(|(at, reply)| Some((*self.places.get(*at)?, self.exchange(*at, reply)?)));
        let fresh: Vec<((usize, usize), Value)> = fresh.collect();
        let (mut changed, mut old) = (Changes::new(), Vec::new());
        for ((step, index), exchange) in fresh {
            let exchange_there = &mut self.ground[step][index];
            let Some(change) = Change::between(exchange_there, &exchange) else { continue };
            changed.insert((step, index), change);
            old.push(((step, index), std::mem::replace(exchange_there, exchange)));
        }
        let may_differ = |steps: &BTreeSet<usize>, print: &Footprint| alter(&changed, steps, print);
        let is_kept = self.course.is_kept(self.case, &self.ground, may_differ);
        let judged = is_kept.then(|| self.judge(&changed, &self.ground));
        for ((step, index), exchange) in old {
            self.ground[step][index] = exchange;
        }
        judged.map(|judged| (changed, judged))
    }

    fn exchange(&self, at: usize, reply: &RawReply) -> Option<Value> {
        let Recorded { operation, with, over, .. } = &self.sound.recorded[at];
        let known = self.contract.contract.operations.get(operation)?;
        let named = self.route.others.iter().find(|other| Some(other.transport.channel()) == *over);
        let endpoint = named.copied().unwrap_or(self.route.home);
        let request = Request { operation: operation.clone(), with: with.clone(), over: *over, sent: Value::Null };
        Some(derived(request, reply, known, endpoint))
    }

    /// Makes the calls of the case again, as its picks and walks say now, and judges what comes of them.
    async fn again(&self, instead: BTreeMap<usize, RawReply>) -> Result<(Changes, Vec<Judgement>), String> {
        let recording = Recording::new(self.sound.recorded, &self.exchanges, instead);
        let replayed = replay(self.case, &self.contract.contract, &recording, self.route).await;
        let evidence = replayed.map_err(|error| format!("cannot be collected: {error}"))?;
        if let Some(call) = recording.missing().first() {
            return Err(format!("leads to a call that was never recorded, so it takes a variant: {call}"));
        }
        let changed = differing(self.sound.evidence, &evidence);
        let judged = self.judge(&changed, &evidence);
        Ok((changed, judged))
    }

    fn judge(&self, changed: &Changes, evidence: &Value) -> Vec<Judgement> {
        judge_within(self.sound.parts.scope(changed), self.case, self.contract, &self.always, evidence)
    }

    fn problem(&self, legal: &Legal, requirement: &str, why: String) -> Unproven {
        let place = self.route.home.place();
        let mut repeat = format!("verify {} --case {}", place.contract.words(), self.case.name);
        if !requirement.is_empty() {
            repeat += &format!(" --only {requirement}");
        }
        Unproven {
            proof: Proof::LegalAnswer,
            case: format!("{} {} over {}", place.contract, self.case.name, place.transport),
            requirement: requirement.to_owned(),
            about: legal.answer.id.clone(),
            why,
            repeat: Some(repeat),
        }
    }
}

fn of<'j>(judgements: &'j [Judgement], id: &str) -> Option<&'j Judgement> {
    judgements.iter().find(|judgement| judgement.requirement == id)
}
