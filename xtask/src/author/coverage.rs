//! `cargo xtask coverage`: the sections of each document, with their requirements and exclusions, and the sentences that are general
//! over operations, with what judges them at each.

use crate::shared::output::Format;
use crate::shared::own::Own;
use crate::shared::print::{say, say_json};
use crate::shared::revisions::Asked;
use crate::shared::workspace;
use anyhow::{Result, anyhow};
use conformance::load::{ContractSuite, Judged};
use conformance::model::{Contract, ContractKey};
use serde_json::json;
use std::collections::BTreeMap;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask coverage
  cargo xtask coverage recall -v
  cargo xtask coverage memory@2

Exit codes:
  0 every section has a requirement or an exclusion   1 one has neither";

/// Which contracts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these contracts, perhaps at one revision, as in memory@2
    contracts: Vec<String>,
    /// Print the requirements and the excluded sentences of each section
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    own: Own,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Prints the sections; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = arguments.own.suite()?;
    let asked = Asked::of(&arguments.contracts, &[])?;
    workspace::known_contracts(&asked.contracts, &suite)?;
    for key in &asked.revisions {
        suite.view(key).map_err(|error| anyhow!("{error}"))?;
    }
    let is_asked = |key: &ContractKey| {
        let pin = asked.revisions.iter().find(|pin| pin.name() == key.name());
        asked.names(key.name()) && pin.is_none_or(|pin| pin == key)
    };
    let mut empty = 0;
    for key in suite.keys().filter(is_asked) {
        let home = suite.view(&key).map_err(|error| anyhow!("{error}"))?;
        let contract = &home.contract;
        empty += match arguments.format {
            Format::Json => print_json(contract),
            Format::Human => print(contract, arguments.verbose),
        };
        match arguments.format {
            Format::Json => general_json(home),
            Format::Human => general(home),
        }
    }
    Ok(u8::from(empty > 0))
}

/// Prints the sections of a contract for people; returns how many have neither a requirement nor an exclusion.
fn print(contract: &Contract, verbose: bool) -> usize {
    let (requirements, excluded) = (contract.requirements.len(), contract.excluded.len());
    say!("{}: {}", contract.key(), contract.document);
    say!("  {requirements} requirements, {excluded} excluded sentences, {} sections", contract.sections.len());
    let mut empty = 0;
    for section in &contract.sections {
        let requirements: Vec<_> = contract.requirements.iter().filter(|one| one.section == *section).collect();
        let excluded: Vec<_> = contract.excluded.iter().filter(|one| one.section == *section).collect();
        let is_empty = requirements.is_empty() && excluded.is_empty();
        empty += usize::from(is_empty);
        let mark = if is_empty { "NOTHING" } else { "" };
        say!("  {:>3} requirements {:>3} excluded  {section} {mark}", requirements.len(), excluded.len());
        if verbose {
            requirements.iter().for_each(|one| say!("        {}  {}", one.id, one.text));
            excluded.iter().for_each(|one| say!("        excluded: {} ({})", one.sentence, one.reason));
        }
    }
    empty
}

/// The same for programs, one line for each section.
fn print_json(contract: &Contract) -> usize {
    let mut empty = 0;
    for section in &contract.sections {
        let requirements: Vec<_> =
            contract.requirements.iter().filter(|one| one.section == *section).map(|one| &one.id).collect();
        let excluded: Vec<_> = contract.excluded.iter().filter(|one| one.section == *section).collect();
        empty += usize::from(requirements.is_empty() && excluded.is_empty());
        let name = contract.key();
        say_json(&json!({ "contract": name, "section": section, "requirements": requirements, "excluded": excluded }));
    }
    empty
}

/// Prints the sentences that are general over operations, each with what judges it at each operation: the number of cases, and `+`
/// where every exchange is judged. The reasons for what nothing judges follow.
fn general(home: &ContractSuite) {
    let operations: Vec<&String> = home.contract.operations.keys().collect();
    let operations: Vec<&String> =
        operations.into_iter().filter(|name| home.general().any(|one| one.over.contains(name))).collect();
    if operations.is_empty() {
        say!("  no sentence is general over operations");
        return;
    }
    let widest = home.general().map(|one| one.id.len()).max().unwrap_or(0);
    let heads: String = operations.iter().map(|name| format!("  {name}")).collect();
    say!("  {:<widest$}{heads}", "general sentences");
    for one in home.general() {
        let judged = home.judged_at(&one.id);
        let cells = operations.iter().map(|name| {
            let (cell, width) = (cell(one.over.contains(name), judged.get(name.as_str())), name.len() + 2);
            format!("{cell:>width$}")
        });
        say!("  {:<widest$}{}", one.id, cells.collect::<String>());
    }
    for one in home.general() {
        for (operation, reason) in &one.unjudged {
            say!("  {} is not judged at {operation}: {reason}", one.id);
        }
    }
}

/// What judges a sentence at an operation: nothing to say where it does not speak of the operation.
fn cell(is_over: bool, judged: Option<&Judged>) -> String {
    match judged.filter(|_| is_over) {
        Some(Judged { cases: 0, always: true }) => "+".to_owned(),
        Some(Judged { cases, always }) => format!("{cases}{}", if *always { "+" } else { "" }),
        None if is_over => "-".to_owned(),
        None => String::new(),
    }
}

/// The same for programs, one line for each sentence.
fn general_json(home: &ContractSuite) {
    for one in home.general() {
        let judged = home.judged_at(&one.id);
        let over: BTreeMap<&String, _> = one
            .over
            .iter()
            .map(|name| {
                let Judged { cases, always } = judged.get(name.as_str()).copied().unwrap_or_default();
                (name, json!({ "cases": cases, "always": always, "unjudged": one.unjudged.get(name) }))
            })
            .collect();
        say_json(&json!({ "contract": home.contract.name, "requirement": one.id, "over": over }));
    }
}
