//! `cargo xtask dev mutants`: break the reference in small ways, and print what nothing notices.

mod kept;
mod mutant;
mod run;

use crate::shared::print::say;
use crate::shared::{files, workspace};
use anyhow::{Context, Result};
use kept::{Found, Kept};
use run::Runner;
use std::collections::BTreeMap;
use std::fs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask dev mutants                every contract, against reference/mutants.json; takes hours
  cargo xtask dev mutants memory         one contract, in minutes
  cargo xtask dev mutants --write        renew the counts, take out survivors that are caught now
  cargo xtask dev mutants recall --mutant 'search.rs.* in page'
                                     only these, while a case is being written for them

cargo-mutants changes the reference in one place at a time, in a copy below target/mutants; it is
installed into target/tools where it is missing. A mutant breaks what binds when a case fails a
requirement that binds; what advice alone catches is behaviour that we decided. What the suite lets
through meets the reference's own tests. What they catch is classified by hand in
reference/mutants.json, under `missed`: it breaks what binds, or what we decided. What survives
everything is listed there with the reason why nobody can tell the difference.

Exit codes:
  0 every survivor and every mutant that the suite misses is listed
  1 one is not, one that is listed is caught now, or the suite lets more through than before
  2 it cannot be run";

/// Which contracts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these contracts
    contracts: Vec<String>,
    /// Renew the counts, and take out survivors that are caught now
    #[arg(long)]
    write: bool,
    /// Only mutants whose name matches; the recorded counts stay the same
    #[arg(long, value_name = "REGEX", conflicts_with = "write")]
    mutant: Option<String>,
}

/// The file with the counts and the survivors.
const FILE: &str = "reference/mutants.json";

/// Mutates, contract by contract; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = workspace::suite()?;
    workspace::known_contracts(&arguments.contracts, &suite)?;
    let file = workspace::root()?.join(FILE);
    let text = fs::read_to_string(&file).with_context(|| format!("{FILE} cannot be read"))?;
    let mut all: BTreeMap<String, Kept> =
        serde_json::from_str(&text).with_context(|| format!("{FILE} is malformed"))?;
    let runner = Runner::ready()?;
    let (mut sum, mut wrong) = (Found::default(), false);
    for contract in suite.contracts.iter().map(|contract| &contract.contract.name) {
        if !arguments.contracts.is_empty() && !arguments.contracts.contains(contract) {
            continue;
        }
        let found = runner.contract(contract, arguments.mutant.as_deref())?;
        say!("{contract}: {found}");
        if arguments.mutant.is_some() {
            found.survivors().iter().for_each(|name| say!("  survives: {name}"));
            wrong |= !found.survivors().is_empty();
            sum.add(found);
            continue;
        }
        let kept = all.entry(contract.clone()).or_default();
        if let Some((caught, all)) = kept.binding() {
            say!("  recorded: what binds catches {caught} of {all} that break it");
        }
        let faults = kept.faults(&found);
        faults.iter().for_each(|fault| say!("  {fault}"));
        if arguments.write {
            kept.renew(&found);
            wrong |= !kept.faults(&found).is_empty();
            // Written after each contract, because the next may take an hour.
            let text = serde_json::to_string_pretty(&all)? + "\n";
            files::write(&file, text)?;
        } else {
            wrong |= !faults.is_empty();
        }
        sum.add(found);
    }
    say!("all: {sum}");
    Ok(u8::from(wrong))
}
