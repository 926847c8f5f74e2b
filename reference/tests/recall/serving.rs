//! `reference serve` as a program: its arguments, its paths, its end.

use crate::corpus::{frames, ids};
use crate::program::Server;
use crate::{EVER, server};
use rstest::rstest;
use serde_json::json;
use std::io::Read;
use std::net::TcpStream;
use std::process::Command;

#[rstest]
fn paths_and_methods_that_are_not_there_are_refused_in_json(server: Server) {
    assert_eq!(server.get("/health").0, 200);
    assert_eq!(server.get("/api/v1/other").1["code"], "NOT_FOUND");
    let (status, body) = server.request("POST", &format!("/api/v1/search?{EVER}"));
    assert_eq!((status, &body["code"]), (405, &json!("METHOD_NOT_ALLOWED")));
}

#[test]
fn without_frames_there_is_an_empty_answer() {
    assert_eq!(
        Server::start(&[]).search(EVER),
        json!({ "data": [], "pagination": { "limit": 20, "offset": 0, "total": 0 } })
    );
}

#[test]
fn a_database_needs_no_more_than_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.sqlite");
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE frames (frame_id INTEGER PRIMARY KEY, timestamp REAL NOT NULL, app_name TEXT NOT NULL,
                 window_name TEXT NOT NULL, browser_url TEXT, focused INTEGER, ocr_text TEXT NOT NULL);
             INSERT INTO frames WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
                 SELECT i, 1700000000 + i, 'app', 'window', NULL, NULL, 'word number' || i FROM n",
        )
        .unwrap();
    drop(database);
    for _ in ["as it was", "as the first server left it"] {
        let server = Server::start(&["--db", path.to_str().unwrap()]);
        assert_eq!(server.search(&format!("{EVER}&limit=2&offset=1"))["pagination"]["total"], 50_000);
        assert_eq!(ids(&server.search(&format!("{EVER}&limit=2&offset=1"))), [49_999, 49_998]);
        assert_eq!(ids(&server.search(&format!("{EVER}&q=NUMBER77"))), [77]);
    }
}

#[test]
fn a_line_that_is_no_frame_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.ndjson");
    let first = frames().remove(0).to_string();
    std::fs::write(&path, format!("{first}\n{{\"frame_id\":1}}\n")).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_reference")).args(["serve", "--recall-frames"]).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("line 2 of") && message.contains("frames.ndjson"), "{message}");
}

#[cfg(unix)]
#[rstest]
#[case::terminated("-TERM")]
#[case::interrupted("-INT")]
fn a_signal_stops_it_cleanly(mut server: Server, #[case] signal: &str) {
    // A connection that never asks anything must not keep it.
    let idle = TcpStream::connect(&server.address).unwrap();
    let process = server.process.id().to_string();
    assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
    let mut more = String::new();
    server.output.read_to_string(&mut more).unwrap();
    assert_eq!(more, "", "standard output has one line");
    drop(idle);
}
