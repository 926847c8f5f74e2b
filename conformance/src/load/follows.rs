//! Bounds of answers that are those of arguments: `"x-follows": { "maxItems": "top_ke" }` says that a list is at most as long
//! as its call may ask for. Both numbers stand in the schemas, so that neither is forgotten when the other one changes.

use super::problems::json;
use super::{DataProblem, Schemas};
use crate::model::Operation;
use serde_json::Value;
use std::path::Path;

/// Finds bounds that are not those of the arguments which they follow.
pub(super) fn lint(operation: &Operation, schemas: &Schemas, root: &Path, problems: &mut Vec<DataProblem>) {
    let Some(output) = operation.output.as_ref().map(|file| schemas.file(file)).filter(|file| file.is_file()) else {
        return;
    };
    let mut unread = Vec::new();
    // That a schema cannot be read is told where checks are compiled.
    let (Some(input), Some(answer)) =
        (json::<Value>(&schemas.file(&operation.input), root, &mut unread), json::<Value>(&output, root, &mut unread))
    else {
        return;
    };
    let mut found = super::Problems::of(&output, root, problems);
    walk(&answer, String::new(), &mut |place, schema| {
        for (keyword, argument) in schema["x-follows"].as_object().into_iter().flatten() {
            let argument = argument.as_str().unwrap_or_default();
            let (bound, due) = (&schema[keyword], &input["properties"][argument]["maximum"]);
            if bound != due || bound.is_null() {
                found.add(
                    format!("{place}/{keyword}"),
                    format!("is {bound}, and follows the argument `{argument}`, whose maximum is {due}"),
                );
            }
        }
    });
}

/// Visits every schema in a schema, with its place.
fn walk(schema: &Value, place: String, visit: &mut impl FnMut(&str, &Value)) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("x-follows") {
                visit(&place, schema);
            }
            members.iter().for_each(|(name, inside)| walk(inside, format!("{place}/{name}"), visit));
        }
        Value::Array(parts) => {
            parts.iter().enumerate().for_each(|(at, inside)| walk(inside, format!("{place}/{at}"), visit));
        }
        _ => {}
    }
}
