//! JSON Schemas that a target advertises: what they say, and whether its answers keep to them.

use super::bounds::{Unbounded, unbounded};
use super::{Input, Ruling, short};
use crate::model::Detail;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A pattern of a schema may go back so many times before a text is given up.
const MOST_BACKTRACKING: usize = 10_000;
/// So many compiled schemas are kept.
const MOST_COMPILED: usize = 8;

/// Each value is valid by the schema that the target advertises. Drafts other than 2020-12 are named by `$schema`; formats
/// are free, and nothing is ever fetched.
pub(super) fn valid_by(input: &Input<'_, '_>) -> Ruling {
    let Some(schema) = input.one("schema").filter(|node| !node.value.is_null()) else {
        return Ruling::skip("no schema is advertised");
    };
    let values = input.all("value");
    if values.is_empty() {
        return Ruling::skip("no values to judge");
    }
    for node in values {
        match unbounded(schema.value, node.value) {
            Ok(()) => {}
            Err(Unbounded::Endless) => {
                let why = "the schema refers to itself without end, so no value is valid by it";
                return Ruling::fail(Detail::new(why).at(&schema.pointer));
            }
            Err(Unbounded::TooMuch(why)) => {
                let why = format!("nothing can be judged by the schema: {why}");
                return Ruling::incomplete(Detail::new(why).at(&schema.pointer));
            }
        }
    }
    let validator = match compiled(schema.value) {
        Ok(validator) => validator,
        Err(error) => {
            let why = format!("the schema cannot be used: {error}");
            return Ruling::fail(Detail::new(why).at(&schema.pointer));
        }
    };
    let mut details = Vec::new();
    for node in values {
        let Err(error) = validator.validate(node.value) else { continue };
        let at = format!("{}{}", node.pointer, error.instance_path());
        if undecided(&error) {
            return Ruling::incomplete(Detail::new("a pattern of the schema takes too long on this text").at(at));
        }
        let message = format!("{} (schema: {})", short(error.to_string()), error.schema_path());
        details.push(Detail { found: Some(error.instance().clone().into_owned()), ..Detail::new(message) }.at(at));
    }
    Ruling::of(values.len(), details)
}

/// Whether the engine of patterns gave up.
fn undecided(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::BacktrackLimitExceeded { .. } => true,
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context.iter().flatten().any(undecided)
        }
        _ => false,
    }
}

thread_local! {
    /// The schemas that were compiled last: every answer of a tool is judged by the same one.
    static COMPILED: RefCell<VecDeque<(Value, Rc<Validator>)>> = const { RefCell::new(VecDeque::new()) };
}

fn compiled(schema: &Value) -> Result<Rc<Validator>, ValidationError<'static>> {
    let known = COMPILED.with_borrow(|known| known.iter().find(|(of, _)| of == schema).map(|(_, one)| Rc::clone(one)));
    if let Some(validator) = known {
        return Ok(validator);
    }
    let validator = jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MOST_BACKTRACKING))
        .build(schema)?;
    let validator = Rc::new(validator);
    COMPILED.with_borrow_mut(|known| {
        known.push_front((schema.clone(), Rc::clone(&validator)));
        known.truncate(MOST_COMPILED);
    });
    Ok(validator)
}
