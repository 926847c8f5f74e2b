//! Lists of tools that are right by the protocol and that clients refuse, and lists that are wrong by it.

use super::program::{CALLS, RESULTS, program};
use super::server::{answer, but, json};
use super::small::{suite, target, tried};
use crate::reports::assert_whole_and_inert;
use crate::trial::{Trial, on_a_terminal, runtime};
use conformance::gate::Gate;
use conformance::model::{Conclusion, Eras, Outcome, Verdict};
use conformance::report::{ctrf, html, json as json_report, junit, markdown};
use conformance::targets::Address;
use rstest::rstest;
use serde_json::{Value, json};
use testing::{Request, Server};

/// The tools of the small contract, and another one.
fn tools(more: &Value) -> Value {
    let tool =
        |name: &str| json!({ "name": name, "description": "Finds – “all”", "inputSchema": { "type": "object" } });
    json!({ "tools": [tool("find"), tool("read"), more] })
}

/// A program that keeps the small contract and lists another tool.
fn lines(more: &Value) -> String {
    // An escape stays one in the text of a script.
    format!("TOOLS='{}'\n{RESULTS}{CALLS}", escaped(&tools(more)))
}

/// JSON in ASCII.
fn escaped(value: &Value) -> String {
    let write = |character: char| match character.is_ascii() {
        true => character.to_string(),
        false => character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    value.to_string().chars().map(write).collect()
}

/// The same at an address, in both eras.
fn server(more: Value) -> Server {
    but(move |request| {
        let params = &request.message["params"];
        let is_modern = params["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28";
        let mut result = match (request.method(), params["name"].as_str(), &params["arguments"]["limit"]) {
            ("server/discover", ..) => {
                json!({ "supportedVersions": ["2026-07-28", "2025-11-25"], "capabilities": { "tools": {} } })
            }
            ("tools/list", ..) => tools(&more),
            ("tools/call", Some("read"), _) => {
                json!({ "content": [{ "type": "text", "text": "{\"title\":\"a\"}" }], "structuredContent": { "title": "a" } })
            }
            ("tools/call", _, Value::Number(_)) => json!({ "content": [], "isError": true }),
            ("tools/call", ..) if is_modern => {
                json!({ "content": [{ "type": "text", "text": "{\"results\":[]}" }], "structuredContent": { "results": [] } })
            }
            _ => return if is_modern { Some(unknown(request)) } else { None },
        };
        if is_modern {
            result["resultType"] = json!("complete");
            result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": { "name": "small", "version": "1" } });
            (result["ttlMs"], result["cacheScope"]) = (json!(0), json!("public"));
        }
        Some(json(&request.response(&result)))
    })
}

fn unknown(request: &Request) -> testing::Answer {
    let error = json!({ "code": -32601, "message": "no such method" });
    answer("404 Not Found", "", json!({ "jsonrpc": "2.0", "id": request.message["id"], "error": error }).to_string())
}

fn over_stdio(more: &Value) -> Trial {
    let program = program(&lines(more));
    let mut file = target(Address::McpStdio(program.words()));
    file.endpoints[0].eras = Eras::Legacy;
    let trial = tried(&file);
    program.assert_nothing_runs(1);
    trial
}

fn over_http(more: Value, eras: Eras) -> Trial {
    let server = server(more);
    let mut file = target(Address::McpHttp(server.address.clone()));
    file.endpoints[0].eras = eras;
    tried(&file)
}

/// A tool of this name.
fn named(name: &str) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" } })
}

/// A tool with this at the root of its input schema.
fn rooted(keyword: &str, value: Value) -> Value {
    json!({ "name": "more", "inputSchema": { "type": "object", "properties": { "a": {} }, keyword: value } })
}

#[rstest]
#[case::any_of(rooted("anyOf", json!([{ "required": ["a"] }, {}])), &["client.root-combinations"])]
#[case::one_of(rooted("oneOf", json!([{ "required": ["a"] }, { "required": ["b"] }])), &["client.root-combinations"])]
#[case::all_of(rooted("allOf", json!([{ "required": ["a"] }])), &["client.root-combinations"])]
#[case::not(rooted("not", json!({ "required": ["a"] })), &["client.root-values"])]
#[case::an_enum(rooted("enum", json!([{}])), &["client.root-values"])]
#[case::a_reference(rooted("$ref", json!("#/$defs/a")), &["client.root-reference"])]
#[case::a_dot(named("notes.find"), &["client.tool-name-characters"])]
#[case::a_slash(named("notes/find"), &["client.tool-name-characters"])]
#[case::an_umlaut(named("für"), &["client.tool-name-characters"])]
#[case::longer_than_58(named(&"n".repeat(59)), &["client.tool-name-with-server"])]
#[case::longer_than_64(named(&"n".repeat(65)), &["client.tool-name-length", "client.tool-name-with-server"])]
#[case::a_digit_first(named("2_find"), &["client.tool-name-start"])]
#[case::tags(json!({ "name": "more", "description": "a\u{e0068}", "inputSchema": { "type": "object" } }), &["client.tag-characters"])]
#[case::zero_width(json!({ "name": "more", "title": "a\u{200b}", "inputSchema": { "type": "object" } }), &["client.zero-width-characters"])]
#[case::direction(rooted("properties", json!({ "a": { "description": "\u{202e}a" } })), &["client.direction-characters"])]
#[case::in_a_name(named("a\u{200b}"), &["client.tool-name-characters", "client.zero-width-characters"])]
#[case::nothing(named("n-58_characters"), &[])]
fn a_list_that_the_protocol_allows(#[case] more: Value, #[case] refused: &[&str]) {
    let trial = over_stdio(&more);
    let (by_clients, others): (Vec<&str>, Vec<&str>) =
        trial.violated().into_iter().partition(|requirement| requirement.starts_with("client."));
    assert_eq!(by_clients, refused);
    for requirement in refused {
        assert_eq!(trial.outcome(requirement), Some(Outcome::ClientAdvice));
    }
    // The protocol itself advises on names.
    assert!(others.iter().all(|requirement| *requirement == "mcp.tool-names"), "{others:?}");
    assert_eq!(trial.log.totals.conclusion, Conclusion::Conforms, "{}", trial.everything_said());
    assert_whole_and_inert(&trial.log);
}

#[rstest]
fn it_is_refused_in_both_eras_over_http(#[values(Eras::Legacy, Eras::Modern)] eras: Eras) {
    let trial = over_http(rooted("anyOf", json!([{}])), eras);
    assert_eq!(trial.outcome("client.root-combinations"), Some(Outcome::ClientAdvice));
    assert_eq!(trial.outcome("client.tool-name-length"), Some(Outcome::Verified));
    assert_eq!(trial.verdict("mcp.tool-form"), Some(Verdict::Pass));
}

/// What the protocol itself forbids is no matter of clients alone.
#[rstest]
#[case::a_list_at_the_root(json!({ "name": "more", "inputSchema": { "type": "array" } }), "mcp.tool-form")]
#[case::no_type_at_the_root(json!({ "name": "more", "inputSchema": { "anyOf": [{ "type": "object" }] } }), "mcp.tool-form")]
#[case::a_type_that_does_not_exist(rooted("properties", json!({ "a": { "type": "integr" } })), "mcp.schemas-valid")]
fn a_list_that_the_protocol_forbids(#[case] more: Value, #[case] violated: &str) {
    for trial in [over_stdio(&more), over_http(more.clone(), Eras::Legacy), over_http(more.clone(), Eras::Modern)] {
        assert_eq!(trial.outcome(violated), Some(Outcome::Violated), "{}", on_a_terminal(&trial.log, false));
        assert_eq!(trial.log.totals.conclusion, Conclusion::DoesNotConform);
    }
}

/// What each report says of it.
#[test]
fn it_is_a_kind_of_its_own_in_every_report() {
    let trial = over_stdio(&rooted("anyOf", json!([{ "required": ["a"] }, {}])));
    let log = &trial.log;
    let terminal = on_a_terminal(log, true);
    let lines = terminal.lines().skip_while(|line| !line.starts_with("CLIENT ADVICE"));
    let lines: Vec<&str> = lines.take_while(|line| line.starts_with([' ', 'C']) && !line.contains("    in ")).collect();
    insta::assert_snapshot!("terminal", lines.join("\n"));
    let page = markdown::render(log);
    let (_, below) = page.split_once("## client advice").unwrap();
    insta::assert_snapshot!("markdown", below.split("\n## ").next().unwrap());
    let source = "https://github.com/anthropics/claude-code/issues/95504";
    let page = html::render(log);
    assert!(page.contains(">client advice<") && page.contains(&format!("href=\"{source}\"")), "{page}");
    let xml = junit::render(log).unwrap();
    let case = xml.split("<testcase ").find(|case| case.contains("client.root-combinations")).unwrap();
    assert!(case.contains("<skipped message=\"client advice: ") && case.contains(source), "{case}");
    let report = json_report::render(log);
    let is_it = |one: &&Value| one["requirement"] == "client.root-combinations";
    let row = report["requirements"].as_array().unwrap().iter().find(is_it).unwrap();
    assert_eq!((&row["outcome"], &row["clients"][0]["source"]), (&json!("client-advice"), &json!(source)));
    let tests: Value = serde_json::from_str(&ctrf::text(log)).unwrap();
    let is_it = |one: &&Value| one["extra"]["requirement"] == "client.root-combinations";
    let test = tests["results"]["tests"].as_array().unwrap().iter().find(is_it).unwrap();
    assert_eq!((&test["status"], &test["rawStatus"]), (&json!("skipped"), &json!("client advice")));
    assert_eq!(test["extra"]["clients"][0]["name"], "Claude Code");
}

/// Not even whoever holds a server to everything is held to that, and it can be left out.
#[rstest]
fn a_server_that_is_held_to_everything(#[values(false, true)] is_left_out: bool) {
    let server = server(named("notes.find"));
    let mut file = target(Address::McpHttp(server.address.clone()));
    file.endpoints[0].eras = Eras::Legacy;
    let gate = Gate::of(suite(), file).strict();
    let gate = if is_left_out { gate.without_clients() } else { gate };
    let log = runtime().block_on(gate.run()).unwrap();
    let outcomes = log.ledger.entries.iter().filter(|entry| entry.finding.requirement.starts_with("client."));
    let refused = outcomes.clone().filter(|entry| entry.outcome == Outcome::ClientAdvice).count();
    let rows = log.ledger.rows.iter().filter(|row| row.requirement.id.starts_with("client."));
    match is_left_out {
        true => assert_eq!((outcomes.count(), rows.count()), (0, 0)),
        false => assert_eq!((refused, rows.count()), (1, 10)),
    }
    let violated = log.ledger.with(Outcome::Violated).chain(log.ledger.with(Outcome::Incomplete));
    let violated: Vec<&str> = violated.map(|entry| entry.finding.requirement.as_str()).collect();
    assert!(!violated.iter().any(|id| id.starts_with("client.")), "{violated:?}");
}
