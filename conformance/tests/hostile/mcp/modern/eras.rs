//! Servers that speak both eras and do not do the same in them, and what is known of one era alone.

use super::program;
use super::server::{Reply, dual, era, spoken, tried_at, with};
use crate::mcp::small::{target_in, tried};
use crate::trial::Trial;
use conformance::model::{Era, Eras, KnownFailure, Outcome, Unsupported};
use conformance::targets::{Address, TargetFile};
use rstest::rstest;
use serde_json::json;
use testing::{Request, Server};

/// A server of both eras that answers otherwise in one of them.
fn but_in(which: Era, eras: Eras, change: impl Fn(&Request, &mut Reply) + Send + Sync + 'static) -> Trial {
    tried_at(eras, move |request| {
        let mut reply = dual(request);
        if era(request) == which && reply.status == "200 OK" {
            change(request, &mut reply);
        }
        reply.answer()
    })
    .0
}

/// Other results of `find`, which keep the contract as well as before.
fn other_results(request: &Request, reply: &mut Reply) {
    if request.message["params"]["name"] == "find" && reply.body["result"]["structuredContent"].is_object() {
        let body = json!({ "results": [{ "n": 2 }] });
        reply.set("content", json!([{ "type": "text", "text": body.to_string() }]));
        reply.set("structuredContent", body);
    }
}

/// No result that the contract wants.
fn no_title(request: &Request, reply: &mut Reply) {
    if request.message["params"]["name"] == "read" && reply.body["result"]["structuredContent"].is_object() {
        reply.set("content", json!([{ "type": "text", "text": "{}" }]));
        reply.set("structuredContent", json!({}));
    }
}

#[rstest]
fn another_answer_in_one_era_is_advice(
    #[values(Era::Legacy, Era::Modern)] which: Era,
    #[values(Eras::Auto, Eras::Both)] eras: Eras,
) {
    let trial = but_in(which, eras, other_results);
    assert_eq!(trial.violated(), ["mcp.same-in-both-eras"], "{}", trial.everything_said());
    assert_eq!(with(&trial, Outcome::Advice), ["modern mcp.same-in-both-eras"]);
    assert_eq!(trial.log.totals.exit_code, 0);
}

#[test]
fn another_answer_of_a_program_in_one_era_is_advice() {
    let lines = "initialize() { LEGACY=1; FOUND='{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"results\\\":[]}\"}],\"structuredContent\":{\"results\":[]}}'; result \"$INITIALIZE\"; }";
    let trial = program::run(&program::dual(lines), Eras::Auto);
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (vec!["mcp.same-in-both-eras"], 0));
}

/// One that refuses what the other answers does not answer the same.
#[rstest]
fn a_refusal_in_one_era_is_advice(
    #[values(Era::Legacy, Era::Modern)] which: Era,
    #[values(Eras::Auto, Eras::Both)] eras: Eras,
) {
    let trial = but_in(which, eras, |request, reply| {
        if request.message["params"]["name"] == "read" {
            reply.without("structuredContent");
            reply.set("content", json!([{ "type": "text", "text": "broken" }]));
            reply.set("isError", json!(true));
        }
    });
    assert_eq!(with(&trial, Outcome::Advice), ["modern mcp.same-in-both-eras"], "{}", trial.everything_said());
    let why = trial.why_in("protocol/both-eras/read", "mcp.same-in-both-eras");
    assert!(why.contains("refused"), "{why}");
}

/// Found where the contract is judged in that era.
#[rstest]
#[case::of_legacy_asked_in_both(Era::Legacy, Eras::Both, &["legacy small.title"])]
#[case::of_modern_asked_in_both(Era::Modern, Eras::Both, &["modern small.title"])]
#[case::of_legacy_asked_in_it(Era::Legacy, Eras::Legacy, &["legacy small.title"])]
#[case::of_modern_found_out(Era::Modern, Eras::Auto, &["modern small.title"])]
#[case::of_legacy_not_asked(Era::Legacy, Eras::Modern, &[])]
fn a_violation_in_one_era(#[case] which: Era, #[case] eras: Eras, #[case] expected: &[&str]) {
    let trial = but_in(which, eras, no_title);
    assert_eq!(with(&trial, Outcome::Violated), expected, "{}", trial.everything_said());
    assert_eq!(trial.log.totals.exit_code, u8::from(!expected.is_empty()));
}

/// The protocol is judged in both eras, also where the contract is judged in one.
#[rstest]
#[case::of_legacy(Era::Legacy, "legacy mcp.initialize")]
#[case::of_modern(Era::Modern, "modern mcp.cache-hints")]
fn a_fault_of_the_protocol_in_one_era(#[case] which: Era, #[case] expected: &str) {
    let trial = but_in(which, Eras::Auto, |request, reply| match request.method() {
        "initialize" => reply.without("serverInfo"),
        "tools/list" => reply.without("ttlMs"),
        _ => {}
    });
    assert_eq!(with(&trial, Outcome::Violated), [expected]);
}

/// A server of both eras that has no hints for caches, with what is known of it.
fn tried_knowing(change: impl FnOnce(&mut TargetFile), eras: Eras) -> Trial {
    let mut server = Server::new(|request| {
        let mut reply = dual(request);
        if request.method() == "tools/list" {
            reply.without("ttlMs");
        }
        reply.answer()
    });
    server.address += "/mcp";
    let mut file = target_in(Address::McpHttp(server.address.clone()), eras);
    change(&mut file);
    tried(&file)
}

fn known(era: Option<Era>, requirement: &str) -> KnownFailure {
    let mut known = json!({ "requirement": requirement, "reason": "tracked" });
    if let Some(era) = era {
        known["era"] = json!(era);
    }
    serde_json::from_value(known).unwrap()
}

#[rstest]
#[case::in_its_era(Some(Era::Modern), Eras::Auto, 0, 0)]
#[case::in_any(None, Eras::Auto, 0, 0)]
#[case::in_the_other(Some(Era::Legacy), Eras::Modern, 1, 0)]
fn a_known_failure_names_an_era(#[case] era: Option<Era>, #[case] eras: Eras, #[case] code: u8, #[case] stale: usize) {
    let trial = tried_knowing(|file| file.known_failures.push(known(era, "mcp.cache-hints")), eras);
    assert_eq!(trial.log.totals.exit_code, code, "{}", trial.everything_said());
    assert_eq!(trial.log.ledger.stale.len(), stale, "it was not asked in that era");
    let outcome = trial.outcome("mcp.cache-hints");
    assert!(code == 1 || outcome == Some(Outcome::KnownFailure) || outcome == Some(Outcome::Verified), "{outcome:?}");
}

#[test]
fn a_known_failure_that_is_none_in_its_era_is_stale() {
    let trial = tried_knowing(
        |file| file.known_failures.extend([known(None, "mcp.cache-hints"), known(Some(Era::Legacy), "mcp.ping")]),
        Eras::Auto,
    );
    assert_eq!(trial.log.ledger.stale.len(), 1, "{:?}", trial.log.ledger.stale);
}

#[rstest]
#[case::in_its_era(Era::Modern, 0)]
#[case::in_the_other(Era::Legacy, 1)]
fn what_is_not_supported_names_an_era(#[case] era: Era, #[case] code: u8) {
    let one: Unsupported =
        serde_json::from_value(json!({ "requirement": "mcp.cache-hints", "reason": "no caches", "era": era })).unwrap();
    let trial = tried_knowing(|file| file.unsupported.push(one), Eras::Auto);
    assert_eq!(spoken(&trial).len(), 2);
    assert_eq!(trial.log.totals.exit_code, code, "{}", trial.everything_said());
}
