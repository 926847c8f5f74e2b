//! What the client costs per call, against a loop that does nothing else. Printed, never judged:
//! `cargo test -p conformance --test hostile -- --ignored --nocapture speed`.

use super::program::program;
use super::server::{but, calls, events};
use super::talk::{PATIENT, Talk, assert_fine, found};
use rstest::rstest;
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testing::Answer;

const CALLS: u32 = 500;

#[test]
#[ignore = "measures"]
fn over_standard_streams() {
    let program = program("");
    let words = program.words();
    let mut child =
        Command::new(&words[0]).args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let raw = timed(|| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "find", "arguments": { "query": "a" } } });
        writeln!(input, "{message}").unwrap();
        output.read_line(&mut String::new()).unwrap();
    });
    drop(input);
    child.wait().unwrap();
    let talk = Talk::to(&program, PATIENT);
    assert_fine(&talk.find());
    tell("standard streams", raw, timed(|| assert_fine(&talk.find())));
    at_once("standard streams", &talk);
}

#[test]
#[ignore = "measures"]
fn over_http() {
    let server = but(|_| None);
    let mut connection =
        TcpStream::connect(server.address.trim_start_matches("http://").trim_end_matches("/mcp")).unwrap();
    connection.set_nodelay(true).unwrap();
    let raw = timed(|| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "find", "arguments": { "query": "a" } } });
        let message = message.to_string();
        let head = format!("POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", message.len());
        connection.write_all(format!("{head}{message}").as_bytes()).unwrap();
        assert!(connection.read(&mut [0; 65536]).unwrap() > 0);
    });
    let talk = Talk::at(&server.address, PATIENT);
    assert_fine(&talk.find());
    tell("http", raw, timed(|| assert_fine(&talk.find())));
    at_once("http", &talk);
}

#[rstest]
#[case::chunks("a stream of one chunk that ends", |event: &str| Answer::Bytes(chunked(&[event, ""])))]
#[case::an_end("a stream that ends with its connection", |event: &str| Answer::End(events(event)))]
#[case::open("a stream that stays open", |event: &str| Answer::Hang(events(event)))]
#[ignore = "measures"]
fn over_events(#[case] name: &str, #[case] answer: impl Fn(&str) -> Answer + Send + Sync + 'static) {
    let (talk, _server) = calls(PATIENT, move |request| {
        answer(&format!("event: message\ndata: {}\n\n", request.response(&found(json!([])))))
    });
    assert_fine(&talk.find());
    tell(name, Duration::ZERO, timed(|| assert_fine(&talk.find())));
    at_once(name, &talk);
}

fn chunked(chunks: &[&str]) -> Vec<u8> {
    let mut bytes =
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    chunks.iter().for_each(|chunk| write!(bytes, "{:x}\r\n{chunk}\r\n", chunk.len()).unwrap());
    bytes
}

fn timed(mut call: impl FnMut()) -> Duration {
    let started = Instant::now();
    (0..CALLS).for_each(|_| call());
    started.elapsed() / CALLS
}

fn at_once(name: &str, talk: &Talk) {
    let started = Instant::now();
    assert_eq!(talk.at_once((0..CALLS).map(|number| number.to_string()), 8).len(), CALLS as usize);
    println!("{name}, 8 at once: {:?} a call", started.elapsed() / CALLS);
}

fn tell(name: &str, raw: Duration, client: Duration) {
    println!("{name}: {client:?} a call; {raw:?} in a loop that does nothing else");
}
