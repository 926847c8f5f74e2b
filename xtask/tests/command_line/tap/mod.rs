//! `tap` between real clients and real servers: what passes is unchanged, what is wrong is named, and nobody is disturbed.

mod faults;
mod http;
mod reference_behind;
mod speed;
mod streams;

use crate::xtask;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread::JoinHandle;
use tempfile::TempDir;

/// A tap before a server, and the folder that its log goes to.
pub(super) struct Tap {
    child: Child,
    address: String,
    said: JoinHandle<String>,
    folder: TempDir,
}

/// What a tap said in the end.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
    pub(super) log: String,
}

impl Tap {
    /// Before a server at an address, with these options.
    pub(super) fn before(upstream: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = xtask(&["tap", "--upstream", upstream, "--log"]);
        command.arg(folder.path().join("log.ndjson")).args(options);
        if !options.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        stderr.read_line(&mut first).unwrap();
        let address =
            first.split_whitespace().find_map(|word| word.strip_prefix("http://")).unwrap_or_else(|| panic!("{first}"));
        let address = address.to_owned();
        let said = std::thread::spawn(move || {
            let mut said = String::new();
            stderr.read_to_string(&mut said).unwrap();
            said
        });
        Self { child, address, said, folder }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    /// What comes back for a request, all of it, on a connection that is closed afterwards.
    pub(super) fn raw(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        let mut came = Vec::new();
        stream.read_to_end(&mut came).unwrap();
        came
    }

    /// Ends it as Ctrl-C does.
    pub(super) fn end(mut self) -> Ended {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let code = self.child.wait().unwrap().code();
        let log = std::fs::read_to_string(self.folder.path().join("log.ndjson")).unwrap();
        // A machine with much to do takes more than a moment for a report, and the tap says so.
        let err = self.said.join().unwrap();
        let err =
            err.split_inclusive('\n').filter(|line| !line.starts_with("tap: the report takes a moment")).collect();
        Ended { code, out, err, log }
    }
}

/// The head and the body of an answer, its names in lower case.
fn parts(answer: &[u8]) -> (Vec<String>, Vec<u8>) {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| panic!("no head: {answer:?}"));
    let head = answer[..end].split(|byte| *byte == b'\n');
    let head = head.map(|line| String::from_utf8_lossy(line).trim_end().to_owned()).collect();
    (head, answer[end + 4..].to_vec())
}
