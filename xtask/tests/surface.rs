//! The whole visible surface of each contract, as one snapshot that a reviewer reads: operations and bindings, arguments and
//! answers, requirements, the tools that the reference offers, and a few requests with their answers.
//!
//! A change of a contract shows as a difference here; `cargo insta review` accepts it. Nothing else changes a snapshot.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod reference;
#[path = "reference/target.rs"]
mod target;

use conformance::collect::collect;
use conformance::diff::{Side, surface};
use conformance::load::{ContractSuite, Suite};
use conformance::targets::Target;
use insta::assert_snapshot;
use rstest::rstest;
use serde_json::{Map, Value};
use std::path::Path;

/// What documents leave to the implementation; a reference that counts otherwise is no other contract.
const FREE: [&str; 1] = ["score"];
/// So many lines of an answer tell enough.
const MOST: usize = 60;

#[rstest]
#[case::memory("memory", &["answer/default-limits", "answer/nothing-found", "request/refusal-of-top-ke", "tools/schema"])]
#[case::outline("outline", &["activate/middle", "search/full", "refusals/format", "live/tools"])]
#[case::recall("recall", &["query/one", "window/bounds", "params/content-type"])]
#[case::records("records", &["header/context", "edges/tree", "budget/tiny-context", "refusals/unknown-id"])]
#[case::remnote("remnote", &["content/modes-read", "search/limit", "tags/required", "tools/offered"])]
#[tokio::test(flavor = "multi_thread")]
async fn surface_of(#[case] contract: &str, #[case] told: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut page = surface::text(&Side::read(root).unwrap().contracts[contract]);
    let suite = Suite::load(root).unwrap();
    let contract = suite.contract(contract).unwrap();
    let target = target::ready(&suite, reference::program().unwrap()).unwrap();
    let server = target.start().await.unwrap();
    for name in told {
        page.push_str(&format!("\n{name}\n{}", transcript(&target, contract, name).await));
    }
    target.stop(server).await;
    assert_snapshot!(contract.contract.name.as_str(), page);
}

/// The requests and answers of a case, at the first endpoint that runs it.
async fn transcript(target: &Target, contract: &ContractSuite, name: &str) -> String {
    let case = contract.cases.iter().find(|case| case.name == name).unwrap();
    let is_its = |at: &usize| {
        target.endpoints[*at].contract == contract.contract.name && target.runs_at(*at, case, &contract.contract)
    };
    let endpoint = (0..target.endpoints.len()).find(is_its).unwrap();
    let route = target.route(endpoint, case, &contract.contract).unwrap();
    let evidence = collect(case, &contract.contract, &contract.corpus, &route).await.unwrap();
    let exchanges = evidence.as_array().unwrap().iter().flat_map(|step| step.as_array().unwrap());
    let tools: Vec<&str> =
        contract.contract.operations.values().filter_map(|operation| operation.mcp.as_ref()?.tool.as_deref()).collect();
    exchanges.map(|one| exchange(one, &tools)).collect()
}

fn exchange(exchange: &Value, tools: &[&str]) -> String {
    let request = &exchange["request"];
    let body = &exchange["answer"]["body"];
    let answer: Vec<String> = match (exchange["lines"].as_array(), body["tools"].as_array()) {
        // The reference offers those of other contracts beside these; all that is said of a tool is visible.
        (_, Some(offered)) => {
            let ours = offered.iter().filter(|tool| tools.contains(&tool["name"].as_str().unwrap()));
            ours.flat_map(pretty).collect()
        }
        (Some(lines), _) if !lines.is_empty() => {
            short(lines.iter().map(|line| line.as_str().unwrap().to_owned()).collect())
        }
        _ => short(pretty(&fixed(body))),
    };
    let answer: String = answer.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "  {} {}: {}\n{answer}",
        request["operation"].as_str().unwrap(),
        request["with"],
        exchange["status"].as_str().unwrap()
    )
}

fn pretty(value: &Value) -> Vec<String> {
    format!("{value:#}").lines().map(str::to_owned).collect()
}

fn short(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > MOST {
        let more = lines.len() - MOST;
        lines.truncate(MOST);
        lines.push(format!("… and {more} lines more"));
    }
    lines
}

/// An answer without what is left to the implementation.
fn fixed(answer: &Value) -> Value {
    match answer {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| !FREE.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name.clone(), fixed(value))).collect::<Map<_, _>>())
        }
        Value::Array(values) => values.iter().map(fixed).collect(),
        other => other.clone(),
    }
}
