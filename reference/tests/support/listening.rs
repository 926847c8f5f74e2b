//! The program, serving on a free port, and what it answers over HTTP.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

/// Starts the program: it, the rest of what it says, and its address, as in `127.0.0.1:3000`.
pub(crate) fn serve(arguments: &[&str]) -> (Child, BufReader<ChildStdout>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reference"));
    command.args(["serve", "--port", "0"]).args(arguments).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("listening on http://").unwrap().to_owned();
    (process, output, address)
}

/// The status and the JSON of an answer, after which the connection ends.
pub(crate) fn answer(mut connection: TcpStream) -> (u16, Value) {
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap())
}
