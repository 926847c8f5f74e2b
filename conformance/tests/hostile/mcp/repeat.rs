//! The command that repeats a call: pasted into a shell, it calls the same tool of the same server.

use super::program::program;
use super::server::{answer, but};
use super::talk::{PATIENT, Talk, derived, find, initialize};
use crate::trial::runtime;
use conformance::model::{Era, Exchange};
use conformance::report::repeat;
use conformance::transport::{Mcp, McpProgram, Session};
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::{Command, Output};

/// What a shell may read in another way.
const ODD: &str = "it's `id` $(id) $HOME \"x\" \\ \\n %s ! * ~ # ; & | < >\n\ttab \u{e9}";

#[rstest]
#[case::in_this_folder("")]
#[case::in_another("a folder's")]
fn a_call_over_standard_streams(#[case] folder: &str) {
    let program = program(
        "other() { say \"$line\" >>\"$FOLDER/other\"; }; call() { say \"$line\" >>\"$FOLDER/calls\"; result \"$FOUND\"; }",
    );
    let place = program.file(folder);
    std::fs::create_dir_all(&place).unwrap();
    let server = McpProgram { command: &program.words(), environment: BTreeMap::new(), folder: Some(place) };
    let mcp = Mcp::program(server, PATIENT).unwrap().in_era(Era::Legacy);
    let with = json!({ "query": ODD });
    let reply = runtime().block_on(mcp.call(&find(), with.as_object().unwrap())).unwrap();
    let reply = derived(&reply, &find());
    program.assert_nothing_runs(1);
    let output = pasted(&reply);
    assert!(output.status.success(), "{output:?}");
    let answers: Vec<Value> = lines(&output);
    assert_eq!(answers.last().unwrap()["result"], reply.answer["result"], "{output:?}");
    let calls: Vec<Value> = program.read("calls").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0]["params"], calls[1]["params"]);
    assert!(program.read("other").lines().all(|line| line.contains("notifications/initialized")));
    program.assert_nothing_runs(2);
}

#[rstest]
#[case::without_a_session(None)]
#[case::with_a_session(Some("s-1"))]
fn a_call_at_an_address(#[case] session: Option<&'static str>) {
    if Command::new("curl").arg("--version").output().is_err() {
        // The command is for people who have it; the words of it are tested below all the same.
        return;
    }
    let server = but(move |request| {
        if request.method() == "initialize" {
            let session = session.map(|session| format!("Mcp-Session-Id: {session}\r\n")).unwrap_or_default();
            let headers = format!("content-type: application/json\r\n{session}");
            return Some(answer("200 OK", &headers, request.response(&initialize()).to_string()));
        }
        (request.header("mcp-session-id") != session).then(|| answer("404 Not Found", "", ""))
    });
    let headers = BTreeMap::from([("X-Odd".to_owned(), "it's $HOME `id` \"quoted\"".to_owned())]);
    let talk = Talk::by(&server.address, &headers, PATIENT);
    let reply = talk.ask(&find(), json!({ "query": ODD })).unwrap();
    let before = server.requests().len();
    let output = pasted(&reply);
    assert!(output.status.success(), "{output:?}");
    let answers: Vec<Value> = lines(&output);
    assert_eq!(answers.last().unwrap()["result"], reply.answer["result"], "{output:?}");
    let heard = server.requests().split_off(before);
    let call = heard.last().unwrap();
    assert_eq!(call.message, reply.request.sent["message"]);
    assert_eq!(heard.len(), if session.is_some() { 3 } else { 1 });
    assert!(heard.iter().all(|request| request.header("x-odd") == Some("it's $HOME `id` \"quoted\"")));
    assert!(heard.iter().all(|request| request.header("accept") == Some("application/json, text/event-stream")));
    assert!(heard.iter().all(|request| request.header("content-type") == Some("application/json")));
}

#[test]
fn a_shell_reads_every_word_as_it_was_sent() {
    let message = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": ODD } });
    let url = format!("http://127.0.0.1/{ODD}");
    for session in [false, true] {
        let sent = json!({ "url": url, "headers": { "X": ODD }, "session": session, "message": message });
        let command = repeat::command(&json!({ "request": { "sent": sent } })).unwrap();
        let script = format!("curl() {{ printf '%s\\0' \"$@\" >&2; }}; {command}");
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        let words: Vec<&str> = words.split('\0').collect();
        for word in [&message.to_string(), &url, &format!("X: {ODD}")] {
            assert!(words.contains(&word.as_str()), "{word:?} is not among {words:?}");
        }
    }
}

#[test]
fn a_call_that_was_never_made_cannot_be_repeated() {
    let talk = Talk::with(&["/bin/sh".to_owned(), "-c".to_owned(), "exit 1".to_owned()], PATIENT).unwrap();
    talk.not_there();
    assert_eq!(repeat::command(&json!({ "request": { "sent": null } })), None);
}

/// Runs the command of a call as a person would.
fn pasted(reply: &Exchange) -> Output {
    let command = repeat::command(&json!({ "request": reply.request })).unwrap();
    Command::new("bash").args(["-c", &command]).output().unwrap()
}

/// The lines of an output that are JSON.
fn lines(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
