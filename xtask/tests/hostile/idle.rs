//! Targets that show nothing of a contract: what was not exercised says why, and is not a success.

use crate::run::{PATIENT, Run, verify};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::fmt::Write;
use testing::{Answer, Request, Server, answer, ok};

/// Every row by its name.
pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("idle::nothing_to_ask_with", || {
            let server = Server::new(|_| answer("404 Not Found", "", "no such page"));
            let run = verify(&["memory", "--http", &server.address, "--timeout", PATIENT]);
            assert_idle(&run, "memory", "not-exercised");
            run.reports.assert_all_say("give it by --argument");
            assert!(server.connections() == 0, "nothing can be asked");
            Ok(())
        }),
        Trial::test("idle::everything_declared_unsupported", || {
            let server = Server::new(|_| ok("{}"));
            let run = verify_file(&unsupported(&server.address), &["--timeout", PATIENT]);
            assert_idle(&run, "recall", "unsupported");
            run.reports.assert_all_say("no such feature");
            Ok(())
        }),
        Trial::test("idle::a_contract_of_which_only_the_transport_works", || {
            let server = Server::new(|_| ok("{}"));
            let only = ["--case", "paging/offset", "--timeout", PATIENT];
            let run = verify(&[&["recall", "--http", &server.address], &only[..]].concat());
            assert_idle(&run, "recall", "not-exercised");
            run.reports.assert_all_say("needs the corpus");
            Ok(())
        }),
        Trial::test("idle::one_endpoint_of_two", || {
            let (good, bad) =
                (Server::new(|_| ok(FRAMES)), Server::new(|_| answer("404 Not Found", "", "no such page")));
            let target =
                format!("name = \"x\"\n{}{}", endpoint("recall", &good.address), endpoint("memory", &bad.address));
            let run = verify_file(&target, &["--timeout", PATIENT]);
            assert_eq!(run.reports.json["idle"], json!([{ "contract": "memory", "transport": "http" }]));
            run.reports.assert_texts_say("nothing of memory over http was exercised");
            Ok(())
        }),
        Trial::test("idle::every_search_finds_nothing", || {
            let server = Server::new(|request| search(request, r#"{"results":[]}"#));
            assert_blind(&verify(&["recall", "--http", &server.address, "--timeout", PATIENT]));
            Ok(())
        }),
        Trial::test("idle::no_item_can_be_read", || {
            let server = Server::new(|request| search(request, r#"{"data":[],"items":["a","b"]}"#));
            assert_blind(&verify(&["recall", "--http", &server.address, "--timeout", PATIENT]));
            Ok(())
        }),
        Trial::test("idle::what_a_server_said_that_was_started", || {
            let program = testing::reference()?.display();
            let start =
                json!(["sh", "-c", format!("echo 'KeyError: 7f3a' >&2; exec '{program}' serve --port {{port}}")]);
            let target = endpoint("recall", "http://127.0.0.1:{port}");
            let run = verify_file(&format!("name = \"x\"\ncorpus = \"loaded\"\nstart = {start}\n{target}"), &[]);
            assert_eq!(run.code, 3, "{}", run.reports.terminal);
            run.reports.assert_all_say("KeyError: 7f3a");
            let terminal = &run.reports.terminal;
            assert!(terminal.contains("The last lines on standard error of `sh -c"), "{terminal}");
            run.reports.assert_texts_say(" on standard error");
            Ok(())
        }),
        Trial::test("idle::a_share_is_required", || {
            let program = testing::reference()?.display().to_string();
            let with = |share: &str| {
                let start = json!([program, "serve", "--port", "{port}", "--corpus", "{corpus}"]);
                verify_file(
                    &format!("name = \"x\"\n{share}start = {start}\n{}", endpoint("recall", "http://127.0.0.1:{port}")),
                    &[],
                )
            };
            let (enough, short) = (with("require-exercised = 50\n"), with("require-exercised = 100\n"));
            let share = &enough.reports.json["totals"]["exercised"][0];
            let (some, all) = (share["exercised"].as_u64().unwrap(), share["binding"].as_u64().unwrap());
            assert!(some < all, "a live run exercises everything: {}", enough.reports.terminal);
            enough.reports.assert_texts_say(&format!("{some} of {all}, {} %", 100 * some / all));
            short.reports.assert_texts_say("of what binds, and 100 % are required");
            assert_eq!((enough.code, short.code), (0, 3), "{}", enough.reports.terminal);
            short.reports.assert_whole(3);
            Ok(())
        }),
    ]
}

/// An answer with one frame.
const FRAMES: &str = r#"{"data":[{"frame_id":1,"timestamp":"2026-03-01T08:00:00Z","app_name":"Editor","text":"a"}]}"#;

/// A search of `recall` that refuses what has to be refused, and answers everything else with one body.
fn search(request: &Request, body: &str) -> Answer {
    let query = request.target().split_once('?').map_or("", |(_, query)| query);
    let of = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let is_ocr = of("content_type").is_none_or(|wanted| wanted == "ocr");
    match of("start_time").is_some_and(|start| start.parse::<f64>().is_ok()) && is_ocr {
        true => ok(body),
        false => {
            answer("400 Bad Request", "content-type: application/json\r\n", r#"{"error":"start_time content_type"}"#)
        }
    }
}

fn endpoint(contract: &str, address: &str) -> String {
    format!("[[endpoint]]\ncontract = \"{contract}\"\nhttp = \"{address}\"\n")
}

fn verify_file(target: &str, more: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("target.toml");
    std::fs::write(&file, target).unwrap();
    verify(&[&["--target", file.to_str().unwrap()], more].concat())
}

/// Nothing that was answered can be read, which is not a success.
fn assert_blind(run: &Run) {
    assert_eq!(run.code, 3, "{}", run.reports.terminal);
    run.reports.assert_whole(3);
    run.reports.assert_texts_say("no answer holds an item that can be read");
    assert_eq!(run.reports.json["totals"]["blind"], json!([{ "contract": "recall", "transport": "http" }]));
}

/// Nothing of the contract was exercised, every report says so, a terminal in red, and each requirement of it stands there
/// with the same outcome and a reason.
fn assert_idle(run: &Run, contract: &str, outcome: &str) {
    assert_eq!(run.code, 3, "{}", run.reports.terminal);
    run.reports.assert_whole(3);
    let sentence = format!("nothing of {contract} over http was exercised, which is not a success");
    let red = format!("\u{1b}[31m{sentence}\u{1b}[0m");
    assert!(run.reports.coloured.contains(&red), "{}", run.reports.coloured);
    let report = &run.reports.json;
    assert_eq!(report["idle"], json!([{ "contract": contract, "transport": "http" }]));
    let rows = report["requirements"].as_array().unwrap();
    let own = |row: &&Value| row["requirement"].as_str().unwrap().starts_with(&format!("{contract}."));
    for row in rows.iter().filter(own) {
        let is_due = row["outcome"] == outcome || row["outcome"] == "not-exercised";
        assert!(is_due && row["reason"].is_string(), "{row}");
    }
}

/// A target file that declares every requirement of a contract unsupported.
fn unsupported(address: &str) -> String {
    let contract: Value = serde_json::from_str(include_str!("../../../schemas/recall/contract.json")).unwrap();
    let mut file = format!("name = \"x\"\n[[endpoint]]\ncontract = \"recall\"\nhttp = \"{address}\"\n");
    for requirement in contract["requirements"].as_array().unwrap() {
        write!(file, "[[unsupported]]\nrequirement = {}\nreason = \"no such feature\"\n", requirement["id"]).unwrap();
    }
    file
}
