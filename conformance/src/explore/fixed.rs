//! What the reference answered → the checks of a case, as far as the document fixes it. Pure.

use crate::judge;
use crate::load::{Case, Check, Comparison, ContractSuite, Fixed, Matching, takes};
use crate::model::{CheckFile, Step};
use serde_json::{Map, Value, json};

/// A check that was made, and how it stands in a case file.
pub(super) struct Made {
    pub(super) check: Check,
    pub(super) file: CheckFile,
    /// What its golden file holds, where it has one.
    pub(super) golden: Option<Vec<Value>>,
}

/// The checks of a random call, from the reference's evidence. None where the reference gave no answer.
pub(super) fn checks(suite: &ContractSuite, case: &Case, evidence: &Value) -> Vec<Made> {
    let Some(step) = case.steps.first() else { return Vec::new() };
    let answered = evidence[0].as_array().is_some_and(|exchanges| {
        !exchanges.is_empty() && exchanges.iter().all(|exchange| exchange["status"] == "accepted")
    });
    // By an argument that means nothing, nothing is fixed.
    let is_sound = suite.contract.operations.get(&step.call).is_none_or(|one| takes(&one.takes, &step.with));
    let mut made = Vec::new();
    for fixed in suite.fixed.iter().filter(|fixed| answered && is_sound && speaks_of(fixed, step)) {
        if !fixed.file.otherwise || made.is_empty() {
            made.extend(one(fixed, made.len(), case, evidence));
        }
    }
    made
}

/// Whether a comparison applies to a call.
fn speaks_of(fixed: &Fixed, step: &Step) -> bool {
    let file = &fixed.file;
    file.of.contains(&step.call)
        && file.given.iter().all(|name| step.with.contains_key(name))
        && !file.without.iter().any(|name| step.with.contains_key(name))
        && file.with.iter().all(|(name, value)| step.with.get(name) == Some(value))
        && file.walk.is_none_or(|walk| walk == step.walk.is_some())
}

fn one(fixed: &Fixed, number: usize, case: &Case, evidence: &Value) -> Option<Made> {
    let file = &fixed.file;
    let mut check = Check {
        requirement: file.requirement.clone(),
        each: None,
        select: fixed.select.clone(),
        comparison: Comparison::Golden {
            file: String::new(),
            expected: Vec::new(),
            matching: Matching::of(file.unordered, None),
        },
        takes_refusal: false,
        broken_by: Vec::new(),
    };
    let mut due: Vec<Value> =
        judge::selected(&check, case, evidence).iter().map(|value| kept(value, file.keep.as_deref())).collect();
    due.truncate(file.first.unwrap_or(usize::MAX));
    if file.some && due.is_empty() {
        return None;
    }
    let golden = format!("explored-{number}.json");
    let mut args = file.args.clone();
    if let Some(name) = &file.due {
        // An outline is one value, everything else a list of them.
        let due = if name == "is" { due.first()?.clone() } else { due.clone().into() };
        args.insert(name.clone(), due);
    }
    check.comparison = match fixed.rule {
        Some(rule) => Comparison::Rule { rule, args: args.clone(), relation: (rule.bind)(&args).ok()? },
        None => Comparison::Golden {
            file: golden.clone(),
            expected: due.clone(),
            matching: Matching::of(file.unordered, None),
        },
    };
    let written = CheckFile {
        requirement: file.requirement.clone(),
        each: None,
        select: file.select.clone(),
        equals: None,
        golden: file.rule.is_none().then_some(golden),
        unordered: file.unordered,
        by: None,
        schema: None,
        rule: file.rule.clone(),
        args,
        broken_by: Vec::new(),
    };
    let golden = file.rule.is_none().then_some(due);
    Some(Made { check, file: written, golden })
}

/// The fields of an object that are compared.
fn kept(value: &Value, keep: Option<&[String]>) -> Value {
    match (keep, value) {
        (Some(keep), Value::Object(fields)) => {
            let named = fields.iter().filter(|(name, _)| keep.contains(name));
            named.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>().into()
        }
        (Some([]), _) => json!({}),
        _ => value.clone(),
    }
}
