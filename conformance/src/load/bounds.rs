//! Bounds of arguments, which the schemas of a revision hold alone: in place of a number, in a text, and in the sentences that are
//! probed for them.

use super::Problems;
use crate::text::suggest;
use regex::{Captures, Regex};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A bound of an argument in a text.
static IN_TEXT: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the pattern is fixed")]
    Regex::new(r"\{([A-Za-z_/-]+\.[a-zA-Z]+)([+-][0-9]+)?\}").expect("the pattern is sound")
});

/// The arguments of a contract at a revision.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    /// The input schema of each operation.
    pub(super) inputs: Vec<(String, Value)>,
    /// The operations, with their bindings.
    pub(super) operations: Value,
}

impl Bounds {
    /// Whether a text names any.
    pub(super) fn are_in(text: &str) -> bool {
        IN_TEXT.is_match(text)
    }

    /// The names of the arguments that an operation takes.
    pub(super) fn arguments(&self, operation: &str) -> Vec<&str> {
        let its = self.inputs.iter().filter(|(name, _)| name == operation);
        its.filter_map(|(_, input)| input["properties"].as_object()).flat_map(Map::keys).map(String::as_str).collect()
    }

    /// A sentence that a bound is probed for takes its number from the schema. Written out, it would stay when the bound changes.
    pub(super) fn numbers(&self, written: &Value, found: &mut Problems<'_>) {
        let all = written["requirements"].as_array().into_iter().flatten().enumerate();
        let texts: Vec<_> =
            all.filter_map(|(at, one)| Some((at, one["id"].as_str()?, one["text"].as_str()?))).collect();
        for (argument, property) in
            self.inputs.iter().filter_map(|(_, input)| input["properties"].as_object()).flatten()
        {
            for (keyword, id) in property["x-requirements"].as_object().into_iter().flatten() {
                let keywords: &[&str] = match keyword.as_str() {
                    "range" => &["minimum", "maximum"],
                    "default" | "minimum" | "maximum" => &[keyword],
                    _ => continue,
                };
                for (at, _, text) in texts.iter().filter(|(_, named, _)| id.as_str() == Some(named)) {
                    let plain = IN_TEXT.replace_all(text, "");
                    let words: Vec<&str> =
                        plain.split(|one: char| !one.is_ascii_alphanumeric() && one != '_').collect();
                    let says = |bound: &&&str| {
                        let number = property[**bound].as_number().map(ToString::to_string);
                        number.is_some_and(|number| words.contains(&number.as_str()))
                    };
                    if let Some(bound) = keywords.iter().find(says) {
                        let (place, number) = (format!("/requirements/{at}/text"), &property[*bound]);
                        found.add(
                            place,
                            format!("says {number}, which the schema has too: write {{{argument}.{bound}}}"),
                        );
                    }
                }
            }
        }
    }

    /// A text with the bounds that it names.
    pub(super) fn text(&self, text: String, place: &str, found: &mut Problems<'_>) -> String {
        if !Self::are_in(&text) {
            return text;
        }
        let replaced = IN_TEXT.replace_all(&text, |captures: &Captures<'_>| {
            let more = captures.get(2).and_then(|more| more.as_str().parse().ok()).unwrap_or(0);
            match self.bound(&captures[1], more) {
                Ok(Value::String(name)) => name,
                Ok(bound) => bound.to_string(),
                Err(why) => {
                    found.add(place, why);
                    captures[0].to_owned()
                }
            }
        });
        replaced.into_owned()
    }

    /// A bound of an argument: `top_ke.maximum`, or `search/top_ke.maximum` where operations differ in it.
    pub(super) fn bound(&self, name: &str, more: i64) -> Result<Value, String> {
        let unknown = |why: String| format!("`{name}` is not a bound of an argument: {why}");
        let (path, keyword) =
            name.rsplit_once('.').ok_or_else(|| unknown("it has no keyword, as in `limit.maximum`".into()))?;
        let (operation, argument) = path.split_once('/').map_or((None, path), |(one, rest)| (Some(one), rest));
        if keyword == "name" {
            return self.name_of(operation, argument).map_err(unknown);
        }
        let of = self.inputs.iter().filter(|(name, _)| operation.is_none_or(|wanted| wanted == name));
        let properties = || of.clone().filter_map(|(_, input)| input["properties"].as_object());
        let mut values: Vec<&Value> = properties().filter_map(|all| all.get(argument)?.get(keyword)).collect();
        values.dedup();
        match values.as_slice() {
            [Value::Number(number)] if more == 0 => Ok(number.clone().into()),
            [Value::String(word)] if more == 0 => Ok(word.as_str().into()),
            [Value::Number(number)] => match number.as_i64() {
                Some(number) => Ok((number + more).into()),
                None => Err(unknown(format!("{number} is not a whole number"))),
            },
            [other] => Err(unknown(format!("it is {other}"))),
            [] => {
                let known: Vec<&str> = properties().flat_map(Map::keys).map(String::as_str).collect();
                Err(unknown(format!("no input schema has it{}", suggest::hint(argument, known))))
            }
            _ => Err(unknown("operations differ in it, so name one: `operation/argument.keyword`".into())),
        }
    }

    /// What an argument is called on the wire, where every transport of every operation that has it says the same.
    fn name_of(&self, operation: Option<&str>, argument: &str) -> Result<Value, String> {
        let of = self.inputs.iter().filter(|(name, _)| operation.is_none_or(|wanted| wanted == name));
        let having = of.filter(|(_, input)| !input["properties"][argument].is_null());
        let bindings = having.flat_map(|(name, _)| self.operations[name].as_object().into_iter().flatten());
        let bindings = bindings.filter(|(key, _)| ["http", "mcp", "cli"].contains(&key.as_str()));
        let names: BTreeSet<&str> =
            bindings.map(|(_, binding)| binding["rename"][argument].as_str().unwrap_or(argument)).collect();
        match names.iter().collect::<Vec<_>>().as_slice() {
            [name] => Ok((**name).into()),
            [] => Err("no input schema has it".into()),
            _ => Err("it is called differently, so name an operation: `operation/argument.name`".into()),
        }
    }
}
