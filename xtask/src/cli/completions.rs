//! `cargo xtask completions`: what a shell needs to complete our commands, options, contracts and requirements.

use crate::shared::{print, program, workspace};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use conformance::load::Suite;
use std::collections::BTreeSet;

pub(crate) fn examples() -> String {
    let (name, word) = (program::name(), program::word());
    let mut examples = format!(
        "Examples:\n  {name} completions bash >~/.local/share/bash-completion/completions/{word}\n  \
         {name} completions fish >~/.config/fish/completions/{word}.fish"
    );
    // `cargo xtask` is two words, and the first has completions of its own.
    if name != word {
        let lead = format!("{word}() {{ {name} \"$@\"; }}");
        examples += &format!("\n  {lead:48}what is completed is the word {word}, so lead it here");
    }
    examples
}

/// For which shell.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints; returns the exit code.
pub(crate) fn run(arguments: &Arguments, runner: Command) -> Result<u8> {
    let mut command = with_names(runner, &workspace::suite()?);
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, program::word(), &mut script);
    print::print(&String::from_utf8(script)?)?;
    Ok(0)
}

/// The same commands, with the contracts and requirements of the suite as possible values.
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
