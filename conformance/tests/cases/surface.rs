//! The whole visible surface of each contract, as one snapshot that a reviewer reads: operations and bindings, arguments and
//! answers, requirements, the tools that the reference offers, and a few requests with their answers.
//!
//! Only a change of its contract changes a snapshot; `cargo insta review` accepts it.

use crate::probe::Probe;
use conformance::diff::{Side, surface};
use conformance::model::ContractKey;
use insta::assert_snapshot;
use libtest_mimic::{Failed, Trial};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What documents leave to the implementation; a reference that counts otherwise is no other contract.
const FREE: [&str; 1] = ["score"];
/// The most lines of an answer that are shown.
const MOST: usize = 60;

/// A test for each contract.
pub(crate) fn trials(probes: &[Arc<Probe>]) -> impl Iterator<Item = Trial> {
    testing::contracts().into_iter().map(|contract| {
        let its = probes.iter().filter(|probe| probe.suite().contract.name == contract);
        let its: Vec<Arc<Probe>> = its.cloned().collect();
        Trial::test(format!("surface::{contract}"), move || surface_of(&contract, &its))
    })
}

fn surface_of(contract: &str, probes: &[Arc<Probe>]) -> Result<(), Failed> {
    let mut page = surface::text(&Side::read(testing::root()).unwrap().contracts[&ContractKey::new(contract)]);
    let shown = testing::root().join("fixtures").join(contract).join("surface.json");
    let shown: Vec<String> = serde_json::from_str(&std::fs::read_to_string(shown).unwrap()).unwrap();
    for name in &shown {
        let probe = probes.iter().find(|probe| probe.case().name == *name).unwrap();
        page.push_str(&format!("\n{name}\n{}", transcript(probe)?));
    }
    assert_snapshot!(contract, page);
    Ok(())
}

/// The requests and answers of a case, at the first endpoint that runs it.
fn transcript(probe: &Probe) -> Result<String, Failed> {
    let exchanges = probe.evidence()?.as_array().unwrap().iter().flat_map(|step| step.as_array().unwrap());
    let operations = probe.suite().contract.operations.values();
    let tools: Vec<&str> = operations.filter_map(|operation| operation.mcp.as_ref()?.tool.as_deref()).collect();
    Ok(exchanges.map(|one| exchange(one, &tools)).collect())
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
