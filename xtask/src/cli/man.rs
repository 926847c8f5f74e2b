//! `cargo xtask man`: the manual page of the runner, or of one of its commands.

use crate::shared::{print, program};
use anyhow::{Result, bail};
use clap_mangen::Man;
use conformance::text::suggest;

pub(crate) fn examples() -> String {
    let (name, word) = (program::name(), program::word());
    format!("Examples:\n  {name} man | man -l -\n  {name} man verify >{word}-verify.1")
}

/// Which page to print.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The command; the whole runner when left out
    command: Option<String>,
}

/// Prints; returns the exit code.
pub(crate) fn run(arguments: &Arguments, mut runner: clap::Command) -> Result<u8> {
    runner.build();
    let command = match &arguments.command {
        None => runner.name(program::word()),
        Some(name) => match runner.find_subcommand(name) {
            Some(found) => found.clone().name(format!("{}-{name}", program::word())),
            None => {
                let known: Vec<&str> = runner.get_subcommands().map(clap::Command::get_name).collect();
                bail!("no command is called `{name}`{}", suggest::hint(name, known))
            }
        },
    };
    let mut page = Vec::new();
    Man::new(command).section("1").render(&mut page)?;
    print::print(&String::from_utf8(page)?)?;
    Ok(0)
}
