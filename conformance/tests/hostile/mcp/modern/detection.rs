//! How the era of a server is found, whatever it makes of a first message that it does not know.

use super::program;
use super::server::{OURS, Reply, dual, legacy, modern, outcomes, spoken, tried_at, with};
use crate::trial::Trial;
use conformance::model::{Era, Eras, Outcome};
use rstest::rstest;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::{Answer, Request, whole};

fn is_discover(request: &Request) -> bool {
    request.method() == "server/discover"
}

fn refused(code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } })
}

/// The same verdicts come of it as in a run that was told the era.
fn assert_as_if_legacy(found: &Trial, told: &Trial) {
    assert_eq!(spoken(found), [(Era::Legacy, false)], "{}", found.everything_said());
    assert_eq!(outcomes(found), outcomes(told));
    assert_eq!((found.violated(), found.log.totals.exit_code), (Vec::new(), 0), "{}", found.everything_said());
}

#[rstest]
#[case::ends("exit 3")]
#[case::hangs("while :; do read -r line || exit 0; done")]
#[case::says_nothing(":")]
#[case::writes_noise("echo 'panic: unknown method'; echo '{}'")]
#[case::writes_noise_and_ends("echo 'panic: unknown method'; exit 1")]
#[case::closes_its_output("exec >&-; while read -r line; do :; done; exit 0")]
#[case::no_such_method("error '{\"code\":-32601,\"message\":\"Method not found\"}'")]
#[case::wrong_parameters("error '{\"code\":-32602,\"message\":\"Invalid request parameters\",\"data\":\"\"}'")]
#[case::not_initialized("error '{\"code\":-32000,\"message\":\"Server not initialized\"}'")]
#[case::no_id("say '{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"Invalid Request\"}}'")]
#[case::another_id("id=7; error '{\"code\":-32600,\"message\":\"Invalid Request\"}'")]
#[case::processes_it("result '{}'")]
#[case::processes_it_as_its_own("result \"$INITIALIZE\"")]
fn a_legacy_program_loses_nothing_by_the_question(#[case] does: &str) {
    let lines = format!("other() {{ case $line in *server/discover*) {does} ;; esac; }}");
    let program = program::legacy(&lines);
    assert_as_if_legacy(&program::run(&program, Eras::Auto), &program::run(&program, Eras::Legacy));
}

#[rstest]
#[case::no_such_method(200, refused(-32601, "Method not found"))]
#[case::wrong_parameters(200, refused(-32602, "Invalid params"))]
#[case::invalid(200, refused(-32600, "Invalid Request"))]
#[case::no_session(400, refused(-32000, "Bad Request: No valid session ID provided"))]
#[case::no_body(400, Value::Null)]
#[case::not_there(404, Value::Null)]
#[case::not_allowed(405, refused(-32000, "Method not allowed."))]
#[case::not_acceptable(406, refused(-32000, "Not Acceptable"))]
#[case::accepted(202, Value::Null)]
#[case::processed(200, json!({ "jsonrpc": "2.0", "id": 1_000_001, "result": {} }))]
#[case::a_page(200, json!("<html>"))]
#[case::a_token(401, Value::Null)]
#[case::a_code_of_its_own(400, refused(-32020, "no such session"))]
#[case::a_version_without_a_list(400, refused(-32022, "Unsupported"))]
#[case::no_versions(200, json!({ "jsonrpc": "2.0", "id": 1_000_001, "result": { "supportedVersions": [] } }))]
fn a_legacy_server_loses_nothing_by_the_question(#[case] status: u16, #[case] body: Value) {
    let answer = move |request: &Request| match is_discover(request) {
        true => Reply { body: body.clone(), ..Reply::of(line(status), Value::Null) }.answer(),
        false => legacy(request).answer(),
    };
    let told = tried_at(Eras::Legacy, answer.clone()).0;
    assert_as_if_legacy(&tried_at(Eras::Auto, answer).0, &told);
}

fn line(status: u16) -> &'static str {
    match status {
        200 => "200 OK",
        202 => "202 Accepted",
        400 => "400 Bad Request",
        401 => "401 Unauthorized",
        404 => "404 Not Found",
        405 => "405 Method Not Allowed",
        406 => "406 Not Acceptable",
        other => panic!("{other}"),
    }
}

#[rstest]
#[case::broken_off(Answer::End(Vec::new()))]
#[case::reset(Answer::Reset(Vec::new()))]
#[case::an_error_of_its_own(Answer::Bytes(whole("500 Internal Server Error", "", "")))]
#[case::no_http(Answer::End(b"hello\r\n".to_vec()))]
#[case::no_answer(Answer::Hang(Vec::new()))]
fn a_legacy_server_may_break_at_the_question(#[case] breaks: Answer) {
    let answer = move |request: &Request| match super::server::era(request) {
        Era::Modern => breaks.clone(),
        Era::Legacy => legacy(request).answer(),
    };
    let told = tried_at(Eras::Legacy, answer.clone()).0;
    assert_as_if_legacy(&tried_at(Eras::Auto, answer).0, &told);
}

#[test]
fn a_modern_program() {
    let program = program::modern("");
    let trial = program::run(&program, Eras::Auto);
    assert_fine(&trial, &[(Era::Modern, false)]);
    assert!(trial.log.header.spoken[0].alone);
    assert_eq!(trial.log.header.spoken[0].revision.as_deref(), Some(OURS));
    let told = program::run(&program, Eras::Modern);
    assert_fine(&told, &[(Era::Modern, false)]);
}

#[test]
fn a_modern_server() {
    let (trial, _) = tried_at(Eras::Auto, |request| modern(request).answer());
    assert_fine(&trial, &[(Era::Modern, false)]);
    assert!(trial.log.header.spoken[0].alone);
    let (told, _) = tried_at(Eras::Modern, |request| modern(request).answer());
    assert_fine(&told, &[(Era::Modern, false)]);
    assert!(!told.log.header.spoken[0].alone, "nobody asked for the other era");
}

#[test]
fn a_program_of_both_eras() {
    assert_both(&program::run(&program::dual(""), Eras::Auto));
}

#[test]
fn a_server_of_both_eras() {
    assert_both(&tried_at(Eras::Auto, |request| dual(request).answer()).0);
}

/// The contract is judged as modern, and the protocol in both eras.
fn assert_both(trial: &Trial) {
    assert_fine(trial, &[(Era::Modern, false), (Era::Legacy, true)]);
    let verified = with(trial, Outcome::Verified);
    let has = |id: &str| verified.iter().any(|one| one == id);
    assert!(has("modern small.results") && has("modern mcp.result-type") && has("modern mcp.same-in-both-eras"));
    assert!(has("legacy mcp.initialize") && has("legacy mcp.ping"));
    assert!(!verified.iter().any(|id| id.starts_with("legacy small.results")), "{verified:?}");
}

fn assert_fine(trial: &Trial, eras: &[(Era, bool)]) {
    assert_eq!(spoken(trial), eras);
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
    assert_eq!(with(trial, Outcome::Incomplete), Vec::<String>::new());
}

/// It shows by another result that it is modern.
#[test]
fn a_modern_program_without_discovery_lacks_that_alone() {
    let trial = program::run(&program::modern("discover() { unknown; }"), Eras::Auto);
    assert_eq!((spoken(&trial), trial.violated()), (vec![(Era::Modern, false)], vec!["mcp.discover"]));
}

#[test]
fn a_modern_server_without_discovery_lacks_that_alone() {
    let (trial, _) = tried_at(Eras::Auto, |request| match is_discover(request) {
        true => Reply::error(request, "404 Not Found", -32601, Value::Null).answer(),
        false => modern(request).answer(),
    });
    assert_eq!((spoken(&trial), trial.violated()), (vec![(Era::Modern, false)], vec!["mcp.discover"]));
}

/// It speaks a version of ours, and refuses all the same what it does not know.
#[rstest]
#[case::by_its_error(json!([OURS, "2027-01-01"]))]
#[case::by_one_that_cannot_be_read(Value::Null)]
fn an_error_that_only_modern_servers_know_is_modern(#[case] supported: Value) {
    let (trial, _) = tried_at(Eras::Auto, move |request| match is_discover(request) {
        true => Reply::error(request, "400 Bad Request", -32022, json!({ "supported": supported })).answer(),
        false => modern(request).answer(),
    });
    assert_eq!(spoken(&trial), [(Era::Modern, false)]);
    assert!(trial.violated().contains(&"mcp.discover"), "{:?}", trial.violated());
}

#[test]
fn a_version_that_is_newer_than_ours_is_named() {
    let newer = |request: &Request| {
        Reply::error(request, "400 Bad Request", -32022, json!({ "supported": ["2027-06-01"] })).answer()
    };
    let (trial, _) = tried_at(Eras::Auto, newer);
    let why = trial.unreachable.as_ref().unwrap().to_string();
    assert!(why.contains("2027-06-01") && why.contains(OURS) && why.contains("2025-11-25"), "{why}");
    assert_eq!(trial.log.totals.exit_code, 4);
    let program = program::modern("VERSIONS='[\"2027-06-01\"]'; fine() { unsupported; return 1; }");
    let why = program::run(&program, Eras::Auto).unreachable.unwrap().to_string();
    assert!(why.contains("2027-06-01") && why.contains(OURS), "{why}");
}

#[rstest]
#[case::no_token("401 Unauthorized", "token")]
#[case::forbidden("403 Forbidden", "403")]
fn a_status_that_says_nothing_of_the_era(#[case] status: &'static str, #[case] words: &str) {
    let (trial, _) = tried_at(Eras::Auto, move |_| Reply::nothing(status).answer());
    let why = trial.unreachable.as_ref().unwrap().to_string();
    assert!(why.contains(words), "{why}");
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 4));
}

#[rstest]
#[case::asked_to_wait("429 Too Many Requests", "retry-after: 0\r\n")]
#[case::busy_with_a_time("503 Service Unavailable", "retry-after: 0\r\n")]
#[case::busy("503 Service Unavailable", "")]
#[case::behind_a_gate("502 Bad Gateway", "")]
#[case::broken("500 Internal Server Error", "")]
fn a_bad_moment_at_the_start_is_held_against_nobody(
    #[case] status: &'static str,
    #[case] headers: &'static str,
    #[values(modern, legacy, dual)] server: fn(&Request) -> Reply,
) {
    let count = AtomicUsize::new(0);
    let (trial, _) = tried_at(Eras::Auto, move |request| match count.fetch_add(1, Ordering::Relaxed) {
        0 => Reply { headers: headers.to_owned(), ..Reply::nothing(status) }.answer(),
        _ => server(request).answer(),
    });
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
    assert_eq!(with(&trial, Outcome::Advice), Vec::<String>::new());
    let is_legacy = spoken(&trial) == [(Era::Legacy, false)];
    assert!(is_legacy || spoken(&trial)[0] == (Era::Modern, false), "{:?}", spoken(&trial));
}

/// Longer than the client waits before it tries the other era too.
#[rstest]
#[case::modern(program::modern("sleep 4"), Era::Modern)]
#[case::legacy(program::legacy("sleep 4"), Era::Legacy)]
#[case::dual(program::dual("sleep 4"), Era::Modern)]
fn a_slow_start_is_no_evidence(#[case] program: testing::Script, #[case] era: Era) {
    let trial = program::run(&program, Eras::Auto);
    assert_eq!(spoken(&trial)[0], (era, false));
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
}

/// That a second process does not start says nothing of the first: it is not asked what only a server of one era is asked.
#[rstest]
#[case::modern(program::modern(ALONE), Era::Modern)]
#[case::both(program::dual(ALONE), Era::Modern)]
#[case::legacy(program::legacy(&format!("{ALONE}\nother() {{ case $line in *server/discover*) error '{{}}' ;; esac; }}")), Era::Legacy)]
fn a_program_that_runs_once_at_a_time(#[case] program: testing::Script, #[case] era: Era) {
    let trial = program::run(&program, Eras::Auto);
    assert_fine(&trial, &[(era, false)]);
    assert!(era == Era::Legacy || !trial.log.header.spoken[0].alone);
}

const ALONE: &str = r#"
if kill -0 "$(cat "$FOLDER/running" 2>/dev/null)" 2>/dev/null; then echo 'it runs already' >&2; exit 1; fi
echo $$ >"$FOLDER/running"
at_end() { rm "$FOLDER/running"; exit 0; }
"#;

#[rstest]
#[case::a_legacy_one_as_modern(
    program::legacy("other() { error '{\"code\":-32601,\"message\":\"no such method\"}'; }"),
    Eras::Modern,
    "server/discover"
)]
#[case::a_modern_one_as_legacy(program::modern(""), Eras::Legacy, "initialize")]
fn a_program_of_the_other_era_does_not_start(
    #[case] program: testing::Script,
    #[case] eras: Eras,
    #[case] method: &str,
) {
    let trial = program::run(&program, eras);
    let why = trial.unreachable.as_ref().unwrap().to_string();
    assert!(why.contains(method), "{why}");
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 4));
}

#[rstest]
#[case::legacy_alone(legacy, Era::Modern)]
#[case::modern_alone(modern, Era::Legacy)]
fn both_eras_of_a_server_that_speaks_one(#[case] server: fn(&Request) -> Reply, #[case] missing: Era) {
    let (trial, _) = tried_at(Eras::Both, move |request| server(request).answer());
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 3), "{}", trial.everything_said());
    let incomplete = with(&trial, Outcome::Incomplete);
    let missing = format!("{missing} ");
    assert!(incomplete.iter().all(|id| id.starts_with(&missing)), "{incomplete:?}");
    assert!(incomplete.contains(&format!("{missing}small.results")), "{incomplete:?}");
    let said = trial.everything_said();
    assert!(said.contains(&format!("does not speak MCP of the {missing}era")), "{said}");
}

#[test]
fn both_eras_of_a_program_that_speaks_both() {
    let trial = program::run(&program::dual(""), Eras::Both);
    assert_eq!(spoken(&trial), [(Era::Modern, false), (Era::Legacy, false)]);
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
    let verified = with(&trial, Outcome::Verified);
    assert!(["modern small.results", "legacy small.results"].iter().all(|id| verified.iter().any(|one| one == id)));
}

#[test]
fn a_program_that_never_answers_either_question_is_not_there() {
    let trial = program::run(&program::legacy("echo 'no licence' >&2; exit 9"), Eras::Auto);
    let why = trial.unreachable.as_ref().unwrap().to_string();
    assert!(why.contains("no licence"), "{why}");
    assert_eq!(trial.log.totals.exit_code, 4);
}
