//! Everything that is visible of a contract, on one page: what a reviewer reads before and after a change.

use super::{ContractSide, Field, Schemas, words};
use crate::model::{Binding, CliBinding, HttpArguments, HttpBinding, McpBinding, Operation, Protocol};
use serde_json::Value;
use std::fmt::Write;
use strum::VariantArray;

/// Operations with their bindings, arguments and answers, then the requirements.
pub fn text(side: &ContractSide) -> String {
    let contract = &side.contract;
    let mut page = format!("{}, revision {}: {}\n", contract.name, contract.revision, contract.title);
    line(&mut page, format_args!("after {}", contract.document));
    for (name, operation) in &contract.operations {
        line(&mut page, format_args!("\n{name}: {}", operation.about));
        bindings(&mut page, operation);
        let schemas = Schemas(&side.schemas);
        places(&mut page, "arguments", &schemas.fields(&operation.input));
        if let Some(output) = &operation.output {
            places(&mut page, "answer", &schemas.fields(output));
        }
    }
    line(&mut page, format_args!("\nrequirements"));
    for one in &contract.requirements {
        line(&mut page, format_args!("  {:<6} {:<7} {}: {}", one.level, one.origin, one.id, one.text));
    }
    if !contract.excluded.is_empty() {
        line(&mut page, format_args!("\n{} sentences that nothing can check", contract.excluded.len()));
    }
    page
}

fn bindings(page: &mut String, operation: &Operation) {
    for binding in Protocol::VARIANTS.iter().filter_map(|protocol| operation.binding(*protocol)) {
        match binding {
            Binding::Http(HttpBinding { method, path, free_path: _, arguments, results }) => {
                let place = match arguments {
                    HttpArguments::Query => "arguments in the query string",
                    HttpArguments::Body => "arguments in a JSON body",
                    HttpArguments::Path => "arguments in the path",
                };
                line(page, format_args!("  http: {method} {path}, {place}{}", found(results.as_ref())));
            }
            Binding::Mcp(McpBinding { tool, known_by: _, rename, optional, results }) => {
                let named = rename.iter().map(|(ours, theirs)| format!(", {ours} as {theirs}"));
                let named: String =
                    named.chain(optional.iter().map(|name| format!(", perhaps without {name}"))).collect();
                let tool = tool.as_deref().unwrap_or("tools/list");
                line(page, format_args!("  mcp: {tool}{named}{}", found(results.as_ref())));
            }
            Binding::Cli(CliBinding { argv, positional, flags, switches, folder }) => {
                let given: String = positional.iter().map(|name| format!(" <{name}>")).collect();
                let flags: String = flags.iter().map(|(name, flag)| format!(" [{flag} <{name}>]")).collect();
                let switches: String = switches.iter().map(|(name, switch)| format!(" [{switch}: {name}]")).collect();
                let folder = folder.as_ref().map_or(String::new(), |folder| format!(", in the folder <{folder}>"));
                line(page, format_args!("  cli: {}{given}{flags}{switches}{folder}", argv.join(" ")));
            }
        }
    }
    if let Some(format) = &operation.format {
        line(page, format_args!("  the answer is read as {format}"));
    }
}

fn found(results: Option<&String>) -> String {
    results.map_or(String::new(), |at| format!(", results at {at}"))
}

/// Places below the whole, each with its presence and its values.
fn places(page: &mut String, title: &str, fields: &[Field]) {
    let (whole, inside): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|field| field.path.is_empty());
    let closed = whole.first().is_some_and(|field| !field.open);
    let strangers = if closed { ", and nothing else" } else { "" };
    line(page, format_args!("  {title}{strangers}"));
    let widest = inside.iter().map(|field| field.path.chars().count()).max().unwrap_or(0).min(40);
    for field in inside {
        // An element of a list is neither there nor not.
        let presence = match field.path.ends_with("[]") || field.path.ends_with('*') {
            true => "",
            false if field.required => "required",
            false => "optional",
        };
        let default = field.default.as_ref().map_or(String::new(), |value: &Value| format!(", default {value}"));
        let values = words::values(&field.values);
        line(page, format_args!("    {:<widest$} {presence:<8} {values}{default}", field.path));
    }
}

fn line(page: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a text does not fail.
    let _ = writeln!(page, "{}", line.to_string().trim_end());
}
