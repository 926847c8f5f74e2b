//! Commands that moved from the top to `dev`.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// The commands that moved. The installed program does not have them.
const OF_DEV: [&str; 5] = ["mutants", "bench", "generate", "tokens", "official-mcp"];

/// Adds the new name of a command to the error that its old name causes.
pub(super) fn named(mut error: Error) -> Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    if OF_DEV.contains(&name.as_str()) {
        let tip = format!("did you mean `cargo xtask dev {name}`, in a checkout of the repository?");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        error.remove(ContextKind::SuggestedSubcommand);
    }
    error
}
