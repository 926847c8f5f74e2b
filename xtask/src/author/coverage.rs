//! `cargo xtask coverage`: the sections of each document, with their requirements and exclusions.

use crate::shared::output::{Format, say};
use crate::shared::workspace;
use anyhow::Result;
use conformance::model::Contract;
use serde_json::json;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask coverage
  cargo xtask coverage recall -v

Exit codes:
  0 every section has a requirement or an exclusion   1 one has neither";

/// Which contracts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these contracts
    contracts: Vec<String>,
    /// Print the requirements and the excluded sentences of each section
    #[arg(short, long)]
    verbose: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Prints the sections; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = workspace::suite()?;
    workspace::known_contracts(&arguments.contracts, &suite)?;
    let mut empty = 0;
    for contract in suite.contracts.iter().map(|contract| &contract.contract) {
        if !arguments.contracts.is_empty() && !arguments.contracts.contains(&contract.name) {
            continue;
        }
        empty += match arguments.format {
            Format::Json => print_json(contract),
            Format::Human => print(contract, arguments.verbose),
        };
    }
    Ok(u8::from(empty > 0))
}

/// Prints the sections of a contract for people; returns how many have neither a requirement nor an exclusion.
fn print(contract: &Contract, verbose: bool) -> usize {
    let (requirements, excluded) = (contract.requirements.len(), contract.excluded.len());
    say!("{}: {}", contract.name, contract.document);
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
        let name = &contract.name;
        say!("{}", json!({ "contract": name, "section": section, "requirements": requirements, "excluded": excluded }));
    }
    empty
}
