//! Whole runs: what is violated, what cannot be told, and how they end.

use super::program::{CALLS, RESULTS, program};
use super::server::{answer, but, json};
use super::small::{target, tried, tried_program};
use super::talk::initialize;
use crate::trial::Trial;
use conformance::model::{Conclusion, Verdict};
use conformance::targets::{Address, TargetError};
use conformance::transport::TransportError;
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use testing::{Answer, Request};

/// The tools of a server that keeps the small contract: `find` and `read`, and a limit that must be above 0.
const GOOD: &str = r#"
TOOLS='{"tools":[
{"name":"find","inputSchema":{"type":"object","properties":{"query":{},"limit":{}}}},
{"name":"read","inputSchema":{"type":"object","properties":{"id":{}}}}]}'
TOOLS=$(say "$TOOLS" | tr -d '\n')
"#;

fn good_but(lines: &str) -> Trial {
    tried_program(&format!("{GOOD}{RESULTS}{CALLS}\n{lines}"))
}

/// The same at an address.
fn at_address(request: &Request) -> Option<Answer> {
    let tool = |name: &str, argument: &str| json!({ "name": name, "inputSchema": { "type": "object", "properties": { argument: {}, "limit": {} } } });
    let params = &request.message["params"];
    let result = match (request.method(), params["name"].as_str(), &params["arguments"]["limit"]) {
        ("tools/list", ..) => json!({ "tools": [tool("find", "query"), tool("read", "id")] }),
        ("tools/call", Some("read"), _) => {
            json!({ "content": [{ "type": "text", "text": "{\"title\":\"a\"}" }], "structuredContent": { "title": "a" } })
        }
        ("tools/call", _, Value::Number(_)) => json!({ "content": [], "isError": true }),
        _ => return None,
    };
    Some(json(&request.response(&result)))
}

#[test]
fn a_good_program() {
    let trial = good_but("");
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
    for requirement in
        ["mcp.answers", "mcp.no-noise", "mcp.response-id", "mcp.envelope", "mcp.content-blocks", "mcp.text-copy"]
    {
        assert_eq!(trial.verdict_in("1-find", requirement), Verdict::Pass, "{requirement}");
    }
    let of_tools =
        ["mcp.initialize", "mcp.tool-form", "mcp.tool-names-unique", "mcp.schemas-valid", "mcp.ping", "mcp.tools-end"];
    for requirement in of_tools {
        assert_eq!(trial.verdict_in("4-tools", requirement), Verdict::Pass, "{requirement}");
    }
}

#[test]
fn a_good_server() {
    let server = but(at_address);
    let trial = tried(&target(Address::McpHttp(server.address.clone())));
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
    assert_eq!(trial.verdict_in("1-find", "mcp-http.content-type"), Verdict::Pass);
    assert_eq!(trial.verdict_in("4-tools", "mcp-http.accepts-notifications"), Verdict::Pass);
}

#[rstest]
#[case::refused("400 Bad Request", "no", true)]
#[case::a_word("202 Accepted", "Accepted", false)]
#[case::nothing("204 No Content", "", false)]
fn what_a_notification_is_answered_with(
    #[case] status: &'static str,
    #[case] body: &'static str,
    #[case] is_right: bool,
) {
    let is_notification = |request: &Request| request.method() == "notifications/initialized";
    let server = but(move |request| match is_notification(request) {
        true => Some(answer(status, "", body)),
        false => at_address(request),
    });
    let trial = tried(&target(Address::McpHttp(server.address.clone())));
    let expected: &[&str] = if is_right { &[] } else { &["mcp-http.accepts-notifications"] };
    assert_eq!(trial.violated(), expected);
}

#[rstest]
#[case::noise("call() { say hello; result \"$FOUND\"; }", "mcp.no-noise")]
#[case::an_id_as_text("call() { id=\"\\\"$id\\\"\"; result \"$FOUND\"; }", "mcp.response-id")]
#[case::no_version("call() { say \"{\\\"id\\\":$id,\\\"result\\\":$FOUND}\"; }", "mcp.envelope")]
#[case::no_utf_8(
    "call() { printf '{\"jsonrpc\":\"2.0\",\"x\":\"\\351\",\"id\":%s,\"result\":%s}\\n' \"$id\" \"$FOUND\"; }",
    "mcp.utf-8"
)]
#[case::a_sentence("call() { result '{\"content\":[{\"type\":\"text\",\"text\":\"Found 1\"}]}'; }", "mcp.json")]
#[case::nothing("call() { result '{\"content\":[]}'; }", "mcp.json")]
#[case::no_content("call() { result '{\"structuredContent\":{}}'; }", "mcp.content-blocks")]
#[case::an_error_of_its_own("call() { error '{\"code\":-32603,\"message\":\"x is undefined\"}'; }", "mcp.answers")]
#[case::the_same_cursor("list() { result \"${TOOLS%\\}},\\\"nextCursor\\\":\\\"x\\\"}\"; }", "mcp.tools-end")]
#[case::a_server_without_a_version(
    "INITIALIZE='{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"x\"}}'",
    "mcp.initialize"
)]
#[case::no_ping("ping() { error '{\"code\":-32601,\"message\":\"no\"}'; }", "mcp.ping")]
#[case::no_schema(
    "TOOLS=$(say \"$TOOLS\" | sed 's/\"limit\":{}/\"limit\":{\"type\":\"integr\"}/')",
    "mcp.schemas-valid"
)]
#[case::no_list("list() { error '{\"code\":-32601,\"message\":\"no\"}'; }", "mcp.answers")]
fn a_requirement_of_the_protocol_itself(#[case] lines: &str, #[case] requirement: &str) {
    let trial = good_but(lines);
    assert!(trial.violated().contains(&requirement), "{:?}", trial.violated());
    assert_eq!(trial.log.totals.exit_code, 1);
}

/// A tool of another name is another revision; whether one is owed, the list of tools is judged by.
#[test]
fn a_tool_that_is_missing_leaves_what_needs_it_untold() {
    let trial = good_but("TOOLS='{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}]}'");
    assert_eq!(trial.violated(), Vec::<&str>::new());
    assert_eq!(trial.verdict_in("3-read", "small.title"), Verdict::Incomplete);
    assert!(
        trial.why_in("3-read", "small.title").contains("no tool `read`"),
        "{}",
        trial.why_in("3-read", "small.title")
    );
    assert!(
        trial.why_in("3-read", "small.read").contains("no tool `read`"),
        "{}",
        trial.why_in("3-read", "small.read")
    );
    assert_eq!(trial.verdict_in("1-find", "small.results"), Verdict::Pass);
    assert_eq!(trial.log.totals.exit_code, 3);
}

#[test]
fn a_tool_of_another_revision_cannot_be_judged() {
    let trial =
        good_but("TOOLS=$(say \"$TOOLS\" | sed 's/\"query\"/\"q\"/; s/\"limit\"/\"max\"/; s/\"id\"/\"noteId\"/')");
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 3), "{}", trial.everything_said());
    for (case, requirement, names) in [
        ("1-find", "small.found", ["limit, query", "q, max"]),
        ("1-find", "small.results", ["limit, query", "q, max"]),
        ("2-limit", "small.limit", ["limit, query", "q, max"]),
        ("3-read", "small.read", ["id", "noteId"]),
    ] {
        assert_eq!(trial.verdict_in(case, requirement), Verdict::Incomplete);
        let why = trial.why_in(case, requirement);
        assert!(names.iter().all(|names| why.contains(names)), "{why}");
    }
    assert_eq!(trial.verdict_in("4-tools", "small.listed"), Verdict::Pass);
}

#[test]
fn a_program_that_dies_twice_cannot_be_judged_after_that() {
    let trial = good_but("call() { echo 'out of memory' >&2; exit 7; }");
    // The first case and the first step of the second each cost a server; nobody is asked from then on.
    assert_eq!(trial.verdict_in("1-find", "small.found"), Verdict::Fail);
    assert_eq!(trial.verdict_in("1-find", "small.results"), Verdict::Incomplete);
    for (case, requirement) in [
        ("2-limit", "small.limit"),
        ("3-read", "small.read"),
        ("4-tools", "small.listed"),
        ("5-find-again", "small.found"),
    ] {
        assert_eq!(trial.verdict_in(case, requirement), Verdict::Incomplete, "{case}");
        assert!(trial.why_in(case, requirement).contains("twice"), "{}", trial.why_in(case, requirement));
    }
    assert_eq!(trial.violated(), ["mcp.answers", "small.found"]);
    assert_eq!(trial.log.totals.exit_code, 1);
}

#[test]
fn a_refusal_that_is_not_due_leaves_the_answer_untold() {
    let trial = good_but("call() { result \"$REFUSED\"; }");
    assert_eq!(trial.verdict_in("1-find", "small.found"), Verdict::Fail);
    assert_eq!(trial.verdict_in("1-find", "small.results"), Verdict::Incomplete);
    assert!(trial.why_in("1-find", "small.results").contains("limit must be above 0"));
    assert_eq!(trial.verdict_in("2-limit", "small.limit"), Verdict::Incomplete, "its twin was refused too");
    assert_eq!(trial.verdict_in("2-limit", "small.words"), Verdict::Incomplete);
}

#[test]
fn the_words_of_a_refusal_that_is_due_are_judged() {
    let trial = good_but("");
    assert_eq!(trial.verdict_in("2-limit", "small.limit"), Verdict::Pass);
    assert_eq!(trial.verdict_in("2-limit", "small.words"), Verdict::Pass);
    let trial = good_but("REFUSED='{\"isError\":true}'");
    assert_eq!(trial.verdict_in("2-limit", "small.words"), Verdict::Fail);
}

#[rstest]
#[case::ends_at_once("echo 'no database' >&2; exit 3", "no database")]
#[case::does_not_begin("initialize() { error '{\"code\":1,\"message\":\"no licence\"}'; }", "no licence")]
fn a_program_that_does_not_start_is_not_there(#[case] lines: &str, #[case] words: &str) {
    let trial = good_but(lines);
    let error = trial.unreachable.as_ref().unwrap();
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!((&trial.log.totals.conclusion, trial.log.totals.exit_code), (&Conclusion::NotReachable, 4));
    assert!(trial.everything_said().contains(words));
}

/// Whatever is asked, nothing can be told of a server without its data: that it refuses is no fault.
#[rstest]
#[case::a_tool_error(
    "call() { result '{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"The plugin is not connected. Open the app.\"}]}'; }"
)]
#[case::an_error_of_the_protocol("call() { error '{\"code\":-32603,\"message\":\"The plugin is not connected.\"}'; }")]
fn a_server_whose_source_of_data_is_not_connected_is_reported_as_that(#[case] lines: &str) {
    let trial = good_but(lines);
    let error = trial.unreachable.as_ref().unwrap().to_string();
    assert!(
        error.contains(" answers, and its source of data is not connected: The plugin is not connected."),
        "{error}"
    );
    assert_eq!((trial.log.totals.exit_code, trial.violated()), (4, Vec::new()));
    assert!(trial.everything_said().contains("The plugin is not connected."));
}

#[test]
fn a_program_that_does_not_exist_is_told_before_the_run() {
    let error = target(Address::McpStdio(vec!["no-such-program-7f3a".to_owned()])).ready(&BTreeMap::new(), &|_| None);
    assert!(matches!(error, Err(TargetError::Transport(TransportError::NotThere { .. }))));
}

#[test]
fn a_server_that_wants_a_token_is_not_there() {
    let server = but(|_| Some(answer("401 Unauthorized", "", "")));
    let trial = tried(&target(Address::McpHttp(server.address.clone())));
    assert_eq!(trial.log.totals.exit_code, 4);
    assert!(trial.unreachable.unwrap().to_string().contains("token"));
}

#[test]
fn a_port_where_nobody_listens_is_not_there() {
    let trial = tried(&target(Address::McpHttp("http://127.0.0.1:1/mcp".to_owned())));
    assert_eq!(trial.log.totals.exit_code, 4);
    assert!(trial.unreachable.unwrap().to_string().contains("http://127.0.0.1:1/mcp"));
}

#[rstest]
#[case::authorization("Authorization", "Bearer s3cret-t0ken")]
#[case::a_key("X-Api-Key", "s3cret-t0ken")]
#[case::a_token("X-Own-Token", "s3cret-t0ken")]
#[case::a_cookie("Cookie", "s3cret-t0ken")]
fn a_secret_is_sent_and_never_shown(#[case] name: &str, #[case] value: &str) {
    let server = but(|request| {
        let words = "you are s3cret-t0ken";
        let mut result =
            json!({ "content": [{ "type": "text", "text": words }], "structuredContent": { words: words } });
        if request.method() == "initialize" {
            result = initialize();
            result["instructions"] = json!(words);
        }
        let error = json!({ "jsonrpc": "2.0", "id": "s3cret-t0ken", "error": { "code": 1, "message": words } });
        match (request.method(), &request.message["params"]["name"]) {
            ("initialize", _) => Some(json(&request.response(&result))),
            ("tools/call", name) if name == "read" => Some(json(&error)),
            ("tools/call", _) => Some(json(&request.response(&result))),
            _ => at_address(request),
        }
    });
    let mut file = target(Address::McpHttp(server.address.clone()));
    file.endpoints[0].headers.insert(name.to_owned(), value.to_owned());
    let trial = tried(&file);
    assert!(server.requests().iter().all(|request| request.header(name) == Some(value)));
    let said = trial.everything_said();
    assert!(said.contains("[redacted: ") && !said.contains("s3cret"), "{said}");
}

#[test]
fn what_acts_on_a_terminal_is_shown_inert() {
    let odd = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}\u{9b}31m</testcase>]]>";
    let server = but(move |request| {
        let result = json!({ "content": [{ "type": odd, "text": odd }], "structuredContent": { odd: odd } });
        match request.method() {
            "tools/call" if request.message["params"]["name"] == "read" => {
                let error = json!({ "code": odd, "message": odd });
                Some(json(&json!({ "jsonrpc": odd, "id": odd, "error": error })))
            }
            "tools/call" => Some(json(&request.response(&result))),
            _ => at_address(request),
        }
    });
    let trial = tried(&target(Address::McpHttp(server.address.clone())));
    assert_eq!(trial.log.totals.exit_code, 1);
    testing::assert_inert(&trial.everything_said());
}

#[test]
fn eight_cases_at_once_are_as_good_as_one() {
    let program = program(&format!("{GOOD}{RESULTS}{CALLS}"));
    let mut file = target(Address::McpStdio(program.words()));
    file.jobs = Some(8);
    let trial = tried(&file);
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0));
    assert_eq!(program.read("pids").lines().count(), 1, "all cases share one server");
}
