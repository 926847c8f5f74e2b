//! `cargo xtask completions`: what a shell needs to complete our commands, options, contracts and requirements.

use crate::{cli, output, workspace};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use conformance::load::Suite;
use std::collections::BTreeSet;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask completions bash >~/.local/share/bash-completion/completions/xtask
  cargo xtask completions fish >~/.config/fish/completions/xtask.fish
  xtask() { cargo xtask \"$@\"; }                    what is completed is the word xtask, so lead it here";

/// The word that is completed. `cargo xtask` is two, and the first has completions of its own.
const NAME: &str = "xtask";

/// For which shell.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints; the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let mut command = with_names(cli::command(), &workspace::suite()?);
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, NAME, &mut script);
    output::print(&String::from_utf8(script)?)?;
    Ok(0)
}

/// The same commands, but that contracts and requirements are those of the suite.
fn with_names(command: Command, suite: &Suite) -> Command {
    let contracts: BTreeSet<String> = suite.contracts.iter().map(|one| one.contract.name.clone()).collect();
    let requirements: BTreeSet<String> = suite.requirements().map(|one| one.id.clone()).collect();
    let one_of = |names: &BTreeSet<String>| PossibleValuesParser::new(names.iter().cloned());
    let named = |argument: Arg| match argument.get_id().as_str() {
        "contracts" | "contract" => argument.value_parser(one_of(&contracts)),
        "requirement" | "only" => argument.value_parser(one_of(&requirements)),
        _ => argument,
    };
    command.mut_subcommands(|command| command.mut_args(named))
}
