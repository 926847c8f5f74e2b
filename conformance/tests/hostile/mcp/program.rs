//! Servers on standard streams, as scripts of a shell: a good one, of which a test replaces what it wants to be bad.

use super::talk::{Talk, found, initialize, tools};
use conformance::transport::{Limits, TransportError};
use serde_json::json;
use std::fs;
use tempfile::TempDir;

/// A script in a folder of its own, which it knows as `$FOLDER`.
pub(crate) struct Program {
    pub(crate) command: Vec<String>,
    pub(crate) folder: TempDir,
}

impl Program {
    /// A good server with these lines put in before it begins. They may replace the functions `initialize`, `list`,
    /// `call` and `other`, which find the message in `$line` and its id in `$id`, and answer by `result` and `error`;
    /// and `at_end`, which is what happens when the input is closed.
    pub(crate) fn new(lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            r#"
FOLDER='{folder}'
INITIALIZE='{initialize}'
TOOLS='{tools}'
FOUND='{found}'
echo $$ >>"$FOLDER/pids"
say() {{ printf '%s\n' "$1"; }}
result() {{ say "{{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}}"; }}
error() {{ say "{{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":$1}}"; }}
initialize() {{ result "$INITIALIZE"; }}
list() {{ result "$TOOLS"; }}
call() {{ result "$FOUND"; }}
other() {{ :; }}
at_end() {{ exit 0; }}
{lines}
while IFS= read -r line; do
    id=${{line#*'"id":'}}
    id=${{id%%,*}}
    case $line in
        *'"method":"initialize"'*) initialize ;;
        *'"method":"tools/list"'*) list ;;
        *'"method":"tools/call"'*) call ;;
        *) other ;;
    esac
done
at_end
"#,
            folder = folder.path().display(),
            initialize = initialize(),
            tools = tools(),
            found = found(json!([{ "n": 1 }])),
        );
        let file = folder.path().join("server.sh");
        fs::write(&file, script).unwrap();
        Self { command: vec!["/bin/sh".to_owned(), file.to_str().unwrap().to_owned()], folder }
    }

    /// A conversation with it.
    pub(crate) fn talk(&self, limits: Limits) -> Talk {
        Talk::with(&self.command, limits).unwrap()
    }

    /// What it wrote to a file of its folder.
    pub(crate) fn wrote(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).unwrap_or_default()
    }

    /// Fails when a process of the script is still there, or fewer were started.
    pub(crate) fn assert_nothing_runs(&self, at_least: usize) {
        testing::assert_nothing_runs(self.folder.path(), at_least);
    }
}

/// A conversation with a good server but for these lines.
pub(crate) fn talk(lines: &str, limits: Limits) -> Talk {
    let program = Program::new(lines);
    program.talk(limits).keep(program.folder)
}

/// Why a script did not start.
pub(crate) fn did_not_start(lines: &str) -> String {
    let program = Program::new(lines);
    let error = program.talk(super::talk::PATIENT).not_there();
    program.assert_nothing_runs(1);
    match error {
        // The command is told too.
        TransportError::DidNotStart { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}
