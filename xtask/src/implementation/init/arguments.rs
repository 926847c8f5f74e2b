//! The options of `init`.

use clap::ValueEnum;
use std::path::PathBuf;

/// The target file that is written.
pub(super) const TARGET: &str = "conformance.toml";

/// What is looked at, and what is written.
#[derive(Default, clap::Args)]
pub(crate) struct Arguments {
    /// The address of a server; `{port}` in it is a free port when --start is given
    #[arg(conflicts_with = "command")]
    pub(super) address: Option<String>,
    /// A program: an MCP server on standard streams, or a command line
    #[arg(last = true)]
    pub(super) command: Vec<String>,
    /// What starts the server, as one shell word list; the suite starts and stops it then
    #[arg(long, value_name = "COMMAND", requires = "address")]
    pub(super) start: Option<String>,
    /// What puts the corpus into the server, as one shell word list; `{corpus}` is the folder of corpora
    #[arg(long, value_name = "COMMAND", requires = "address", conflicts_with = "corpus_loaded")]
    pub(super) seed_command: Option<String>,
    /// The server holds the corpus
    #[arg(long)]
    pub(super) corpus_loaded: bool,
    /// A contract that it speaks, even if it does not look like it; may be given again
    #[arg(long, value_name = "CONTRACT")]
    pub(super) contract: Vec<String>,
    /// A header of every HTTP request; `${NAME}` comes from the environment; may be given again
    #[arg(long, value_name = "NAME: VALUE", requires = "address")]
    pub(super) header: Vec<String>,
    /// A variable of the environment that is a secret, besides those whose names say so, as in LICENCE; may be given again
    #[arg(long, value_name = "NAME")]
    pub(super) secret: Vec<String>,
    /// A file of certificates to trust (PEM)
    #[arg(long, value_name = "FILE", requires = "address")]
    pub(super) ca_cert: Option<PathBuf>,
    /// How long one answer may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) timeout: u64,
    /// The CI to write a file for; guessed from the current folder when left out
    #[arg(long, value_enum)]
    pub(super) ci: Option<Ci>,
    /// The address of this suite's repository, which CI fetches it from
    #[arg(long, value_name = "URL")]
    pub(super) repository: Option<String>,
    /// Write the failures of the first run as known failures
    #[arg(long, conflicts_with = "no_run")]
    pub(super) write_known_failures: bool,
    /// The reason for all of them; to be filled in by hand when left out
    #[arg(long, value_name = "TEXT", requires = "write_known_failures")]
    pub(super) reason: Option<String>,
    /// Do not run
    #[arg(long)]
    pub(super) no_run: bool,
    /// Write over files that are there
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Ci {
    /// A workflow of GitHub
    Github,
    /// A job of GitLab
    Gitlab,
    /// None
    None,
}
