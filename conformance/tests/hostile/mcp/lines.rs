//! Standard streams: what stands between, before and inside of messages.

use super::program::{did_not_start, program, talk};
use super::talk::{PATIENT, SMALL, SOON, Talk, assert_failed, assert_fine, codes};
use conformance::model::{Failure, Status};
use conformance::transport::Limits;
use rstest::rstest;
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;

#[test]
fn a_plain_answer() {
    let talk = talk("", PATIENT);
    let reply = talk.find();
    assert_fine(&reply);
    assert_eq!(reply.items, Some(json!([{ "n": 1 }])));
    assert_eq!(reply.answer["body"], json!({ "results": [{ "n": 1 }] }));
    assert_eq!(reply.request.sent["message"]["params"], json!({ "name": "find", "arguments": { "query": "a" } }));
    assert_fine(&talk.find());
    talk.close();
}

#[rstest]
#[case::a_log_line("say 'server ready'", "noise")]
#[case::a_number("say 7", "noise")]
#[case::a_brace("say '{'", "noise")]
#[case::a_header("say 'Content-Length: 2'", "noise")]
#[case::a_text("say '\"hello\"'", "noise")]
#[case::json_that_is_no_message("say '{\"level\":\"info\"}'", "noise")]
#[case::a_log_with_an_error("say '{\"level\":\"error\",\"error\":\"boom\",\"result\":1}'", "noise")]
#[case::a_log_with_a_method("say '{\"level\":\"info\",\"method\":\"GET\"}'", "noise")]
#[case::half_a_message("say '{\"jsonrpc\":\"2.0\",\"method\":'", "noise")]
#[case::an_empty_batch("say '[]'", "noise")]
#[case::an_empty_object("say '{}'", "noise")]
#[case::bytes("printf '\\377\\376\\0\\n'", "noise")]
#[case::a_byte_order_mark("printf '\\357\\273\\277'", "noise")]
#[case::a_response_that_nobody_asked_for("say '{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}'", "id")]
#[case::a_response_with_an_odd_id("say '{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}'", "id")]
fn noise_before_an_answer(#[case] noise: &str, #[case] code: &str, #[values("initialize", "list", "call")] when: &str) {
    let good = match when {
        "initialize" => "INITIALIZE",
        "list" => "TOOLS",
        _ => "FOUND",
    };
    let talk = talk(&format!("{when}() {{ {noise}; result \"${good}\"; }}"), PATIENT);
    let reply = talk.find();
    assert_eq!(codes(&reply), [code], "{:?}", reply.problems);
    assert_eq!(reply.status, Status::Accepted);
    assert_eq!(codes(&talk.find()), if when == "call" { vec![code] } else { Vec::new() });
}

/// A first answer is waited for as long as the limits say, and what was written instead is shown.
#[rstest]
#[case::no_line_end("printf '{\"jsonrpc\":\"2.0\"}'", "17 bytes came without the end of a line: \"{\\\"jsonrpc")]
#[case::another_line_end("printf '{\"jsonrpc\":\"2.0\"}\\r'", "18 bytes came without the end of a line")]
#[case::on_standard_error(
    "echo '{\"jsonrpc\":\"2.0\"}' >&2",
    "nothing came on standard output, and on standard error: {\"jsonrpc\":"
)]
#[case::utf_16("printf '{\\0\"\\0'; echo", "is not JSON")]
fn what_is_written_in_place_of_lines_is_shown(#[case] says: &str, #[case] why: &str) {
    let program = program(&format!("initialize() {{ {says}; }}"));
    let limits = Limits { first: Duration::from_secs(1), ..SOON };
    let error = Talk::to(&program, limits).not_there();
    assert!(error.to_string().contains(why), "{error}");
}

#[rstest]
#[case::headers("printf 'Content-Length: 17\\r\\n\\r\\n{\"jsonrpc\":\"2.0\"}'", "no headers")]
#[case::several_lines(
    "printf '{\\n  \"jsonrpc\": \"2.0\",\\n  \"id\": 1,\\n  \"result\": {}\\n}\\n'",
    "over several lines"
)]
fn messages_that_are_divided_otherwise_are_named_at_once(#[case] says: &str, #[case] why: &str) {
    let reason = did_not_start(&format!("initialize() {{ {says}; }}"));
    assert!(reason.contains(why), "{reason}");
}

#[test]
fn noise_after_an_answer_is_told_with_the_next() {
    let talk = talk("call() { result \"$FOUND\"; say 'sent it'; }", PATIENT);
    let noise = [talk.find(), talk.find()].map(|reply| codes(&reply).len());
    assert_eq!(noise.iter().sum::<usize>(), 1, "{noise:?}");
}

#[test]
fn noise_of_a_banner_is_told_once() {
    let talk = talk("say '==== server 1.0 ===='; say ''; say '   '", PATIENT);
    assert_eq!(codes(&talk.find()), ["noise"]);
    assert_fine(&talk.find());
}

#[rstest]
#[case::nothing("say ''")]
#[case::blanks("say '  '")]
#[case::carriage_returns("printf '\\r\\n'")]
#[case::a_notification("say '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}'")]
#[case::tools_that_changed("say '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}'")]
#[case::progress("say '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1}}'")]
fn what_is_no_noise(#[case] between: &str) {
    let talk = talk(&format!("call() {{ {between}; result \"$FOUND\"; {between}; }}"), PATIENT);
    assert_fine(&talk.find());
    assert_fine(&talk.find());
}

#[rstest]
#[case::an_id_as_text("say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":\\\"$id\\\",\\\"result\\\":$FOUND}\"", &["id"])]
#[case::no_id("say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"result\\\":$FOUND}\"", &["id"])]
#[case::the_id_null("say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":null,\\\"result\\\":$FOUND}\"", &["id"])]
#[case::the_id_a_fraction_of_nothing("say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id.0,\\\"result\\\":$FOUND}\"", &[])]
#[case::no_version("say \"{\\\"id\\\":$id,\\\"result\\\":$FOUND}\"", &["envelope"])]
#[case::another_version("say \"{\\\"jsonrpc\\\":\\\"1.0\\\",\\\"id\\\":$id,\\\"result\\\":$FOUND}\"", &["envelope"])]
#[case::the_version_as_a_number("say \"{\\\"jsonrpc\\\":2.0,\\\"id\\\":$id,\\\"result\\\":$FOUND}\"", &["envelope"])]
#[case::an_error_null("say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":$FOUND,\\\"error\\\":null}\"", &["envelope", "envelope"])]
#[case::a_key_twice("say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"id\\\":$id,\\\"result\\\":$FOUND}\"", &["duplicate-key"])]
#[case::a_batch_of_one("say \"[{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":$FOUND}]\"", &["envelope"])]
#[case::more_members("say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"x\\\":1,\\\"result\\\":$FOUND}\"", &[])]
#[case::carriage_returns("printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\\r\\n' \"$id\" \"$FOUND\"", &[])]
#[case::keys_in_another_order("say \"{\\\"result\\\":$FOUND,\\\"id\\\":$id,\\\"jsonrpc\\\":\\\"2.0\\\"}\"", &[])]
fn an_envelope(#[case] call: &str, #[case] problems: &[&str]) {
    let reply = talk(&format!("call() {{ {call}; }}"), PATIENT).find();
    assert_eq!(codes(&reply), problems, "{:?}", reply.problems);
    assert_eq!(reply.status, Status::Accepted, "{:?}", reply.raw);
}

#[test]
fn an_answer_that_comes_twice() {
    let talk = talk("call() { result \"$FOUND\"; result \"$FOUND\"; }", PATIENT);
    assert_fine(&talk.find());
    assert_eq!(codes(&talk.find()), ["id"]);
}

#[test]
fn an_answer_to_another_request_is_none() {
    let reply = talk("call() { id=$((id + 1000)); result \"$FOUND\"; }", SOON).find();
    assert_failed(&reply);
    assert_eq!(reply.raw.failure, Some(Failure::TimedOut(1)));
    assert_eq!(codes(&reply), ["id"], "what came instead is told with what did not");
}

#[test]
fn a_result_and_an_error_at_once() {
    let both = "say \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":$FOUND,\\\"error\\\":{\\\"code\\\":1,\\\"message\\\":\\\"x\\\"}}\"";
    let reply = talk(&format!("call() {{ {both}; }}"), PATIENT).find();
    assert_eq!(codes(&reply), ["envelope"]);
    assert_failed(&reply);
}

#[test]
fn a_message_that_is_not_utf_8() {
    let talk = talk(
        "call() { printf '{\"jsonrpc\":\"2.0\",\"x\":\"caf\\351\",\"id\":%s,\"result\":%s}\\n' \"$id\" \"$FOUND\"; }",
        PATIENT,
    );
    let reply = talk.find();
    assert_fine(&reply);
    assert_eq!(reply.raw.not_utf8_at, Some(25));
}

#[rstest]
#[case::not_a_number("{\"content\":[],\"structuredContent\":{\"score\":NaN}}", "is not JSON")]
#[case::infinity("{\"content\":[],\"structuredContent\":{\"score\":-Infinity}}", "is not JSON")]
#[case::single_quotes("{'content':[]}", "is not JSON")]
fn an_answer_that_is_no_json_fails_at_once(#[case] result: &str, #[case] why: &str) {
    let program = program("call() { result \"$(cat \"$FOLDER/result\")\"; }");
    std::fs::write(program.file("result"), result).unwrap();
    let talk = Talk::to(&program, PATIENT);
    let reply = talk.find();
    let failure = assert_failed(&reply);
    assert!(failure.contains(why), "{failure}");
    assert_eq!(codes(&reply), ["noise"]);
    talk.close();
}

/// How deep it may nest, no document says: that is our limit.
#[test]
fn an_answer_that_nests_deeper_than_is_read() {
    let program = program("call() { result \"$(cat \"$FOLDER/result\")\"; }");
    let result = format!("{{\"content\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    std::fs::write(program.file("result"), result).unwrap();
    let talk = Talk::to(&program, PATIENT);
    let reply = talk.find();
    let failure = assert_failed(&reply);
    assert!(failure.contains("nest deeper than 127"), "{failure}");
    assert_eq!(codes(&reply), Vec::<&str>::new());
    talk.close();
}

#[test]
fn half_a_surrogate_is_json() {
    let program = program("call() { result \"$(cat \"$FOLDER/result\")\"; }");
    let result =
        r#"{"content":[],"structuredContent":{"results":[],"title":"\ud83d and \\ud83d \ud83d\ude00 \udE00"}}"#;
    std::fs::write(program.file("result"), result).unwrap();
    let reply = Talk::to(&program, PATIENT).find();
    assert_fine(&reply);
    assert_eq!(reply.answer["body"]["title"], "\u{fffd} and \\ud83d \u{1f600} \u{fffd}");
}

#[test]
fn questions_of_the_server_are_answered() {
    let script = r#"
ask() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\"}"; IFS= read -r heard; say "$heard" >>"$FOLDER/heard"; }
call() {
    ask 1 ping
    ask '"two"' sampling/createMessage
    ask 3 roots/list
    result "$FOUND"
}"#;
    let program = program(script);
    let reply = Talk::to(&program, PATIENT).find();
    assert_eq!(codes(&reply), ["undeclared", "undeclared"], "a ping may be sent to everybody");
    let heard: Vec<serde_json::Value> =
        program.read("heard").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(heard[0], json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    assert_eq!((&heard[1]["id"], &heard[1]["error"]["code"]), (&json!("two"), &json!(-32601)));
    assert_eq!((&heard[2]["id"], &heard[2]["error"]["code"]), (&json!(3), &json!(-32601)));
}

#[test]
fn questions_in_the_way_of_the_beginning_are_answered() {
    let script = r#"initialize() {
        say '{"jsonrpc":"2.0","id":"p","method":"ping"}'
        read -r pong; say "$pong" >"$FOLDER/heard"
        result "$INITIALIZE"
    }"#;
    let program = program(script);
    assert_fine(&Talk::to(&program, PATIENT).find());
    assert!(program.read("heard").contains("\"p\""), "{}", program.read("heard"));
}

/// Holds every second call back until the next one has been answered, and says the query of each.
const CROSSWISE: &str = r#"
held=
call() {
    query=${line#*'"query":"'}
    query=${query%%'"'*}
    answer="{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[],\"structuredContent\":{\"results\":[\"$query\"]}}}"
    case $held in
        '') held=$answer ;;
        *) say "$answer"; say "$held"; held= ;;
    esac
}"#;

#[rstest]
#[case::two(2, 2)]
#[case::two_hundred_of_which_eight_are_in_flight(200, 8)]
fn each_call_gets_its_own_answer(#[case] calls: usize, #[case] most: usize) {
    let talk = talk(CROSSWISE, PATIENT);
    let replies = talk.at_once((0..calls).map(|number| format!("query {number}")), most);
    assert_eq!(replies.len(), calls);
    for (query, reply) in &replies {
        assert_fine(reply);
        assert_eq!(reply.items, Some(json!([query])));
    }
    talk.close();
}

#[test]
fn long_requests_to_a_program_that_does_not_listen_yet_arrive_whole() {
    // The first calls run out of time while their lines wait for room on the way.
    let script = r#"
call() {
    case $line in
        *'"query":"block"'*) until [ -e "$FOLDER/go" ]; do sleep 0.05; done ;;
        *'"query":"last"'*) result "$FOUND" ;;
    esac
}
other() { case $line in *cancelled*) ;; *initialized*) ;; *) say "$line" >>"$FOLDER/odd" ;; esac; }"#;
    let program = program(script);
    let talk = Talk::to(&program, SOON);
    let long = "x".repeat(100_000);
    let replies = talk.at_once(["block".to_owned(), format!("{long}1"), format!("{long}2")], 3);
    assert!(replies.iter().all(|(_, reply)| reply.raw.failure == Some(Failure::TimedOut(1))), "{replies:?}");
    std::fs::write(program.file("go"), "").unwrap();
    // The shell reads byte by byte, which may take it longer than a call.
    let mut last = talk.at_once(["last".to_owned()], 1);
    for _ in 0..20 {
        if last[0].1.status == Status::Accepted {
            break;
        }
        last = talk.at_once(["last".to_owned()], 1);
    }
    assert_fine(&last[0].1);
    assert_eq!(program.read("odd"), "");
}

#[test]
fn a_line_that_is_too_long() {
    let talk = talk("call() { head -c 200000 /dev/zero | tr '\\0' x; say; }", SMALL);
    let reply = talk.find();
    assert_failed(&reply);
    assert_eq!(reply.raw.failure, Some(Failure::TooLarge(SMALL.bytes)));
}

#[test]
fn a_line_without_end() {
    let program = program("call() { yes | tr -d '\\n' & echo $! >>\"$PIDS\"; wait; }");
    let talk = Talk::to(&program, PATIENT);
    assert_failed(&talk.find());
    talk.close();
    program.assert_nothing_runs(2);
}

#[test]
fn ten_megabytes_of_text_are_too_many_and_seven_are_not() {
    let program = program("call() { cat \"$FOLDER/answer\"; }");
    let mut talk = Talk::to(&program, PATIENT);
    for (megabytes, fits) in [(7, true), (10, false)] {
        let mut text = String::new();
        // The id of the first call, after `initialize` and `tools/list`.
        let results = format!("\"{}\",", "x".repeat(1021)).repeat(megabytes << 10);
        write!(
            text,
            r#"{{"jsonrpc":"2.0","id":1000003,"result":{{"content":[],"structuredContent":{{"results":[{results}""]}}}}}}"#
        )
        .unwrap();
        std::fs::write(program.file("answer"), text + "\n").unwrap();
        let reply = talk.find();
        assert_eq!(reply.status == Status::Accepted, fits, "{:?}", reply.raw);
        talk.close();
        talk = Talk::to(&program, PATIENT);
    }
}

#[test]
fn a_gigabyte_of_errors_is_in_nobody_s_way() {
    let talk = talk("call() { head -c 1000000000 /dev/zero >&2; result \"$FOUND\"; }", PATIENT);
    assert_fine(&talk.find());
}
