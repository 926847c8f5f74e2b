//! Shell scripts as targets.

use crate::assert_nothing_runs;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A shell script in a folder of its own, called by its shell, so that writing it cannot get in the way of starting it.
///
/// It knows its folder as `$FOLDER`, and writes the id of its process to the file `$PIDS` in it. The ids of its children
/// belong there too.
#[derive(Debug)]
pub struct Script {
    folder: TempDir,
}

impl Script {
    /// A script with this text.
    pub fn new(text: &str) -> Self {
        let script = Self { folder: tempfile::tempdir().unwrap() };
        let folder = script.folder.path().display();
        let text = format!("FOLDER='{folder}'\nPIDS=\"$FOLDER/pids\"\necho $$ >>\"$PIDS\"\n{text}\n");
        fs::write(script.file("script.sh"), text).unwrap();
        script
    }

    /// A file in its folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The text of a file in its folder; nothing if there is none.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    /// The words that start it.
    pub fn words(&self) -> Vec<String> {
        vec!["/bin/sh".to_owned(), self.file("script.sh").to_str().unwrap().to_owned()]
    }

    /// The command line that starts it.
    pub fn line(&self) -> String {
        shlex::try_join(self.words().iter().map(String::as_str)).unwrap()
    }

    /// Fails if a process of it is still running, or if fewer than `at_least` were started.
    pub fn assert_nothing_runs(&self, at_least: usize) {
        assert_nothing_runs(self.folder.path(), at_least);
    }
}

/// What a good MCP server on standard streams says.
#[derive(Debug)]
pub struct McpScript {
    /// The result of `initialize`.
    pub initialize: Value,
    /// The result of `tools/list`.
    pub tools: Value,
    /// The result of `tools/call`.
    pub found: Value,
}

impl McpScript {
    /// The text of a good server, with these lines put in before it begins.
    ///
    /// They may replace what it says (`$INITIALIZE`, `$TOOLS`, `$FOUND`) and what it does: the functions `initialize`,
    /// `list`, `call`, `ping` and `other`, which find the message in `$line` and its id in `$id`, and answer by `result`, `error`
    /// and `say`; and `at_end`, which runs when the input is closed.
    pub fn but(&self, lines: &str) -> String {
        let Self { initialize, tools, found } = self;
        format!(
            r#"
INITIALIZE='{initialize}'
TOOLS='{tools}'
FOUND='{found}'
say() {{ printf '%s\n' "$1"; }}
result() {{ say "{{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}}"; }}
error() {{ say "{{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":$1}}"; }}
initialize() {{ result "$INITIALIZE"; }}
list() {{ result "$TOOLS"; }}
call() {{ result "$FOUND"; }}
ping() {{ result "{{}}"; }}
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
        *'"method":"ping"'*) ping ;;
        *) other ;;
    esac
done
at_end
"#
        )
    }
}
