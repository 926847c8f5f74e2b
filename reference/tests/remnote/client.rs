//! The smallest MCP client over standard input and output: a line for a line.

use crate::corpus::{folder, text_of};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// `reference mcp`, running until it is dropped.
pub(crate) struct Client {
    pub(crate) process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    _corpus: TempDir,
    last_id: u64,
}

impl Client {
    /// Starts the program over these Rems.
    pub(crate) fn of(rems: &[Value]) -> Self {
        Self::with_hits(rems, &json!({}))
    }

    pub(crate) fn with_hits(rems: &[Value], hits: &Value) -> Self {
        let corpus = folder(rems, hits);
        let mut command = Command::new(env!("CARGO_BIN_EXE_reference"));
        command.args(["mcp", "--remnote-corpus", text_of(&corpus)]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut client = Self { process, input, output, _corpus: corpus, last_id: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
        });
        let answer = client.request("initialize", &hello);
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        client
    }

    /// Sends one line.
    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input.as_ref().unwrap(), "{line}").unwrap();
    }

    /// The next line of output, which must be JSON.
    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|problem| panic!("{problem}: {line:?}"))
    }

    /// Sends a request and returns the whole answer to it.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        let answer = self.receive();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(id)), "{answer}");
        answer
    }

    /// The result of a tool call, as it came.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["error"], Value::Null, "{answer}");
        answer["result"].clone()
    }

    /// The structured answer of an accepted call; its text says the same.
    pub(crate) fn answer(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        let [block] = result["content"].as_array().unwrap().as_slice() else { panic!("one block: {result}") };
        assert_eq!(block["type"], "text");
        let text: Value = serde_json::from_str(block["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// The message of a refused call.
    pub(crate) fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(true), &Value::Null), "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Reads a Rem.
    pub(crate) fn read(&mut self, id: &str) -> Value {
        self.answer("remnote_read_note", json!({ "remId": id }))
    }

    /// Reads what stands below a Rem, with these limits on top.
    pub(crate) fn content(&mut self, id: &str, mut limits: Value) -> (String, Value) {
        limits["remId"] = json!(id);
        let answer = self.answer("remnote_read_note", limits);
        (answer["content"].as_str().unwrap().to_owned(), answer["contentProperties"].clone())
    }

    /// The results of a search.
    pub(crate) fn search(&mut self, arguments: Value) -> Vec<Value> {
        self.answer("remnote_search", arguments)["results"].as_array().unwrap().clone()
    }

    /// The results of a search by tag.
    pub(crate) fn by_tag(&mut self, arguments: Value) -> Vec<Value> {
        self.answer("remnote_search_by_tag", arguments)["results"].as_array().unwrap().clone()
    }

    /// Goes away, and returns what the program still said and how it ended.
    pub(crate) fn close(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.input.take());
        let rest = (&mut self.output).lines().map(Result::unwrap).collect();
        (rest, self.process.wait().unwrap().code())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have stopped already, which is what some tests are about.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The ids of results.
pub(crate) fn ids(results: &[Value]) -> Vec<&str> {
    results.iter().map(|result| result["remId"].as_str().unwrap()).collect()
}
