//! Compiling: paths, schemas, rules, goldens and patches of checks, once, when the suite is loaded.

use super::documents::documents;
use super::guard::Guard;
use super::inside;
use super::lens::Lens;
use super::problems::json;
use super::sound;
use super::{BoundPick, Case, Check, Comparison, DataProblem, Fixed, Matching, Problems, RawCase, Selector};
use crate::contracts;
use crate::model::{CheckFile, Contract, FixedFile, Select, Step, Sweep, SweepValues};
use crate::path::{EvidencePath, RelativePath, pick_in};
use crate::rules::{Relation, Rule};
use crate::text::suggest;
use jsonschema::{Draft, Registry};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The base of every `$id`; nothing is ever fetched from it.
const BASE: &str = "https://schemas.invalid/";

/// What is wrong with a path that decides about a call.
const NOT_EARLIER: &str = "looks into evidence that is not earlier";

/// Compiles the checks of one contract.
pub(super) struct Compiler<'c> {
    root: &'c Path,
    /// What the arguments of rules, and goldens, are read from.
    probes: &'c Path,
    base: String,
    registry: Option<Registry<'static>>,
    /// The names of fields that the schemas speak of.
    pub(super) fields: BTreeSet<String>,
    /// Whether a case may leave judging to what always applies.
    pub(super) allows_no_checks: bool,
    /// What bounds the schemas of a contract that a user brings.
    guard: Option<Guard>,
}

impl<'c> Compiler<'c> {
    /// Reads the schemas of a contract's folder, so that checks can refer to them.
    pub(super) fn new(
        folder: &Path,
        probes: &'c Path,
        root: &'c Path,
        lens: Option<&Lens>,
        problems: &mut Vec<DataProblem>,
    ) -> Self {
        let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let base = format!("{BASE}{name}/");
        let mut fields = BTreeSet::new();
        let registry = registry(folder, &base, root, lens, &mut fields, problems);
        Self { root, probes, base, registry, fields, allows_no_checks: false, guard: None }
    }

    /// Bounds what judging by the schemas of the contract takes; nothing where they take too much.
    pub(super) fn is_guarded(&mut self, folder: &Path, problems: &mut Problems<'_>) -> Option<()> {
        self.guard = Some(problems.take("", Guard::of(folder))?);
        Some(())
    }

    /// `contract` is the one that the case calls.
    pub(super) fn case(&self, raw: RawCase, contract: &Contract, problems: &mut Vec<DataProblem>) -> Case {
        let lists = |step: &Step| {
            let binding = contract.operations.get(&step.call).and_then(|operation| operation.mcp.as_ref());
            binding.is_some_and(|mcp| mcp.tool.is_none())
        };
        let asks_for_tools_alone = raw.case.needs.is_empty() && raw.case.steps.iter().all(lists);
        let picks = self.picks(&raw, problems);
        let conditions = self.conditions(&raw, problems);
        let judges = !raw.case.checks.is_empty() || raw.case.steps.iter().any(|step| step.answered.is_some());
        if !judges && !raw.of_protocol && !self.allows_no_checks {
            Problems::of(&raw.file, self.root, problems).add("/checks", "a case without checks judges nothing");
        }
        let checks = raw.case.checks.into_iter().enumerate();
        let checks =
            checks.filter_map(|(at, check)| self.check(&raw.file, &format!("/checks/{at}"), check, problems)).collect();
        Case {
            name: raw.name,
            file: raw.file,
            about: raw.case.about,
            needs: raw.case.needs,
            era: raw.case.era.or_else(|| raw.case.steps.first()?.era),
            of_protocol: raw.of_protocol || asks_for_tools_alone,
            alone: raw.alone,
            steps: raw.case.steps,
            json_only: raw.json_only,
            picks,
            conditions,
            checks,
        }
    }

    pub(super) fn check(
        &self,
        file: &Path,
        place: &str,
        check: CheckFile,
        problems: &mut Vec<DataProblem>,
    ) -> Option<Check> {
        let mut found = Problems::of(file, self.root, problems);
        let each = check.each.as_deref().map(selector);
        let each = match each {
            Some(each) => Some(found.take(format!("{place}/each"), each)?),
            None => None,
        };
        let select = found.take(format!("{place}/select"), selectors(&check.select))?;
        if check.broken_by.is_empty() {
            found.add(place, "the check has no counterexample, so nothing shows that it can fail");
        }
        let comparison = self.comparison(file, place, &check, &select, problems)?;
        let takes_refusal = takes_refusal(&check);
        Some(Check {
            requirement: check.requirement,
            each,
            select,
            comparison,
            takes_refusal,
            broken_by: check.broken_by,
        })
    }

    /// What is compared with the reference's answers.
    pub(super) fn fixed(
        &self,
        file: &Path,
        place: &str,
        fixed: FixedFile,
        problems: &mut Vec<DataProblem>,
    ) -> Option<Fixed> {
        let mut found = Problems::of(file, self.root, problems);
        let select = found.take(format!("{place}/select"), selectors(&fixed.select))?;
        let rule = match &fixed.rule {
            Some(name) => {
                let mut args = fixed.args.clone();
                args.extend(fixed.due.iter().map(|due| (due.clone(), Value::Array(Vec::new()))));
                Some(bound(name, &args, select.keys().map(String::as_str), place, &mut found)?.0)
            }
            None => None,
        };
        if rule.is_none() && (fixed.due.is_some() || !fixed.args.is_empty()) {
            found.add(place, "`due` and `args` are for rules");
        }
        Some(Fixed { file: fixed, select, rule })
    }

    fn comparison(
        &self,
        file: &Path,
        place: &str,
        check: &CheckFile,
        select: &BTreeMap<String, Selector>,
        problems: &mut Vec<DataProblem>,
    ) -> Option<Comparison> {
        let ways = [check.equals.is_some(), check.golden.is_some(), check.schema.is_some(), check.rule.is_some()];
        let mut found = Problems::of(file, self.root, problems);
        if ways.iter().filter(|way| **way).count() != 1 {
            found.add(place, "a check has exactly one of `equals`, `golden`, `schema` and `rule`");
            return None;
        }
        if check.golden.is_none() && (check.unordered || check.by.is_some()) || check.unordered && check.by.is_some() {
            found.add(place, "`unordered` or `by` says how a `golden` is compared");
        }
        if let Some(name) = &check.rule {
            let args = found.take(format!("{place}/args"), self.with_corpus(&check.args))?;
            let (rule, relation) = bound(name, &args, select.keys().map(String::as_str), place, &mut found)?;
            return Some(Comparison::Rule { rule, args: check.args.clone(), relation });
        }
        if !check.args.is_empty() || !select.contains_key("value") || select.len() > 1 {
            found.add(place, "`args` and several selections are for rules");
            return None;
        }
        if let Some(equals) = &check.equals {
            return Some(Comparison::Equals(equals.0.clone()));
        }
        if let Some(schema) = &check.schema {
            let bound = self.guard.as_ref().map(|guard| guard.with(schema)).transpose();
            let bound = found.take(format!("{place}/schema"), bound)?;
            let validator = self.validator(schema);
            let validator = Arc::new(found.take(format!("{place}/schema"), validator)?);
            return Some(Comparison::Schema { validator, schema: schema.clone(), bound });
        }
        let name = check.golden.clone()?;
        if !inside::is_below(&name) {
            found.add(format!("{place}/golden"), inside::leads_out(&name));
            return None;
        }
        let expected: Vec<Value> = json(&self.probes.join("goldens").join(&name), self.root, problems)?;
        let matching = Matching::of(check.unordered, check.by.as_ref());
        Some(Comparison::Golden { file: name, expected, matching })
    }

    /// The arguments of a rule, with the documents of the corpus in the place of `{ "$corpus": "frames.ndjson" }`.
    fn with_corpus(&self, args: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let read = |(name, value): (&String, &Value)| match value.get("$corpus").and_then(Value::as_str) {
            Some(file) if !inside::is_below(file) => Err(inside::leads_out(file)),
            Some(file) => Ok((name.clone(), documents(&self.probes.join("corpus").join(file))?.into())),
            None => Ok((name.clone(), value.clone())),
        };
        args.iter().map(read).collect()
    }

    /// A schema that may refer to the schemas of the contract by their file names.
    fn validator(&self, schema: &Value) -> Result<jsonschema::Validator, String> {
        let Some(registry) = &self.registry else {
            return Err("the schemas that it may refer to are broken".to_owned());
        };
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_base_uri(format!("{}check", self.base))
            .with_registry(registry)
            .offline()
            .should_validate_formats(true)
            .with_pattern_options(sound::patterns())
            .build(schema)
            .map_err(|error| format!("the schema does not compile: {error}"))
    }

    /// What the steps of a case wait for.
    fn conditions(&self, raw: &RawCase, problems: &mut Vec<DataProblem>) -> BTreeMap<usize, EvidencePath> {
        let mut found = Problems::of(&raw.file, self.root, problems);
        let steps = raw.case.steps.iter().enumerate();
        let conditions = steps.filter_map(|(at, step)| {
            let place = format!("/steps/{at}/when");
            let path = found.take(&place, EvidencePath::parse(step.when.as_deref()?))?;
            if !is_earlier(&path, at, raw) {
                found.add(place, NOT_EARLIER);
            }
            Some((at, path))
        });
        conditions.collect()
    }

    /// The picks of a case.
    fn picks(&self, raw: &RawCase, problems: &mut Vec<DataProblem>) -> Vec<BoundPick> {
        let mut found = Problems::of(&raw.file, self.root, problems);
        let mut bound = Vec::new();
        for (at, step) in raw.case.steps.iter().enumerate() {
            let mut used = Vec::new();
            let own = step.with.iter().map(|(name, value)| (format!("/steps/{at}/with/{name}"), value));
            let rows = step.sweep.iter().flat_map(Sweep::rows).enumerate();
            let of_rows = rows.flat_map(|(row, with)| {
                with.iter().map(move |(name, value)| (format!("/steps/{at}/sweep/over/{row}/{name}"), value))
            });
            for (place, value) in own.chain(of_rows) {
                used.extend(found.take(&place, pick_in(value)).flatten().map(|pick| (place, pick)));
            }
            if let Some(SweepValues::Pick(pick)) = step.sweep.as_ref().map(|sweep| &sweep.over) {
                used.push((format!("/steps/{at}/sweep/over"), pick.clone()));
            }
            for (place, pick) in used {
                let path = found.take(format!("{place}/from"), EvidencePath::parse(&pick.from));
                let Some(known) = contracts::picks().find(|known| known.name == pick.name) else {
                    let hint = suggest::hint(&pick.name, contracts::picks().map(|known| known.name));
                    found.add(place, format!("unknown pick `{}`{hint}", pick.name));
                    continue;
                };
                let picking = (known.bind)(&pick.args);
                let picking = picking.map_err(|wrong| found.add(format!("{place}/args{}", wrong.at), wrong.message));
                if path.as_ref().is_some_and(|path| !is_earlier(path, at, raw)) {
                    found.add(format!("{place}/from"), NOT_EARLIER);
                }
                if let (Some(path), Ok(picking)) = (path, picking) {
                    bound.push(BoundPick { pick, path, picking });
                }
            }
        }
        bound
    }
}

/// The rule of a check with its arguments.
///
/// `selected` are the names of what it judges, in order.
pub(super) fn bound<'n>(
    name: &str,
    args: &Map<String, Value>,
    selected: impl Iterator<Item = &'n str>,
    place: &str,
    found: &mut Problems<'_>,
) -> Option<(&'static Rule, Relation)> {
    let Some(rule) = contracts::rules().find(|rule| rule.name == name) else {
        let hint = suggest::hint(name, contracts::rules().map(|rule| rule.name));
        found.add(format!("{place}/rule"), format!("unknown rule `{name}`{hint}"));
        return None;
    };
    let mut selections: Vec<&str> = rule.selections.to_vec();
    selections.sort_unstable();
    if !selections.iter().copied().eq(selected) {
        found.add(format!("{place}/rule"), format!("rule `{name}` selects {}", selections.join(", ")));
        return None;
    }
    match (rule.bind)(args) {
        Ok(relation) => Some((rule, relation)),
        Err(wrong) => {
            found.add(format!("{place}/args{}", wrong.at), format!("rule `{name}`: {}", wrong.message));
            None
        }
    }
}

/// Whether a path looks at the steps before this one alone.
fn is_earlier(path: &EvidencePath, at: usize, raw: &RawCase) -> bool {
    path.steps(raw.case.steps.len()).iter().all(|step| *step < at) && !path.steps(at).is_empty()
}

/// The paths of a check, by name.
fn selectors(select: &Select) -> Result<BTreeMap<String, Selector>, String> {
    match select {
        Select::One(path) => Ok(BTreeMap::from([("value".to_owned(), selector(path)?)])),
        Select::Named(paths) => paths.iter().map(|(name, path)| Ok((name.clone(), selector(path)?))).collect(),
    }
}

fn selector(path: &str) -> Result<Selector, String> {
    match path.starts_with('@') {
        true => RelativePath::parse(path).map(Selector::Relative),
        false => EvidencePath::parse(path).map(Selector::Evidence),
    }
}

/// The schemas of a folder under their ids, which are the base and the file name. Adds the names of their fields.
fn registry(
    folder: &Path,
    base: &str,
    root: &Path,
    lens: Option<&Lens>,
    fields: &mut BTreeSet<String>,
    problems: &mut Vec<DataProblem>,
) -> Option<Registry<'static>> {
    let mut builder = Registry::new().draft(Draft::Draft202012);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.to_string_lossy().ends_with(".schema.json")) {
        let name = file.file_name()?.to_string_lossy();
        // It is read under the name of the one that it replaces, if the revision has it at all.
        if lens.is_some_and(|lens| lens.is_instead(&name)) {
            continue;
        }
        let file = &lens.map_or_else(|| file.clone(), |lens| folder.join(lens.schema(&name)));
        let own = format!("{base}{}", file.file_name()?.to_string_lossy());
        let mut schema: Value = json(file, root, problems)?;
        add_fields(&schema, fields);
        let id = format!("{base}{name}");
        let mut found = Problems::of(file, root, problems);
        if schema["$id"] != json!(own) {
            found.add("/$id", format!("must be {own}"));
        }
        // Other schemas refer to it by that name.
        schema["$id"] = json!(id);
        let valid = jsonschema::meta::validate(&schema).map_err(|error| format!("is not a JSON Schema: {error}"));
        found.take("", valid)?;
        let added = builder.add(id, schema).map_err(|error| format!("cannot be used: {error}"));
        builder = found.take("", added)?;
    }
    let ready = builder.prepare().map_err(|error| format!("the schemas do not fit together: {error}"));
    Problems::of(folder, root, problems).take("", ready)
}

/// Adds the names of fields that a schema speaks of, however deep.
fn add_fields(schema: &Value, fields: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            let named = members.get("properties").and_then(Value::as_object);
            fields.extend(named.into_iter().flat_map(Map::keys).cloned());
            members.values().for_each(|member| add_fields(member, fields));
        }
        Value::Array(members) => members.iter().for_each(|member| add_fields(member, fields)),
        _ => {}
    }
}

/// Whether `refused` stands in what a check compares with, however deep.
fn takes_refusal(check: &CheckFile) -> bool {
    let mut ahead: Vec<&Value> = check.equals.iter().map(|equals| &equals.0).collect();
    ahead.extend(&check.schema);
    ahead.extend(check.args.values());
    while let Some(value) = ahead.pop() {
        match value {
            Value::String(text) if text == "refused" => return true,
            Value::Array(values) => ahead.extend(values),
            Value::Object(fields) => ahead.extend(fields.values()),
            _ => {}
        }
    }
    false
}
