//! Legacy servers that the run starts, and that the question for the modern era costs their life: this program, started once more.

use super::server::{era, legacy, outcomes, spoken};
use crate::mcp::small::{target_in, tried};
use crate::trial::Trial;
use conformance::model::{Era, Eras, Outcome};
use conformance::targets::{Address, TargetFile};
use rstest::rstest;
use std::sync::atomic::{AtomicBool, Ordering};
use testing::{Answer, Server};

/// What the server does at the question.
const DOES: &str = "DOES_AT_THE_QUESTION";

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
    loop {
        std::thread::park();
    }
}

fn started(does: &str, eras: Eras) -> Trial {
    let program = std::env::current_exe().unwrap().display().to_string();
    let name = format!("{}::serves", module_path!().split_once("::").unwrap().1);
    let start = [&program, &name, "--exact", "--ignored", "--nocapture"].map(str::to_owned);
    let mut file = TargetFile {
        start: Some(start.to_vec()),
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
