//! A run from inside a test: a server of your own, a contract, and what it comes to.
//!
//! ```no_run
//! use conformance::gate::Gate;
//! use conformance::load::Suite;
//! use std::path::Path;
//!
//! # async fn serve() -> String { String::new() }
//! #[tokio::test(flavor = "multi_thread")]
//! async fn the_server_conforms() {
//!     let suite = Suite::load(Path::new("retrieval-contracts")).expect("the checkout of the contracts is whole");
//!     let address = serve().await;
//!     let run = Gate::http(suite, "recall", &address).with_corpus().run().await.expect("the address is one");
//!     run.assert_conforms();
//! }
//! ```
//!
//! A contract of several revisions is judged by the one that the server is recognised to speak; `memory@2` in place of `memory` pins it.
//!
//! The corpus is in plain files below [`ContractSuite::corpus`](crate::load::ContractSuite::corpus), whose README tells
//! its form. A server that does not hold it is asked what any live data can answer.

use crate::ledger::RunLog;
use crate::load::Suite;
use crate::model::{Conclusion, Eras, Keep, KnownFile, Selection};
use crate::report::terminal::{self, Style};
use crate::run::{self, Options};
use crate::targets::{Address, CorpusState, EndpointFile, TargetError, TargetFile};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long a run may take, unless more is given.
const TIME: Duration = Duration::from_secs(900);

/// What is run, and against what.
#[derive(Debug)]
pub struct Gate {
    suite: Arc<Suite>,
    file: TargetFile,
    requirements: Vec<String>,
    no_clients: bool,
    strict: bool,
    time: Duration,
}

impl Gate {
    /// Against a target file, which may start and fill what it names.
    pub fn of(suite: impl Into<Arc<Suite>>, file: TargetFile) -> Self {
        Self { suite: suite.into(), file, requirements: Vec::new(), no_clients: false, strict: false, time: TIME }
    }

    /// Against a contract over HTTP at an address.
    pub fn http(suite: impl Into<Arc<Suite>>, contract: &str, address: &str) -> Self {
        Self::at(suite, contract, address, Address::Http(address.to_owned()))
    }

    /// Against a contract over MCP (streamable HTTP) at an address.
    pub fn mcp(suite: impl Into<Arc<Suite>>, contract: &str, address: &str) -> Self {
        Self::at(suite, contract, address, Address::McpHttp(address.to_owned()))
    }

    /// Against a contract over MCP on the standard streams of a program, given with its arguments.
    pub fn mcp_stdio(suite: impl Into<Arc<Suite>>, contract: &str, command: &[&str]) -> Self {
        Self::at(suite, contract, &command.join(" "), Address::McpStdio(words(command)))
    }

    /// Against a contract on a command line: the program and its leading arguments.
    pub fn cli(suite: impl Into<Arc<Suite>>, contract: &str, command: &[&str]) -> Self {
        Self::at(suite, contract, &command.join(" "), Address::Cli(words(command)))
    }

    fn at(suite: impl Into<Arc<Suite>>, contract: &str, name: &str, address: Address) -> Self {
        let endpoints = vec![EndpointFile::new(contract, address)];
        Self::of(suite, TargetFile { name: name.to_owned(), endpoints, ..TargetFile::default() })
    }

    /// The target holds the corpus, so that everything can be asked.
    pub fn with_corpus(mut self) -> Self {
        self.file.corpus = Some(CorpusState::Loaded);
        self
    }

    /// Judges MCP in these eras; what the server speaks is found out when it is not given.
    ///
    /// # Errors
    /// When nothing of it speaks MCP.
    pub fn in_eras(mut self, eras: Eras) -> Result<Self, TargetError> {
        self.file.judge_in(eras)?;
        Ok(self)
    }

    /// Adds a file of known failures, such as stand in a target file.
    ///
    /// # Errors
    /// When it cannot be read, or names what does not exist or is named already.
    pub fn known_failures(mut self, file: &Path) -> Result<Self, TargetError> {
        self.file.add(KnownFile::read(file, &self.suite)?, file)?;
        Ok(self)
    }

    /// Only cases that judge this requirement; may be given again.
    pub fn only(mut self, requirement: &str) -> Self {
        self.requirements.push(requirement.to_owned());
        self
    }

    /// Leaves out what clients refuse although the protocol allows it.
    pub fn without_clients(mut self) -> Self {
        self.no_clients = true;
        self
    }

    /// Holds the target to advice too, and to exercising everything.
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// How long the whole run may take: 15 minutes when it is not given.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Runs it. A target that is not there is a run that tells so.
    ///
    /// # Errors
    /// When the target makes no sense: a contract or requirement that does not exist, an address that is none.
    pub async fn run(self) -> Result<RunLog, TargetError> {
        let Self { suite, file, requirements, no_clients, strict, time } = self;
        file.check(&suite)?;
        if let Some(id) = requirements.iter().find(|id| suite.requirement(id).is_none()) {
            let hint = crate::text::suggest::hint(id, suite.requirements().map(|one| one.id.as_str()));
            return Err(TargetError::File { file: file.name, message: format!("unknown requirement `{id}`{hint}") });
        }
        let selection = Selection { requirements, no_clients, ..Selection::default() };
        let options = Options { selection, seed: 0, runs: 1, time, prove: false, keep: Keep::Found };
        let (places, never) = (places(&suite), std::future::pending());
        run::reported(&suite, &file, &places, &options, strict, never, |_| {}).await
    }
}

fn words(command: &[&str]) -> Vec<String> {
    command.iter().map(|word| (*word).to_owned()).collect()
}

/// What a target file can put in: `{corpus}`, the folder with the corpora of all contracts.
fn places(suite: &Suite) -> BTreeMap<String, String> {
    let first = suite.contracts.first();
    let folder = first.and_then(|contract| contract.corpus.parent()?.parent());
    folder.map(|folder| ("corpus".to_owned(), folder.display().to_string())).into_iter().collect()
}

impl RunLog {
    /// Whether the target conforms: every `must` held, and at least one check ran.
    pub fn conforms(&self) -> bool {
        self.totals.conclusion == Conclusion::Conforms
    }

    /// What a person reads of it: without what is verified, 100 columns, no colours.
    pub fn summary(&self) -> String {
        terminal::render(self, Style { colour: false, width: 100, quiet: true, verbose: false })
    }

    /// Fails the test that calls it when the target does not conform, with what is violated and how to repeat it.
    ///
    /// # Panics
    /// When the target does not conform, something could not be judged, or it is not there.
    #[track_caller]
    pub fn assert_conforms(&self) {
        assert!(self.conforms(), "{} does not pass\n\n{}", self.header.target, self.summary());
    }
}
