//! Legal answers that are rewrites: put in place of the recorded replies of a case, which is collected again from them.

use super::Tried;
use super::compare::{Said, compare};
use crate::collect::replay;
use crate::judge::{Judgement, judge};
use crate::load::{Case, ContractSuite, Legal, Suite};
use crate::model::{Proof, Protocol, RawReply, Recorded, Unproven};
use crate::rewrite::Rewriter;
use crate::targets::Route;
use crate::transport::Recording;
use std::collections::{BTreeMap, BTreeSet};

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
        let (instead, changed) = rewrite(legal, contract, route, recorded);
        if changed.is_empty() {
            continue;
        }
        let mut tried = Tried { at, changed, ..Tried::default() };
        let trial = Trial { case, contract, suite, route, legal };
        trial.run(Recording::new(recorded, instead), before, &mut tried).await;
        all.push(tried);
    }
    all
}

/// The replies that a legal answer gives instead, by the position of their calls, and what it changes.
fn rewrite(
    legal: &Legal,
    contract: &ContractSuite,
    route: &Route<'_>,
    recorded: &[Recorded],
) -> (BTreeMap<usize, RawReply>, BTreeSet<(String, Protocol)>) {
    let lists = contract
        .contract
        .operations
        .iter()
        .filter(|(_, operation)| operation.mcp.as_ref().is_some_and(|mcp| mcp.tool.is_none()));
    let lists: Vec<&str> = lists.map(|(name, _)| name.as_str()).collect();
    let (mut instead, mut changed) = (BTreeMap::new(), BTreeSet::new());
    if legal.rewritings.is_empty() {
        return (instead, changed);
    }
    let mut rewriter = Rewriter::of(&legal.rewritings, &lists);
    for (at, call) in recorded.iter().enumerate() {
        let protocol = call.over.unwrap_or(route.home.transport.kind()).protocol();
        let Some(operation) = contract.contract.operations.get(&call.operation) else { continue };
        if !legal.answer.over.is_empty() && !legal.answer.over.contains(&protocol) {
            continue;
        }
        if let Some(reply) = rewriter.rewritten(call, operation) {
            changed.insert((call.operation.clone(), protocol));
            instead.insert(at, reply);
        }
    }
    (instead, changed)
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
    async fn run(&self, recording: Recording<'_>, before: &[Judgement], tried: &mut Tried) {
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
            let said = (Said::judged(of(before, id)), Said::judged(of(&after, id)));
            compare(self.legal, self.suite, id, said, tried, |why| self.problem(id, why));
        }
    }

    fn problem(&self, requirement: &str, why: String) -> Unproven {
        let place = self.route.home.place();
        let mut repeat = format!("verify {} --case {}", place.contract.name(), self.case.name);
        if !requirement.is_empty() {
            repeat += &format!(" --only {requirement}");
        }
        Unproven {
            proof: Proof::LegalAnswer,
            case: format!("{} {} over {}", place.contract, self.case.name, place.transport),
            requirement: requirement.to_owned(),
            about: self.legal.answer.id.clone(),
            why,
            repeat: Some(repeat),
        }
    }
}

fn of<'j>(judgements: &'j [Judgement], id: &str) -> Option<&'j Judgement> {
    judgements.iter().find(|judgement| judgement.requirement == id)
}
