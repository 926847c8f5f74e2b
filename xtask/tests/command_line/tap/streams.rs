//! Standard streams pass as they come.

use crate::xtask;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

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
    assert!(err.contains("tap: violated: memory.count-entries over mcp-stdio: "), "{err}");
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
