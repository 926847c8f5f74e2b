//! The signs by which a server is recognised that speaks some revisions of a contract and no others.

use super::compile::bound;
use super::lens::Lens;
use super::problems::json;
use super::sound::validator;
use super::{DataProblem, Problems, given};
use crate::model::{McpBinding, Names, Revision, Says, Sign};
use crate::path::Located;
use crate::rules::Relation;
use crate::text::suggest;
use jsonschema::Validator;
use serde_json::{Map, Value};
use std::path::Path;

/// A sign, ready to be looked for.
#[derive(Debug)]
pub(crate) struct Telltale {
    /// The first revision that permits it.
    pub(crate) since: u32,
    /// What the file says.
    pub(crate) sign: Sign,
    /// How its tool is found among those that a server lists, at that revision.
    binding: Option<McpBinding>,
    tool: Option<Validator>,
    says: Vec<Relation>,
    shows: Option<Validator>,
}

impl Telltale {
    /// Whether a revision permits it.
    pub(crate) fn is_of(&self, revision: u32) -> bool {
        revision >= self.since && self.sign.last.is_none_or(|last| revision <= last)
    }

    /// The call that shows it; nothing where the list of tools does.
    pub(crate) fn probe(&self) -> Option<&Map<String, Value>> {
        self.sign.probe.as_ref()
    }

    /// What is seen of it in a list of tools, for people.
    pub(crate) fn seen_in_tools(&self, names: &Names, tools: &[Value]) -> Option<String> {
        let (binding, tool) = self.binding.as_ref()?.listed(names, tools)?;
        let is_told = |rule: &Relation| {
            let told = ["description", "inputSchema"]
                .into_iter()
                .filter_map(|key| Some(Located { pointer: format!("/{key}"), value: tool.get(key)? }));
            rule.judge(&vec![("value", told.collect())]).is_passed()
        };
        let is_seen = self.tool.as_ref().is_none_or(|schema| schema.is_valid(tool)) && self.says.iter().all(is_told);
        let ours = self.binding.as_ref()?.tool.as_deref();
        // What a server calls its tool may look like anything.
        let name = binding.tool.as_deref().filter(|name| is_plain(name)).or(ours).unwrap_or("the tool");
        (is_seen && self.probe().is_none()).then(|| self.sign.about.replace(TOOL, name))
    }

    /// What is seen of it in the exchange of its probe, for people.
    pub(crate) fn seen_in(&self, exchange: &Value) -> Option<String> {
        self.shows.as_ref().filter(|shows| shows.is_valid(exchange)).map(|_| self.sign.about.clone())
    }
}

/// The place of the name of a tool in a text.
const TOOL: &str = "{tool}";

/// Whether a name is one that MCP asks for, and that no reader takes for anything else.
fn is_plain(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.chars().all(|one| one.is_ascii_alphanumeric() || "_-./".contains(one))
}

/// The signs of every revision, in order.
pub(super) fn ready(
    folder: &Path,
    root: &Path,
    revisions: &[Revision],
    problems: &mut Vec<DataProblem>,
) -> Vec<Telltale> {
    if revisions.iter().all(|one| one.signs.is_empty()) {
        return Vec::new();
    }
    let Some(contract) = json::<Value>(&folder.join("contract.json"), root, problems) else { return Vec::new() };
    let mut found = Problems::of(&folder.join("revisions.json"), root, problems);
    let mut all = Vec::new();
    for (at, one) in revisions.iter().enumerate().filter(|(_, one)| !one.signs.is_empty()) {
        let lens = Lens::new(one.revision, revisions, folder, &contract);
        for (nth, sign) in one.signs.iter().enumerate() {
            let place = format!("/revisions/{at}/signs/{nth}");
            all.extend(telltale(one.revision, sign, &lens, revisions.len(), &place, &mut found));
        }
    }
    all
}

fn telltale(
    since: u32,
    sign: &Sign,
    lens: &Lens,
    revisions: usize,
    place: &str,
    found: &mut Problems<'_>,
) -> Option<Telltale> {
    let operations = &lens.bounds.operations;
    let Some(operation) = operations.get(&sign.operation) else {
        let known = operations.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
        found.add(format!("{place}/operation"), format!("unknown operation{}", suggest::hint(&sign.operation, known)));
        return None;
    };
    let is_of_tools = sign.tool.is_some() || !sign.says.is_empty();
    if is_of_tools == sign.probe.is_some() || sign.probe.is_some() != sign.shows.is_some() {
        found.add(place, "a sign is seen in a tool, by `tool` and `says`, or in the answer to a `probe`, by `shows`");
        return None;
    }
    if sign.last.is_some_and(|last| last < since || last as usize > revisions) {
        found.add(format!("{place}/last"), format!("is not a revision from {since} to {revisions}"));
    }
    if is_of_tools && operation["mcp"]["tool"].is_null() {
        found.add(format!("{place}/operation"), format!("`{}` is called by no tool", sign.operation));
        return None;
    }
    let takes = lens.bounds.arguments(&sign.operation);
    let sent = sign.probe.iter().flatten().flat_map(|(name, value)| [Some(name.as_str()), given(value)]);
    for name in sent.flatten().filter(|name| !takes.contains(name)) {
        let hint = suggest::hint(name, takes.iter().copied());
        found.add(format!("{place}/probe"), format!("`{}` has no argument `{name}`{hint}", sign.operation));
    }
    let mut schema = |key: &str, schema: &Option<Value>| {
        let Some(schema) = schema else { return Some(None) };
        let ready = validator(schema).ok_or_else(|| "is not a JSON Schema that can be used".to_owned());
        found.take(format!("{place}/{key}"), ready).map(Some)
    };
    let (tool, shows) = (schema("tool", &sign.tool)?, schema("shows", &sign.shows)?);
    let says = sign.says.iter().enumerate();
    let says = says.map(|(at, Says { rule, args })| {
        let bound = bound(rule, args, ["value"].into_iter(), &format!("{place}/says/{at}"), found);
        bound.map(|(_, relation)| relation)
    });
    let says = says.collect::<Option<_>>()?;
    let binding = serde_json::from_value(operation["mcp"].clone()).ok();
    Some(Telltale { since, sign: sign.clone(), binding, tool, says, shows })
}
