//! What a tap adds to a call: printed, never asserted. `cargo test --release -p retrieval-contracts --test command_line -- --ignored --nocapture tap`

use super::Tap;
use crate::xtask;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CALLS: usize = 3000;

/// A server that keeps its connections and answers at once.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let item = r#"{"frame_id":1,"timestamp":1700000001,"app_name":"Ledger","window_name":"Accounts","focused":true,"browser_url":null,"ocr_snippet":"text","frame_url":"/f/1"}"#;
    let body = format!("{{\"data\":[{}]}}", [item; 5].join(","));
    let answer =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), answer.clone());
            stream.set_nodelay(true).unwrap();
            std::thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                while let Some(Ok(line)) = lines.next() {
                    if line.is_empty() && stream.write_all(answer.as_bytes()).is_err() {
                        break;
                    }
                }
            });
        }
    });
    address
}

/// How long each of many calls takes, the middle one and the one that 99 of 100 are not slower than.
fn measured(mut call: impl FnMut()) -> (Duration, Duration) {
    (0..100).for_each(|_| call());
    let mut times: Vec<Duration> = (0..CALLS)
        .map(|_| {
            let begun = Instant::now();
            call();
            begun.elapsed()
        })
        .collect();
    times.sort();
    (times[CALLS / 2], times[CALLS * 99 / 100])
}

fn over_http(address: &str) -> (Duration, Duration) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = vec![0; 1 << 16];
    measured(|| {
        stream
            .write_all(b"GET /api/v1/search?start_time=1700000000&limit=5 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        let mut count = 0;
        while !buffer[..count].ends_with(b"]}") {
            count += stream.read(&mut buffer[count..]).unwrap();
        }
    })
}

fn over_streams(mut command: Command) -> (Duration, Duration) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut output = BufReader::new(output);
    let mut line = String::new();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_memories","arguments":{}}}"#;
    let measured = measured(|| {
        input.write_all(call.as_bytes()).and_then(|()| input.write_all(b"\n")).unwrap();
        line.clear();
        output.read_line(&mut line).unwrap();
    });
    drop(input);
    child.wait().unwrap();
    measured
}

#[test]
#[ignore = "a measurement"]
fn what_a_tap_adds() {
    let address = server();
    let direct = over_http(&address);
    let tap = Tap::before(&format!("http://{address}"), &["--quiet"]);
    let tapped = over_http(&tap.address);
    tap.end();
    println!("HTTP, {CALLS} calls, median and 99 of 100: direct {direct:?}, tapped {tapped:?}");
    let direct = over_streams(Command::new("cat"));
    let tapped = over_streams(xtask(&["tap", "--", "cat"]));
    println!("streams, {CALLS} calls, median and 99 of 100: direct {direct:?}, tapped {tapped:?}");
}
