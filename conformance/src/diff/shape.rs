//! A JSON Schema as its readers see it: places, what must be there, and which values may be there. Follows `$ref`, `allOf`,
//! `anyOf`, `oneOf` and `items`, so that it does not matter how a schema is put together.

use crate::text::pointer::escaped;
use jsonschema::canonical::{self, CanonicalSchema};
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The schemas of a contract, by file name.
#[derive(Debug, Clone, Copy)]
pub struct Schemas<'s>(pub &'s BTreeMap<String, Value>);

/// What a schema goes by that stands in no file of its own.
pub(super) const HERE: &str = "here";

/// A schema in its file: `$ref` in it are read from there.
#[derive(Debug, Clone)]
struct Node<'s> {
    file: String,
    pointer: String,
    schema: &'s Value,
}

/// A place in the values that a schema describes.
#[derive(Debug, Clone)]
pub struct Field {
    /// The way to it: `entries[].score`; `[]` is any element, `*` any other member.
    pub path: String,
    /// Whether each object that may hold it does.
    pub required: bool,
    /// Whether the object in this place may hold members that are not named.
    pub open: bool,
    /// Which values may stand there, whatever is inside of them: a schema without `$ref`.
    pub values: Value,
    /// What it is taken for when it is left out.
    pub default: Option<Value>,
    /// The keywords of its schemas, the first of each, as they are written.
    pub keywords: Map<String, Value>,
    /// Where it is written: file and pointer. Two places with one origin are one thing to change.
    pub origin: String,
}

/// So deep are places looked for; a schema that contains itself has no deepest.
const DEPTH: usize = 12;

impl<'s> Schemas<'s> {
    /// Every place, parents before what is in them; the first is the value itself, with an empty path.
    pub fn fields(&self, file: &str) -> Vec<Field> {
        let mut fields = Vec::new();
        if let Some(schema) = self.0.get(file) {
            let root = Node { file: file.to_owned(), pointer: String::new(), schema };
            self.walk(vec![(root, false)], String::new(), true, &mut Vec::new(), &mut fields);
        }
        fields
    }

    fn walk(
        &self,
        nodes: Vec<(Node<'s>, bool)>,
        path: String,
        required: bool,
        above: &mut Vec<String>,
        to: &mut Vec<Field>,
    ) {
        let written = nodes.first().map(|(node, _)| node.origin()).unwrap_or_default();
        let all: Vec<(Node<'s>, bool)> =
            nodes.iter().flat_map(|(node, maybe)| self.parts(node, *maybe, &mut Vec::new())).collect();
        // A schema that was met above on the same way contains itself: what is inside was listed there.
        let origins: Vec<String> = all
            .iter()
            .filter(|(node, _)| node.schema.get("properties").is_some())
            .map(|(node, _)| node.origin())
            .collect();
        let is_again = !origins.is_empty() && origins.iter().all(|origin| above.contains(origin));
        to.push(self.field(path.clone(), required, &nodes, &all, written));
        if is_again || above.len() > DEPTH {
            return;
        }
        let depth = above.len();
        above.extend(origins);
        for name in names(&all) {
            let mut inside = Vec::new();
            for (node, maybe) in &all {
                if let Some(schema) = node.schema.get("properties").and_then(|properties| properties.get(&name)) {
                    inside.push((node.below(&["properties", &name], schema), *maybe));
                }
            }
            let requires = |(node, _): &(Node<'s>, bool)| self.requires(node, &name, 0);
            let (maybe, sure): (Vec<_>, Vec<_>) = nodes.iter().partition(|(_, maybe)| *maybe);
            let is_due =
                sure.iter().any(|node| requires(node)) || (sure.is_empty() && maybe.iter().all(|node| requires(node)));
            let way = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            self.walk(inside, way, is_due, above, to);
        }
        for (keyword, step) in [("items", "[]"), ("additionalProperties", ".*")] {
            let inside: Vec<(Node<'s>, bool)> = all
                .iter()
                .filter_map(|(node, maybe)| {
                    let schema = node.schema.get(keyword).filter(|schema| schema.is_object())?;
                    Some((node.below(&[keyword], schema), *maybe))
                })
                .collect();
            if !inside.is_empty() {
                self.walk(inside, format!("{path}{step}"), false, above, to);
            }
        }
        above.truncate(depth);
    }

    fn field(
        &self,
        path: String,
        required: bool,
        nodes: &[(Node<'s>, bool)],
        all: &[(Node<'s>, bool)],
        origin: String,
    ) -> Field {
        let of = |wanted: bool| {
            let some = nodes.iter().filter(move |(_, maybe)| *maybe == wanted);
            some.map(|(node, _)| self.shallow(node, 0)).collect::<Vec<Value>>()
        };
        let (sure, maybe) = (of(false), of(true));
        let mut values = Map::new();
        if !sure.is_empty() {
            values.insert("allOf".to_owned(), json!(sure));
        }
        if !maybe.is_empty() {
            values.insert("anyOf".to_owned(), json!(maybe));
        }
        let mut keywords = Map::new();
        for (node, _) in all {
            for (keyword, value) in node.schema.as_object().into_iter().flatten() {
                keywords.entry(keyword.clone()).or_insert_with(|| value.clone());
            }
        }
        let is_closed = |(node, _): &(Node<'_>, bool)| node.schema.get("additionalProperties") == Some(&json!(false));
        Field {
            path,
            required,
            open: !all.iter().any(is_closed),
            values: Value::Object(values),
            default: keywords.get("default").cloned(),
            keywords,
            origin,
        }
    }

    /// A schema and those that it is put together of; whether it is one of several that may apply.
    fn parts(&self, node: &Node<'s>, maybe: bool, met: &mut Vec<String>) -> Vec<(Node<'s>, bool)> {
        let origin = node.origin();
        if met.contains(&origin) {
            return Vec::new();
        }
        met.push(origin);
        let mut parts = vec![(node.clone(), maybe)];
        if let Some(target) = self.target(node) {
            parts.extend(self.parts(&target, maybe, met));
        }
        for (keyword, maybe) in [("allOf", maybe), ("anyOf", true), ("oneOf", true)] {
            for part in node.list(keyword) {
                parts.extend(self.parts(&part, maybe, met));
            }
        }
        parts
    }

    /// Whether every object that is valid by a schema has this member.
    fn requires(&self, node: &Node<'s>, name: &str, depth: usize) -> bool {
        if depth > DEPTH {
            return false;
        }
        let own = node.schema.get("required").and_then(Value::as_array);
        let is_named = own.is_some_and(|names| names.iter().any(|one| one == name));
        let every = |keyword: &str| {
            let alternatives: Vec<Node<'s>> = node.list(keyword).filter(|part| self.may_be_object(part)).collect();
            !alternatives.is_empty() && alternatives.iter().all(|part| self.requires(part, name, depth + 1))
        };
        is_named
            || self.target(node).is_some_and(|target| self.requires(&target, name, depth + 1))
            || node.list("allOf").any(|part| self.requires(&part, name, depth + 1))
            || every("anyOf")
            || every("oneOf")
    }

    fn may_be_object(&self, node: &Node<'s>) -> bool {
        match node.schema.get("type") {
            Some(Value::String(one)) => one == "object",
            Some(Value::Array(some)) => some.iter().any(|one| one == "object"),
            _ => !["const", "enum"].iter().any(|keyword| node.schema.get(keyword).is_some()),
        }
    }

    /// Which values a schema allows without looking inside of objects and lists.
    fn shallow(&self, node: &Node<'s>, depth: usize) -> Value {
        let Some(members) = node.schema.as_object().filter(|_| depth <= DEPTH) else {
            return if node.schema == &json!(false) { json!(false) } else { json!(true) };
        };
        let mut kept = Map::new();
        let mut all: Vec<Value> =
            self.target(node).map(|target| self.shallow(&target, depth + 1)).into_iter().collect();
        all.extend(node.list("allOf").map(|part| self.shallow(&part, depth + 1)));
        for (keyword, value) in members {
            match keyword.as_str() {
                "anyOf" | "oneOf" => {
                    let parts: Vec<Value> = node.list(keyword).map(|part| self.shallow(&part, depth + 1)).collect();
                    kept.insert(keyword.clone(), json!(parts));
                }
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength"
                | "maxLength" | "minItems" | "maxItems" | "uniqueItems" | "format" | "type" | "enum" | "const"
                | "pattern" => {
                    kept.insert(keyword.clone(), value.clone());
                }
                _ => {}
            }
        }
        if !all.is_empty() {
            kept.insert("allOf".to_owned(), json!(all));
        }
        Value::Object(kept)
    }

    /// The files that a schema needs, itself among them.
    pub fn reached(&self, file: &str) -> Vec<String> {
        let mut reached = vec![file.to_owned()];
        let mut at = 0;
        while let Some(file) = reached.get(at).cloned() {
            let mut ahead: Vec<&Value> = self.0.get(&file).into_iter().collect();
            while let Some(schema) = ahead.pop() {
                if let Some(other) = schema.get("$ref").and_then(Value::as_str) {
                    let other = other.split('#').next().and_then(|file| file.rsplit('/').next()).unwrap_or_default();
                    if !other.is_empty() && !reached.iter().any(|one| one == other) {
                        reached.push(other.to_owned());
                    }
                }
                ahead.extend(schema.as_object().into_iter().flat_map(Map::values));
                ahead.extend(schema.as_array().into_iter().flatten());
            }
            at += 1;
        }
        reached
    }

    fn target(&self, node: &Node<'s>) -> Option<Node<'s>> {
        let reference = node.schema.get("$ref")?.as_str()?;
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let file = if file.is_empty() { node.file.clone() } else { file.rsplit('/').next()?.to_owned() };
        let schema = self.0.get(&file)?.pointer(pointer)?;
        Some(Node { file, pointer: pointer.to_owned(), schema })
    }

    /// A schema that needs no other file: all of them in its `$defs`, each `$ref` pointing there.
    pub fn bundle(&self, file: &str) -> Value {
        let all = self.moved();
        bundle(all, file)
    }

    /// The schemas of the contract, with one that stands elsewhere and may refer to them: as the file [`HERE`].
    pub(super) fn beside(&self, schema: &Value) -> BTreeMap<String, Value> {
        let mut all = self.0.clone();
        all.insert(HERE.to_owned(), schema.clone());
        all
    }

    fn moved(&self) -> Map<String, Value> {
        self.0.iter().map(|(name, schema)| (name.clone(), moved(schema, name))).collect()
    }

    /// What judges values by a schema of the contract.
    ///
    /// # Errors
    /// Why the schema does not compile.
    pub fn validator(&self, file: &str) -> Result<Validator, String> {
        compiled(&self.bundle(file))
    }
}

/// What judges values by a schema that needs no other.
///
/// # Errors
/// Why it does not compile.
pub(super) fn compiled(bundle: &Value) -> Result<Validator, String> {
    let options = jsonschema::options().with_draft(Draft::Draft202012).offline().should_validate_formats(true);
    options.build(bundle).map_err(|error| format!("the schema does not compile: {error}"))
}

fn bundle(all: Map<String, Value>, file: &str) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": all,
        "$ref": format!("#/$defs/{}", escaped(file)),
    })
}

/// A normal form that tells which of two schemas accepts more; none where there is no such form.
pub(super) fn normal(schema: &Value) -> Option<CanonicalSchema> {
    let options = canonical::options().with_draft(Draft::Draft202012).offline().should_validate_formats(true);
    options.canonicalize(schema).ok()
}

impl<'s> Node<'s> {
    fn origin(&self) -> String {
        format!("{}#{}", self.file, self.pointer)
    }

    fn below(&self, steps: &[&str], schema: &'s Value) -> Self {
        let way = steps.iter().fold(self.pointer.clone(), |way, step| format!("{way}/{}", escaped(step)));
        Self { file: self.file.clone(), pointer: way, schema }
    }

    fn list(&self, keyword: &str) -> impl Iterator<Item = Node<'s>> {
        let list = self.schema.get(keyword).and_then(Value::as_array);
        let parts = list.into_iter().flatten().enumerate();
        parts.map(|(at, schema)| self.below(&[keyword, &at.to_string()], schema)).collect::<Vec<_>>().into_iter()
    }
}

/// The names of the members that schemas speak of, each once, in their order.
fn names(nodes: &[(Node<'_>, bool)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (node, _) in nodes {
        for name in node.schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// A schema with its references pointing into `$defs` of the bundle.
fn moved(schema: &Value, file: &str) -> Value {
    rewritten(schema, &|keyword, value| match (keyword, value) {
        ("$id" | "$schema", _) => Rewrite::Drop,
        ("$ref", Value::String(reference)) => {
            let (other, pointer) = reference.split_once('#').unwrap_or((reference, ""));
            let other = if other.is_empty() { file } else { other.rsplit('/').next().unwrap_or(other) };
            Rewrite::Put(json!(format!("#/$defs/{}{pointer}", escaped(other))))
        }
        _ => as_it_is(keyword, value),
    })
}

/// What becomes of a keyword of a schema.
pub(super) enum Rewrite {
    /// It goes.
    Drop,
    /// This stands in the place of its value.
    Put(Value),
    /// It stays, and schemas inside of it are rewritten in their turn.
    Keep,
}

/// What leaves a keyword alone: values that are no schemas are not looked into.
pub(super) fn as_it_is(keyword: &str, value: &Value) -> Rewrite {
    match keyword {
        "const" | "enum" | "default" | "examples" => Rewrite::Put(value.clone()),
        _ => Rewrite::Keep,
    }
}

/// A schema with its keywords rewritten, however deep. What `properties` and the like name are no keywords.
pub(super) fn rewritten(schema: &Value, of: &impl Fn(&str, &Value) -> Rewrite) -> Value {
    match schema {
        Value::Object(members) => {
            let mut kept = Map::new();
            for (keyword, value) in members {
                let value = match of(keyword, value) {
                    Rewrite::Drop => continue,
                    Rewrite::Put(value) => value,
                    Rewrite::Keep => match (keyword.as_str(), value) {
                        ("properties" | "$defs" | "patternProperties", Value::Object(named)) => {
                            named.iter().map(|(name, schema)| (name.clone(), rewritten(schema, of))).collect()
                        }
                        _ => rewritten(value, of),
                    },
                };
                kept.insert(keyword.clone(), value);
            }
            Value::Object(kept)
        }
        Value::Array(parts) => parts.iter().map(|part| rewritten(part, of)).collect(),
        other => other.clone(),
    }
}
