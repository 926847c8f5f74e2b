//! Standard streams pass as they come.

use crate::xtask;
use rstest::rstest;
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A tap before a shell script.
fn before(script: &str, options: &[&str]) -> Child {
    let mut command: Command = xtask(&["tap"]);
    command.args(options).args(["--", "/bin/sh", "-c", script]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Everything that a process says, and how it ends.
fn end(child: Child) -> (Option<i32>, Vec<u8>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// What an MCP server says of itself and of its tools, and a wrong answer.
const SERVER: &str = r#"
read line; printf '%s\n' '{"jsonrpc":"2.0","id":"0","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"it","version":"1"}}}'
read line; read line
printf '%s\n' '{"jsonrpc":"2.0","id":"q","method":"roots/list"}'; read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search_memories","inputSchema":{"type":"object"}}]}}'
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
read line; printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"entries\":[],\"count\":1}"}]}}'
"#;

/// What a client says to it, its answer to the question of the server among it.
const CLIENT: &str = r#"{"jsonrpc":"2.0","id":"0","method":"initialize","params":{}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":"q","result":{"roots":[]}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_memories","arguments":{"memory_id":"m","query":"q"}}}
"#;

#[test]
fn any_bytes_pass_unchanged() {
    let huge = vec![b'x'; 9 << 20];
    let bytes =
        [b"\xff\xfe no text\n", &huge[..], b"\n\0\r\r\n[{\"jsonrpc\":\"2.0\"},1]\n\n no end of a line"].concat();
    let mut child = before("exec cat", &[]);
    let (mut input, sent) = (child.stdin.take().unwrap(), bytes.clone());
    let writing = std::thread::spawn(move || input.write_all(&sent).unwrap());
    let (code, out, err) = end(child);
    writing.join().unwrap();
    assert!(out == bytes);
    assert_eq!(code, Some(5), "{err}");
    assert!(err.contains("nothing passed that a contract speaks of"), "{err}");
}

#[test]
fn part_of_a_line_passes_at_once() {
    let mut child = before("exec cat", &[]);
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    input.write_all(b"par").unwrap();
    let mut came = [0; 3];
    output.read_exact(&mut came).unwrap();
    assert_eq!(&came, b"par");
    drop(input);
    assert_eq!(end(child).0, Some(5));
}

#[test]
fn a_wrong_answer_is_named_on_standard_error_alone() {
    let mut child = before(SERVER, &[]);
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let mut came = Vec::new();
    for (line, answers) in CLIENT.lines().zip([1, 0, 1, 2, 1]) {
        writeln!(input, "{line}").unwrap();
        came.extend((0..answers).map(|_| lines.next().unwrap().unwrap()));
    }
    drop(input);
    assert!(lines.next().is_none());
    let due: Vec<&str> = SERVER.split('\'').filter(|part| part.starts_with('{')).collect();
    assert_eq!(came, due);
    let (code, _, err) = end(child);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("tap: violated: memory.count-entries over mcp-stdio (legacy): "), "{err}");
    assert!(err.contains("VIOLATED memory.count-entries"), "{err}");
}

#[test]
fn what_the_program_says_on_standard_error_is_its_own() {
    let mut child = before("echo warning >&2; exec cat", &[]);
    drop(child.stdin.take());
    assert!(end(child).2.contains("warning\n"));
}

#[test]
fn a_program_that_crashes_leaves_its_client_with_the_end_of_the_stream() {
    let script = format!("{}\nread line; kill -9 $$", SERVER.lines().take(6).collect::<Vec<_>>().join("\n"));
    let mut child = before(&script, &[]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(CLIENT.as_bytes()).unwrap();
    let (code, out, err) = end(child);
    assert_eq!(String::from_utf8(out).unwrap().lines().count(), 4);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("VIOLATED mcp.answers") && err.contains("the server ended (signal: 9"), "{err}");
    drop(input);
}

#[test]
fn a_signal_ends_the_program_and_the_report_is_written() {
    let mut child = before("echo ready; exec cat", &[]);
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let input = child.stdin.take();
    let (code, _, err) = end(child);
    assert_eq!(code, Some(5), "{err}");
    assert!(err.contains("nothing passed that a contract speaks of"), "{err}");
    drop(input);
}

/// Whether a process runs.
fn runs(id: &str) -> bool {
    Path::new("/proc").join(id.trim()).exists()
}

#[rstest]
#[case::the_client_closes_its_end("cat >/dev/null", false)]
#[case::the_server_ends("echo ready; exit 0", true)]
#[case::a_child_of_the_server_holds_its_output("sleep 20 & cat >/dev/null", false)]
#[case::a_child_of_a_server_that_ends_holds_its_output("sleep 20 & exit 0", true)]
fn the_tap_ends_within_a_second_of_its_server(#[case] script: &str, #[case] stays: bool) {
    let mut child = before(script, &[]);
    drop(child.stderr.take());
    let input = child.stdin.take().filter(|_| stays);
    let since = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(5));
    // Starting both takes its time too, with much else to do. A server that does not end is waited for five seconds.
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    drop(input);
}

#[rstest]
#[case::a_server_that_ends_with_its_input("echo $$; cat")]
#[case::a_server_that_waits_to_be_asked("echo $$; exec sleep 60")]
#[case::a_server_that_ends_for_nobody("trap '' TERM; echo $$; while :; do sleep 0.1; done")]
fn what_clients_do_to_end_a_server_leaves_the_report_and_no_server(#[case] script: &str) {
    let mut child = before(script, &[]);
    let mut id = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut id).unwrap();
    drop(child.stdin.take());
    // Clients wait two seconds before they ask, and two more before they kill.
    let _ = kill_process(Pid::from_child(&child), Signal::TERM);
    let since = Instant::now();
    let (code, _, err) = end(child);
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    assert!(!runs(&id));
    assert_eq!(code, Some(5), "{err}");
    assert!(err.contains("nothing passed that a contract speaks of"), "{err}");
}

#[test]
fn a_tap_that_is_killed_leaves_a_log_up_to_the_last_exchange() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.ndjson");
    std::fs::write(&log, "older").unwrap();
    let mut child = before(&format!("{SERVER}cat"), &["--log", log.to_str().unwrap()]);
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    input.write_all(CLIENT.as_bytes()).unwrap();
    let answers = BufReader::new(output).lines().take(5).count();
    let since = Instant::now();
    let has_call = |log: &str| log.ends_with('\n') && log.contains("\"method\":\"tools/call\"");
    // The judge is a little behind the traffic.
    while !has_call(&std::fs::read_to_string(&log).unwrap()) {
        assert!(since.elapsed() < Duration::from_secs(30), "{answers}");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let judged = testing::said(&mut xtask(&["judge", log.to_str().unwrap()]));
    assert_eq!(judged.code, Some(1), "{}{}", judged.out, judged.err);
    assert!(judged.out.contains("VIOLATED memory.count-entries"), "{}", judged.out);
    assert!(judged.out.contains("heard by a tap, 2 exchanges judged"), "{}", judged.out);
    assert!((judged.out + &judged.err).contains("the log has no end, as its tap was killed or still listens"));
    // Killed while it wrote the line of the call, whatever came after it in time.
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, &text[..text.find("\"method\":\"tools/call\"").unwrap()]).unwrap();
    let judged = testing::said(&mut xtask(&["judge", log.to_str().unwrap()]));
    assert!(judged.out.contains("heard by a tap, 1 exchange judged"), "{}{}", judged.out, judged.err);
    drop(input);
}

#[test]
fn a_report_that_takes_long_says_how_it_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let (log, page) = (folder.path().join("a log.ndjson"), folder.path().join("page"));
    assert!(Command::new("mkfifo").arg(&page).status().unwrap().success());
    // The pipe is full, and whoever has it open does not read yet, so the report waits.
    let at_once = OFlags::NONBLOCK.bits().cast_signed();
    let mut full = File::options().read(true).write(true).custom_flags(at_once).open(&page).unwrap();
    while full.write(&[b'x'; 4096]).is_ok() {}
    let mut reader = File::open(&page).unwrap();
    let mut child = before("exec cat", &["--log", log.to_str().unwrap(), "--html", page.to_str().unwrap()]);
    drop(child.stdin.take());
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let hint = said.find(|line| line.starts_with("tap: the report takes a moment")).unwrap();
    assert_eq!(
        hint,
        format!(
            "tap: the report takes a moment; if this is ended before, `cargo xtask judge '{}'` makes it too",
            log.display()
        )
    );
    drop(full);
    let mut page = String::new();
    reader.read_to_string(&mut page).unwrap();
    assert!(page.contains("<html"), "{page}");
    assert_eq!(child.wait().unwrap().code(), Some(5));
}

#[test]
fn a_client_that_closed_standard_error_is_served_all_the_same() {
    let mut child = before(SERVER, &["-v"]);
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(CLIENT.as_bytes()).unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(out.lines().count(), 5);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_program_that_is_not_there_is_not_reachable() {
    let said = testing::said(xtask(&["tap", "--", "/no/such/program"]).stdin(Stdio::null()));
    assert_eq!(said.code, Some(4), "{}{}", said.out, said.err);
    let all = said.out + &said.err;
    assert!(all.contains("the program `/no/such/program` cannot be started"), "{all}");
}
