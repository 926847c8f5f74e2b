//! What is wrong is named; what breaks disturbs nobody.

use super::{Tap, parts};
use crate::xtask;
use std::io::{Read, Write};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use testing::{Answer, Server, ok, said, unused_address, whole};

/// A search of frames.
const SEARCH: &[u8] =
    b"GET /api/v1/search?start_time=1700000000&limit=5 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// Frames at these times.
fn frames(times: &[u64]) -> String {
    let frame = |time: &u64| {
        serde_json::json!({
            "frame_id": time, "timestamp": time, "app_name": "Ledger", "window_name": "Accounts", "focused": true,
            "browser_url": null, "ocr_snippet": "text", "frame_url": format!("/api/v1/frames/{time}"),
        })
    };
    serde_json::json!({ "data": times.iter().map(frame).collect::<Vec<_>>() }).to_string()
}

#[test]
fn a_violation_is_told_at_once_and_in_the_report() {
    let server = Server::new(|_| ok(frames(&[1_700_000_001, 1_700_000_002])));
    let tap = Tap::before(&server.address, &["-v"]);
    tap.raw(SEARCH);
    tap.raw(SEARCH);
    let upstream = server.address.clone();
    let said = tap.end();
    assert_eq!(said.code, Some(1), "{}", said.out);
    let err = said.err.replace(&upstream, "SERVER");
    let told: Vec<&str> = err.lines().filter(|line| !line.contains("recall over http: search")).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    tap: violated: recall.browse-order over http: Without `q`, results are ordered by `timestamp`, newest first.
      in session/1: 1700000002 comes after 1700000001
      repeat: curl -sS -i --globoff 'SERVER/api/v1/search?start_time=1700000000&limit=5'
    ");
    assert_eq!(err.matches("tap: violated").count(), 1, "once: {err}");
    assert!(said.out.contains("VIOLATED recall.browse-order"), "{}", said.out);
    assert!(said.out.contains("heard by a tap, 2 exchanges judged: of what nobody asked it says nothing"));
    assert!(!said.out.contains("NOT EXERCISED"));
    assert!(said.log.contains("\"tap\":{\"corpus\":false,\"judged\":2}"));
}

#[test]
fn a_known_failure_is_no_news() {
    let server = Server::new(|_| ok(frames(&[1_700_000_001, 1_700_000_002])));
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known.toml");
    std::fs::write(&known, "[[known-failure]]\nrequirement = \"recall.browse-order\"\nreason = \"our #12\"\n").unwrap();
    let tap = Tap::before(&server.address, &["--known-failures", known.to_str().unwrap()]);
    tap.raw(SEARCH);
    let said = tap.end();
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    assert!(said.out.contains("KNOWN FAILURE recall.browse-order"));
}

#[test]
fn nobody_behind_it_is_told_to_both_sides() {
    let url = unused_address();
    let tap = Tap::before(&url, &[]);
    let (lines, body) = parts(&tap.raw(SEARCH));
    assert!(lines[0].starts_with("HTTP/1.1 502"), "{lines:?}");
    let body = String::from_utf8(body).unwrap();
    assert!(body.starts_with("The tap cannot reach the server behind it: "), "{body}");
    let said = tap.end();
    assert_eq!(said.code, Some(4), "{}", said.out);
    assert!(said.out.contains(&format!("nothing answers at {url}")), "{}", said.out);
}

#[test]
fn a_server_that_dies_over_an_answer_breaks_off_at_the_client_too() {
    let server = Server::new(|_| Answer::End(whole("200 OK", "", "x".repeat(100))[..100].to_vec()));
    let tap = Tap::before(&server.address, &[]);
    let (lines, body) = parts(&tap.raw(SEARCH));
    assert!(lines.contains(&"content-length: 100".to_owned()), "{lines:?}");
    assert!(body.len() < 100);
    let said = tap.end();
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("VIOLATED http.answers"), "{}", said.out);
}

#[test]
fn a_client_that_hangs_up_is_passed_on_and_held_against_nobody() {
    let (gone, wait) = channel::<()>();
    let gone = Mutex::new(gone);
    let server = Server::serving(move |asked, stream| {
        if asked.has("X-Patient: 1") {
            stream.write_all(&whole("200 OK", "connection: close\r\n", frames(&[1_700_000_001]))).unwrap();
            return;
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n{").unwrap();
        // Until writing fails, which is how a server notices.
        while stream.write_all(&[b' '; 65536]).is_ok() {}
        gone.lock().unwrap().send(()).unwrap();
    });
    let tap = Tap::before(&server.address, &[]);
    let mut client = tap.connect();
    client.write_all(SEARCH).unwrap();
    client.read_exact(&mut [0; 100]).unwrap();
    drop(client);
    wait.recv().unwrap();
    let patient = String::from_utf8_lossy(SEARCH).replace("Host", "X-Patient: 1\r\nHost");
    assert!(parts(&tap.raw(patient.as_bytes())).0[0].contains("200"));
    let said = tap.end();
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert!(said.out.contains("1 not judged: the client went away before the answer"), "{}", said.out);
}

#[test]
fn an_answer_that_is_hard_to_judge_is_no_hindrance() {
    // Deeper than we read, more values than we read, and what is not JSON at all.
    let bodies = [
        ("[".repeat(200_000), Some(5), ""),
        (format!("[{}0]", "0,".repeat(2_000_000)), Some(5), ""),
        ("\\u{d800}\"".to_owned(), Some(1), "http.json"),
    ];
    for (body, code, said) in bodies {
        let wanted = body.clone();
        let server = Server::new(move |_| ok(&body));
        let tap = Tap::before(&server.address, &[]);
        let (_, came) = parts(&tap.raw(SEARCH));
        assert!(came == wanted.as_bytes());
        let end = tap.end();
        assert_eq!(end.code, code, "{}", end.out);
        assert!(end.out.contains(said), "{}", end.out);
    }
}

#[test]
fn wrong_usage_is_told_before_anybody_listens() {
    for (arguments, words) in [
        (&["tap"][..], "--upstream <URL>"),
        (
            &["tap", "--upstream", "http://127.0.0.1:1/mcp"],
            "leave `/mcp` out of --upstream, and have the client ask http://127.0.0.1:9000/mcp",
        ),
        (&["tap", "--upstream", "ftp://it"], "`ftp://it` is no HTTP address"),
        (&["tap", "--contract", "recal", "--upstream", "http://127.0.0.1:1"], "did you mean `recall`?"),
        (&["tap", "--upstream", "http://127.0.0.1:1", "--", "cat"], "cannot be used with"),
    ] {
        let said = said(&mut xtask(arguments));
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(said.err.contains(words), "{}", said.err);
    }
}
