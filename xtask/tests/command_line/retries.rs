//! Requests that nobody took are sent again when that is asked for, and every report says so.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use tempfile::TempDir;
use testing::{Said, Server, said, unused_address, whole};

/// A server without frames that first resets this many connections, before it has read what is asked.
fn server(broken: usize) -> Server {
    let frames = r#"{"data":[],"pagination":{"limit":5,"offset":0,"total":0}}"#;
    let answer = whole("200 OK", "content-type: application/json\r\nconnection: close\r\n", frames);
    Server::accepting(move |number, mut stream| match number < broken {
        true => reset(&stream),
        false => {
            read_head(&stream);
            let _ = stream.write_all(&answer);
        }
    })
}

/// What was sent and not read makes the system reset the connection when it is closed.
fn reset(stream: &TcpStream) {
    let _ = stream.peek(&mut [0]);
}

fn read_head(stream: &TcpStream) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.take_while(|line| !line.is_empty()).for_each(drop);
}

const CASE: &str = "params/offered";

fn verified(address: &str, more: &[&str]) -> Said {
    let words = ["verify", "recall", "--http", address, "--case", CASE, "--jobs", "1"];
    said(&mut xtask(&[&words, more].concat()))
}

#[test]
fn a_request_that_nobody_took_is_a_failure_unless_it_may_be_sent_again() {
    let once = verified(&server(1).address, &[]);
    assert_eq!(once.code, Some(1), "{}{}", once.out, once.err);
    assert!(!once.out.contains("asked again"), "{}", once.out);
    let again = verified(&server(1).address, &["--retries", "2"]);
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
    assert!(
        again.out.contains("asked again once in params/offered of recall over http: the request failed:"),
        "{}",
        again.out
    );
    let never = verified(&server(1000).address, &["--retries", "2"]);
    assert_eq!(never.code, Some(1), "{}{}", never.out, never.err);
    assert!(never.out.contains("asked again "), "{}", never.out);
}

#[test]
fn nobody_who_wants_everything_takes_it_for_success() {
    let strict = ["--retries", "2", "--only", "recall.search-offered", "--strict"];
    let (sound, retried) = (verified(&server(0).address, &strict), verified(&server(1).address, &strict));
    assert_eq!(sound.code, Some(0), "{}{}", sound.out, sound.err);
    assert_eq!(retried.code, Some(3), "{}{}", retried.out, retried.err);
}

#[test]
fn every_report_marks_the_case() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let names = ["--junit", "--html", "--markdown", "--ctrf", "--json", "--log"];
    let files = names.map(|name| file(&name[2..]));
    let mut words = vec!["--retries", "3", "-q"];
    words.extend(names.iter().zip(&files).flat_map(|(name, file)| [*name, file.as_str()]));
    let run = verified(&server(2).address, &words);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();
    for name in ["junit", "html", "markdown", "ctrf"] {
        assert!(read(name).contains("asked again 2 times in params/offered of recall over http"), "{name}");
    }
    assert!(read("junit").contains("<system-out>asked again, 2 in all: "), "{}", read("junit"));
    let ctrf: Value = serde_json::from_str(&read("ctrf")).unwrap();
    let tests = ctrf["results"]["tests"].as_array().unwrap();
    assert!(tests.iter().any(|test| test["retries"] == 2 && test["flaky"] == true), "{ctrf}");
    let report: Value = serde_json::from_str(&read("json")).unwrap();
    let retried = &report["totals"]["retried"][0];
    assert_eq!((&retried["case"], &retried["times"]), (&CASE.into(), &2.into()));

    let judged = said(xtask(&["judge", "-q"]).arg(file("log")));
    assert_eq!(judged.code, Some(0), "{}", judged.err);
    assert!(judged.out.contains("asked again 2 times"), "{}", judged.out);
}

/// What comes back is an answer, however bad.
#[rstest]
#[case::no_http(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")]
#[case::half_an_answer(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")]
#[case::an_error(b"HTTP/1.1 503 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")]
fn an_answer_is_never_asked_for_again(#[case] bytes: &'static [u8]) {
    let server = Server::accepting(move |_, mut stream| {
        read_head(&stream);
        let _ = stream.write_all(bytes);
    });
    let run = verified(&server.address, &["--retries", "5"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(!run.out.contains("asked again"), "{}", run.out);
}

/// Passes connections on to a server, after it has reset this many of them.
fn proxy(to: String, broken: usize) -> Server {
    Server::accepting(move |number, stream| {
        if number < broken {
            return reset(&stream);
        }
        let upstream = TcpStream::connect(&to).unwrap();
        for (mut from, mut into) in [
            (stream.try_clone().unwrap(), upstream.try_clone().unwrap()),
            (upstream.try_clone().unwrap(), stream.try_clone().unwrap()),
        ] {
            thread::spawn(move || drop(std::io::copy(&mut from, &mut into)));
        }
    })
}

#[test]
fn an_mcp_server_is_asked_again_from_the_first_message_on() {
    let mut server = Command::new(testing::reference().unwrap());
    let corpus = testing::root().join("fixtures");
    server.args(["serve", "--port", "0", "--corpus"]).arg(corpus).stdout(Stdio::piped());
    let mut server = server.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let to = line.trim().strip_prefix("listening on http://").unwrap().to_owned();
    let verify = |broken: usize, retries: &str| {
        let proxy = proxy(to.clone(), broken);
        let address = format!("{}/mcp", proxy.address);
        let words = ["verify", "outline", "--mcp", &address, "--corpus-loaded", "--case", "tools", "--jobs", "1", "-q"];
        // Whose era is found out is asked more than once anyway.
        said(&mut xtask(&[&words[..], &["--mcp-era", "legacy", "--retries", retries]].concat()))
    };
    let (sound, once, never) = (verify(0, "1"), verify(1, "1"), verify(1, "0"));
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(sound.code, Some(0), "{}{}", sound.out, sound.err);
    assert!(!sound.out.contains("asked again"), "{}", sound.out);
    assert_eq!(once.code, Some(0), "{}{}", once.out, once.err);
    assert!(once.out.contains("asked again once in "), "{}", once.out);
    assert_ne!(never.code, Some(0), "{}{}", never.out, never.err);
}

#[test]
fn a_target_that_is_not_there_stays_away() {
    let run = verified(&unused_address(), &["--retries", "2"]);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
}
