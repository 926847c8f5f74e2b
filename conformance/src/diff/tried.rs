//! Two checks of one requirement that judge in different ways, such as by a rule and by a schema: what each of them says of documents
//! that are known. They come from the counterexamples of both, from goldens, and from recorded exchanges.

use super::Seen;
use super::change::Witness;
use super::shape::{HERE, Schemas};
use super::side::ContractSide;
use crate::contracts;
use crate::model::{CheckFile, Counterexample, Select, Verdict};
use crate::path::{EvidencePath, Located, RelativePath};
use crate::rules::{Relation, Selections, equal};
use crate::text::plural;
use crate::text::pointer::tokens;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// What two checks say of documents.
#[derive(Default)]
pub(super) struct Tried {
    /// How many documents both could judge.
    documents: usize,
    /// One that was right before and is wrong now.
    pub(super) refused: Option<Value>,
    /// One that was wrong before and is right now.
    pub(super) accepted: Option<Value>,
}

impl Tried {
    pub(super) fn is_told_apart(&self) -> bool {
        self.refused.is_some() || self.accepted.is_some()
    }

    /// What came of it, to be put behind a sentence.
    pub(super) fn told(&self) -> String {
        match (self.is_told_apart(), self.documents) {
            (true, _) => String::new(),
            (false, 0) => ", and no known document can be judged by both".to_owned(),
            (false, some) => format!(", and {} judged alike", plural(some, "known document")),
        }
    }

    pub(super) fn witness(&self) -> Option<Witness> {
        let told = [(&self.refused, "right before, wrong now"), (&self.accepted, "wrong before, right now")];
        told.into_iter()
            .find_map(|(document, shows)| Some(Witness { shows: shows.to_owned(), document: document.clone()? }))
    }
}

/// Has both checks judge every document.
pub(super) fn both(
    (before, old): (&ContractSide, &CheckFile),
    (now, fresh): (&ContractSide, &CheckFile),
    seen: &Seen,
) -> Tried {
    let mut tried = Tried::default();
    let (Some(one), Some(other)) = (Judge::of(before, old), Judge::of(now, fresh)) else { return tried };
    let recorded = seen.exchanges.get(&now.contract.name).into_iter().flatten();
    let documents = [(before, old), (now, fresh)]
        .into_iter()
        .flat_map(|(side, check)| damaged(side).chain(of_goldens(side, check)).collect::<Vec<Value>>())
        // Paths of a case may look at several steps.
        .chain(recorded.map(|exchange| json!([[exchange], [exchange], [exchange]])));
    let smallest = |kept: &mut Option<Value>, document: &Value| {
        if kept.as_ref().is_none_or(|kept| document.to_string().len() < kept.to_string().len()) {
            *kept = Some(document.clone());
        }
    };
    for document in documents {
        let (Some(was), Some(is)) = (one.holds(&document), other.holds(&document)) else { continue };
        tried.documents += 1;
        match (was, is) {
            (true, false) => smallest(&mut tried.refused, &document),
            (false, true) => smallest(&mut tried.accepted, &document),
            _ => {}
        }
    }
    tried
}

/// A check that judges any evidence, without a case around it.
struct Judge {
    each: Option<Path>,
    select: Vec<(String, Path)>,
    way: Way,
}

enum Way {
    Equals(Value),
    Schema(Box<Validator>),
    Rule(Relation),
}

enum Path {
    Evidence(Box<EvidencePath>),
    Relative(RelativePath),
}

impl Judge {
    /// None where it needs more than the check: a golden, or documents of the corpus.
    fn of(side: &ContractSide, check: &CheckFile) -> Option<Self> {
        let path = |text: &str| match text.starts_with('@') {
            true => RelativePath::parse(text).ok().map(Path::Relative),
            false => EvidencePath::parse(text).ok().map(|path| Path::Evidence(Box::new(path))),
        };
        let each = match &check.each {
            Some(each) => Some(path(each)?),
            None => None,
        };
        let select = match &check.select {
            Select::One(one) => vec![("value".to_owned(), path(one)?)],
            Select::Named(all) => {
                all.iter().map(|(name, text)| Some((name.clone(), path(text)?))).collect::<Option<_>>()?
            }
        };
        let way = if let Some(equals) = &check.equals {
            Way::Equals(equals.0.clone())
        } else if let Some(schema) = &check.schema {
            let all = Schemas(&side.schemas).beside(schema);
            Way::Schema(Box::new(Schemas(&all).validator(HERE).ok()?))
        } else {
            let name = check.rule.as_ref()?;
            if check.args.values().any(|value| value.get("$corpus").is_some()) {
                return None;
            }
            let rule = contracts::rules().find(|rule| rule.name == name)?;
            Way::Rule((rule.bind)(&check.args).ok()?)
        };
        Some(Self { each, select, way })
    }

    /// Whether the evidence is right; nothing where the check finds nothing in it.
    fn holds(&self, evidence: &Value) -> Option<bool> {
        let root = Located { pointer: String::new(), value: evidence };
        let nodes = match &self.each {
            Some(each) => each.values(evidence, None),
            // What always applies is judged exchange by exchange.
            None if self.select.iter().any(|(_, path)| matches!(path, Path::Relative(_))) => {
                let exchanges = evidence.as_array().into_iter().flatten().filter_map(Value::as_array).flatten();
                exchanges.map(|value| Located { pointer: String::new(), value }).collect()
            }
            None => vec![root],
        };
        let all = nodes.iter().filter_map(|node| self.of_node(evidence, node));
        all.reduce(|one, other| one && other)
    }

    fn of_node(&self, evidence: &Value, node: &Located<'_>) -> Option<bool> {
        let selections: Selections<'_> =
            self.select.iter().map(|(name, path)| (name.as_str(), path.values(evidence, Some(node)))).collect();
        let values = selections.iter().flat_map(|(_, values)| values);
        match &self.way {
            Way::Rule(relation) => match relation.judge(&selections).verdict {
                Verdict::Pass => Some(true),
                Verdict::Fail if selections.iter().all(|(_, values)| !values.is_empty()) => Some(false),
                _ => None,
            },
            Way::Equals(equals) => values.map(|node| equal(equals, node.value)).reduce(|one, other| one && other),
            Way::Schema(schema) => values.map(|node| schema.is_valid(node.value)).reduce(|one, other| one && other),
        }
    }
}

impl Path {
    fn values<'e>(&self, evidence: &'e Value, node: Option<&Located<'e>>) -> Vec<Located<'e>> {
        match (self, node) {
            (Self::Evidence(path), _) => {
                path.exchanges(evidence).into_iter().flat_map(|exchange| path.inside(exchange)).collect()
            }
            (Self::Relative(path), Some(node)) => path.values(node),
            (Self::Relative(_), None) => Vec::new(),
        }
    }
}

/// What counterexamples put into evidence, with nothing else in it. Those of other checks are right by these, for the most part.
fn damaged(side: &ContractSide) -> impl Iterator<Item = Value> + '_ {
    let of_cases = side.cases.values().flat_map(|case| &case.checks);
    let always = side.always.iter().flat_map(|always| always.checks.iter().map(|one| &one.check));
    of_cases.chain(always).flat_map(|check| &check.broken_by).filter_map(|Counterexample { patch, .. }| {
        let mut document = Value::Null;
        for operation in &patch.0 {
            let operation = serde_json::to_value(operation).ok()?;
            if let ("add" | "replace", Some(path)) = (operation["op"].as_str()?, operation["path"].as_str()) {
                put(&mut document, &tokens(path), &operation["value"]);
            }
        }
        // A patch of what always applies begins at an exchange.
        match &document {
            Value::Array(_) => Some(document),
            Value::Object(_) => Some(json!([[document]])),
            _ => None,
        }
    })
}

/// Goldens in the place of the list that a check selects from: as a whole, and each of its items alone.
fn of_goldens<'s>(side: &'s ContractSide, check: &'s CheckFile) -> impl Iterator<Item = Value> + 's {
    let paths = match &check.select {
        Select::One(one) => vec![one.as_str()],
        Select::Named(all) => all.values().map(String::as_str).collect(),
    };
    let whole = paths.into_iter().chain(check.each.as_deref()).find_map(list);
    let goldens = side.goldens.values().filter_map(Value::as_array);
    let lists = goldens.flat_map(|golden| {
        let items = golden.iter().map(|item| vec![item.clone()]);
        items.chain(std::iter::once(golden.clone())).collect::<Vec<Vec<Value>>>()
    });
    lists.filter_map(move |items| {
        let mut document = Value::Null;
        put(&mut document, whole.as_ref()?, &Value::Array(items));
        Some(document)
    })
}

/// The steps to the list that a path takes elements from, in the first exchange where it names none.
fn list(path: &str) -> Option<Vec<String>> {
    let inside = path.strip_prefix("$[").and_then(|rest| rest.split_once("].").or_else(|| rest.split_once("][")))?.1;
    let inside = inside.split_once("].").map_or(inside, |(index, rest)| {
        let is_index = index == "*" || index.chars().all(|one| one.is_ascii_digit());
        if is_index { rest } else { inside }
    });
    let (before, _) = inside.split_once("[*]")?;
    let names = before.split('.').map(str::to_owned);
    Some(["0", "0"].into_iter().map(str::to_owned).chain(names).collect())
}

/// Puts a value into a place, and makes what is on the way there.
fn put(document: &mut Value, steps: &[String], value: &Value) {
    let Some((step, rest)) = steps.split_first() else {
        *document = value.clone();
        return;
    };
    // So few steps and items have an index that what is before them stays small.
    let index = if step == "-" { Some(usize::MAX) } else { step.parse::<usize>().ok().filter(|at| *at < 1_000) };
    match index.filter(|_| !document.is_object()) {
        Some(at) => {
            if !document.is_array() {
                *document = json!([]);
            }
            if let Value::Array(values) = document {
                let at = at.min(if step == "-" { values.len() } else { at });
                while values.len() <= at {
                    values.push(Value::Null);
                }
                put(&mut values[at], rest, value);
            }
        }
        None => {
            if !document.is_object() {
                *document = Value::Object(Map::new());
            }
            put(&mut document[step.as_str()], rest, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::of_the_first_exchange("$[0][0].items[*].score", &["0", "0", "items"])]
    #[case::of_any_exchange("$[1][*].answer.body.entries[*]", &["0", "0", "answer", "body", "entries"])]
    fn a_list_that_a_path_takes_elements_from(#[case] path: &str, #[case] due: &[&str]) {
        assert_eq!(list(path).unwrap_or_default(), due);
    }

    #[test]
    fn what_is_on_the_way_is_made() {
        let mut document = Value::Null;
        put(&mut document, &tokens("/0/0/answer/count"), &json!(3));
        put(&mut document, &tokens("/0/0/items/-"), &json!("a"));
        assert_eq!(document, json!([[{ "answer": { "count": 3 }, "items": ["a"] }]]));
    }
}
