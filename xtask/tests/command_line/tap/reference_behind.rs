//! The reference behind a tap: whoever judges it comes to the same, and the tap has nothing to say against it.

use super::Tap;
use crate::serving::Serving;
use crate::xtask;
use rstest::rstest;
use std::io::{BufRead, BufReader};
use testing::said;

/// The lines of a report that name a requirement and what became of it.
fn ledger(report: &str) -> Vec<&str> {
    let outcomes = ["verified ", "violated ", "incomplete ", "advice ", "not exercised ", "known failure "];
    report.lines().map(str::trim).filter(|line| outcomes.iter().any(|one| line.starts_with(one))).collect()
}

#[rstest]
#[case::any_data(&[], "recall", "--http", "", 25)]
#[case::the_corpus(&["--corpus-loaded"], "memory", "--mcp", "/mcp", 60)]
fn over_http(
    #[case] options: &[&str],
    #[case] contract: &str,
    #[case] flag: &str,
    #[case] path: &str,
    #[case] least: usize,
) {
    let server = Serving::start(&[]);
    let tap = Tap::before(&server.1, options);
    let verify = |url: &str| {
        said(&mut xtask(&["verify", contract, flag, &format!("{url}{path}"), "--corpus-loaded", "--seed", "0", "-v"]))
    };
    let (direct, tapped) = (verify(&server.1), verify(&tap.url()));
    assert_eq!((tapped.code, ledger(&tapped.out)), (Some(0), ledger(&direct.out)));
    let said_by_tap = tap.end();
    assert_eq!((said_by_tap.code, said_by_tap.err.as_str()), (Some(0), ""), "{}", said_by_tap.out);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.ndjson");
    std::fs::write(&log, &said_by_tap.log).unwrap();
    let again = said(&mut xtask(&["judge", "-v", log.to_str().unwrap()]));
    let told = ledger(&again.out);
    assert_eq!(again.code, Some(0), "its log can be judged again: {}{}", again.out, again.err);
    assert!(told.len() > least && told.iter().all(|line| line.starts_with("verified")), "{told:#?}");
    // A sentence tells of one place, and a table of several.
    let rows = said_by_tap.out.lines().filter(|line| line.contains(" mcp-http ("));
    let in_table: usize = rows.filter_map(|row| row.split_whitespace().last()?.parse::<usize>().ok()).sum();
    let is_in_sentence = said_by_tap.out.contains(&format!(" {} verified", told.len()));
    assert!(is_in_sentence || in_table == told.len(), "{} are verified: {}", told.len(), said_by_tap.out);
    let compared = said(&mut xtask(&["compare", log.to_str().unwrap(), log.to_str().unwrap()]));
    assert_eq!(compared.code, Some(0), "{}", compared.out);
}

#[test]
fn over_standard_streams() {
    let root = testing::root();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.ndjson");
    let server = format!("{} mcp --corpus fixtures", testing::reference().unwrap().display());
    let tap = shlex::try_join([env!("CARGO_BIN_EXE_xtask"), "tap", "--log", log.to_str().unwrap(), "--"]).unwrap();
    let tap = format!("{tap} {server}");
    let verify = |command: &str| {
        let mut verify = xtask(&["verify", "memory", "--mcp-stdio", command, "--corpus-loaded", "--seed", "0", "-v"]);
        said(verify.current_dir(root))
    };
    let (direct, tapped) = (verify(&server), verify(&tap));
    assert_eq!((tapped.code, ledger(&tapped.out)), (Some(0), ledger(&direct.out)), "{}", tapped.out);
    let judged = said(&mut xtask(&["judge", "-v", log.to_str().unwrap()]));
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
    let told = ledger(&judged.out);
    assert!(told.len() > 40 && told.iter().all(|line| line.starts_with("verified")), "{told:#?}");
    let line = BufReader::new(std::fs::File::open(&log).unwrap()).lines().next().unwrap().unwrap();
    assert!(line.contains("\"tap\":{"), "{line}");
}
