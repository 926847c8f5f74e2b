//! `cargo xtask explain`: one requirement, how it is checked, what makes it fail and what it lets pass, and an answer that conforms beside one that does not.

mod directions;

use crate::shared::own::Own;
use crate::shared::print;
use crate::shared::reference::Reference;
use crate::shared::revisions::{self, Asked};
use crate::shared::{address, program, workspace};
use anyhow::{Context, Result, anyhow, bail};
use conformance::diff::{Side, surface};
use conformance::load::{Case, ContractSuite, Suite, Use};
use conformance::model::{ContractKey, Protocol, Requirement, TransportKind};
use conformance::prove::{self, Demonstration};
use conformance::report::diff;
use conformance::report::page::{self, Page};
use conformance::report::repeat;
use conformance::text::inert;
use serde_json::Value;
use strum::VariantArray;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask explain recall.start-time-required
  cargo xtask explain memory                       a contract: operations, arguments, answers, requirements
  cargo xtask explain memory@2                     the same, as a later document has it
  cargo xtask explain memory.top-ke-maximum --revision memory@2    as a later document has it
  cargo xtask explain remnote.limit --no-example             without starting the reference

The examples are the reference's answer, and the same with a counterexample of the suite laid on it.";

/// Which requirement.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Its id, as in reports and `list`; or a contract, perhaps with its revision, as in memory@2, for its whole visible surface
    #[arg(value_name = "ID")]
    requirement: String,
    /// The revision of its contract, as in memory@2; the first that has it when left out
    #[arg(long, value_name = "CONTRACT@REVISION", value_parser = revisions::parsed)]
    revision: Option<ContractKey>,
    /// Do not start the reference for an example
    #[arg(long)]
    no_example: bool,
    #[command(flatten)]
    own: Own,
}

/// At most this many counterexamples are shown.
const MOST_EXAMPLES: usize = 3;

/// Explains; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = arguments.own.suite()?;
    if arguments.requirement.contains('@') || suite.contract(&arguments.requirement).is_some() {
        let pinned: Vec<ContractKey> = arguments.revision.iter().cloned().collect();
        let asked = Asked::of(std::slice::from_ref(&arguments.requirement), &pinned)?;
        workspace::known_contracts(&asked.contracts, &suite)?;
        let key = asked.revisions.into_iter().chain(asked.contracts.iter().map(|name| ContractKey::new(name))).next();
        let key = key.context("a contract was named")?;
        suite.view(&key).map_err(|error| anyhow!("{error}"))?;
        let root = match suite.brought().filter(|_| suite.is_brought(key.name())) {
            Some(brought) => brought.folder.clone(),
            None => workspace::root()?,
        };
        let side = Side::read(&root)?;
        let contract = side.contracts.get(&key).context("it was there a moment ago")?;
        print::show(&surface::text(contract))?;
        return Ok(0);
    }
    workspace::known_requirements(std::slice::from_ref(&arguments.requirement), &suite)?;
    let revision = arguments.revision.clone().or_else(|| suite.first_with(&arguments.requirement));
    let id = &arguments.requirement;
    if let Some(key) = &arguments.revision
        && suite.contract(key.name()).is_some()
        && !id.starts_with(&format!("{}.", key.name()))
    {
        bail!("--revision {} does nothing here: `{id}` is not a requirement of {}", key.full(), key.name());
    }
    let others = others(&suite, &arguments.requirement, revision.as_ref());
    let revision: Vec<ContractKey> = revision.into_iter().collect();
    let suite = suite.choosing(&revision).map_err(anyhow::Error::msg)?;
    if suite.requirement(&arguments.requirement).is_none() {
        bail!(
            "`{}` is not a requirement of {}",
            arguments.requirement,
            revision.first().map(ContractKey::full).unwrap_or_default()
        );
    }
    let requirement = suite.requirement(&arguments.requirement).context("it was there a moment ago")?;
    let uses = suite.uses(&requirement.id);
    let mut page = Page::new(console::colors_enabled(), print::width());
    head(&mut page, requirement, &suite);
    revised(&mut page, &others);
    let allowed: Vec<(&Case, &str)> = suite.allowed(&requirement.id).collect();
    checks(&mut page, &uses, &allowed);
    directions::write(&mut page, requirement, &uses, &suite, !allowed.is_empty());
    if suite.is_brought(requirement.owner()) {
        page.wrapped("There is no example: the reference has no answers of contracts that you bring.", "");
        page.line("");
    } else if !arguments.no_example {
        let reference = Reference::at(&suite, &revision)?;
        let shown = example(&mut page, &uses, &suite, &reference);
        reference.stop();
        shown?;
    }
    tail(&mut page, requirement, &suite);
    print::show(&page.text)?;
    Ok(0)
}

/// The sentence and where it comes from.
fn head(page: &mut Page, one: &Requirement, suite: &Suite) {
    page.line(&page.bold(&one.id));
    page.wrapped(&one.text, "  ");
    let document = suite.contract(one.owner()).map_or("the transport, for every contract", |of| &of.contract.document);
    page.wrapped(&format!("{}, {}; section \"{}\" of {document}", one.level, one.origin, one.section), "  ");
    let binds = match (one.binds(), one.is_of_clients()) {
        (true, _) => "A target that violates it does not conform.",
        (_, true) => {
            "The protocol allows otherwise, and these clients refuse it. A target is told so; it never changes the exit code."
        }
        _ => "A target that violates it is told so; it conforms all the same, unless --strict is given.",
    };
    page.wrapped(binds, "  ");
    one.clients.iter().for_each(|client| page.wrapped(&client.cited(), "    "));
    page.line("");
}

/// What a requirement is at the other revisions of its contract: the revision, and a sentence; nothing where it is the same.
fn others(suite: &Suite, id: &str, here: Option<&ContractKey>) -> Vec<(String, String)> {
    let Some(one) = here.and_then(|key| suite.requirement_at(key, id)) else { return Vec::new() };
    let owner = one.owner();
    let others = suite.keys().filter(|key| key.name() == owner && Some(key) != here);
    let told = others.filter_map(|key| {
        let names = suite.revisions(owner).iter().find(|one| one.revision == key.revision());
        let name = format!("{} ({})", key.full(), names.map_or("", |one| &one.name));
        match suite.requirement_at(&key, id) {
            None => Some((name, "does not have it".to_owned())),
            Some(other) if other.level != one.level || other.origin != one.origin => {
                Some((name, format!("{}, {}: {}", other.level, other.origin, other.text)))
            }
            Some(other) if other.text != one.text => Some((name, other.text.clone())),
            Some(_) => None,
        }
    });
    told.collect()
}

fn revised(page: &mut Page, others: &[(String, String)]) {
    if others.is_empty() {
        return;
    }
    page.line(&page.bold("At other revisions"));
    for (revision, text) in others {
        page.wrapped(&format!("{revision}: {text}"), "  ");
    }
    page.line("");
}

/// Where it is checked, and how.
fn checks(page: &mut Page, uses: &[Use<'_>], allowed: &[(&Case, &str)]) {
    page.line(&page.bold("How it is checked"));
    for (case, call) in allowed {
        page.wrapped(&format!("{}: {}", case.name, case.about), "  ");
        page.wrapped(&format!("a refusal of `{call}` violates it"), "    ");
    }
    for used in uses {
        match (used.case, used.always) {
            (Some(case), _) => {
                page.wrapped(&format!("{}: {}", case.name, case.about), "  ");
            }
            (None, Some(always)) => page.wrapped(&format!("on {}", always.reach()), "  "),
            (None, None) => {}
        }
        page.wrapped(&inert::short(&used.check.to_string(), 600), "    ");
    }
    page.line("");
}

/// An answer of the reference, and the same answer with counterexamples applied.
fn example(page: &mut Page, uses: &[Use<'_>], suite: &Suite, reference: &Reference) -> Result<()> {
    // A case shows more than a check of any exchange.
    let mut ordered: Vec<&Use<'_>> = uses.iter().collect();
    ordered.sort_by_key(|used| used.case.is_none());
    for used in ordered {
        for (endpoint, contract, case) in places(used, suite, reference) {
            let evidence = reference.evidence(endpoint, case, contract)?;
            let show = |damage| Some((damage, prove::show(used, damage, case, contract, &evidence)?));
            let shown: Vec<_> = used.check.broken_by.iter().filter_map(show).take(MOST_EXAMPLES).collect();
            if let Some((_, first)) = shown.first() {
                conforming(page, case, &evidence, first);
                shown.iter().for_each(|(damage, shown)| broken(page, &damage.about, shown));
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The cases that show a check, each with an endpoint of the reference that runs it.
fn places<'s>(used: &Use<'s>, suite: &'s Suite, reference: &Reference) -> Vec<(usize, &'s ContractSuite, &'s Case)> {
    let mut places = Vec::new();
    for (at, endpoint) in reference.target.endpoints.iter().enumerate() {
        let Some(contract) = suite.keyed(&endpoint.contract) else { continue };
        let is_its_contract = used.contract.is_none_or(|one| one.contract.name == contract.contract.name);
        let transports = suite.transports.of(endpoint.transport.channel());
        let is_its_transport = used.contract.is_some()
            || used.always.is_some_and(|one| transports.iter().any(|of| std::ptr::eq(*of, one)));
        if is_its_contract && is_its_transport {
            let cases = contract.cases.iter().filter(|case| used.case.is_none_or(|one| one.name == case.name));
            let here = cases.filter(|case| reference.target.runs_at(at, case, &contract.contract));
            places.extend(here.map(|case| (at, contract, case)));
        }
    }
    places
}

fn conforming(page: &mut Page, case: &Case, evidence: &Value, shown: &Demonstration) {
    page.line(&page.bold("An answer that conforms: the reference's"));
    let (step, index) = shown.exchange;
    let exchange = &evidence[step][index];
    let (call, with) = (exchange["request"]["operation"].as_str().unwrap_or_default(), &exchange["request"]["with"]);
    page.line(&format!("  {} asks `{call}` with {}", case.name, page::value(with)));
    // The server stops before anybody could ask it again.
    let address = exchange["request"]["sent"]["url"].as_str();
    if let Some(command) = repeat::command(exchange).filter(|_| address.is_none()) {
        page.line(&format!("  repeat: {}", inert::line(&command)));
    }
    let pointed = shown.changes.iter().filter(|(_, before, _)| !before.is_null());
    for (at, before, _) in pointed.take(MOST_EXAMPLES) {
        page.line(&format!("  {} (evidence {at})", page::value(before)));
    }
    page.line("");
}

fn broken(page: &mut Page, about: &str, shown: &Demonstration) {
    page.line(&page.bold(&format!("One that does not: {}", inert::line(about))));
    for (at, before, after) in &shown.changes {
        page.line(&format!("  evidence {at}"));
        match after {
            Value::Null => page.line(&format!("    taken away: {}", page::value(before))),
            after => page.difference(before, after, "    ", diff::MOST_LINES),
        }
    }
    for detail in shown.details.iter().take(2) {
        let place = detail.at.as_deref().map_or(String::new(), |at| format!(" (evidence {at})"));
        page.wrapped(&format!("says the check: {}{place}", inert::short(&inert::line(&detail.message), 400)), "  ");
    }
    page.line("");
}

/// How to run this requirement alone.
fn tail(page: &mut Page, one: &Requirement, suite: &Suite) {
    page.line(&page.bold("Judge by it alone"));
    let contract = suite.contract(one.owner()).map(|of| &of.contract);
    let is_spoken = |kind: TransportKind| {
        let operations = contract.into_iter().flat_map(|contract| contract.operations.values());
        operations.into_iter().any(|operation| operation.binding(kind.protocol()).is_some())
            || kind.families().iter().any(|family| one.owner() == family.to_string())
            || one.is_of_clients() && kind.protocol() == Protocol::Mcp
    };
    let name = contract.map_or_else(|| "CONTRACT".to_owned(), |contract| contract.key().words());
    for kind in TransportKind::VARIANTS.iter().filter(|kind| is_spoken(**kind)) {
        let era = one.era.map_or_else(String::new, |era| format!(" --mcp-era {era}"));
        page.line(&format!("  {} verify {name} {}{era} --only {}", program::name(), address::option(*kind), one.id));
    }
}
