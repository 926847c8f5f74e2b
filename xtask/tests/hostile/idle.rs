//! Targets that speak nothing of a contract: what was not exercised says why, and is no success.

use crate::run::{PATIENT, Run, verify};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::fmt::Write;
use testing::{Server, answer, ok};

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
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("target.toml");
            std::fs::write(&file, unsupported(&server.address)).unwrap();
            let run = verify(&["--target", file.to_str().unwrap(), "--timeout", PATIENT]);
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
    ]
}

/// Nothing of the contract was exercised, every report says so, a terminal in red, and each requirement of it stands there
/// with the same outcome and a reason.
fn assert_idle(run: &Run, contract: &str, outcome: &str) {
    assert_eq!(run.code, 3, "{}", run.reports.terminal);
    run.reports.assert_whole(3);
    let sentence = format!("nothing of {contract} was exercised; that is no success");
    let red = format!("\u{1b}[31m{sentence}\u{1b}[0m");
    assert!(run.reports.coloured.contains(&red), "{}", run.reports.coloured);
    let report = &run.reports.json;
    assert_eq!(report["idle"], json!([contract]));
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
