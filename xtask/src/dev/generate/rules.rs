//! `docs/rules.md`: the general rules, each with the comment of its function, its arguments, and a check that uses it.

use anyhow::{Context, Result};
use regex::Regex;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// Where the page is.
pub(super) const PAGE: &str = "docs/rules.md";

const HEAD: &str = "\
# Rules

A check compares what it selects by `equals`, a `golden`, a `schema` or a `rule`. A rule is a relation that a schema cannot express. These
are the general ones, which any contract can use; a rule that knows one document is not among them. `cargo xtask dev generate` makes this
page from the code, and each example from a check of this repository.

Select by the names that a rule asks for: one path if the name is `value` alone, else an object, as in
`\"select\": { \"left\": \"$[0][0].items[*]\", \"right\": \"$[1][0].items[*]\" }`. With fewer values than the relation needs, a check is not
exercised. An argument in brackets may be left out.
";

/// What the types of arguments are in a file.
const KINDS: [(&str, &str); 12] = [
    ("String", "a text"),
    ("Vec<String>", "a list of texts"),
    ("bool", "true or false"),
    ("usize", "a whole number"),
    ("u64", "a whole number"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("Value", "a value"),
    ("Vec<Value>", "a list of values"),
    ("Vec<Vec<String>>", "a list of lists of texts"),
    ("Names", "a field, or a list of what it is called on the left and on the right"),
    ("Vec<Names>", "fields, each a name or a list of what it is called on the left and on the right"),
];

/// A rule as its line in the table of rules has it.
struct Listed {
    name: String,
    selections: Vec<String>,
    function: String,
    module: String,
}

/// The text of the page.
pub(super) fn page(root: &Path) -> Result<String> {
    let sources = sources(&root.join("conformance/src/rules"))?;
    let examples = examples(root)?;
    let mut page = HEAD.to_owned();
    for rule in listed(&sources)? {
        let source = sources.get(&rule.module).with_context(|| format!("there is no file of `{}`", rule.name))?;
        page.push_str(&format!("\n## `{}`\n\n", rule.name));
        let (about, given) =
            function(source, &rule.function).with_context(|| format!("`{}` has no comment", rule.name))?;
        page.push_str(&format!("{about}\n\nSelects {}.\n", quoted(&rule.selections)));
        for (name, about) in given.iter().flat_map(|given| fields(&sources, given)) {
            page.push_str(&format!("\n- {name}{about}"));
        }
        page.push_str(if given.is_some() { "\n" } else { "" });
        if let Some(example) = examples.get(&rule.name) {
            page.push_str(&format!("\n```json\n{example:#}\n```\n"));
        }
    }
    Ok(page)
}

/// The text of each module of the rules.
fn sources(folder: &Path) -> Result<BTreeMap<String, String>> {
    let files = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let read = files.map(|file| {
        let path = file?.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok((name, fs::read_to_string(path)?))
    });
    read.collect()
}

/// The lines of the table of rules, in its order.
fn listed(sources: &BTreeMap<String, String>) -> Result<Vec<Listed>> {
    let table = sources.get("mod").context("the table of rules is gone")?;
    let line =
        Regex::new(r#"Rule::new\(\s*"([^"]+)",\s*(&\[[^\]]*\]|[A-Z]+),\s*\|args\|\s*\w+\(args,\s*(\w+)::(\w+)\)"#)?;
    let rules = line.captures_iter(table).map(|found| {
        let selections = match found[2].strip_prefix("&[") {
            Some(names) => names.to_owned(),
            None => constant(table, &found[2]).with_context(|| format!("`{}` is not defined", &found[2]))?,
        };
        let selections =
            selections.trim_end_matches(']').split(',').map(|name| name.trim().trim_matches('"').to_owned());
        Ok(Listed {
            name: found[1].to_owned(),
            selections: selections.collect(),
            module: found[3].to_owned(),
            function: found[4].to_owned(),
        })
    });
    rules.collect()
}

/// What a constant list of names holds.
fn constant(table: &str, name: &str) -> Option<String> {
    let (_, rest) = table.split_once(&format!("const {name}: &[&str] = &["))?;
    Some(rest.split(']').next()?.to_owned())
}

/// The comment of a function, and the type of its arguments where it takes some.
fn function(source: &str, name: &str) -> Option<(String, Option<String>)> {
    let start = source.find(&format!("fn {name}("))?;
    let about = comment(&source[..start]);
    let signature = source[start..].split('{').next()?;
    let given =
        signature.split_once("args: &").map(|(_, rest)| rest.chars().take_while(|one| one.is_alphanumeric()).collect());
    Some((about, given)).filter(|(about, _)| !about.is_empty())
}

/// The comment that ends a text, without what stands between it and an item: attributes and visibility.
fn comment(before: &str) -> String {
    let lines: Vec<&str> = before.lines().map(str::trim).collect();
    let is_between = |line: &&&str| line.starts_with("#[") || line.starts_with("pub");
    let mut lines: Vec<&str> =
        lines.iter().rev().skip_while(is_between).map_while(|line| line.strip_prefix("///")).collect();
    lines.reverse();
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n")
}

/// The fields of a type of arguments, each as it is listed, and what its comment says.
fn fields(sources: &BTreeMap<String, String>, name: &str) -> Vec<(String, String)> {
    let body = sources.values().find_map(|source| {
        let (_, rest) = source.split_once(&format!("struct {name} {{\n"))?;
        rest.split("\n}").next()
    });
    let mut fields = Vec::new();
    let (mut about, mut may_be_left_out) = (Vec::new(), false);
    for line in body.unwrap_or_default().lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            about.push(text.trim());
        } else if line.starts_with("#[") {
            may_be_left_out |= line.contains("default");
        } else if let Some((name, kind)) =
            line.trim_start_matches("pub(super) ").trim_start_matches("pub(crate) ").split_once(": ")
        {
            may_be_left_out |= kind.starts_with("Option<");
            let name = name.trim_start_matches("r#").trim_end_matches('_').replace('_', "-");
            let name = if may_be_left_out { format!("[`{name}`]") } else { format!("`{name}`") };
            let kind = kind.trim_end_matches(',').trim_start_matches("Option<").trim_end_matches('>');
            let kind = KINDS.iter().find(|(code, _)| code.trim_end_matches('>') == kind).map_or("", |(_, words)| words);
            let kind = if kind.is_empty() { String::new() } else { format!(", {kind}") };
            let text = if about.is_empty() { String::new() } else { format!(": {}", about.join(" ")) };
            fields.push((name, kind + &text));
            (about, may_be_left_out) = (Vec::new(), false);
        }
    }
    fields
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// For each rule the shortest check that uses it, without its requirement and its counterexamples.
fn examples(root: &Path) -> Result<BTreeMap<String, Value>> {
    let mut examples = BTreeMap::new();
    for folder in ["fixtures", "schemas/suite"] {
        for entry in WalkDir::new(root.join(folder)).sort_by_file_name() {
            let path = entry?.into_path();
            if path.extension().is_some_and(|ending| ending == "json") && !path.ends_with(".schema.json") {
                let value: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
                collect(&value, &mut examples);
            }
        }
    }
    Ok(examples)
}

fn collect(value: &Value, examples: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(rule)), true) = (members.get("rule"), members.contains_key("broken_by")) {
                let kept = ["each", "select", "rule", "args"].into_iter();
                let check: Map<String, Value> =
                    kept.filter_map(|name| Some((name.to_owned(), members.get(name)?.clone()))).collect();
                let check = Value::Object(check);
                let is_shorter = |old: &Value| check.to_string().len() < old.to_string().len();
                if examples.get(rule).is_none_or(is_shorter) {
                    examples.insert(rule.clone(), check);
                }
            }
            members.values().for_each(|member| collect(member, examples));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, examples)),
        _ => {}
    }
}
