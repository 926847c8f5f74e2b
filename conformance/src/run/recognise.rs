//! Which revisions of their contracts endpoints speak: the calls that show signs.

use super::presence;
use crate::collect::{Room, collect};
use crate::load::{Case, ContractSuite, Suite, Telltale};
use crate::model::{ContractKey, KnownBy, Operation, Protocol, Run, Settled, Step, retried};
use crate::path::exchanges;
use crate::targets::{Running, Sighting, Target};
use crate::transport::TransportError;
use serde_json::{Map, Value};
use std::time::Duration;

/// Starts what a target starts, finds out which revisions of their contracts its endpoints speak, and ends it again: a run that asked for
/// nothing else.
///
/// # Errors
/// When it is not there.
pub async fn recognised(suite: &Suite, mut target: Target) -> Result<Run, TransportError> {
    let mut server = None;
    let begun = begin(suite, &mut target, &mut server, |_| true).await;
    let (endpoints, spoken, speaks) = (target.places(), target.spoken(), target.speaks(suite));
    target.stop(server).await;
    let settled = begun.map_err(|error| error.redacted(&target.redactor))?;
    Ok(Run { endpoints, spoken, speaks, settled, ..Run::default() })
}

/// Starts what the target file starts, and finds out which eras of MCP, and which revisions of contracts, are spoken where something is
/// asked.
pub(super) async fn begin(
    suite: &Suite,
    target: &mut Target,
    server: &mut Option<Running>,
    is_wanted: impl Fn(&ContractKey) -> bool,
) -> Result<Vec<Settled>, TransportError> {
    target.begin(server).await?;
    target.find_eras(server, &is_wanted).await?;
    revisions(suite, target, is_wanted).await
}

/// Finds out which revisions of these contracts the endpoints speak that have no pin, and takes them as those to judge by. It costs a list
/// of the tools, which MCP is asked for anyway, and the probes that the contract names. Returns where the corpus was waited for, since a
/// probe of half a corpus shows nothing.
///
/// # Errors
/// When the target is not there.
async fn revisions(
    suite: &Suite,
    target: &mut Target,
    is_wanted: impl Fn(&ContractKey) -> bool,
) -> Result<Vec<Settled>, TransportError> {
    let (mut settled, mut seen) = (Vec::new(), Vec::new());
    for (at, endpoint) in target.endpoints.iter().enumerate() {
        if endpoint.known_by == KnownBy::Pinned || !is_wanted(&endpoint.contract) {
            continue;
        }
        // One server speaks one revision in both eras of MCP.
        let is_asked = |other: &(usize, Vec<Sighting<'_>>)| {
            !other.1.is_empty() && target.endpoints[other.0].is_other_era_of(endpoint)
        };
        let here = match seen.iter().find(|other| is_asked(other)) {
            Some((_, seen)) => seen.clone(),
            None => look(suite, target, at, &mut settled).await?,
        };
        seen.push((at, here));
    }
    for at in 0..seen.len() {
        let (endpoint, here) = &seen[at];
        let is_twin = |other: &usize| target.endpoints[*other].is_other_era_of(&target.endpoints[*endpoint]);
        // It was asked first, and is spoken in the other era alone.
        let of_twin = seen.iter().find(|(other, _)| here.is_empty() && is_twin(other)).map(|(_, seen)| seen.clone());
        seen[at].1.extend(of_twin.into_iter().flatten());
    }
    for (at, seen) in &seen {
        target.endpoints[*at].recognise(seen, suite);
    }
    // What was waited for in vain is not waited for again.
    let waited = settled.iter().map(|one: &Settled| one.seconds).fold(0.0, f64::max);
    target.settle = target.settle.saturating_sub(Duration::try_from_secs_f64(waited).unwrap_or_default());
    Ok(settled)
}

/// The signs that an endpoint shows.
async fn look<'s>(
    suite: &'s Suite,
    target: &Target,
    at: usize,
    settled: &mut Vec<Settled>,
) -> Result<Vec<Sighting<'s>>, TransportError> {
    let endpoint = &target.endpoints[at];
    let telltales = suite.telltales(endpoint.contract.name());
    let Some(first) = suite.keyed(&endpoint.contract) else { return Ok(Vec::new()) };
    let (probes, of_tools): (Vec<&Telltale>, Vec<&Telltale>) = telltales.iter().partition(|one| one.probe().is_some());
    let mut seen = Vec::new();
    let is_of_mcp = endpoint.transport.kind().protocol() == Protocol::Mcp;
    if let Some(list) = list_of_tools(first).filter(|_| is_of_mcp && !of_tools.is_empty()) {
        let exchange = ask(target, at, first, Step::of(list, Map::new())).await?;
        let tools = exchange.as_ref().and_then(|exchange| exchange.pointer("/answer/body/tools")?.as_array());
        let tools = tools.map_or(&[][..], Vec::as_slice);
        seen.extend(of_tools.into_iter().filter_map(|telltale| {
            Some(Sighting { telltale, about: telltale.seen_in_tools(&endpoint.names, tools)? })
        }));
    }
    if !probes.is_empty() && target.is_seeded {
        settled.extend(presence::wait(target, at, first).await?);
    }
    // Several signs may be seen in one answer.
    let mut asked: Vec<(u32, Step, Option<Value>)> = Vec::new();
    for telltale in probes {
        let (since, with) = (telltale.since, telltale.probe().cloned().unwrap_or_default());
        let step = Step::of(&telltale.sign.operation, with);
        if !asked.iter().any(|(of, known, _)| (*of, known) == (since, &step)) {
            // A probe is a call of the revision that permits its answer, as far as that can be read.
            let exchange = ask(target, at, suite.keyed(&endpoint.contract.at(since)).unwrap_or(first), step.clone());
            let exchange = exchange.await?;
            asked.push((since, step.clone(), exchange));
        }
        let exchange = asked.iter().find(|(of, known, _)| (*of, known) == (since, &step));
        let about = exchange.and_then(|(.., exchange)| telltale.seen_in(exchange.as_ref()?));
        seen.extend(about.map(|about| Sighting { telltale, about }));
    }
    Ok(seen)
}

/// The operation that lists the tools.
fn list_of_tools(contract: &ContractSuite) -> Option<&str> {
    let lists = |operation: &Operation| operation.mcp.as_ref().is_some_and(|mcp| mcp.tool.is_none());
    let mut operations = contract.contract.operations.iter();
    operations.find(|(_, operation)| lists(operation)).map(|(name, _)| name.as_str())
}

/// The exchange of one call; nothing where the endpoint does not speak it, or the target gives nothing to ask for.
async fn ask(
    target: &Target,
    at: usize,
    contract: &ContractSuite,
    step: Step,
) -> Result<Option<Value>, TransportError> {
    let case = Case { steps: vec![step], ..Case::default() };
    let kind = target.endpoints[at].transport.kind();
    let is_spoken = case.is_spoken_over(&contract.contract, kind);
    let Some(route) = target.route(at, &case, &contract.contract).ok().filter(|_| is_spoken) else { return Ok(None) };
    let evidence = collect(&case, &contract.contract, &contract.corpus, &route, &Room::alone()).await;
    match evidence {
        // What could not be asked shows nothing, and the run says why.
        Err(TransportError::NoRoom { .. }) => Ok(None),
        evidence => {
            let evidence = evidence?;
            let Some(exchange) = exchanges(&evidence).next().map(|exchange| exchange.value.clone()) else {
                return Ok(None);
            };
            let problems = serde_json::from_value(exchange["problems"].clone()).unwrap_or_default();
            target.endpoints[at].transport.keep(problems, retried(&evidence)).await;
            Ok(Some(exchange))
        }
    }
}
