//! Cases that show how MCP itself is kept to: what `transports.json` says of a call, made of a call of each contract.
//!
//! Each begins with a call that is accepted. The same call goes out once more, in another era or with something changed in its message
//! or its headers.

use super::RawCase;
use crate::model::{CaseFile, Contract, Era, Operation, Otherwise, Pick, ProtocolCase, Step, Sweep, SweepValues};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The cases of the protocol for a contract that is spoken over MCP, `protocol/<name>`.
pub(super) fn cases(given: &[ProtocolCase], contract: &Contract, file: &Path) -> Vec<RawCase> {
    let calls = calls(contract);
    let Some((first, _)) = calls.first() else { return Vec::new() };
    let mut cases = Vec::new();
    for given in given {
        match given.header {
            None => cases.push(otherwise(given, first, (given.name.clone(), file))),
            Some(_) => cases.extend(calls.iter().map(|(call, _)| {
                let name = format!("{}/{}", given.name, call.call);
                otherwise(given, call, (name, file))
            })),
        }
    }
    cases.push(every(&calls, file));
    cases.extend(calls.iter().map(|call| in_both_eras(call, file)));
    cases
}

/// A call of each tool that one is known for, and the operation that it is of.
fn calls(contract: &Contract) -> Vec<(Step, &Operation)> {
    let is_called = |operation: &Operation| {
        operation.mcp.as_ref().is_some_and(|mcp| mcp.tool.is_some())
            && operation.takes["required"].as_array().is_none_or(|names| {
                names.iter().filter_map(Value::as_str).all(|name| operation.example.contains_key(name))
            })
    };
    let called = contract.operations.iter().filter(|(_, operation)| is_called(operation));
    let called = called.map(|(name, operation)| {
        let with: Map<String, Value> =
            operation.example.keys().map(|name| (name.clone(), json!({ "$given": name }))).collect();
        (Step { call: name.clone(), with, ..Step::default() }, operation)
    });
    called.collect()
}

/// A call, and the same call with something changed; perhaps once for each of some headers.
pub(crate) fn changed_call(given: &ProtocolCase, call: &Step) -> CaseFile {
    let sound = Step { over: given.over, ..call.clone() };
    let headers = given.header.clone().map(|from| Sweep {
        argument: Some(Otherwise::HEADER.to_owned()),
        over: SweepValues::Pick(Pick { name: "value".to_owned(), from, args: Map::new() }),
    });
    let own = headers.iter().map(|_| Otherwise::HEADER).chain([Otherwise::ARGUMENT]).map(str::to_owned);
    let when = given.when.clone();
    let mut changed = Step { twin: Some(0), when, unknown: own.collect(), sweep: headers, ..sound.clone() };
    changed.with.insert(Otherwise::ARGUMENT.to_owned(), json!(given.otherwise));
    CaseFile {
        about: given.about.clone(),
        era: Some(given.era),
        steps: vec![sound, changed],
        checks: given.checks.clone(),
        ..CaseFile::default()
    }
}

fn otherwise(given: &ProtocolCase, call: &Step, (name, file): (String, &Path)) -> RawCase {
    raw(format!("protocol/{name}"), file, changed_call(given, call), given.alone)
}

/// A call of every tool: what is true of every exchange is judged by them.
fn every(calls: &[(Step, &Operation)], file: &Path) -> RawCase {
    let steps = calls.iter().map(|(step, _)| step.clone()).collect();
    let about = "Every tool is called once, by the example of its input schema.".to_owned();
    raw("protocol/calls".to_owned(), file, CaseFile { about, steps, ..CaseFile::default() }, false)
}

/// The same call in both eras.
fn in_both_eras((call, operation): &(Step, &Operation), file: &Path) -> RawCase {
    let steps = [Era::Modern, Era::Legacy].map(|era| Step { era: Some(era), ..call.clone() });
    // Of what a contract leaves the order open, the order is not compared. What is damaged stays an answer that the contract allows.
    let (part, rule, damage) = if operation.results().is_some() || operation.item.is_some() {
        ("items[*]", "same-set", json!({ "op": "replace", "path": "/1/0/items", "value": [] }))
    } else if operation.format.is_some() {
        let text = "/1/0/answer/result/content/0/text";
        ("answer.result.content[*].text", "same", json!({ "op": "replace", "path": text, "value": "another" }))
    } else {
        ("answer.body", "same", json!({ "op": "add", "path": "/1/0/answer/body/another", "value": true }))
    };
    let check = json!({
        "requirement": "mcp.same-in-both-eras",
        "select": { "left": format!("$[0][0].{part}"), "right": format!("$[1][0].{part}") },
        "rule": rule,
        "broken_by": [{ "about": "another answer in the legacy era", "patch": [damage] }]
    });
    // An era that refuses the call has nothing to compare, and is not the same as one that answers it.
    let also_answers = json!({
        "requirement": "mcp.same-in-both-eras",
        "each": "$[*][?@.status == 'accepted']",
        "select": { "part": "$[*][0].status", "whole": "@.status" },
        "rule": "subset",
        "broken_by": [{
            "about": "the call is refused in the legacy era",
            "patch": [{ "op": "replace", "path": "/1/0/status", "value": "refused" }]
        }]
    });
    let checks = [check, also_answers].into_iter().filter_map(|check| serde_json::from_value(check).ok()).collect();
    let about = format!("`{}` answers the same in both eras of MCP.", call.call);
    let case = CaseFile { about, steps: steps.into(), checks, ..CaseFile::default() };
    raw(format!("protocol/both-eras/{}", call.call), file, case, false)
}

fn raw(name: String, file: &Path, case: CaseFile, alone: bool) -> RawCase {
    RawCase { name, file: file.to_owned(), case, json_only: false, of_protocol: true, alone }
}
