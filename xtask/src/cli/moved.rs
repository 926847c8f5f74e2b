//! Names that commands once had at the top.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// Commands for this repository, which the installed program does not have.
const OF_DEV: [&str; 5] = ["mutants", "bench", "generate", "tokens", "official-mcp"];

/// The error of a command line, with the present name of a command that has moved.
pub(super) fn named(mut error: Error) -> Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    if OF_DEV.contains(&name.as_str()) {
        let tip = format!("did you mean `cargo xtask dev {name}`, in a checkout of the repository?");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        error.remove(ContextKind::SuggestedSubcommand);
    }
    error
}
