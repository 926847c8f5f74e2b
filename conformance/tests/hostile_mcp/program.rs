//! Servers on standard streams, as scripts of a shell: a good one, of which a test replaces what it wants to be bad.

use crate::talk::{Talk, found, initialize, tools};
use conformance::transport::{Limits, TransportError};
use serde_json::json;
use std::fs;
use tempfile::TempDir;

/// How often a process that was ended is looked for again before it counts as left behind.
const LOOKS: usize = 1_000_000;

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

    /// Fails when a process of the script is still there: ended processes go away soon, so they are looked for repeatedly.
    pub(crate) fn assert_nothing_runs(&self, at_least: usize) {
        let pids = self.wrote("pids");
        assert!(pids.lines().count() >= at_least, "only these were started: {pids}");
        for pid in pids.lines() {
            let is_gone = (0..LOOKS).any(|_| {
                std::thread::yield_now();
                !is_running(pid)
            });
            assert!(is_gone, "process {pid} outlived its run");
        }
    }
}

/// Whether a process is there and has not ended: one that nobody has waited for yet has.
fn is_running(pid: &str) -> bool {
    let there = pid.parse().ok().and_then(rustix::process::Pid::from_raw);
    let there = there.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok());
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let has_ended = state.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']));
    there && !has_ended
}

/// A conversation with a good server but for these lines.
pub(crate) fn talk(lines: &str, limits: Limits) -> Talk {
    let program = Program::new(lines);
    program.talk(limits).keep(program.folder)
}

/// Why a script did not start.
pub(crate) fn did_not_start(lines: &str) -> String {
    let program = Program::new(lines);
    let error = program.talk(crate::talk::PATIENT).not_there();
    program.assert_nothing_runs(1);
    match error {
        // The command is told too.
        TransportError::DidNotStart { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}
