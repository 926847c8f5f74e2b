//! Cases that an input schema says by itself: what is left out, the ends of a range, the wrong types.
//!
//! A keyword of an argument is probed where `x-requirements` beside it names a requirement. `range` is one more keyword: that both
//! ends are answered may bind where the refusal of what lies outside does not. The base of every probe is the first of the schema's
//! `examples`, each of its values as the target file gives it. The results are ordinary cases.

use super::lens::Lens;
use super::problems::json;
use super::{DataProblem, Problems, RawCase};
use crate::model::{Contract, Operation};
use crate::text::suggest;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The keywords that can be probed.
const KEYWORDS: [&str; 6] = ["default", "maximum", "minimum", "range", "required", "type"];
/// What a default is compared by where `x-compare` does not say.
const EVERY_ITEM: &str = "items[*]";

/// The cases of every operation of a contract, `derived/<operation>/<argument>/<keyword>`.
pub(super) fn cases(
    contract: &Contract,
    lens: &Lens,
    folder: &Path,
    root: &Path,
    problems: &mut Vec<DataProblem>,
) -> Vec<RawCase> {
    let mut cases = Vec::new();
    for (name, operation) in &contract.operations {
        let file = folder.join(lens.schema(&operation.input));
        if !file.is_file() {
            continue;
        }
        let Some(schema) = json::<Value>(&file, root, problems) else { continue };
        let mut found = Problems::of(&file, root, problems);
        for (argument, property) in schema["properties"].as_object().into_iter().flatten() {
            for (keyword, requirement) in property["x-requirements"].as_object().into_iter().flatten() {
                let probe = Probe { name, operation, schema: &schema, argument, property };
                let place = format!("/properties/{argument}/x-requirements/{keyword}");
                let id = known(requirement, contract);
                let case = id.and_then(|id| probe.case(keyword, id));
                if let Some(case) = found.take(place, case) {
                    let json_only = keyword == "type";
                    let name = format!("derived/{name}/{argument}/{keyword}");
                    cases.push(RawCase { name, file: file.clone(), case, json_only, of_protocol: false, alone: false });
                }
            }
        }
    }
    cases
}

/// The id of a requirement of the contract.
fn known<'r>(requirement: &'r Value, contract: &Contract) -> Result<&'r str, String> {
    let id = requirement.as_str().ok_or("names no requirement")?;
    let ids = contract.requirements.iter().map(|requirement| requirement.id.as_str());
    match ids.clone().any(|known| known == id) {
        true => Ok(id),
        false => Err(format!("unknown requirement `{id}`{}", suggest::hint(id, ids))),
    }
}

/// An argument that is probed.
struct Probe<'p> {
    name: &'p str,
    operation: &'p Operation,
    schema: &'p Value,
    argument: &'p str,
    property: &'p Value,
}

/// What a case judges by, and how it is shown that it can fail.
struct Judged {
    about: String,
    steps: Vec<Value>,
    check: Value,
}

impl Probe<'_> {
    fn case(&self, keyword: &str, requirement: &str) -> Result<crate::model::CaseFile, String> {
        if self.operation.example.is_empty() {
            return Err("nothing can be derived without a call to begin with: `examples` of the schema".to_owned());
        }
        let Judged { about, steps, mut check } = match keyword {
            "default" => self.default(),
            "minimum" => self.bound(keyword, -1),
            "maximum" => self.bound(keyword, 1),
            "range" => self.range(),
            "required" => self.required(),
            "type" => self.wrong_types(),
            _ => {
                let hint = suggest::hint(keyword, KEYWORDS.iter().copied());
                Err(format!("nothing is derived from `{keyword}`, only from {}{hint}", KEYWORDS.join(", ")))
            }
        }?;
        check["requirement"] = json!(requirement);
        let case = json!({ "about": about, "steps": steps, "checks": [check] });
        serde_json::from_value(case).map_err(|error| format!("no case can be made of it: {error}"))
    }

    /// Left out, given as the default, and given as something else, which stands in for it in the counterexample.
    fn default(&self) -> Result<Judged, String> {
        let argument = self.argument;
        let default = self.property.get("default").ok_or("the argument has no `default`")?;
        let other = self.other_than(default).ok_or("needs another value to tell the default from: a bound, an enum")?;
        let compare = &self.property["x-compare"];
        let path = compare["select"].as_str().unwrap_or(EVERY_ITEM);
        let part = if path.starts_with("items") { "items" } else { "answer" };
        Ok(Judged {
            about: format!("`{argument}` left out and given as {default} bring the same."),
            steps: vec![self.call(None, None), self.call(Some(default), None), self.call(Some(&other), None)],
            check: json!({
                "select": { "left": format!("$[0][0].{path}"), "right": format!("$[1][0].{path}") },
                "rule": compare["rule"].as_str().unwrap_or("same"),
                "broken_by": [{
                    "about": format!("{other} is the default"),
                    "patch": [{ "op": "copy", "from": format!("/2/0/{part}"), "path": format!("/0/0/{part}") }]
                }]
            }),
        })
    }

    /// What lies behind an end of a range is refused, while the end itself is answered.
    fn bound(&self, keyword: &str, behind: i64) -> Result<Judged, String> {
        let argument = self.argument;
        let bound = self.end(keyword)?;
        let outside = json!(bound + behind);
        Ok(Judged {
            about: format!("{bound} is the {keyword} of `{argument}`: {outside} is refused."),
            steps: vec![self.call(Some(&json!(bound)), None), self.call(Some(&outside), Some(0))],
            check: json!({
                "select": "$[1][0].status",
                "equals": "refused",
                "broken_by": [{ "about": format!("{outside} is accepted"), "patch": accepted(1) }]
            }),
        })
    }

    /// Both ends of a range are answered.
    fn range(&self) -> Result<Judged, String> {
        let argument = self.argument;
        let ends = [self.end("minimum")?, self.end("maximum")?];
        let mistakes = ends.iter().enumerate().map(|(at, end)| {
            let refused = json!([{ "op": "replace", "path": format!("/{at}/0/status"), "value": "refused" }]);
            json!({ "about": format!("{end} is refused"), "patch": refused })
        });
        Ok(Judged {
            about: format!("A `{argument}` of {} and one of {} are answered.", ends[0], ends[1]),
            check: json!({
                "select": "$[*][0].status",
                "rule": "sequence",
                "args": { "of": ["accepted", "accepted"] },
                "broken_by": mistakes.collect::<Vec<_>>()
            }),
            steps: ends.iter().map(|end| self.call(Some(&json!(end)), None)).collect(),
        })
    }

    fn end(&self, keyword: &str) -> Result<i64, String> {
        self.property[keyword].as_i64().ok_or(format!("the argument has no whole `{keyword}`"))
    }

    /// Without the argument the call is refused.
    fn required(&self) -> Result<Judged, String> {
        let argument = self.argument;
        let given = self.sound().ok_or("the example does not have the argument")?;
        Ok(Judged {
            about: format!("`{argument}` is required."),
            steps: vec![self.call(Some(&given), None), self.call(None, Some(0))],
            check: json!({
                "select": "$[1][0].status",
                "equals": "refused",
                "broken_by": [{ "about": "it may be left out", "patch": accepted(1) }]
            }),
        })
    }

    /// Each value of another JSON type is refused.
    fn wrong_types(&self) -> Result<Judged, String> {
        let argument = self.argument;
        let due = self.property["type"].as_str().ok_or("the argument has no `type`, or several")?;
        let sound = self.sound().or(self.property.get("default").cloned());
        let sound = sound.ok_or("neither the example nor `default` gives the argument a sound value")?;
        let is_required = self.schema["required"].as_array().is_some_and(|names| names.contains(&json!(argument)));
        let fraction = json!(self.property["minimum"].as_f64().unwrap_or(0.0) + 0.5);
        // What is left out may be sent as null, unless it has to be there.
        let wrong = [
            ("a text", json!("text"), due != "string"),
            ("a number", json!(7), !["number", "integer"].contains(&due)),
            ("a fraction", fraction, due == "integer"),
            ("true", json!(true), due != "boolean"),
            ("an array", json!([]), due != "array"),
            ("an object", json!({}), due != "object"),
            ("null", Value::Null, due != "null" && is_required),
        ];
        let wrong: Vec<_> = wrong.into_iter().filter(|(_, _, is_wrong)| *is_wrong).collect();
        let calls = wrong.iter().map(|(_, value, _)| self.call(Some(value), Some(0)));
        let mistakes = wrong
            .iter()
            .enumerate()
            .map(|(at, (what, ..))| json!({ "about": format!("{what} is accepted"), "patch": accepted(at + 1) }));
        Ok(Judged {
            about: format!("A value of `{argument}` that is of another JSON type than {due} is refused."),
            check: json!({
                "select": "$[1:][0].status",
                "equals": "refused",
                "broken_by": mistakes.collect::<Vec<_>>()
            }),
            steps: std::iter::once(self.call(Some(&sound), None)).chain(calls).collect(),
        })
    }

    /// A value that the argument may have besides this one.
    fn other_than(&self, value: &Value) -> Option<Value> {
        let bounds = [self.property.get("maximum"), self.property.get("minimum")].into_iter().flatten();
        let members = self.property["enum"].as_array().into_iter().flatten();
        let negated = value.as_bool().map(|truth| json!(!truth));
        bounds.chain(members).find(|other| *other != value).cloned().or(negated)
    }

    /// The value that the base call gives the argument.
    fn sound(&self) -> Option<Value> {
        self.operation.example.contains_key(self.argument).then(|| json!({ "$given": self.argument }))
    }

    /// The base call, with this value of the argument or without it.
    fn call(&self, value: Option<&Value>, twin: Option<usize>) -> Value {
        let mut with: Map<String, Value> =
            self.operation.example.keys().map(|name| (name.clone(), json!({ "$given": name }))).collect();
        match value {
            Some(value) => _ = with.insert(self.argument.to_owned(), value.clone()),
            None => _ = with.shift_remove(self.argument),
        }
        let mut step = json!({ "call": self.name, "with": with });
        if let Some(twin) = twin {
            step["twin"] = json!(twin);
        }
        step
    }
}

/// The damage that makes a refused step accepted: it is answered as its twin is.
fn accepted(step: usize) -> Value {
    json!([
        { "op": "replace", "path": format!("/{step}/0/status"), "value": "accepted" },
        { "op": "copy", "from": "/0/0/answer", "path": format!("/{step}/0/answer") }
    ])
}
