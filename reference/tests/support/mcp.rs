//! `reference mcp`, and the smallest client over standard input and output: a line for a line.

use super::{Running, over, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use tempfile::TempDir;

/// The program, running until it is dropped.
pub(crate) struct Client {
    process: Running,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    _corpus: Option<TempDir>,
    last_id: u64,
}

impl Client {
    /// Starts the program over a corpus and shakes hands.
    pub(crate) fn over(corpus: TempDir) -> Self {
        let client = Self::start(&over(&corpus));
        Self { _corpus: Some(corpus), ..client }
    }

    /// Starts the program and says nothing.
    pub(crate) fn silent(arguments: &[&str]) -> Self {
        let mut command = program(&["mcp"]);
        let mut process = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        Self { process: Running(process), input, output, _corpus: None, last_id: 0 }
    }

    /// Starts the program and shakes hands.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut client = Self::silent(arguments);
        let answer = client.request("initialize", &hello("2025-06-18"));
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        client
    }

    /// Sends one line.
    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input.as_ref().unwrap(), "{line}").unwrap();
    }

    /// Sends text without the end of a line.
    pub(crate) fn send_part(&mut self, text: &str) {
        write!(self.input.as_ref().unwrap(), "{text}").unwrap();
    }

    /// Sends a request; the whole answer to it.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        let answer = self.next();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(id)), "{answer}");
        answer
    }

    /// The next message that the program writes.
    pub(crate) fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|problem| panic!("{problem}: {line:?}"))
    }

    /// The descriptions of all tools, those of other contracts too.
    pub(crate) fn tools(&mut self) -> Vec<Value> {
        self.request("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().clone()
    }

    pub(crate) fn tool(&mut self, name: &str) -> Value {
        let tool = self.tools().into_iter().find(|tool| tool["name"] == name);
        tool.unwrap_or_else(|| panic!("there is no tool {name}"))
    }

    /// The result of a tool call.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut answer = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["error"], Value::Null, "{answer}");
        answer["result"].take()
    }

    /// The text of an accepted call, which is one block, and the structured answer where there is one.
    pub(crate) fn accepted(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        let [block] = result["content"].as_array().unwrap().as_slice() else { panic!("one block: {result}") };
        assert_eq!(block["type"], "text");
        (block["text"].as_str().unwrap().to_owned(), result["structuredContent"].take())
    }

    /// The structured answer of an accepted call; its text says the same.
    pub(crate) fn json(&mut self, tool: &str, arguments: Value) -> Value {
        let (text, structured) = self.accepted(tool, arguments);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), structured);
        structured
    }

    /// The message of a refused call.
    pub(crate) fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(true), &Value::Null), "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Closes its input; the lines that the program still prints, and its exit code.
    pub(crate) fn close(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.input.take());
        let rest = (&mut self.output).lines().map(Result::unwrap).collect();
        (rest, self.process.code())
    }
}

/// The parameters of `initialize`.
pub(crate) fn hello(version: &str) -> Value {
    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } })
}
