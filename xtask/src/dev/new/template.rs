//! Templates of the files of a contract. `{{name}}` is the contract. A line that ends in ` // if CONDITION`, and a file named
//! `….if-CONDITION.…`, is left out where the condition does not hold. Pure.

use std::path::{Path, PathBuf};

/// What the templates are filled with.
pub(super) struct Template {
    name: String,
    conditions: Vec<&'static str>,
}

impl Template {
    /// A contract over HTTP, with a body or with the arguments in the address, and over MCP.
    pub(super) fn new(name: &str, has_body: Option<bool>, mcp: bool) -> Self {
        let mut conditions = vec![match (has_body, mcp) {
            (Some(_), true) => "http and mcp",
            (Some(_), false) => "http alone",
            (None, _) => "mcp alone",
        }];
        conditions.extend(mcp.then_some("mcp"));
        conditions.extend(has_body.map(|_| "http"));
        conditions.extend(has_body.map(|body| if body { "body" } else { "query" }));
        Self { name: name.to_owned(), conditions }
    }

    /// Where a template goes, relative to the root of the checkout; nothing where its condition does not hold.
    pub(super) fn path(&self, template: &Path) -> Option<PathBuf> {
        let mut parts = template.iter().map(|part| part.to_string_lossy().into_owned());
        let top = match parts.next()?.as_str() {
            "reference" => PathBuf::from("reference/src"),
            other => PathBuf::from(other),
        };
        let mut below: Vec<String> = parts.collect();
        let file = below.pop()?;
        let file = match file.split_once(".if-") {
            Some((stem, rest)) => {
                let (condition, ending) = rest.split_once('.')?;
                self.conditions.contains(&condition).then(|| format!("{stem}.{ending}"))?
            }
            None => file,
        };
        Some(top.join(&self.name).join(below.iter().collect::<PathBuf>()).join(file))
    }

    /// A template, filled in.
    pub(super) fn text(&self, template: &str) -> String {
        let kept = template.lines().filter_map(|line| match line.split_once(" // if ") {
            Some((line, condition)) => self.conditions.contains(&condition).then_some(line),
            None => Some(line),
        });
        let text: String = kept.map(|line| format!("{line}\n")).collect();
        let (method, arguments) = if self.conditions.contains(&"body") { ("POST", "body") } else { ("GET", "query") };
        text.replace("{{name}}", &self.name).replace("{{method}}", method).replace("{{arguments}}", arguments)
    }
}
