//! What was heard of a server that shows no sign of its revision: it violates only what every revision forbids.

use super::heard::Judging;
use crate::judge::Judgement;
use crate::load::{Case, ContractSuite, Suite};
use crate::model::{Detail, Verdict};
use serde_json::Value;

impl Judging {
    /// Takes back what another revision of the contract permits in this exchange.
    pub(crate) fn doubt_exchange(
        &self,
        judgements: &mut [Judgement],
        (suite, contract): (&Suite, &ContractSuite),
        step: usize,
        exchange: &Value,
    ) {
        let operation = exchange["request"]["operation"].as_str().unwrap_or_default();
        self.doubt(judgements, (suite, contract), |other| {
            let here = contract.contract.operations.get(operation)?;
            let there = other.contract.operations.get(operation)?;
            // By other names, or read otherwise, it is another exchange.
            let is_alike = (&here.http, &here.mcp, &here.cli, &here.format)
                == (&there.http, &there.mcp, &there.cli, &there.format);
            is_alike.then(|| self.exchange(other, &[], step, exchange))
        });
    }

    /// Takes back what another revision of the contract permits in the evidence of a case.
    pub(crate) fn doubt_case(
        &self,
        judgements: &mut [Judgement],
        (suite, contract): (&Suite, &ContractSuite),
        case: &Case,
        evidence: &Value,
    ) {
        self.doubt(judgements, (suite, contract), |other| {
            let there = other.cases.iter().find(|one| one.name == case.name && one.calls() == case.calls())?;
            Some(self.case(there, evidence))
        });
    }

    /// `judge` says what a revision makes of the same; nothing where that cannot be told.
    fn doubt(
        &self,
        judgements: &mut [Judgement],
        (suite, contract): (&Suite, &ContractSuite),
        judge: impl Fn(&ContractSuite) -> Option<Vec<Judgement>>,
    ) {
        let is_own = |one: &Judgement| contract.contract.requirement(&one.requirement).is_some();
        let mut failed: Vec<&mut Judgement> =
            judgements.iter_mut().filter(|one| one.verdict == Verdict::Fail && is_own(one)).collect();
        if failed.is_empty() {
            return;
        }
        let here = contract.contract.key();
        for key in suite.keys().filter(|key| key.name() == here.name() && *key != here) {
            let other = suite.keyed(&key).and_then(&judge);
            let forbids = |id: &str| {
                let all = other.iter().flatten();
                all.into_iter().any(|one| one.requirement == id && one.verdict == Verdict::Fail)
            };
            for one in failed.iter_mut().filter(|one| one.verdict == Verdict::Fail) {
                if !forbids(&one.requirement) {
                    let why = format!(
                        "{} may permit it, and nothing that passed shows which revision the server implements: give --revision {} or \
                         --revision {}",
                        key.full(),
                        here.full(),
                        key.full()
                    );
                    (one.verdict, one.details) = (Verdict::Incomplete, vec![Detail::new(why)]);
                }
            }
        }
    }
}
