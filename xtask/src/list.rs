//! `cargo xtask list`: the requirements, and what checks them.

use crate::workspace;
use anyhow::Result;
use conformance::load::Suite;
use conformance::model::Requirement;
use serde_json::json;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask list
  cargo xtask list records --format json";

/// What to list.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these contracts
    contracts: Vec<String>,
    /// For people, or for programs
    #[arg(long, value_parser = ["human", "json"], default_value = "human")]
    format: String,
}

/// Lists; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = workspace::suite()?;
    workspace::known_contracts(&arguments.contracts, &suite)?;
    let is_wanted = |requirement: &&Requirement| {
        let contract = requirement.id.split('.').next().unwrap_or_default();
        arguments.contracts.is_empty() || arguments.contracts.iter().any(|name| name == contract)
    };
    let rows = suite.requirements().filter(is_wanted);
    if arguments.format == "json" {
        let rows: Vec<_> = rows.map(|one| json!({ "requirement": one, "cases": cases(&suite, &one.id) })).collect();
        println!("{:#}", json!(rows));
        return Ok(0);
    }
    for one in rows {
        println!("{}  {}, {}, \"{}\"", one.id, one.level, one.origin, one.section);
        println!("    {}", one.text);
        println!("    checked in {}", cases(&suite, &one.id).join(", "));
    }
    Ok(0)
}

/// The cases that judge a requirement; `every exchange` when it always applies.
fn cases(suite: &Suite, id: &str) -> Vec<String> {
    let always = suite.contracts.iter().flat_map(|contract| &contract.always);
    let always = always.chain(suite.transports.checks.values().flatten());
    let everywhere =
        always.filter(|always| always.check.requirement == id).map(|_| "every exchange".to_owned()).take(1);
    let cases = suite.contracts.iter().flat_map(|contract| &contract.cases);
    let named =
        cases.filter(|case| case.checks.iter().any(|check| check.requirement == id)).map(|case| case.name.clone());
    everywhere.chain(named).collect()
}
