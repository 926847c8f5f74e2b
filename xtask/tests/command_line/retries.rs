//! Requests that nobody took are sent again when that is asked for, and every report says so.

use super::{Said, said, xtask};
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tempfile::TempDir;

/// A server without frames that breaks so many connections first, before it has read what is asked.
fn server(broken: usize) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let seen = AtomicUsize::new(0);
        for stream in listener.incoming().flatten() {
            match seen.fetch_add(1, Ordering::Relaxed) < broken {
                // What was sent and not read makes the system reset the connection.
                true => drop(stream.peek(&mut [0])),
                false => answer(&stream),
            }
        }
    });
    address
}

fn answer(mut stream: &TcpStream) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let body = r#"{"data":[],"pagination":{"limit":5,"offset":0,"total":0}}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
}

const CASE: &str = "params/offered";

fn verified(address: &str, more: &[&str]) -> Said {
    let words = ["verify", "recall", "--http", address, "--case", CASE, "--jobs", "1"];
    said(&mut xtask(&[&words, more].concat()))
}

#[test]
fn a_request_that_nobody_took_is_a_failure_unless_it_may_be_sent_again() {
    let once = verified(&server(1), &[]);
    assert_eq!(once.code, Some(1), "{}{}", once.out, once.err);
    assert!(!once.out.contains("asked again"), "{}", once.out);
    let again = verified(&server(1), &["--retries", "2"]);
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
    assert!(
        again.out.contains("asked again once in params/offered of recall over http: the request failed:"),
        "{}",
        again.out
    );
    let never = verified(&server(1000), &["--retries", "2"]);
    assert_eq!(never.code, Some(1), "{}{}", never.out, never.err);
    assert!(never.out.contains("asked again "), "{}", never.out);
}

#[test]
fn nobody_who_wants_everything_takes_it_for_success() {
    let strict = ["--retries", "2", "--only", "recall.search-offered", "--strict"];
    let (sound, retried) = (verified(&server(0), &strict), verified(&server(1), &strict));
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
    let run = verified(&server(2), &words);
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
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let _ = stream.write_all(bytes);
        }
    });
    let run = verified(&address, &["--retries", "5"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(!run.out.contains("asked again"), "{}", run.out);
}

/// Passes connections on to a server, after it has broken so many of them.
fn proxy(to: String, broken: usize) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for (at, stream) in listener.incoming().flatten().enumerate() {
            if at < broken {
                drop(stream.peek(&mut [0]));
                continue;
            }
            let upstream = TcpStream::connect(&to).unwrap();
            for (mut from, mut into) in [
                (stream.try_clone().unwrap(), upstream.try_clone().unwrap()),
                (upstream.try_clone().unwrap(), stream.try_clone().unwrap()),
            ] {
                thread::spawn(move || drop(std::io::copy(&mut from, &mut into)));
            }
        }
    });
    address
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
        let address = format!("{}/mcp", proxy(to.clone(), broken));
        let words = ["verify", "outline", "--mcp", &address, "--corpus-loaded", "--case", "tools", "--jobs", "1", "-q"];
        said(&mut xtask(&[&words[..], &["--retries", retries]].concat()))
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
    let address = format!("http://{}", TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap());
    let run = verified(&address, &["--retries", "2"]);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
}
