//! Programs: command lines that are called, and servers of tools on standard streams.

use crate::mcp::{self, SEARCH};
use crate::run::{CONFORMS, Due, PATIENT, SOON, is_not_there, leaves_untold, verify, violates};
use libtest_mimic::Trial;
use testing::Script;

/// One call of a command line that many requirements are about.
const CALL: &str = "header/context";
const DOES_NOT_END: Due = violates("cli.ends-by-itself");
/// It is more than we read, so nothing is known of it.
const TOO_LARGE: Due = leaves_untold("records.context-offered");
const TOO_LARGE_CALL: Due = leaves_untold("memory.search-offered");
const NO_HEADER: Due = violates("records.header-first");

const NO_ANSWER: Due = violates("mcp.answers");

/// Every row by its name, the seconds that a call may take, what the run comes to, and the script.
pub(crate) fn trials() -> Vec<Trial> {
    vec![
        command_line("hangs", SOON, DOES_NOT_END, "sleep 1000"),
        command_line("ignores_the_signal_to_end", SOON, DOES_NOT_END, "trap '' TERM INT HUP; while :; do :; done"),
        command_line("leaves_a_child_that_holds_its_output", PATIENT, NO_HEADER, "sleep 1000 & echo $! >>$PIDS"),
        command_line(
            "leaves_a_child_that_holds_nothing",
            PATIENT,
            NO_HEADER,
            "sleep 1000 >/dev/null 2>&1 & echo $! >>$PIDS",
        ),
        command_line("a_gigabyte_of_errors", PATIENT, NO_HEADER, "head -c 1073741824 /dev/zero >&2; echo H"),
        command_line("errors_without_end", SOON, DOES_NOT_END, "yes >&2"),
        command_line("output_without_end", PATIENT, TOO_LARGE, "yes"),
        command_line("a_line_without_end", PATIENT, TOO_LARGE, "yes | tr -d '\\n'"),
        command_line("eight_million_lines", PATIENT, TOO_LARGE, "head -c 8000000 /dev/zero | tr '\\0' '\\n'"),
        command_line(
            "very_many_records",
            PATIENT,
            violates("records.header-mode"),
            "echo 'H records=1 truncated=false'; yes 'N a b \"c\" tags=-' | head -n 21990",
        ),
        command_line("very_many_wrong_lines", PATIENT, NO_HEADER, "yes N | head -n 21990"),
        command_line(
            "a_line_of_eight_megabytes",
            PATIENT,
            NO_HEADER,
            "printf 'H '; head -c 8000000 /dev/zero | tr '\\0' '\"'",
        ),
        command_line("crashes", PATIENT, DOES_NOT_END, "echo 'H records=1'; kill -SEGV $$"),
        command_line(
            "says_on_standard_error_what_is_wrong",
            PATIENT,
            NO_HEADER.saying("KeyError: 7f3a"),
            "printf 'Traceback (most recent call last):\\n  File x\\nKeyError: 7f3a\\n' >&2; echo [",
        ),
        command_line("not_utf_8", PATIENT, violates("cli.utf-8"), "printf 'H \\377\\n'"),
        command_line("says_nothing", PATIENT, NO_HEADER, ""),
        server("good", PATIENT, CONFORMS, 1, ""),
        server("noise", PATIENT, violates("mcp.no-noise"), 1, "call() { echo hello; result \"$FOUND\"; }"),
        server(
            "says_on_standard_error_what_is_wrong",
            PATIENT,
            violates("mcp.no-noise").saying("KeyError: 7f3a"),
            1,
            "call() { echo hello; echo 'KeyError: 7f3a' >&2; result \"$FOUND\"; }",
        ),
        server("noise_without_end", SOON, NO_ANSWER, 1, "call() { yes; }"),
        server("a_line_without_end", PATIENT, TOO_LARGE_CALL, 1, "call() { yes | tr -d '\\n'; }"),
        server(
            "questions_without_end",
            SOON,
            NO_ANSWER,
            1,
            "call() { yes '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}'; }",
        ),
        server(
            "forks",
            PATIENT,
            CONFORMS,
            4,
            "sleep 1000 & echo $! >>$PIDS; (sleep 1000 & echo $! >>$PIDS; wait) & echo $! >>$PIDS",
        ),
        server(
            "ignores_the_signal_to_end",
            PATIENT,
            CONFORMS,
            1,
            "trap '' TERM INT HUP; at_end() { while :; do sleep 1; done; }",
        ),
        server("hangs", SOON, NO_ANSWER, 2, "call() { sleep 1000 & echo $! >>$PIDS; wait; }"),
        server("a_gigabyte_of_errors", PATIENT, CONFORMS, 1, "head -c 1073741824 /dev/zero >&2"),
        server("errors_without_end", PATIENT, CONFORMS, 2, "yes >&2 & echo $! >>$PIDS"),
        server("dies_in_each_call", PATIENT, NO_ANSWER, 1, "call() { printf '{\"jsonrpc\"'; exit 1; }"),
        server("ends_at_once", PATIENT, is_not_there("no database"), 1, "echo 'no database' >&2; exit 7"),
        server(
            "says_usage_at_once",
            PATIENT,
            is_not_there("usage: server FILE"),
            1,
            "echo 'usage: server FILE'; exit 2",
        ),
    ]
}

/// A command line that is a script.
fn command_line(name: &str, timeout: &'static str, due: Due, script: &'static str) -> Trial {
    Trial::test(format!("cli::{name}"), move || {
        let script = Script::new(script);
        let command = script.line();
        let run = verify(&["records", "--cli", &command, "--case", CALL, "--timeout", timeout]);
        run.assert_is(due);
        script.assert_nothing_runs(1);
        Ok(())
    })
}

/// A server on standard streams, with lines that replace functions of a good one, or that it begins with; at least so many
/// processes of it were started.
fn server(name: &str, timeout: &'static str, due: Due, processes_at_least: usize, lines: &'static str) -> Trial {
    Trial::test(format!("mcp_stdio::{name}"), move || {
        let script = Script::new(&mcp::script().but(lines));
        let command = script.line();
        let times = ["--timeout", timeout, "--total-timeout", PATIENT];
        let run = verify(&[&["memory", "--mcp-stdio", &command], &SEARCH[..], &times].concat());
        run.assert_is(due);
        script.assert_nothing_runs(processes_at_least);
        Ok(())
    })
}
