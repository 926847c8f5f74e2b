#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

use super::compare::{Said, compare};
use super::{Tried, verdict};
use crate::load::{ContractSuite, Legal, Suite};
use crate::model::{Channel, Place, Proof, Protocol, TransportKind, Unproven, Verdict};
use rstest::rstest;
use serde_json::{Value, json};

/// The reasons and the advice of a legal answer in these tests, filled in by [`legal`].
const BINDING: &str = "BINDING";
const ADVICE: &str = "ADVICE";
const MORE_ADVICE: &str = "MORE_ADVICE";
const OF_TRANSPORT: &str = "OF_TRANSPORT";

fn suite() -> Suite {
    Suite::load(testing::root()).unwrap()
}

/// The contract that is spoken over two protocols.
fn contract(suite: &Suite) -> &ContractSuite {
    let is_spoken_twice = |contract: &&ContractSuite| {
        contract.contract.operations.values().any(|one| one.http.is_some() && one.mcp.is_some())
    };
    suite.contracts.iter().find(is_spoken_twice).unwrap()
}

/// The id of a requirement for each of the names above.
fn id(suite: &Suite, name: &str) -> String {
    let all = &contract(suite).contract.requirements;
    let mut advice = all.iter().filter(|one| !one.binds());
    let found = match name {
        OF_TRANSPORT => suite.transports.requirements.iter().find(|one| one.binds()),
        BINDING => all.iter().find(|one| one.binds()),
        ADVICE => advice.next(),
        _ => advice.nth(1),
    };
    found.unwrap().id.clone()
}

fn legal(suite: &Suite, more: &Value) -> Legal {
    let mut answer = json!({ "id": "one", "about": "It does.", "source": "Silence.", "of": ["search"] });
    answer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let named = [MORE_ADVICE, ADVICE, BINDING].iter().fold(answer.to_string(), |text, name| {
        text.replace(&format!("\"{name}\""), &format!("\"{}\"", id(suite, name)))
    });
    Legal { answer: serde_json::from_str(&named).unwrap(), rewritings: Vec::new() }
}

fn changed(pairs: &[(&str, Protocol)]) -> Tried {
    let changed = pairs.iter().map(|(name, protocol)| ((*name).to_owned(), *protocol)).collect();
    Tried { changed, ..Tried::default() }
}

/// What is wrong with a legal answer after all cases at every endpoint.
fn wrong(more: &Value, tried: Tried) -> Vec<String> {
    let suite = suite();
    let kinds = [TransportKind::Http, TransportKind::McpStdio, TransportKind::McpHttp];
    let places = kinds.map(|transport| Place {
        contract: contract(&suite).contract.name.as_str().into(),
        transport: Channel::new(transport, None),
    });
    let (is_accepted, problems) = verdict(&legal(&suite, more), contract(&suite), vec![tried], &places, true);
    assert_eq!(is_accepted, problems.is_empty());
    problems.into_iter().map(|problem| problem.why).collect()
}

#[rstest]
#[case::everywhere(json!({}), &[("search", Protocol::Http), ("search", Protocol::Mcp)], &[])]
#[case::at_one_transport(json!({}), &[("search", Protocol::Mcp)], &["changes no answer of `search` over http"])]
#[case::at_the_one_that_is_named(json!({ "over": ["mcp"] }), &[("search", Protocol::Mcp)], &[])]
#[case::at_another(json!({ "over": ["mcp"] }), &[("search", Protocol::Http)], &["changes no answer of `search` over mcp"])]
#[case::of_one_operation(
    json!({ "of": ["search", "tools"], "over": ["mcp"] }),
    &[("search", Protocol::Mcp)],
    &["changes no answer of `tools` over mcp"]
)]
#[case::an_operation_that_is_not_spoken_there(
    json!({ "of": ["search", "tools"] }),
    &[("search", Protocol::Http), ("search", Protocol::Mcp), ("tools", Protocol::Mcp)],
    &[]
)]
#[case::nowhere(json!({}), &[], &["changes no answer of `search` over http", "changes no answer of `search` over mcp"])]
fn every_operation_is_changed_over_every_transport(
    #[case] more: Value,
    #[case] pairs: &[(&str, Protocol)],
    #[case] due: &[&str],
) {
    assert_eq!(wrong(&more, changed(pairs)), due);
}

#[test]
fn what_it_says_in_vain_is_told() {
    let more = json!({ "against": [ADVICE], "also": [MORE_ADVICE], "not-exercised": { BINDING: "why" } });
    let [advice, more_advice, binding] = [ADVICE, MORE_ADVICE, BINDING].map(|name| id(&suite(), name));
    let both = [("search", Protocol::Http), ("search", Protocol::Mcp)];
    let due = [
        format!("never fails {advice}, which `against` names"),
        format!("never fails {more_advice}, which `also` names"),
        format!("exercises {binding} as much as the reference does, and `not-exercised` names it"),
    ];
    assert_eq!(wrong(&more, changed(&both)), due);
    let mut tried = changed(&both);
    tried.failed.extend([advice, more_advice]);
    tried.less.insert(binding);
    assert!(wrong(&more, tried).is_empty());
}

fn said(verdict: Verdict, exercised: usize) -> Said<'static> {
    Said { verdict, exercised, details: &[] }
}

/// What of a requirement becomes a problem, where it passed with five values before.
fn problems(more: &Value, name: &str, after: Said<'_>) -> usize {
    let (suite, mut tried) = (suite(), Tried::default());
    let id = id(&suite, name);
    let problem = |why: String| Unproven {
        proof: Proof::LegalAnswer,
        case: String::new(),
        requirement: id.clone(),
        about: String::new(),
        why,
        repeat: None,
    };
    let (legal, name) = (legal(&suite, more), &contract(&suite).contract.name);
    compare((name, &legal), suite.requirement(&id), &id, (said(Verdict::Pass, 5), after), &mut tried, problem);
    tried.problems.len()
}

#[rstest]
#[case::as_before(json!({}), said(Verdict::Pass, 5), 0)]
#[case::more(json!({}), said(Verdict::Pass, 6), 0)]
#[case::less(json!({}), said(Verdict::Pass, 4), 1)]
#[case::less_of_a_variant(json!({ "variant": "other" }), said(Verdict::Pass, 4), 0)]
#[case::nothing_of_a_variant(json!({ "variant": "other" }), said(Verdict::Skip, 0), 1)]
#[case::less_with_a_reason(json!({ "not-exercised": { BINDING: "why" } }), said(Verdict::Skip, 0), 0)]
#[case::skipped(json!({}), said(Verdict::Skip, 0), 1)]
#[case::violated(json!({}), said(Verdict::Fail, 5), 1)]
#[case::violated_whatever_the_reason(json!({ "not-exercised": { BINDING: "why" } }), said(Verdict::Fail, 5), 1)]
#[case::incomplete_whatever_the_reason(json!({ "not-exercised": { BINDING: "why" } }), said(Verdict::Incomplete, 0), 1)]
fn what_binds_passes_again_and_is_exercised_no_less(#[case] more: Value, #[case] after: Said<'_>, #[case] due: usize) {
    assert_eq!(problems(&more, BINDING, after), due);
}

/// Fewer calls may follow from a legal answer, and a transport is judged by each.
#[rstest]
#[case::less(said(Verdict::Pass, 4), 0)]
#[case::skipped(said(Verdict::Skip, 0), 1)]
#[case::violated(said(Verdict::Fail, 5), 1)]
fn what_a_transport_requires_may_be_exercised_less(#[case] after: Said<'_>, #[case] due: usize) {
    assert_eq!(problems(&json!({}), OF_TRANSPORT, after), due);
}

#[rstest]
#[case::against(json!({ "against": [ADVICE] }), said(Verdict::Fail, 5), 0)]
#[case::also(json!({ "also": [ADVICE] }), said(Verdict::Fail, 5), 0)]
#[case::not_named(json!({}), said(Verdict::Fail, 5), 1)]
#[case::exercised_less(json!({}), said(Verdict::Skip, 0), 0)]
fn advice_fails_where_it_is_named(#[case] more: Value, #[case] after: Said<'_>, #[case] due: usize) {
    assert_eq!(problems(&more, ADVICE, after), due);
}
