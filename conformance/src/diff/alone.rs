//! Schemas in which one place alone is otherwise: what shows a change there shows no other one.

use super::shape::{Field, Schemas};
use super::touch::{by_path, is_below};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The schemas of both sides with every touched place but `path` open to any value. What is around `path` keeps its structure.
pub(super) fn bundles(sides: [(Schemas<'_>, &str, &[Field]); 2], touched: &[String], path: &str) -> [Value; 2] {
    let origins = sides.map(|(_, _, fields)| by_path(fields));
    let at = |side: usize| {
        let (schemas, file, _) = sides[side];
        let mut all = schemas.0.clone();
        for other in touched.iter().filter(|other| *other != path && !is_below(other, path)) {
            let (own, beside) = (origins[side].get(other.as_str()), origins[1 - side].get(other.as_str()));
            match (own, beside) {
                (Some(field), _) if is_below(path, other) => open(&mut all, &field.origin),
                (Some(field), _) => free(&mut all, &field.origin, true),
                (None, Some(field)) => free(&mut all, &field.origin, false),
                (None, None) => {}
            }
        }
        Schemas(&all).bundle(file)
    };
    [at(0), at(1)]
}

/// Lets a member be there or not, with any value. `is_there` says that this side has it; else it is named where the other one does.
fn free(all: &mut BTreeMap<String, Value>, origin: &str, is_there: bool) {
    let Some((file, pointer)) = origin.split_once('#') else { return };
    let Some(schema) = all.get_mut(file) else { return };
    let Some((above, name)) = pointer.rsplit_once("/properties/") else {
        if is_there && let Some(place) = schema.pointer_mut(pointer) {
            *place = Value::Bool(true);
        }
        return;
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    let Some(object) = schema.pointer_mut(above).and_then(Value::as_object_mut) else { return };
    if let Some(required) = object.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|one| one != name.as_str());
    }
    let properties = object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    properties[name] = Value::Bool(true);
}

/// Lets any value stand in a place, as far as what is inside of it allows.
fn open(all: &mut BTreeMap<String, Value>, origin: &str) {
    let Some((file, pointer)) = origin.split_once('#') else { return };
    let structure =
        ["properties", "items", "required", "additionalProperties", "allOf", "anyOf", "oneOf", "$ref", "$defs"];
    if let Some(place) = all.get_mut(file).and_then(|schema| schema.pointer_mut(pointer)?.as_object_mut()) {
        place.retain(|keyword, _| structure.contains(&keyword.as_str()));
    }
}
