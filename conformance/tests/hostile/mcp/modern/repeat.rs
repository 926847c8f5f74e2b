//! The command that repeats a modern call needs no handshake, and says in headers and `_meta` what the call said.

use super::program;
use super::server::{modern, tried_at};
use crate::trial::Trial;
use conformance::model::Eras;
use conformance::report::repeat;
use rstest::rstest;
use serde_json::{Value, json};
use std::process::{Command, Output};
use testing::Server;

/// Runs the command that repeats the first call of a case as a person would.
fn pasted(trial: &Trial, case: &str) -> (Value, Output) {
    let case = trial.log.cases.iter().find(|run| run.case == case).unwrap();
    let exchange = case.evidence.as_array().unwrap().last().unwrap()[0].clone();
    let command = repeat::command(&exchange).unwrap();
    assert!(!command.contains("initialize"), "{command}");
    (exchange, Command::new("bash").args(["-c", &command]).output().unwrap())
}

/// The last line of an output that is JSON.
fn answered(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut answers = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    answers.next_back().unwrap_or_else(|| panic!("{output:?}"))
}

fn has_curl() -> bool {
    Command::new("curl").arg("--version").output().is_ok()
}

#[rstest]
#[case::a_tool("3-read", "result")]
#[case::a_refusal_of_the_tool("2-limit", "result")]
#[case::a_list("4-tools", "result")]
#[case::a_version_that_nobody_knows("protocol/other-version", "error")]
#[case::a_header_that_is_missing("protocol/no-method-header", "error")]
#[case::a_name_in_base64("protocol/encoded-name-header", "result")]
fn a_call_at_an_address(#[case] case: &str, #[case] member: &str) {
    if !has_curl() {
        return;
    }
    let (trial, server) = tried_at(Eras::Auto, |request| modern(request).answer());
    let before = server.requests().len();
    let (exchange, output) = pasted(&trial, case);
    let answer = answered(&output);
    match exchange["answer"].get(member).filter(|known| !known.is_null()) {
        Some(known) => assert_eq!(answer[member], *known),
        None => assert!(answer["result"]["tools"].is_array(), "{answer}"),
    }
    assert_one(&server, before, &exchange);
}

/// One request went out, with the message and the headers that were sent in the run.
fn assert_one(server: &Server, before: usize, exchange: &Value) {
    let heard = server.requests().split_off(before);
    let [request] = &heard[..] else { panic!("{heard:?}") };
    let sent = &exchange["request"]["sent"];
    assert_eq!(request.message, sent["message"]);
    for name in ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"] {
        assert_eq!(request.header(name), sent["headers"][name].as_str(), "{name}");
    }
}

#[test]
fn an_argument_that_is_mirrored() {
    if !has_curl() {
        return;
    }
    let (trial, server) = tried_at(Eras::Auto, |request| {
        let mut reply = modern(request);
        if request.method() == "tools/list" && reply.status == "200 OK" {
            reply.body["result"]["tools"][1]["inputSchema"]["properties"]["id"] =
                json!({ "type": "string", "x-mcp-header": "Id" });
        }
        reply.answer()
    });
    let before = server.requests().len();
    pasted(&trial, "3-read");
    let heard = server.requests().split_off(before);
    assert_eq!(heard[0].header("mcp-param-id"), Some("x"));
}

#[rstest]
#[case::modern(program::modern("note() { say \"$line\" >>\"$FOLDER/calls\"; }\ncall() { note; fine && called; }"))]
#[case::both(program::dual(
    "note() { say \"$line\" >>\"$FOLDER/calls\"; }\ncall() { note; if [ \"$LEGACY\" ]; then called; else fine && called; fi; }"
))]
fn a_call_over_standard_streams(#[case] program: testing::Script) {
    let trial = program::run(&program, Eras::Auto);
    let before = program.read("calls").lines().count();
    let (exchange, output) = pasted(&trial, "3-read");
    assert_eq!(answered(&output)["result"], exchange["answer"]["result"], "{output:?}");
    let calls: Vec<Value> =
        program.read("calls").lines().skip(before).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(calls, [exchange["request"]["sent"]["message"].clone()]);
    program.assert_nothing_runs(2);
}
