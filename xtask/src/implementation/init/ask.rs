//! The questions that `init` asks at a terminal.

use super::arguments::Arguments;
use crate::shared::print::tell;
use crate::shared::{address, program};
use anyhow::{Result, bail};
use conformance::load::Suite;
use dialoguer::{Confirm, Input};
use std::io::{self, IsTerminal};

/// Asks what to look at. An error if there is no terminal.
pub(super) fn what(suite: &Suite) -> Result<Arguments> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        bail!("give an address or `-- COMMAND`; `{} init --help` has examples", program::name());
    }
    for contract in &suite.contracts {
        tell!("  {:8} {}", contract.contract.name, contract.contract.title);
    }
    let mut arguments = Arguments { timeout: 10, ..Arguments::default() };
    let place: String = Input::new()
        .with_prompt(
            "Where is what speaks one of these? An address, or a command that is an MCP server or a command line",
        )
        .interact_text()?;
    if !place.contains("://") {
        arguments.command = address::words(&place)?;
        return Ok(arguments);
    }
    let start: String = Input::new()
        .with_prompt("What starts it? {port} is a free port, in the address too; empty when it runs already")
        .allow_empty(true)
        .interact_text()?;
    (arguments.address, arguments.start) = (Some(place), Some(start).filter(|start| !start.trim().is_empty()));
    arguments.corpus_loaded = Confirm::new()
        .with_prompt("Does it hold the corpus of the suite? Then everything is asked")
        .default(false)
        .interact()?;
    Ok(arguments)
}

/// Asks whether to write the failures as known failures.
pub(super) fn write_failures(count: usize) -> Result<bool> {
    let question =
        format!("Write the {count} requirements that are violated as known failures, so that only what is new fails?");
    Ok(Confirm::new().with_prompt(question).default(false).interact()?)
}

/// Asks for one reason for all known failures; empty if each is filled in by hand.
pub(super) fn reason() -> Result<Option<String>> {
    let reason: String = Input::new()
        .with_prompt("One reason for all of them, such as where it is tracked; empty to fill in each")
        .allow_empty(true)
        .interact_text()?;
    Ok(Some(reason))
}
