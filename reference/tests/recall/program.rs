//! The program, started for a test, and the smallest client that can ask it.

use crate::corpus::ids;
use crate::listening::{answer, serve};
use serde_json::Value;
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout};

/// The program, serving on a free port until it is dropped.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) output: BufReader<ChildStdout>,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let (process, output, address) = serve(arguments);
        Self { process, output, address }
    }

    pub(crate) fn search(&self, query: &str) -> Value {
        let (status, body) = self.get(&format!("/api/v1/search?{query}"));
        assert_eq!(status, 200, "{query}: {body}");
        body
    }

    /// The ids of all pages, to the empty one.
    pub(crate) fn walk(&self, query: &str, limit: usize) -> Vec<i64> {
        let page = |number| ids(&self.search(&format!("{query}&limit={limit}&offset={}", number * limit)));
        (0..).map(page).take_while(|page| !page.is_empty()).flatten().collect()
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.request("GET", path)
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> (u16, Value) {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        write!(connection, "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).unwrap();
        answer(connection)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have stopped already, which is what some tests are about.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
