//! Servers on standard streams: a good one, of which a test replaces what it wants to be bad.

use super::talk::{PATIENT, Talk, found, initialize, tools};
use conformance::transport::{Limits, TransportError};
use serde_json::json;
use testing::{McpScript, Script};

/// What the tools of the small contract bring.
pub(crate) const RESULTS: &str = r#"
READ='{"content":[{"type":"text","text":"{\"title\":\"a\"}"}],"structuredContent":{"title":"a"}}'
REFUSED='{"content":[{"type":"text","text":"limit must be above 0"}],"isError":true}'
"#;

/// Calls of these tools.
pub(crate) const CALLS: &str = r#"
call() {
    case $line in
        *'"name":"read"'*) result "$READ" ;;
        *'"limit":0'*) result "$REFUSED" ;;
        *) result "$FOUND" ;;
    esac
}
"#;

/// A good server with these lines put in before it begins.
pub(crate) fn program(lines: &str) -> Script {
    let good = McpScript { initialize: initialize(), tools: tools(), found: found(json!([{ "n": 1 }])) };
    Script::new(&good.but(lines))
}

/// A conversation with a good server but for these lines.
pub(crate) fn talk(lines: &str, limits: Limits) -> Talk {
    let program = program(lines);
    Talk::to(&program, limits).keep(program)
}

/// Why a script did not start.
pub(crate) fn did_not_start(lines: &str) -> String {
    let program = program(lines);
    let error = Talk::to(&program, PATIENT).not_there();
    program.assert_nothing_runs(1);
    match error {
        // The message shows the command too.
        TransportError::DidNotStart { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}
