//! `cargo xtask tap`: stand between a client and a server, pass everything on, and judge what passes.
//!
//! `exchange` (with `asking` and `answering`) and `stdio` move the bytes, `line` carries copies of them to the one thread that judges.
//! Nothing ever waits for that thread: what it cannot keep up with is counted as not judged.

mod answering;
mod asking;
mod exchange;
mod framing;
mod guard;
mod head;
mod late;
mod line;
mod passing;
mod proxy;
mod reader;
mod stdio;
mod upstream;
mod way;

use crate::shared::known::Known;
use crate::shared::output::Output;
use crate::shared::own::Own;
use crate::shared::print::tell;
use crate::shared::revisions::{self, Asked};
use crate::shared::workspace;
use anyhow::{Result, bail};
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{ContractKey, Header, Selection};
use conformance::run;
use conformance::tap::{Behind, News, Options, Tap};
use conformance::targets::TargetFile;
use conformance::text::inert;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask tap --upstream http://127.0.0.1:8083        the client asks http://127.0.0.1:9000 instead
  cargo xtask tap --listen 127.0.0.1:9001 --upstream https://example.org --contract recall -v
  cargo xtask tap --upstream http://127.0.0.1:3001 --log session.ndjson --html session.html
  cargo xtask tap --log session.ndjson -- node dist/index.js      a client starts this as its MCP server
  cargo xtask tap --upstream http://127.0.0.1:3001 --revision memory@2      by a later document
  cargo xtask judge session.ndjson                        the same evidence again, by the suite as it is then

Until Ctrl-C, or until the client ends. A requirement that is violated is told at once on standard error; the report
follows at the end, on standard error too where a program is behind the tap. The exit codes are those of verify.";

/// What to stand between, and what to write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The address to listen at; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9000", conflicts_with = "command")]
    listen: SocketAddr,
    /// The server that requests are passed on to, without a path: HTTP, and MCP over streamable HTTP
    #[arg(long, value_name = "URL", required_unless_present = "command", conflicts_with = "command")]
    upstream: Option<String>,
    /// A contract to judge by, may be given again; when left out, every contract whose tools or paths are seen
    #[arg(long, value_name = "CONTRACT")]
    contract: Vec<String>,
    /// The revision of a contract to judge by, as in memory@2; its first one when left out; may be given again, for other contracts
    #[arg(long, value_name = "CONTRACT@REVISION", value_parser = revisions::parsed)]
    revision: Vec<ContractKey>,
    #[command(flatten)]
    own: Own,
    /// The server holds the corpus, and nothing changes it
    #[arg(long)]
    corpus_loaded: bool,
    #[command(flatten)]
    known: Known,
    /// Hold the server to advice too
    #[arg(long)]
    strict: bool,
    /// Leave out what clients refuse although the protocol allows it (`client.*`)
    #[arg(long)]
    no_clients: bool,
    /// A file of certificates to trust (PEM)
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    ca_cert: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// An MCP server to start, with its arguments: its standard streams are passed on to ours
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Passes everything on until the traffic ends, and reports; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    arguments.output.check()?;
    let asked = Asked::of(&arguments.contract, &arguments.revision)?;
    let suite = Arc::new(arguments.own.suite_at(&asked.revisions)?);
    workspace::known_contracts(&asked.contracts, &suite)?;
    let behind = behind(arguments)?;
    let mut known = TargetFile::default();
    arguments.known.add_to(&mut known, &suite)?;
    let (started, began) = (Instant::now(), run::began());
    let name = match &behind {
        Behind::Address(address) => address.clone(),
        Behind::Program(command) => command.join(" "),
    };
    let selection = Selection { no_clients: arguments.no_clients, ..Selection::default() };
    let mut header = Header::of(&name, began, arguments.strict, 0, selection);
    (header.known_failures, header.unsupported) = (known.known_failures, known.unsupported);
    let corpus = arguments.corpus_loaded;
    let keep = arguments.output.keep_at_once(&behind.first_line(&header, corpus))?;
    let options = Options { contracts: asked.contracts.clone(), pinned: asked.revisions.clone(), corpus, keep };
    let tap = Tap::new(Arc::clone(&suite), &behind, &options);
    let teller = Teller::of(arguments, &suite, &header);
    let (line, judge) = line::judging(tap, move |news| teller.tell(news))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let passed = runtime.block_on(async {
        match &behind {
            Behind::Address(address) => {
                let upstream = upstream::Upstream::new(address, arguments.ca_cert.as_deref())?;
                proxy::pass(arguments.listen, upstream, line.clone()).await
            }
            Behind::Program(command) => stdio::pass(command, line.clone()).await,
        }
    });
    // A program that still writes to one of our streams is not waited for.
    runtime.shutdown_background();
    passed?;
    let _in_time = late::tell_later(arguments.output.log());
    let run = judge.end(&line)?.finish(&mut header);
    header.describe_revisions(&suite, &asked.revisions);
    header.describe_contracts(&suite);
    let log = RunLog::of(&suite, header, run, started.elapsed());
    match &behind {
        Behind::Address(_) => arguments.output.write(log, &suite),
        Behind::Program(_) => arguments.output.write_beside(log, &suite),
    }
}

fn behind(arguments: &Arguments) -> Result<Behind> {
    let Some(address) = &arguments.upstream else {
        return Ok(Behind::Program(arguments.command.clone()));
    };
    let url = match reqwest::Url::parse(address) {
        Ok(url) => url,
        Err(error) => bail!("`{address}` is not an address: {error}"),
    };
    let ("http" | "https", Some(_)) = (url.scheme(), url.host()) else {
        bail!("`{address}` is no HTTP address, as in http://127.0.0.1:3000");
    };
    if url.path() != "/" || url.query().is_some() {
        let (listen, path) = (arguments.listen, url.path());
        bail!(
            "paths pass as they come: leave `{path}` out of --upstream, and have the client ask http://{listen}{path}"
        );
    }
    Ok(Behind::Address(address.trim_end_matches('/').to_owned()))
}

/// Prints news on standard error.
struct Teller {
    suite: Arc<Suite>,
    is_verbose: bool,
    shows_content: bool,
    strict: bool,
    /// Requirements that are known to be violated.
    known: Vec<String>,
}

impl Teller {
    fn of(arguments: &Arguments, suite: &Arc<Suite>, header: &Header) -> Self {
        let known = header.known_failures.iter().map(|known| &known.requirement);
        let known = known.chain(header.unsupported.iter().map(|one| &one.requirement)).cloned().collect();
        let (is_verbose, shows_content) = (arguments.output.is_verbose(), arguments.output.shows_content());
        Self { suite: Arc::clone(suite), is_verbose, shows_content, strict: arguments.strict, known }
    }

    fn tell(&self, news: News) {
        match news {
            News::Violated(violation) => {
                let requirement = self.suite.requirement(&violation.requirement);
                let binds = requirement.map_or(self.strict, |one| one.binds_if(self.strict));
                if !binds || self.known.contains(&violation.requirement) {
                    return;
                }
                let text = requirement.map_or("", |requirement| requirement.text.as_str());
                tell!("tap: violated: {} over {}: {text}", violation.requirement, violation.transport);
                if self.shows_content {
                    tell!("  in {}: {}", violation.case, inert::short(&inert::line(&violation.why), 300));
                    if let Some((command, notes)) = violation.repeat.split_last() {
                        notes.iter().for_each(|note| tell!("  {}", inert::line(note)));
                        tell!("  repeat: {}", inert::line(command));
                    }
                }
            }
            News::Exchange(line) if self.is_verbose && self.shows_content => {
                tell!("tap: {}", inert::short(&inert::line(&line), 200));
            }
            News::NotJudged(why) if self.is_verbose => tell!("tap: not judged: {}", inert::line(&why)),
            News::Exchange(_) | News::NotJudged(_) => {}
        }
    }
}
