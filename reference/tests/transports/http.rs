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

#[rstest]
#[case::foreign_page("Origin: https://page.example", 403)]
#[case::null_page("Origin: null", 403)]
#[case::own_page("Origin: http://localhost:6274", 200)]
#[case::foreign_name("Host: rebound.example", 403)]
#[case::a_name_that_begins_like_ours("Host: localhost.rebound.example", 403)]
#[case::own_name("Host: localhost", 200)]
fn every_path_answers_only_pages_and_names_of_loopback(#[case] header: &str, #[case] status: u16) {
    let server = Server::start(&[]);
    assert_eq!(server.request("GET", "/health", &[header], "").status, status);
    let paths = [("GET", "/api/v1/search?start_time=0"), ("POST", "/v0/search"), ("POST", "/mcp"), ("GET", "/none")];
    for (method, path) in paths {
        let answer = server.request(method, path, &[header], "{}");
        assert_eq!(answer.status == 403, status == 403, "{path}: {}", answer.body);
    }
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
