//! `cargo xtask variants`: run the legal answers that take another server, each as a variant of the reference.

use crate::shared::print::say;
use crate::shared::running::run_once;
use crate::shared::{program, workspace};
use anyhow::{Result, anyhow, bail};
use conformance::ledger::RunLog;
use conformance::load::{ContractSuite, Legal, Suite};
use conformance::model::{Conclusion, ContractKey, Keep, Selection};
use conformance::prove::legal::{Runs, variant};
use conformance::run::Options;
use conformance::targets::TargetFile;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask variants                                every variant that a legal answer names
  cargo xtask variants recall                         those of one contract
  cargo xtask variants recall --variant or-words      one alone
  cargo xtask variants remnote --every-revision       at the revisions in between too

A variant is the reference with --variant NAME. It is judged with the corpus and as a server of unknown data, and has to conform. That is
tried at the first and at the last revision that has the variant.

Exit codes:
  0 every legal answer is accepted   2 one is condemned: the suite itself is broken";

/// Which variants.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these contracts
    contracts: Vec<String>,
    /// Only this variant
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// At every revision, not only at the first and the last that has the variant
    #[arg(long)]
    every_revision: bool,
}

/// What a target says of its data, and how that is called.
const DATA: [(bool, &str); 2] = [(true, "with the corpus"), (false, "live")];
/// How long all cases of a contract may take.
const LONGEST: Duration = Duration::from_secs(300);

/// The legal answers that are variants, by the name of the variant.
type Variants<'s> = BTreeMap<&'s str, Vec<&'s Legal>>;

/// Runs and compares; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let (suite, began) = (Arc::new(workspace::suite()?), Instant::now());
    workspace::known_contracts(&arguments.contracts, &suite)?;
    let (mut accepted, mut problems) = (0, 0);
    let wanted =
        |key: &ContractKey| arguments.contracts.is_empty() || arguments.contracts.iter().any(|name| name == key.name());
    let mut all: BTreeMap<ContractKey, Variants<'_>> = BTreeMap::new();
    for key in suite.keys().filter(wanted) {
        let contract = suite.view(&key).map_err(|error| anyhow!("{error}"))?;
        let variants = all.entry(key).or_default();
        for legal in &contract.legal {
            let name = legal.answer.variant.as_deref();
            let name = name.filter(|name| arguments.variant.as_deref().is_none_or(|wanted| wanted == *name));
            name.into_iter().for_each(|name| variants.entry(name).or_default().push(legal));
        }
    }
    for (key, variants) in &all {
        let contract = suite.view(key).map_err(|error| anyhow!("{error}"))?;
        let mut by_variant = variants.clone();
        by_variant.retain(|name, _| arguments.every_revision || is_first_or_last(key, name, &all));
        if by_variant.is_empty() {
            continue;
        }
        let reference = both(&suite, contract, None)?;
        for (name, answers) in by_variant {
            is_known(name)?;
            let other = both(&suite, contract, Some(name))?;
            for legal in answers {
                let runs = DATA.iter().zip(reference.iter().zip(&other));
                let runs = runs.map(|((_, how), (reference, variant))| Runs { how, reference, variant });
                let found = variant(legal, contract, &suite, &runs.collect::<Vec<_>>());
                say!("{} {}: {}", key, legal.answer.id, if found.is_empty() { "accepted" } else { "condemned" });
                found.iter().for_each(|problem| say!("  {problem}"));
                problems += found.len();
                accepted += usize::from(found.is_empty());
            }
        }
    }
    if accepted + problems == 0 {
        bail!("no legal answer is such a variant");
    }
    let plural = if accepted == 1 { "" } else { "s" };
    say!(
        "{accepted} legal answer{plural} accepted as variants, {problems} problems, in {:.1} s",
        began.elapsed().as_secs_f64()
    );
    Ok(if problems == 0 { 0 } else { Conclusion::SuiteBroken.exit_code() })
}

/// Whether no revision before this one has the variant, or none after it.
fn is_first_or_last(key: &ContractKey, name: &str, all: &BTreeMap<ContractKey, Variants<'_>>) -> bool {
    let has =
        |(other, variants): &(&ContractKey, &Variants<'_>)| other.name() == key.name() && variants.contains_key(name);
    let mut having = all.iter().filter(has).map(|(other, _)| other);
    having.next() == Some(key) || having.next_back() == Some(key)
}

/// The cases of a contract, with the corpus and live. A command line brings the corpus, so both are the same there.
fn both(suite: &Arc<Suite>, contract: &ContractSuite, variant: Option<&str>) -> Result<Vec<RunLog>> {
    let file = of_contract(suite, contract)?;
    let brings_corpus = file.endpoints.iter().all(|endpoint| endpoint.address.kind().brings_corpus());
    let data = DATA.iter().take(if brings_corpus { 1 } else { DATA.len() });
    data.map(|(has_corpus, _)| one(suite, contract, variant, *has_corpus)).collect()
}

/// The reference as a target of one contract.
fn of_contract(suite: &Suite, contract: &ContractSuite) -> Result<TargetFile> {
    let mut file = workspace::reference_at(suite, &[contract.contract.key()])?;
    file.endpoints.retain(|endpoint| endpoint.contract.name() == contract.contract.name);
    if file.endpoints.iter().all(|endpoint| endpoint.address.url().is_none()) {
        file.start = None;
    }
    Ok(file)
}

fn one(suite: &Arc<Suite>, contract: &ContractSuite, variant: Option<&str>, has_corpus: bool) -> Result<RunLog> {
    let mut file = of_contract(suite, contract)?;
    if let Some(name) = variant {
        file.add_words(&["--variant".to_owned(), name.to_owned()]);
    }
    if !has_corpus {
        file.corpus = None;
        // What any other target is given on the command line.
        for operation in contract.contract.operations.values() {
            let given =
                operation.given.iter().filter_map(|name| Some((name.clone(), operation.example.get(name)?.clone())));
            let given: BTreeMap<_, _> = given.collect();
            file.endpoints.iter_mut().for_each(|endpoint| endpoint.arguments.extend(given.clone()));
        }
    }
    let selection = Selection { contracts: vec![contract.contract.name.clone()], ..Selection::default() };
    let options = Options { selection, seed: 0, runs: 1, time: LONGEST, prove: false, keep: Keep::All };
    let mut places = workspace::reference_program()?;
    places.extend(workspace::places(None)?);
    run_once(suite, &file, &places, &options, false)
}

/// Asks the reference whether it has a variant.
fn is_known(name: &str) -> Result<()> {
    let mut reference = Command::new(workspace::ourselves()?);
    reference.args([program::REFERENCE, "mcp", "--variant", name]).stdin(Stdio::null()).stdout(Stdio::null());
    let said = reference.output()?;
    if !said.status.success() {
        bail!("a legal answer is the variant `{name}`: {}", String::from_utf8_lossy(&said.stderr).trim());
    }
    Ok(())
}
