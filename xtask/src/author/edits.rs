//! `cargo xtask edits`: damage every field of the reference's answers, and print what no check notices.

use crate::shared::output::Format;
use crate::shared::print::{say, say_json};
use crate::shared::reference::Reference;
use crate::shared::{files, program, workspace};
use anyhow::{Context, Result};
use conformance::load::Suite;
use conformance::prove::edits::{FieldEdit, Survey};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask edits                  every contract, against the counts in conformance/edits.json
  cargo xtask edits recall -v        one contract, every edit that no check notices
  cargo xtask edits --write          remember counts that fell

Exit codes:
  0 no count rose   1 a count rose: a check was lost, or an answer has a field that nothing looks at";

/// Which contracts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these contracts
    contracts: Vec<String>,
    /// Record the counts
    #[arg(long)]
    write: bool,
    /// Print the edits that no check notices
    #[arg(short, long)]
    verbose: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Edits and counts; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    program::needs_checkout("edits")?;
    let suite = workspace::suite()?;
    workspace::known_contracts(&arguments.contracts, &suite)?;
    let surveys = surveys(&suite, &arguments.contracts)?;
    let file = file()?;
    let text = fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
    let mut counts: BTreeMap<String, usize> =
        serde_json::from_str(&text).with_context(|| format!("{} holds no counts", file.display()))?;
    let mut rose = 0;
    for (contract, survey) in &surveys {
        let unnoticed: Vec<&FieldEdit> = survey.unnoticed().collect();
        let before = counts.get(contract).copied().unwrap_or(0);
        rose += usize::from(unnoticed.len() > before);
        if arguments.format == Format::Json {
            say_json(&json!({ "contract": contract, "tried": survey.len(), "unnoticed": unnoticed }));
        } else {
            let (count, tried) = (unnoticed.len(), survey.len());
            say!("{contract}: {count} of {tried} edits are noticed by no check (remembered: {before})");
            if arguments.verbose || count > before {
                print(&unnoticed);
            }
        }
        counts.insert(contract.clone(), unnoticed.len());
    }
    if arguments.write {
        let text = format!("{:#}\n", json!(counts));
        files::write(&file, text)?;
        return Ok(0);
    }
    Ok(u8::from(rose > 0))
}

/// The edits by field: `search /entries/*/score: null, more`.
fn print(places: &[&FieldEdit]) {
    for group in places.chunk_by(|a, b| a.operation == b.operation && a.field == b.field) {
        let edits: Vec<String> = group.iter().map(|place| place.edit.to_string()).collect();
        say!("  {} {}: {}", group[0].operation, group[0].field, edits.join(", "));
    }
}

fn file() -> Result<PathBuf> {
    Ok(workspace::root()?.join("conformance/edits.json"))
}

/// The edits of each contract, and whether a check noticed them. The evidence is the reference's.
fn surveys(suite: &Suite, contracts: &[String]) -> Result<BTreeMap<String, Survey>> {
    let reference = Reference::start(suite)?;
    let target = &reference.target;
    let mut surveys: BTreeMap<String, Survey> = BTreeMap::new();
    for (at, endpoint) in target.endpoints.iter().enumerate() {
        let contract = suite.keyed(&endpoint.contract).context("the reference speaks an unknown contract")?;
        let name = &contract.contract.name;
        // The answers of one endpoint are enough.
        if !contracts.is_empty() && !contracts.contains(name) || surveys.contains_key(name) {
            continue;
        }
        let transports = suite.transports.of(endpoint.transport.channel());
        let survey = surveys.entry(name.clone()).or_default();
        let mut collected = Vec::new();
        for case in contract.cases.iter().filter(|case| target.runs_at(at, case, &contract.contract)) {
            let mut evidence = reference.evidence(at, case, contract)?;
            // Only times differ between two runs; without them the order below is always the same.
            let exchanges = evidence.as_array_mut().into_iter().flatten().filter_map(Value::as_array_mut).flatten();
            exchanges.for_each(|exchange| exchange["elapsed"] = 0.0.into());
            collected.push((case.of_protocol, evidence.to_string().len(), case, evidence));
        }
        // Cases of the protocol say nothing of the contents: before the others they would only use up the trials.
        collected.sort_by_key(|(of_protocol, size, ..)| (*of_protocol, *size));
        for (.., case, evidence) in &collected {
            survey.case(case, contract, &transports, evidence);
        }
    }
    reference.stop();
    Ok(surveys)
}
