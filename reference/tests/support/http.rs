//! `reference serve`, and the smallest client that can ask it over HTTP.

use super::{Running, program};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{ChildStdout, Stdio};

/// The program, serving on a free port until it is dropped.
pub(crate) struct Server {
    pub(crate) process: Running,
    /// What it prints after its address.
    pub(crate) output: BufReader<ChildStdout>,
    /// As in `127.0.0.1:3000`.
    pub(crate) address: String,
}

/// What a server answers.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = program(&["serve", "--port", "0"]);
        let mut process = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on http://").unwrap().to_owned();
        Self { process: Running(process), output, address }
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.request("GET", path, &[], "").json()
    }

    pub(crate) fn post(&self, path: &str, headers: &[&str], body: &str) -> (u16, Value) {
        self.request("POST", path, headers, body).json()
    }

    /// One request on a connection of its own. `headers` are lines; a `Host` among them replaces ours.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        // The old version of the protocol has no chunks to be put together.
        let mut head = format!("{method} {path} HTTP/1.0\r\n");
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            head += &format!("Host: {}\r\n", self.address);
        }
        head.extend(headers.iter().map(|header| format!("{header}\r\n")));
        let mut connection = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(connection, "{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }
}

impl Answer {
    fn json(self) -> (u16, Value) {
        (self.status, serde_json::from_str(&self.body).unwrap())
    }
}
