//! JSON Schemas that a target advertises: what they say, and whether its answers keep to them.

use super::bounds::{Cost, Unbounded, cost, unbounded};
use super::{Input, Ruling, short};
use crate::model::Detail;
use crate::path::Located;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator, draft4, draft6, draft7, draft201909, draft202012};
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
    let compiled = match compiled(schema.value) {
        Ok(compiled) => compiled,
        Err(Unusable::Unbounded(why)) => return cannot_judge(&why, schema),
        Err(Unusable::Broken(error)) => {
            if let Some(name) = unknown_dialect(schema.value) {
                return Ruling::skip(format!("the schema names a dialect that is not known: {name}"));
            }
            return Ruling::fail(Detail::new(format!("the schema cannot be used: {error}")).at(&schema.pointer));
        }
    };
    if let Some(why) = values.iter().find_map(|node| unbounded(schema.value, compiled.cost, node.value).err()) {
        return cannot_judge(&why, schema);
    }
    let mut details = Vec::new();
    for node in values {
        let Err(error) = compiled.validator.validate(node.value) else { continue };
        let at = format!("{}{}", node.pointer, error.instance_path());
        if undecided(&error) {
            return Ruling::incomplete(Detail::new("a pattern of the schema takes too long on this text").at(at));
        }
        let message = format!("{} (schema: {})", short(error.to_string()), error.schema_path());
        details.push(Detail { found: Some(error.instance().clone().into_owned()), ..Detail::new(message) }.at(at));
    }
    Ruling::of(values.len(), details)
}

/// Each value is a schema that is valid by its dialect: the one that `$schema` names or, without it, 2020-12 or draft-07, which
/// older revisions of MCP took for granted. A dialect that is not known is not judged. Together they count as one value, since
/// not every tool has a second schema.
pub(super) fn valid_schema(input: &Input<'_, '_>) -> Ruling {
    let (mut is_exercised, mut details) = (false, Vec::new());
    for node in input.all("value") {
        let named = node.value.get("$schema");
        let dialect = named.map_or(Some(draft202012::meta::validate as Dialect), |name| dialect(name.as_str()?));
        let Some(is_valid) = dialect else { continue };
        is_exercised = true;
        let Err(error) = is_valid(node.value) else { continue };
        if named.is_none() && draft7::meta::is_valid(node.value) {
            continue;
        }
        let at = format!("{}{}", node.pointer, error.instance_path());
        let message = format!("is no valid schema: {}", short(error.to_string()));
        details.push(Detail { found: Some(error.instance().clone().into_owned()), ..Detail::new(message) }.at(at));
    }
    match is_exercised {
        false => Ruling::skip("no schema of a dialect that is known"),
        true => Ruling::of(1, details),
    }
}

/// Whether a schema is valid by one dialect.
type Dialect = fn(&Value) -> Result<(), ValidationError<'_>>;

/// The dialect of that name.
fn dialect(name: &str) -> Option<Dialect> {
    let path = name.strip_prefix("http://").or_else(|| name.strip_prefix("https://"))?;
    match path.strip_prefix("json-schema.org/")?.trim_end_matches('#') {
        "draft-04/schema" => Some(draft4::meta::validate),
        "draft-06/schema" => Some(draft6::meta::validate),
        "draft-07/schema" => Some(draft7::meta::validate),
        "draft/2019-09/schema" => Some(draft201909::meta::validate),
        "draft/2020-12/schema" => Some(draft202012::meta::validate),
        _ => None,
    }
}

/// A dialect that a schema, or one in it, names and that is not known.
fn unknown_dialect(schema: &Value) -> Option<&str> {
    let own = schema.get("$schema").and_then(Value::as_str).filter(|name| dialect(name).is_none());
    own.or_else(|| match schema {
        Value::Object(members) => members.values().find_map(unknown_dialect),
        Value::Array(values) => values.iter().find_map(unknown_dialect),
        _ => None,
    })
}

/// Whether a schema allows a value; nothing where the schema cannot be used, or takes too long.
pub(crate) fn validity(schema: &Value, value: &Value) -> Option<bool> {
    let compiled = compiled(schema).ok()?;
    unbounded(schema, compiled.cost, value).ok()?;
    match compiled.validator.validate(value) {
        Ok(()) => Some(true),
        Err(error) => (!undecided(&error)).then_some(false),
    }
}

/// A schema that a user brings, with what it takes to judge by it counted.
#[derive(Debug)]
pub(crate) struct Bounded {
    schema: Value,
    cost: Cost,
}

impl Bounded {
    /// Counts what a schema takes with any value.
    ///
    /// # Errors
    /// When that is too much, or has no end, for people to read.
    pub(crate) fn of(schema: Value) -> Result<Self, String> {
        let cost = cost(&schema).map_err(|why| why.to_string())?;
        Ok(Self { schema, cost })
    }

    /// Why a value cannot be judged by it.
    pub(crate) fn refuses(&self, value: &Value) -> Option<String> {
        unbounded(&self.schema, self.cost, value).err().map(|why| why.to_string())
    }
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

/// What is said of a value where the schema takes too long.
fn cannot_judge(why: &Unbounded, schema: &Located<'_>) -> Ruling {
    match why {
        Unbounded::Endless => {
            Ruling::fail(Detail::new(format!("{why}, so no value is valid by it")).at(&schema.pointer))
        }
        Unbounded::TooMuch(_) => {
            Ruling::incomplete(Detail::new(format!("nothing can be judged by the schema: {why}")).at(&schema.pointer))
        }
    }
}

/// A schema that is ready to be used.
struct Compiled {
    schema: Value,
    cost: Cost,
    validator: Validator,
}

/// Why a schema cannot be used.
enum Unusable {
    Unbounded(Unbounded),
    Broken(ValidationError<'static>),
}

thread_local! {
    /// The schemas that were compiled last: every answer of a tool is judged by the same one.
    static COMPILED: RefCell<VecDeque<Rc<Compiled>>> = const { RefCell::new(VecDeque::new()) };
}

fn compiled(schema: &Value) -> Result<Rc<Compiled>, Unusable> {
    let known = COMPILED.with_borrow(|known| known.iter().find(|one| one.schema == *schema).map(Rc::clone));
    if let Some(known) = known {
        return Ok(known);
    }
    // Before it is compiled, since that may take for ever as well.
    let cost = cost(schema).map_err(Unusable::Unbounded)?;
    let validator = jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MOST_BACKTRACKING))
        .build(schema)
        .map_err(Unusable::Broken)?;
    let compiled = Rc::new(Compiled { schema: schema.clone(), cost, validator });
    COMPILED.with_borrow_mut(|known| {
        known.push_front(Rc::clone(&compiled));
        known.truncate(MOST_COMPILED);
    });
    Ok(compiled)
}
