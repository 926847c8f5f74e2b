//! The smallest MCP client over standard input and output, and the records that it asks for.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use tempfile::TempDir;

/// `reference mcp`, running until it is dropped.
pub(crate) struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _corpus: TempDir,
    last_id: u64,
}

/// A record with these fields, and what all have.
pub(crate) fn record(fields: Value) -> Value {
    let mut record = json!({ "type": "note", "title": "T", "summary": "", "state": "OPEN", "parent_id": null });
    for (key, value) in fields.as_object().unwrap() {
        record[key] = value.clone();
    }
    record
}

fn folder(lines: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("records.ndjson"), lines).unwrap();
    folder
}

fn command(corpus: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reference"));
    command.args(["mcp", "--outline-corpus"]).arg(corpus.path());
    command
}

/// How the program ends that is given these lines and nobody to talk to.
pub(crate) fn load(lines: &str) -> Output {
    command(&folder(lines)).stdin(Stdio::null()).output().unwrap()
}

impl Client {
    /// Starts the program over these records.
    pub(crate) fn of(records: &[Value]) -> Self {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        let corpus = folder(&lines);
        let mut process = command(&corpus).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut client = Self { process, input, output, _corpus: corpus, last_id: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
        });
        client.request("initialize", &hello);
        writeln!(client.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
        client
    }

    /// The result of a request.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        writeln!(self.input, "{message}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|problem| panic!("{problem}: {line:?}"));
        assert_eq!(answer["error"], Value::Null, "{answer}");
        answer["result"].clone()
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// The one block of an answer that is an outline and nothing else.
    pub(crate) fn outline(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(false), &Value::Null), "{result}");
        let [block] = result["content"].as_array().unwrap().as_slice() else { panic!("one block: {result}") };
        block["text"].as_str().unwrap().to_owned()
    }

    /// The structured answer of an accepted call.
    pub(crate) fn json(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    /// The message of a refused call.
    pub(crate) fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have stopped already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
