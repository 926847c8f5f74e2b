//! Programs that do not start, hang, die, come back, or will not go.

use super::program::{did_not_start, program, talk};
use super::talk::{PATIENT, SOON, Talk, assert_failed, assert_fine};
use conformance::model::Failure;
use conformance::transport::{Limits, TransportError};
use rstest::rstest;
use std::time::Duration;

#[rstest]
#[case::by_name("no-such-program-7f3a")]
#[case::by_path("/no/such/program-7f3a")]
fn a_program_that_is_not_there(#[case] name: &str) {
    let error = match Talk::with(&[name.to_owned()], PATIENT) {
        Ok(talk) => talk.not_there(),
        Err(error) => error,
    };
    assert!(matches!(error, TransportError::NotThere { .. }), "{error:?}");
    assert!(error.to_string().contains(name), "{error}");
}

#[rstest]
#[case::with_words("echo 'no database' >&2; exit 7", &["exit status: 7", "no database"])]
#[case::as_if_all_were_well("exit 0", &["exit status: 0"])]
#[case::while_a_child_holds_its_output("sleep 1000 & echo $! >>\"$PIDS\"; exit 0", &["exit status: 0"])]
#[case::by_a_signal("echo 'no memory' >&2; kill -KILL $$", &["signal: 9", "no memory"])]
#[case::in_the_middle("initialize() { printf '{\"jsonrpc\"'; exit 1; }", &["exit status: 1"])]
#[case::with_words_where_messages_go("echo 'usage: server FILE'; exit 2", &["exit status: 2", "usage: server FILE"])]
#[case::with_an_error("initialize() { error '{\"code\":-1,\"message\":\"no licence\"}'; }", &["no licence"])]
#[case::with_rubbish("initialize() { result 7; }", &["initialize", "7"])]
#[case::with_a_list("initialize() { result '[]'; }", &["initialize", "[]"])]
fn a_program_that_does_not_begin(#[case] lines: &str, #[case] words: &[&str]) {
    let why = did_not_start(lines);
    for word in words {
        assert!(why.contains(word), "{word:?} is not in {why}");
    }
}

#[test]
fn a_program_may_take_its_time_to_begin() {
    let limits = Limits { time: Duration::from_millis(100), ..PATIENT };
    let talk = talk("initialize() { sleep 0.5; result \"$INITIALIZE\"; }; call() { :; }", limits);
    assert_eq!(talk.find().raw.failure, Some(Failure::TimedOut(0)), "a call has no such time");
}

#[test]
fn a_call_that_is_not_answered_in_time() {
    let script = r#"
call() {
    say "$line" >>"$FOLDER/asked"
    case $late in
        '') late=$id ;;
        *) this=$id; id=$late; result "$FOUND"; id=$this; result "$FOUND" ;;
    esac
}
other() { say "$line" >>"$FOLDER/heard"; }"#;
    let program = program(script);
    let talk = Talk::to(&program, SOON);
    let reply = talk.find();
    assert_eq!(reply.raw.failure, Some(Failure::TimedOut(1)));
    assert!(reply.elapsed >= SOON.time.as_secs_f64());
    // The late answer is no noise.
    assert_fine(&talk.find());
    let heard = program.read("heard");
    let cancelled: serde_json::Value = serde_json::from_str(heard.lines().last().unwrap()).unwrap();
    assert_eq!(cancelled["method"], "notifications/cancelled", "{heard}");
    let call: serde_json::Value = serde_json::from_str(program.read("asked").lines().next().unwrap()).unwrap();
    assert_eq!(cancelled["params"]["requestId"], call["id"]);
}

#[rstest]
#[case::ends("echo 'out of memory' >&2; exit 7", "exit status: 7", Some("out of memory"))]
#[case::crashes("echo 'stack overflow' >&2; kill -ABRT $$", "signal: 6", Some("stack overflow"))]
#[case::ends_in_its_answer("printf '{\"jsonrpc\":\"2.0\",'; exit 0", "exit status: 0", None)]
#[case::closes_its_output("exec >&-; while :; do sleep 1; done", "closed its standard output", None)]
fn a_program_that_dies_in_a_call(#[case] death: &str, #[case] how: &str, #[case] words: Option<&str>) {
    let script = format!(
        "call() {{ if [ -e \"$FOLDER/died\" ]; then result \"$FOUND\"; else : >\"$FOLDER/died\"; {death}; fi; }}"
    );
    let program = program(&script);
    let talk = Talk::to(&program, PATIENT);
    let why = assert_failed(&talk.find());
    assert!(why.contains(how) && why.contains(words.unwrap_or("")), "{why}");
    assert_fine(&talk.find());
    assert_fine(&talk.find());
    talk.close();
    program.assert_nothing_runs(2);
}

/// The time in which what it wrote may still come is no part of that of the call.
#[test]
fn a_program_that_dies_in_time_while_a_child_holds_its_output() {
    let program = program("call() { sleep 1000 & echo $! >>\"$PIDS\"; exit 7; }");
    let why = assert_failed(&Talk::to(&program, SOON).find());
    assert!(why.contains("exit status: 7"), "{why}");
    program.assert_nothing_runs(2);
}

#[test]
fn a_program_that_dies_again_is_not_asked_any_more() {
    let program = program("call() { echo 'out of memory' >&2; exit 7; }");
    let talk = Talk::to(&program, PATIENT);
    for _ in 0..2 {
        assert!(assert_failed(&talk.find()).contains("exit status: 7"));
    }
    for _ in 0..2 {
        let reply = talk.find();
        let Some(Failure::NotAsked(why)) = reply.raw.failure else { panic!("{reply:?}") };
        assert!(why.contains("twice") && why.contains("out of memory"), "{why}");
    }
    talk.close();
    program.assert_nothing_runs(2);
    assert_eq!(program.read("pids").lines().count(), 2, "it is started once more, not for each call");
}

#[test]
fn a_program_that_does_not_come_back() {
    let script =
        "[ -e \"$FOLDER/died\" ] && { echo 'the lock is taken' >&2; exit 9; }; call() { : >\"$FOLDER/died\"; exit 7; }";
    let program = program(script);
    let talk = Talk::to(&program, PATIENT);
    assert_failed(&talk.find());
    let Some(Failure::NotAsked(why)) = talk.find().raw.failure else { panic!("it was asked") };
    assert!(why.contains("the lock is taken"), "{why}");
}

#[test]
fn a_program_that_dies_takes_every_call_with_it_that_waits() {
    let script = "call() { case $line in *'\"query\":\"last\"'*) exit 7 ;; esac; }";
    let talk = talk(script, PATIENT);
    let replies = talk.at_once(["one", "two", "last"].map(str::to_owned), 3);
    assert_eq!(replies.len(), 3);
    for (_, reply) in &replies {
        assert!(assert_failed(reply).contains("exit status: 7"));
    }
}

#[rstest]
#[case::goes_by_itself("at_end() { : >\"$FOLDER/polite\"; exit 0; }", 1, "polite")]
#[case::goes_when_asked(
    "trap ': >\"$FOLDER/asked\"; exit 0' TERM; at_end() { while :; do sleep 0.1; done; }",
    1,
    "asked"
)]
#[case::will_not_go("trap '' TERM INT HUP; at_end() { while :; do sleep 1; done; }", 1, "pids")]
#[case::has_a_child("sleep 1000 & echo $! >>\"$PIDS\"", 2, "pids")]
#[case::has_a_deaf_child("(trap '' TERM; while :; do sleep 1; done) >/dev/null 2>&1 & echo $! >>\"$PIDS\"", 2, "pids")]
#[case::has_a_child_and_will_not_go(
    "sleep 1000 & echo $! >>\"$PIDS\"; trap '' TERM; at_end() { while :; do sleep 1; done; }",
    2,
    "pids"
)]
#[case::hangs_in_a_call("call() { sleep 1000 & echo $! >>\"$PIDS\"; wait; }", 2, "pids")]
#[case::is_noisy("yes >&2 & echo $! >>\"$PIDS\"", 2, "pids")]
fn nothing_of_a_program_outlives_its_run(#[case] lines: &str, #[case] processes: usize, #[case] file: &str) {
    let program = program(lines);
    let talk = Talk::to(&program, SOON);
    talk.find();
    talk.close();
    program.assert_nothing_runs(processes);
    assert!(program.file(file).exists(), "it was ended before it could go");
}

#[test]
fn nothing_of_a_program_outlives_a_conversation_that_is_dropped() {
    let program = program("trap '' TERM; sleep 1000 & echo $! >>\"$PIDS\"; at_end() { wait; wait; }");
    let talk = Talk::to(&program, PATIENT);
    assert_fine(&talk.find());
    drop(talk);
    program.assert_nothing_runs(2);
}

#[test]
fn nothing_is_asked_after_the_end() {
    let program = program("");
    let talk = Talk::to(&program, PATIENT);
    assert_fine(&talk.find());
    talk.run(conformance::transport::Transport::close(&talk.mcp));
    assert!(matches!(talk.find().raw.failure, Some(Failure::NotAsked(_))));
    assert_eq!(program.read("pids").lines().count(), 1);
}
