//! `reference serve`: its paths and its end.

use crate::support::http::Server;
use rstest::rstest;
use serde_json::json;
use std::io::Read;
use std::net::TcpStream;

#[test]
fn paths_and_methods_that_are_not_there_are_refused_in_json() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/health").0, 200);
    assert_eq!(server.get("/api/v1/other").1["code"], "NOT_FOUND");
    let (status, body) = server.post("/api/v1/search?start_time=0", &[], "");
    assert_eq!((status, &body["code"]), (405, &json!("METHOD_NOT_ALLOWED")));
}

#[cfg(unix)]
#[rstest]
#[case::terminated("-TERM")]
#[case::interrupted("-INT")]
fn a_signal_stops_it_cleanly(#[case] signal: &str) {
    let mut server = Server::start(&[]);
    // A connection that never asks anything must not keep it.
    let idle = TcpStream::connect(&server.address).unwrap();
    server.process.signal(signal);
    assert_eq!(server.process.code(), Some(0));
    let mut more = String::new();
    server.output.read_to_string(&mut more).unwrap();
    assert_eq!(more, "", "standard output has one line");
    drop(idle);
}
