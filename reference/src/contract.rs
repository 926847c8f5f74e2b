//! What a contract hands over: its tools, its routes and its commands. A transport serves them and knows no contract by name.

use crate::tool::Tool;
use axum::Router;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgMatches, Parser};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// A contract, as an entry in the list of all contracts.
pub(crate) struct Contract {
    /// The name of its folders: in this program, in `schemas`, in a corpus.
    pub(crate) name: &'static str,
    /// Loads its data and makes what it serves.
    pub(crate) open: fn(&Options) -> Result<Service, OpenError>,
    /// What it answers without the shared transports.
    pub(crate) commands: &'static [Command],
    /// What `--variant` can name: other answers that its document allows, each used by a legal answer of the suite.
    pub(crate) variants: &'static [&'static str],
    /// The revisions of its document that it can speak, from the first one on.
    pub(crate) revisions: &'static [u32],
}

/// Why the data of a contract cannot be served.
pub(crate) type OpenError = Box<dyn std::error::Error + Send + Sync>;

/// What every contract is given when it is opened.
#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Folder with the data of the contracts: DIR/CONTRACT/corpus; a contract without such a folder has no data
    #[arg(long, value_name = "DIR", value_parser = PathBufValueParser::new().try_map(with_data))]
    corpus: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) switch: Switch,
    /// The token that callers over HTTP must send, where the contract asks for one.
    #[arg(skip)]
    pub(crate) token: Option<String>,
}

impl Options {
    /// The folder with the data of a contract, where there is one.
    pub(crate) fn corpus_of(&self, contract: &str) -> Option<PathBuf> {
        let folder = self.corpus.as_ref()?.join(contract).join("corpus");
        folder.is_dir().then_some(folder)
    }
}

/// The switch that makes the reference decide otherwise.
#[derive(clap::Args, Default)]
pub(crate) struct Switch {
    /// For tests of the suite alone: answer in another way that the document allows
    #[arg(id = Switch::ID, long, value_name = "NAME", global = true)]
    variant: Option<String>,
    /// Speak another revision of a contract than its first, as in memory@2; may be given again
    #[arg(id = Switch::REVISION, long, value_name = "CONTRACT@REVISION", global = true)]
    revision: Vec<String>,
}

impl Switch {
    /// The name of the option.
    pub(crate) const ID: &str = "variant";

    /// The name of the option that chooses revisions.
    pub(crate) const REVISION: &str = "revision";

    /// The revision of a contract that is asked for: the first where none is.
    pub(crate) fn revision(&self, contract: &str) -> u32 {
        let named = self.revision.iter().filter_map(|text| text.split_once('@'));
        named.filter(|(name, _)| *name == contract).find_map(|(_, number)| number.parse().ok()).unwrap_or(1)
    }

    /// The variant of a contract that is asked for; nothing where it is another contract's.
    pub(crate) fn variant<V: FromStr>(&self) -> Option<V> {
        self.variant.as_deref()?.parse().ok()
    }
}

/// A misspelt folder must not pass for one without data.
fn with_data(folder: PathBuf) -> Result<PathBuf, String> {
    let entries = folder.read_dir().map_err(|problem| problem.to_string())?;
    match entries.flatten().any(|entry| entry.path().join("corpus").is_dir()) {
        true => Ok(folder),
        false => Err("it holds no folder CONTRACT/corpus".to_owned()),
    }
}

/// What the shared transports serve.
#[derive(Default)]
pub(crate) struct Service {
    /// For MCP.
    pub(crate) tools: Vec<Tool>,
    /// For HTTP.
    pub(crate) routes: Router,
}

/// Opens contracts to be served as one.
pub(crate) fn open(contracts: &[Contract], options: &Options) -> Result<Service, OpenError> {
    let mut all = Service::default();
    for contract in contracts {
        let Service { tools, routes } = (contract.open)(options)?;
        all.tools.extend(tools);
        all.routes = all.routes.merge(routes);
    }
    Ok(all)
}

/// A command of the program that one contract brings.
pub(crate) struct Command {
    /// Its name, its help and its arguments.
    pub(crate) describe: fn() -> clap::Command,
    pub(crate) run: fn(&ArgMatches) -> ExitCode,
}

/// The arguments of a [`Command`], named and described by their `clap` attributes.
pub(crate) trait Run: Parser {
    /// Does what the arguments ask for.
    fn run(self) -> ExitCode;
}

impl Command {
    /// The command with these arguments.
    pub(crate) const fn of<R: Run>() -> Self {
        let run = |given: &ArgMatches| R::from_arg_matches(given).map_or_else(|error| error.exit(), R::run);
        Self { describe: R::command, run }
    }
}
