//! Which contract an answer or a list of tools looks like. Pure.

use conformance::contracts;
use conformance::load::ContractSuite;
use conformance::model::{Exchange, Operation, Status};
use serde_json::{Map, Value};

/// An operation of a contract with a path of its own, and a sound call of it.
pub(crate) fn http_call(contract: &ContractSuite) -> Option<(&Operation, Map<String, Value>)> {
    let has_path = |operation: &Operation| operation.http.as_ref().is_some_and(|http| !http.path.starts_with('{'));
    let (name, operation) = contract.contract.operations.iter().find(|(_, operation)| has_path(operation))?;
    if !operation.example.is_empty() {
        return Some((operation, operation.example.clone()));
    }
    let is_plain = |with: &Map<String, Value>| !with.is_empty() && with.values().all(|value| !value.is_object());
    let steps = contract.cases.iter().filter(|case| case.needs.is_empty()).flat_map(|case| case.steps.first());
    let mut calls = steps.filter(|step| step.call == *name && step.sweep.is_none() && step.walk.is_none());
    Some((operation, calls.find(|step| is_plain(&step.with))?.with.clone()))
}

/// Whether an answer comes from the operation of a contract, and is not what the server answers on any path.
pub(super) fn is_answer(contract: &ContractSuite, reply: &Exchange, elsewhere: &Exchange) -> bool {
    let (status, body) = (&reply.answer["status"], &reply.answer["body"]);
    if body.is_null() {
        return false;
    }
    let same_as_elsewhere = *status == elsewhere.answer["status"];
    match reply.status {
        Status::Accepted if same_as_elsewhere && *body == elsewhere.answer["body"] => false,
        Status::Accepted => reply.items.as_ref().is_none_or(|items| has_its_fields(contract, items)),
        _ => !same_as_elsewhere && !matches!(status.as_u64(), Some(404 | 405 | 501)),
    }
}

/// Whether some item has a field of the contract. An empty list could be of any contract.
fn has_its_fields(contract: &ContractSuite, items: &Value) -> bool {
    let items = items.as_array().map_or(&[][..], Vec::as_slice);
    let mut objects = items.iter().filter_map(Value::as_object);
    items.is_empty() || objects.any(|item| item.keys().any(|key| contract.fields.contains(key)))
}

/// Whether the output of a program looks like that of an operation: most of its lines can be parsed.
pub(super) fn is_output(operation: &Operation, reply: &Exchange) -> bool {
    let text = reply.lines.iter().flatten().map(String::as_str).collect::<Vec<_>>().join("\n");
    let text = text.trim_end();
    let lines: Vec<&str> = text.split('\n').collect();
    let Some(format) = operation.format.as_deref().and_then(contracts::format) else { return false };
    reply.status == Status::Accepted && !text.is_empty() && (format.parse)(&lines).problems.len() * 2 <= lines.len()
}
