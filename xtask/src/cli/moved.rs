//! Commands of `dev`, for those who look for them at the top, where most of them were.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// The installed program does not have them, so that their names cannot come from their definition.
const OF_DEV: [&str; 7] = ["mutants", "bench", "generate", "tokens", "hostile-corpora", "new", "official-mcp"];

/// Adds the whole name of a command to the error that its last word alone causes.
pub(super) fn named(mut error: Error) -> Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    if OF_DEV.contains(&name.as_str()) {
        let tip = format!("did you mean `cargo xtask dev {name}`, in a checkout of the repository?");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        error.remove(ContextKind::SuggestedSubcommand);
    }
    error
}
