//! Many calls with large answers: a run keeps to its memory, whatever it writes, and what is too large says so.

use crate::bystander::response;
use crate::mcp::{good, tools};
use crate::run::{PATIENT, Run, reads_logs, verify, verify_in};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::fs;
use std::time::Instant;
use testing::{Answer, Request, Server, ok};

/// Every row by its name.
pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("large::embeddings_and_an_offset_that_is_ignored", || {
            let answer = frames(20, |_| json!({ "embedding": vec![0.123_456; 1536] }));
            let run = recall(&answer, &[]);
            assert_eq!(run.code, 1, "{}", run.reports.terminal);
            run.reports.assert_whole(1);
            run.reports.assert_all_say("recall.walk-unique");
            Ok(())
        }),
        Trial::test("large::one_list_of_many_numbers", || {
            let answer = frames(5, |at| if at == 0 { json!({ "vector": vec![0; 20_000] }) } else { json!({}) });
            let run = recall(&answer, &[]);
            assert_eq!(run.code, 1, "{}", run.reports.terminal);
            run.reports.assert_whole(1);
            Ok(())
        }),
        Trial::test("large::two_megabytes_of_text", || {
            let answer = frames(20, |at| json!({ "text": format!("alpha {at} ").repeat(12_000) }));
            let run = recall(&answer, &["--case", "live"]);
            assert_eq!(run.code, 1, "{}", run.reports.terminal);
            run.reports.assert_whole(1);
            Ok(())
        }),
        Trial::test("large::a_log_that_is_read_again", || {
            let text = frames(20, |at| json!({ "text": format!("alpha {at} ").repeat(12_000) })).to_string();
            let server = Server::new(move |_| ok(text.clone()));
            let given = ["recall", "--http", &server.address, "--timeout", PATIENT, "--case", "live/walk"];
            let (run, folder) = verify_in(tempfile::tempdir().unwrap(), &given);
            let file = |name: &str| folder.path().join(name).display().to_string();
            let (log, again) = (file("log"), file("again"));
            assert_eq!(reads_logs(&["judge", &log, "--log", &again, "--html", &file("html")]).0, run.code);
            assert_eq!(reads_logs(&["compare", &log, &again]).0, 0);
            Ok(())
        }),
        Trial::test("large::logs_that_nobody_wrote", || {
            let folder = tempfile::tempdir().unwrap();
            let (header, totals) = (
                json!({ "format": "conformance-run/3", "suite": "0.1.0", "target": "x", "strict": false, "seed": 1,
                        "started": "2027-01-01T00:00:00Z", "endpoints": [{ "contract": "recall", "transport": "http" }] }),
                json!({ "totals": { "conclusion": "conforms", "exit_code": 0, "counterexamples": null, "problems": [],
                                    "elapsed": 1.0 } }),
            );
            let case = r#""contract":"recall","transport":"http","case":"live/newest""#;
            let begin = format!("{header}\n{{\"case\":{{{case},\"calls\":\"\",\"steps\":1}}}}\n");
            let exchange = format!("{{\"exchange\":{{{case},\"step\":0,\"index\":0,\"evidence\":{{\"answer\":\"");
            let log = folder.path().join("log").display().to_string();
            for (values, due) in [
                ("x".repeat(101_000_000), "it is longer than 96 MiB"),
                (format!("\",\"a\":[{}0]}}}}}}\n{totals}\n", "0,".repeat(2_500_000)), "needs more than 64 MiB of room"),
            ] {
                fs::write(&log, format!("{begin}{exchange}{values}")).unwrap();
                let (code, said) = reads_logs(&["judge", "-v", &log]);
                assert!(code != 0 && said.contains(due), "{code}: {}", &said[..said.len().min(9999)]);
            }
            Ok(())
        }),
        Trial::test("large::the_time_for_a_run_covers_judging_and_writing", || {
            let answer = frames(20, |at| json!({ "text": format!("alpha {at} ").repeat(12_000) }));
            let began = Instant::now();
            let run = recall(&answer, &["--total-timeout", "2", "--jobs", "8"]);
            // Two seconds more are allowed, and this machine has others to serve.
            let taken = began.elapsed().as_secs_f64();
            assert!(taken < 7.0, "it took {taken:.1} s: {}", run.reports.terminal);
            run.reports.assert_whole(run.code);
            run.reports.assert_all_say("the time for the whole run was over");
            Ok(())
        }),
        Trial::test("large::a_case_that_needs_too_much_room", || {
            let answer = frames(100, |_| json!({ "embedding": vec![0.123_456; 1500] }));
            let run = recall(&answer, &["--case", "live/newest"]);
            run.reports.assert_whole(run.code);
            run.reports.assert_all_say("the answers of this case take too much room");
            Ok(())
        }),
        Trial::test("large::many_small_objects_over_mcp", || {
            let server = Server::new(|request| objects(request).unwrap_or_else(|| good(request)));
            let address = format!("{}/mcp", server.address);
            let given =
                ["--argument", "memoryId=m-1", "--argument", "query=a", "--case", "request", "--timeout", PATIENT];
            let run = verify(&[&["memory", "--mcp", &address], &given[..]].concat());
            run.reports.assert_whole(run.code);
            Ok(())
        }),
    ]
}

/// A run against a server that gives one answer to everything, of all cases or of some.
fn recall(answer: &Value, cases: &[&str]) -> Run {
    let text = answer.to_string();
    let server = Server::new(move |_| ok(text.clone()));
    let run = verify(&[&["recall", "--http", &server.address, "--timeout", PATIENT], cases].concat());
    let asked = server.requests().len();
    assert!(asked < 400, "{asked} requests: a walk goes on behind a page that was received before");
    run
}

/// So many frames, each with more in it.
fn frames(count: usize, more: impl Fn(usize) -> Value) -> Value {
    let frame = |at: usize| {
        let mut frame = json!({ "frame_id": 1000 - at, "timestamp": format!("2026-03-01T08:{:02}:00Z", 59 - at % 60),
                                "app_name": "Editor", "window_name": "a", "text": "alpha" });
        frame.as_object_mut().unwrap().extend(more(at).as_object().unwrap().clone());
        frame
    };
    json!({ "data": (0..count).map(frame).collect::<Vec<Value>>() })
}

/// Twenty thousand entries.
fn objects(request: &Request) -> Option<Answer> {
    let entries: Vec<Value> = (0..20_000).map(|id| json!({ "id": id })).collect();
    let body = json!({ "entries": entries, "count": 20_000, "latestContext": null, "latestContextTimestamp": null, "contexts": [] });
    match request.method() {
        "tools/list" => Some(response(request, &tools(&json!({ "type": "object" })))),
        "tools/call" => Some(response(
            request,
            &json!({ "content": [{ "type": "text", "text": "twenty thousand entries" }], "structuredContent": body }),
        )),
        _ => None,
    }
}
