//! Servers on standard streams: strict ones of each era, of which a test changes what it wants to be different.

use crate::mcp::program::RESULTS;
use crate::mcp::small::{target_in, tried};
use crate::mcp::talk::{found, initialize};
use crate::trial::Trial;
use conformance::model::Eras;
use conformance::targets::Address;
use serde_json::json;
use testing::{McpScript, Script};

/// What the tools of the small contract answer.
const TOOLS: &str = r#"
answer() {
    case $line in
        *'"name":"no-such-tool"'*) error '{"code":-32602,"message":"no such tool"}' ;;
        *'"name":"read"'*) complete "$READ" ;;
        *'"limit":0'*) complete "$REFUSED" ;;
        *) complete "$FOUND" ;;
    esac
}
called() { answer; }
"#;

/// `complete` says what a modern result says of itself, `cached` adds how long it holds, `fine` refuses what lacks something.
const MODERN: &str = r#"
SELF='"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}}'
CACHE='"ttlMs":1000,"cacheScope":"public"'
VERSIONS='["2026-07-28"]'
complete() { result "{$SELF,${1#?}"; }
cached() { complete "{$CACHE,${1#?}"; }
unsupported() { error "{\"code\":-32022,\"message\":\"refused\",\"data\":{\"supported\":$VERSIONS,\"requested\":\"1900-01-01\"}}"; }
fine() {
    case $line in
        *'/protocolVersion":"2026-07-28"'*) ;;
        *'/protocolVersion":"'*) unsupported; return 1 ;;
        *'/clientCapabilities":{'* | *'"method":"'*) error '{"code":-32602,"message":"refused"}'; return 1 ;;
        *) unsupported; return 1 ;;
    esac
    case $line in
        *'/clientCapabilities":{'*) ;;
        *) error '{"code":-32602,"message":"refused"}'; return 1 ;;
    esac
}
initialize() { unsupported; }
discover() { cached "{\"supportedVersions\":$VERSIONS,\"capabilities\":{\"tools\":{}}}"; }
list() { fine && cached "$TOOLS"; }
call() { fine && called; }
ping() { unknown; }
unknown() { error '{"code":-32601,"message":"no such method"}'; }
other() {
    case $line in
        *'"method":"server/discover"'*) fine && discover ;;
        *'"method":"notifications/'*) ;;
        *) fine && unknown ;;
    esac
}
"#;

/// A process is legacy from `initialize` on.
const DUAL: &str = r#"
initialize() { LEGACY=1; result "$INITIALIZE"; }
complete() { if [ "$LEGACY" ]; then result "$1"; else result "{$SELF,${1#?}"; fi; }
list() { if [ "$LEGACY" ]; then result "$TOOLS"; else fine && cached "$TOOLS"; fi; }
call() { if [ "$LEGACY" ]; then called; else fine && called; fi; }
ping() { result "{}"; }
"#;

/// A server of the small contract.
fn script(lines: &str) -> Script {
    let good = McpScript { initialize: initialize(), tools: super::server::tools(), found: found(json!([{ "n": 1 }])) };
    Script::new(&good.but(&format!("{RESULTS}{TOOLS}\n{lines}")))
}

/// One that speaks modern versions alone, with these lines put in before it begins.
pub(crate) fn modern(lines: &str) -> Script {
    script(&format!("{MODERN}\n{lines}"))
}

/// One that speaks legacy revisions alone.
pub(crate) fn legacy(lines: &str) -> Script {
    script(&format!("complete() {{ result \"$1\"; }}\ncall() {{ called; }}\n{lines}"))
}

/// One that speaks both.
pub(crate) fn dual(lines: &str) -> Script {
    script(&format!("{MODERN}\n{DUAL}\n{lines}"))
}

/// A run of the small contract, after which no process is left.
pub(crate) fn run(program: &Script, eras: Eras) -> Trial {
    let trial = tried(&target_in(Address::McpStdio(program.words()), eras));
    program.assert_nothing_runs(1);
    trial
}
