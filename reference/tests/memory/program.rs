//! The program, started for a test, and the smallest client that can ask it.

use crate::corpus::CORPUS;
use crate::listening::{answer, serve};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

/// The program, serving on a free port until it is dropped.
pub(crate) struct Server {
    process: Child,
    address: String,
}

impl Server {
    pub(crate) fn with_corpus() -> Self {
        Self::start(&["--memory-corpus", CORPUS])
    }

    pub(crate) fn start(arguments: &[&str]) -> Self {
        let (process, _, address) = serve(arguments);
        Self { process, address }
    }

    /// A search that is answered.
    pub(crate) fn search(&self, body: &Value) -> Value {
        let (status, answer) = self.ask("", &body.to_string());
        assert_eq!(status, 200, "{body}: {answer}");
        answer
    }

    /// A search that may be refused. `headers` are whole lines, each with its end.
    pub(crate) fn ask(&self, headers: &str, body: &str) -> (u16, Value) {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        write!(
            connection,
            "POST /v0/search HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        answer(connection)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The program on standard streams, as a client of tools sees it, until it is dropped.
pub(crate) struct Tools {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Tools {
    pub(crate) fn with_corpus() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reference"));
        command.args(["mcp", "--memory-corpus", CORPUS]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut tools = Self { process, output };
        let client = json!({ "name": "test", "version": "1" });
        tools.rpc("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }));
        tools.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        tools
    }

    /// A call of the tool.
    pub(crate) fn call(&mut self, arguments: &Value) -> Value {
        self.rpc("tools/call", json!({ "name": "search_memories", "arguments": arguments }))
    }

    /// The result of a request.
    pub(crate) fn rpc(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["result"].take()
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.process.stdin.as_mut().unwrap(), "{message}").unwrap();
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
