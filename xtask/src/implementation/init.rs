//! `cargo xtask init`: look at a server or a program, write a target file and a CI file for it, and run once.

mod arguments;
mod ask;
mod files;
mod probe;
mod recognise;

use crate::shared::interrupts::{INTERRUPTED, interrupt};
use crate::shared::output::Output;
use crate::shared::print::{say, tell};
use crate::shared::running::run_once;
use crate::shared::{self, address, program, workspace};
use anyhow::{Result, bail};
pub(crate) use arguments::Arguments;
use arguments::{Ci, TARGET};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Keep, KnownBy, Selection, Speaks};
use conformance::run::{Options, recognised};
use conformance::targets::{Address, CorpusState, EndpointFile, TargetFile};
use conformance::text::inert;
use conformance::transport::TransportError;
use probe::Probed;
pub(super) use recognise::http_call;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask init                                      asks
  cargo xtask init http://127.0.0.1:3000                HTTP, MCP or both
  cargo xtask init -- node dist/index.js                MCP on standard streams, or a command line
  cargo xtask init 'http://127.0.0.1:{port}' --start 'node dist/index.js --port {port}'
  cargo xtask init http://127.0.0.1:3000 --write-known-failures --reason 'tracked in our #12'

It writes conformance.toml and a CI file into the current folder, and nothing that is there already.

Exit codes:
  0 the files are written, whatever the first run says   2 wrong usage, or a file is there already
  4 the target is not there   5 it speaks none of the contracts   130 interrupted, nothing is written";

const NOT_REACHABLE: u8 = 4;
const NOTHING: u8 = 5;
/// At most this many characters of what a server says are shown.
const MOST_SHOWN: usize = 300;
/// How long the first run may take.
const MOST_TIME: Duration = Duration::from_secs(900);

/// Looks, writes and runs; returns the exit code.
pub(crate) fn run(given: &Arguments) -> Result<u8> {
    let suite = Arc::new(workspace::suite()?);
    workspace::known_contracts(&given.contract, &suite)?;
    refuse_to_overwrite(Path::new(TARGET), given.force)?;
    let asked = match given.address.is_none() && given.command.is_empty() {
        true => Some(ask::what(&suite)?),
        false => None,
    };
    let arguments = asked.as_ref().unwrap_or(given);
    let ci = given.ci.or(arguments.ci).unwrap_or_else(seen_ci);
    let ci_file = files::ci_path(ci);
    if let Some(path) = &ci_file {
        refuse_to_overwrite(path, given.force)?;
    }
    // The folder of the CI file is made when something is written into it.
    shared::files::check([("the file".to_owned(), Path::new(TARGET))])?;
    let mut target = bare(arguments)?;
    let places = workspace::places(None)?;
    let probed = match look(&suite, &target, arguments, &places)? {
        Ok(probed) => probed,
        Err(code) => return Ok(code),
    };
    for line in &probed.seen {
        say!("  {}", inert::line(&inert::short(line, MOST_SHOWN)));
    }
    target.endpoints = endpoints(&probed, arguments)?;
    if target.endpoints.is_empty() {
        let known: Vec<&str> = suite.contracts.iter().map(|one| one.contract.name.as_str()).collect();
        say!("\nThat speaks none of the contracts {}. Nothing is written.", known.join(", "));
        say!("When it does all the same, name it with --contract, and give the address that its paths begin at.");
        return Ok(NOTHING);
    }
    let spoken = target.endpoints.iter().map(|one| described(one, speaks_at(one, &probed.speaks)));
    say!("\nIt speaks {}.", spoken.collect::<Vec<_>>().join(", "));
    for undecided in &probed.speaks {
        undecided.why.iter().for_each(|why| say!("{}: {}", undecided.place, inert::line(why)));
    }
    shared::files::check(ci_file.iter().map(|path| ("the file".to_owned(), path.as_path())))?;
    let mut text = files::target(&target, &suite, |endpoint| speaks_at(endpoint, &probed.speaks));
    write(Path::new(TARGET), &text)?;
    if let Some(path) = &ci_file {
        write(path, &files::ci(ci, given.repository.as_deref().or(arguments.repository.as_deref()), &target))?;
        files::remarks(ci, path, given.repository.is_some() || arguments.repository.is_some(), &target)
            .iter()
            .for_each(|line| say!("{line}"));
    }
    if given.no_run {
        return Ok(0);
    }
    let log = first_run(&suite, &places)?;
    if log.totals.exit_code == INTERRUPTED {
        return Ok(INTERRUPTED);
    }
    if let Some(known) = known_failures(&log, given, asked.is_some())? {
        text += &known;
        write(Path::new(TARGET), &text)?;
    }
    say!("\nFrom now on: {} verify --target {TARGET}", program::name());
    Ok(0)
}

fn refuse_to_overwrite(path: &Path, force: bool) -> Result<()> {
    match path.symlink_metadata().is_ok() && !force {
        true => bail!("{} is there already; --force writes over it", path.display()),
        false => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    shared::files::write(path, text)?;
    say!("{} written", path.display());
    Ok(())
}

/// The CI that the files of the current folder suggest.
fn seen_ci() -> Ci {
    let is_gitlab = Path::new(".gitlab-ci.yml").exists()
        || conformance::files::text(Path::new(".git/config")).is_ok_and(|config| config.contains("gitlab"));
    if is_gitlab && !Path::new(".github").exists() { Ci::Gitlab } else { Ci::Github }
}

/// The target without its endpoints.
fn bare(arguments: &Arguments) -> Result<TargetFile> {
    let name = match &arguments.address {
        Some(_) => std::env::current_dir().ok().and_then(|folder| Some(folder.file_name()?.to_str()?.to_owned())),
        None => arguments.command.first().and_then(|name| Some(Path::new(name).file_name()?.to_str()?.to_owned())),
    };
    Ok(TargetFile {
        name: name.unwrap_or_else(|| "target".to_owned()),
        start: arguments.start.as_deref().map(address::words).transpose()?,
        seed: arguments.seed_command.as_deref().map(address::words).transpose()?,
        corpus: arguments.corpus_loaded.then_some(CorpusState::Loaded),
        ca_cert: arguments.ca_cert.clone(),
        secret: address::secrets(&arguments.secret)?,
        ..TargetFile::default()
    })
}

/// Starts the target if necessary and probes it; an exit code if it cannot be reached.
fn look(
    suite: &Suite,
    target: &TargetFile,
    arguments: &Arguments,
    places: &BTreeMap<String, String>,
) -> Result<std::result::Result<Probed, u8>> {
    let environment = |name: &str| std::env::var(name).ok();
    // One endpoint is enough to fill in the address and headers, and to wait until the server is ready.
    let address = match &arguments.address {
        Some(url) => Address::Http(url.clone()),
        None => Address::Cli(arguments.command.clone()),
    };
    let contract = suite.contracts.first().map(|one| one.contract.name.clone()).unwrap_or_default();
    let headers = address::headers(&arguments.header)?;
    let stand_in = EndpointFile { headers, ..EndpointFile::new(contract, address) };
    let unseeded = TargetFile { seed: None, endpoints: vec![stand_in], ..target.clone() };
    let ready = match unseeded.ready(places, &environment) {
        Ok(ready) => ready,
        Err(conformance::targets::TargetError::Transport(error)) => return Ok(Err(not_there(&error))),
        Err(error) => bail!(error),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let probing = async {
            let server = match ready.serve().await {
                Ok(server) => server,
                Err(error) => return Ok(Err(not_there(&error.redacted(&ready.redactor)))),
            };
            let port = ready.port.map(|port| port.to_string());
            let filled =
                |text: &str| port.as_ref().map_or_else(|| text.to_owned(), |port| text.replace("{port}", port));
            let probing = match &arguments.address {
                Some(address) => {
                    say!("Looking at {}", inert::line(&ready.redactor.redacted(&filled(address))));
                    probe::address(suite, &filled(address), arguments, &environment).await
                }
                None => {
                    say!("Looking at {}", inert::line(&ready.redactor.redacted(&arguments.command.join(" "))));
                    probe::command(suite, arguments).await
                }
            };
            let probing = match probing {
                Ok(mut probed) => {
                    let found = endpoints(&probed, arguments)?.into_iter();
                    let found = found.map(|one| EndpointFile { address: one.address.map(filled), ..one }).collect();
                    let there = TargetFile { endpoints: found, start: None, stop: None, ..unseeded.clone() };
                    probed.speaks = speaks(suite, &there, places).await;
                    Ok(probed)
                }
                trouble => trouble,
            };
            ready.stop(server).await;
            match probing {
                Ok(mut probed) => {
                    probed.seen.iter_mut().for_each(|line| ready.redactor.message(line));
                    Ok(Ok(probed))
                }
                Err(probe::Trouble::Dead(error)) => Ok(Err(not_there(&error.redacted(&ready.redactor)))),
                Err(probe::Trouble::Wrong(message)) => bail!(ready.redactor.redacted(&message)),
            }
        };
        tokio::select! {
            probed = probing => probed,
            () = interrupt() => Ok(Err(INTERRUPTED)),
        }
    })
}

/// The revisions that the endpoints of a target speak that is there, where contracts have several. What cannot be asked shows none.
async fn speaks(suite: &Suite, there: &TargetFile, places: &BTreeMap<String, String>) -> Vec<Speaks> {
    let several = |one: &&EndpointFile| suite.keys().filter(|key| key.name() == one.contract.name()).count() > 1;
    let endpoints: Vec<EndpointFile> = there.endpoints.iter().filter(several).cloned().collect();
    let there = TargetFile { endpoints, ..there.clone() };
    let Ok(target) = there.ready(places, &|name| std::env::var(name).ok()) else { return Vec::new() };
    recognised(suite, target).await.map_or_else(|_| Vec::new(), |run| run.speaks)
}

fn not_there(error: &TransportError) -> u8 {
    tell!("error: {}", inert::line(&error.to_string()));
    NOT_REACHABLE
}

/// An endpoint for each contract and transport that was found or named.
fn endpoints(probed: &Probed, arguments: &Arguments) -> Result<Vec<EndpointFile>> {
    let headers = address::headers(&arguments.header)?;
    let endpoint = |(contract, address): &(String, Address)| {
        // A program takes no headers.
        let headers = if address.url().is_some() { headers.clone() } else { BTreeMap::new() };
        let endpoint = EndpointFile { headers, ..EndpointFile::new(contract.as_str(), address.clone()) };
        match speaks_at(&endpoint, &probed.speaks).filter(|speaks| speaks.by == KnownBy::Recognised) {
            Some(speaks) => EndpointFile { contract: speaks.place.contract.clone(), is_pinned: true, ..endpoint },
            None => endpoint,
        }
    };
    Ok(probed.found.iter().map(endpoint).collect())
}

/// The revision that an endpoint speaks, where its contract has several.
fn speaks_at<'s>(endpoint: &EndpointFile, speaks: &'s [Speaks]) -> Option<&'s Speaks> {
    let (name, kind) = (endpoint.contract.name(), endpoint.address.kind());
    speaks.iter().find(|one| one.place.contract.name() == name && one.place.transport.kind() == kind)
}

fn described(endpoint: &EndpointFile, speaks: Option<&Speaks>) -> String {
    let contract = speaks.map_or_else(|| endpoint.contract.to_string(), |speaks| inert::line(&speaks.to_string()));
    format!("{contract} ({})", endpoint.address.kind().title())
}

/// Runs the target file that was written.
fn first_run(suite: &Arc<Suite>, places: &BTreeMap<String, String>) -> Result<RunLog> {
    say!("");
    let file = TargetFile::read(Path::new(TARGET), suite)?;
    let options =
        Options { selection: Selection::default(), seed: 0, runs: 1, time: MOST_TIME, prove: false, keep: Keep::Found };
    run_once(suite, &file, places, &options, false)
}

/// Prints the run; returns its failures as known failures, if they are wanted.
fn known_failures(log: &RunLog, given: &Arguments, asks: bool) -> Result<Option<String>> {
    Output::brief().print(log)?;
    let failures = files::failures(log);
    if failures.is_empty() || !(given.write_known_failures || asks && ask::write_failures(failures.len())?) {
        return Ok(None);
    }
    let reason = match asks {
        true => ask::reason()?,
        false => given.reason.clone(),
    };
    let open = reason.as_deref().is_none_or(|reason| reason.trim().is_empty());
    let text = files::known_failures(log, &failures, reason.as_deref().unwrap_or_default());
    if open {
        say!(
            "\nEach of the {} known failures needs its reason: {TARGET} is refused until they are filled in.",
            failures.len()
        );
    }
    Ok(Some(text))
}
