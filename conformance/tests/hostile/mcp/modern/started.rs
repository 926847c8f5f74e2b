//! Legacy servers that the run starts, and that the question for the modern era costs their life: this program, started once more.

use super::server::{era, legacy, outcomes, spoken};
use crate::mcp::small::{target_in, tried};
use crate::trial::Trial;
use conformance::model::{Era, Eras, Outcome};
use conformance::targets::{Address, TargetFile};
use rstest::rstest;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use testing::{Answer, Server};

/// What the server does at the question.
const DOES: &str = "DOES_AT_THE_QUESTION";
/// The file that is there once it listens.
const LISTENS: &str = "LISTENS";

/// The server. Nothing where no test started it.
#[test]
#[ignore = "the tests below start it"]
fn serves() {
    let (Ok(port), Ok(does)) = (std::env::var("PORT"), std::env::var(DOES)) else { return };
    let hangs = AtomicBool::new(false);
    let _server = Server::at(port.parse().unwrap(), move |request| {
        match (era(request), does.as_str()) {
            (Era::Modern, "dies") => std::process::exit(3),
            (Era::Modern, _) => hangs.store(true, Ordering::Relaxed),
            (Era::Legacy, _) => {}
        }
        match hangs.load(Ordering::Relaxed) {
            true => Answer::Hang(Vec::new()),
            false => legacy(request).answer(),
        }
    });
    if let Ok(path) = std::env::var(LISTENS) {
        std::fs::write(path, "").unwrap();
    }
    loop {
        std::thread::park();
    }
}

/// The command that starts it.
fn words() -> Vec<String> {
    let program = std::env::current_exe().unwrap().display().to_string();
    let name = format!("{}::serves", module_path!().split_once("::").unwrap().1);
    [&program, &name, "--exact", "--ignored", "--nocapture"].map(str::to_owned).to_vec()
}

fn started(does: &str, eras: Eras) -> Trial {
    let mut file = TargetFile {
        start: Some(words()),
        start_timeout: Some(5),
        timeout: Some(1),
        ..target_in(Address::McpHttp("http://127.0.0.1:{port}/mcp".to_owned()), eras)
    };
    file.env.insert("PORT".to_owned(), "{port}".to_owned());
    file.env.insert(DOES.to_owned(), does.to_owned());
    tried(&file)
}

#[rstest]
#[case::dies("dies")]
#[case::hangs("hangs")]
fn a_legacy_server_is_started_once_more(#[case] does: &str) {
    let (found, told) = (started(does, Eras::Auto), started(does, Eras::Legacy));
    assert_eq!(spoken(&found), [(Era::Legacy, false)], "{:?}", found.unreachable);
    assert_eq!(outcomes(&found), outcomes(&told));
    assert_eq!((found.violated(), found.log.totals.exit_code), (Vec::new(), 0), "{}", found.everything_said());
}

#[test]
fn a_legacy_server_is_started_once_more_where_both_eras_are_wanted() {
    let trial = started("dies", Eras::Both);
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 3), "{:?}", trial.unreachable);
    let verified = super::server::with(&trial, Outcome::Verified);
    assert!(verified.contains(&"legacy small.results".to_owned()), "{verified:?}");
}

/// Nobody here can start it again.
#[test]
fn a_legacy_server_that_somebody_else_started_is_gone() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let listens = folder.path().join("listens");
    let mut command = Command::new(&words()[0]);
    command.args(&words()[1..]).env("PORT", &port).env(DOES, "dies").env(LISTENS, &listens).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !listens.exists() {
        std::thread::yield_now();
    }
    let trial = tried(&target_in(Address::McpHttp(format!("http://127.0.0.1:{port}/mcp")), Eras::Auto));
    let why = trial.unreachable.as_ref().unwrap().to_string();
    assert!(why.contains("`server/discover`") && why.contains("--mcp-era legacy"), "{why}");
    assert_eq!((trial.log.totals.exit_code, child.wait().unwrap().code()), (4, Some(3)));
}
