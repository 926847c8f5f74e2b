//! The same server over either transport, by what it answers.

use super::program::program;
use super::server::{json, talk as talk_at};
use super::talk::{PATIENT, Talk, found, tools};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

/// A transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Stdio,
    Web,
}

/// What a server answers: the members of a response besides its id, as in `{"result": …}`.
#[derive(Debug, Clone)]
pub(crate) struct Answers {
    /// To `tools/list`, by the cursor; the first page has none.
    pub(crate) list: BTreeMap<String, Value>,
    /// To `tools/call`.
    pub(crate) call: Value,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            list: BTreeMap::from([(String::new(), json!({ "result": tools() }))]),
            call: json!({ "result": found(json!([])) }),
        }
    }
}

impl Answers {
    /// A server that answers a call with a result or an error.
    pub(crate) fn call(members: Value) -> Self {
        Self { call: members, ..Self::default() }
    }

    /// A server that answers `tools/list` with a result or an error.
    pub(crate) fn list(members: Value) -> Self {
        Self { list: BTreeMap::from([(String::new(), members)]), ..Self::default() }
    }

    /// A conversation with it.
    pub(crate) fn over(self, way: Way) -> Talk {
        match way {
            Way::Stdio => self.program(),
            Way::Web => {
                let (talk, server) = talk_at(PATIENT, move |request| {
                    let cursor = request.message["params"]["cursor"].as_str().unwrap_or_default();
                    let mut members = match request.method() {
                        "tools/list" => self.list[cursor].clone(),
                        "tools/call" => self.call.clone(),
                        _ => return None,
                    };
                    members["jsonrpc"] = json!("2.0");
                    members["id"] = request.message["id"].clone();
                    Some(json(&members))
                });
                talk.keep(server)
            }
        }
    }

    fn program(self) -> Talk {
        let program = program(
            r#"
members() { say "{\"jsonrpc\":\"2.0\",\"id\":$id,$(cat "$FOLDER/$1")}"; }
call() { members call; }
list() {
    cursor=${line#*'"cursor":"'}
    case $cursor in "$line") cursor= ;; esac
    members "list${cursor%%'"'*}"
}"#,
        );
        let write = |file: &str, members: &Value| {
            let text = members.to_string();
            // Without its braces.
            fs::write(program.file(file), &text[1..text.len() - 1]).unwrap();
        };
        write("call", &self.call);
        self.list.iter().for_each(|(cursor, members)| write(&format!("list{cursor}"), members));
        Talk::to(&program, PATIENT).keep(program)
    }
}
