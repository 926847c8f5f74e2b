//! Whether anything reaches a bound that was moved: a range that nobody asks for is promised, and never seen.

use super::shape::{Field, Schemas};
use super::side::ContractSide;
use crate::model::Step;
use serde_json::Value;

/// What nobody asks for of a range that is another one, `subject` being `search: top_ke`; nothing where something does.
pub(super) fn unreached(before: &ContractSide, now: &ContractSide, subject: &str) -> Option<String> {
    let (operation, argument) = subject.split_once(": ")?;
    let field = |side: &ContractSide| -> Option<Field> {
        let input = &side.contract.operations.get(operation)?.input;
        Schemas(&side.schemas).fields(input).into_iter().find(|field| field.path == argument)
    };
    let (old, fresh) = (field(before)?, field(now)?);
    let bound = |field: &Field, keyword: &str| field.keywords.get(keyword).and_then(Value::as_f64);
    let mut open = Vec::new();
    for (keyword, is_lower) in [("minimum", true), ("maximum", false)] {
        let (was, is) = (bound(&old, keyword), bound(&fresh, keyword));
        if was == is || asked_for_by_keyword(&fresh, keyword) {
            continue;
        }
        let none = if is_lower { f64::NEG_INFINITY } else { f64::INFINITY };
        let (was, is) = (was.unwrap_or(none), is.unwrap_or(none));
        let (low, high) = (was.min(is), was.max(is));
        // The narrower bound is in both ranges.
        let is_between = |value: f64| match is_lower {
            true => low <= value && value < high,
            false => low < value && value <= high,
        };
        if !asked(now, operation, argument).into_iter().any(is_between) {
            open.push(match is_lower {
                true => format!("from {low} to below {high}"),
                false => format!("above {low} up to {high}"),
            });
        }
    }
    let open = open.join(" or ").replace(" up to inf", "").replace("from -inf to below", "below");
    (!open.is_empty()).then(|| format!("no case calls {operation} with a `{argument}` {open}"))
}

/// Whether cases are made of this bound, or of both ends of the range.
fn asked_for_by_keyword(field: &Field, keyword: &str) -> bool {
    let mapped = field.keywords.get("x-requirements").and_then(Value::as_object);
    mapped.is_some_and(|mapped| mapped.contains_key("range") || mapped.contains_key(keyword))
}

/// The numbers that cases give for an argument.
fn asked(side: &ContractSide, operation: &str, argument: &str) -> Vec<f64> {
    let steps = side.cases.values().flat_map(|case| &case.steps).filter(|step| step.call == operation);
    steps.flat_map(|step: &Step| numbers(step, argument)).collect()
}

fn numbers(step: &Step, argument: &str) -> Vec<f64> {
    let own = step.with.get(argument).and_then(Value::as_f64);
    let sweep = step.sweep.iter();
    let swept = sweep.clone().filter(|sweep| sweep.argument.as_deref() == Some(argument));
    let swept = swept.flat_map(|sweep| sweep.over.listed()).filter_map(|value| value.as_f64());
    let rows = sweep.flat_map(|sweep| sweep.rows()).filter_map(|row| row.get(argument)?.as_f64());
    own.into_iter().chain(swept).chain(rows).collect()
}
