//! Values from the environment are sent, and nobody who reads of a run sees them.

use super::{FRAMES, SEARCH, target};
use crate::trial::{SUITE, Trial};
use conformance::model::{Shelf, Verdict};
use conformance::rejudge::Stored;
use conformance::report::repeat;
use conformance::spill::Spill;
use conformance::targets::{Address, EndpointFile, TargetFile};
use rstest::rstest;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use testing::{Answer, Request, Script, Server, answer, ok};

const SECRET: &str = "s3cret-t0ken";

#[rstest]
#[case::in_a_text(ok(r#"{"data":[],"you":"Bearer s3cret-t0ken"}"#))]
#[case::in_results(ok(r#"{"data":[{"frame_id":"s3cret-t0ken","frame_url":"s3cret-t0ken"}]}"#))]
#[case::in_a_refusal(answer("404 Not Found", "", r#"{"error":"s3cret-t0ken may not"}"#))]
#[case::in_what_is_no_json(ok("<p>Bearer s3cret-t0ken</p>"))]
#[case::in_a_header(answer("500 Internal Server Error", "x-echo: Bearer s3cret-t0ken\r\n", ""))]
#[case::as_a_key_twice(ok(r#"{"data":[],"s3cret-t0ken":1,"s3cret-t0ken":2}"#))]
#[case::nowhere(Answer::End(Vec::new()))]
fn a_token_is_sent_and_never_shown(#[case] answer: Answer) {
    let server = Server::new(move |_| answer.clone());
    let mut file = target(&server.address);
    file.endpoints[0].headers.insert("Authorization".to_owned(), "Bearer ${TOKEN}".to_owned());
    let trial = Trial::with(&SUITE, &file, SEARCH, &|name| (name == "TOKEN").then(|| SECRET.to_owned()));
    let sent = server.requests();
    assert!(sent.iter().any(|request| request.header("authorization") == Some("Bearer s3cret-t0ken")), "{sent:?}");
    let said = trial.everything_said();
    assert!(!said.contains(SECRET), "{said}");
    assert_eq!(trial.exchange(0)["request"]["sent"]["headers"]["Authorization"], "Bearer [redacted: TOKEN]");
}

#[rstest]
#[case::in_an_address_that_wants_another("{address}/${TOKEN}", None)]
#[case::in_an_address_where_nobody_listens("http://127.0.0.1:1/${TOKEN}", None)]
#[case::in_a_command_and_its_words("http://127.0.0.1:{port}", Some("echo 'no ${TOKEN}'; exit 1"))]
fn a_token_is_not_shown_where_the_target_is_not_there(#[case] address: &str, #[case] start: Option<&str>) {
    let server = Server::new(|_| answer("401 Unauthorized", "", ""));
    let mut file = target(&address.replace("{address}", &server.address));
    file.secret = vec!["TOKEN".to_owned()];
    file.start = start.map(|script| ["/bin/sh", "-c", script].map(str::to_owned).to_vec());
    let trial = Trial::with(&SUITE, &file, SEARCH, &|name| (name == "TOKEN").then(|| SECRET.to_owned()));
    let said = trial.everything_said() + &trial.unreachable.unwrap().to_string();
    assert!(said.contains("[redacted: TOKEN]") && !said.contains(SECRET), "{said}");
}

#[test]
fn every_variable_that_is_not_set_is_named() {
    let mut file = target("http://127.0.0.1:${NO_PORT}");
    file.endpoints[0].headers.insert("Authorization".to_owned(), "${NO_TOKEN}".to_owned());
    let error = file.ready(&BTreeMap::new(), &|_| None).err().unwrap().to_string();
    assert!(error.contains("hostile") && error.contains("NO_PORT") && error.contains("NO_TOKEN"), "{error}");
}

#[test]
fn a_port_is_no_secret() {
    let server = Server::new(frame_at(""));
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let plain = Trial::of(&SUITE, &target(&server.address), FRAMES);
    let file = target("http://127.0.0.1:${PORT}");
    let filled = Trial::with(&SUITE, &file, FRAMES, &|name| (name == "PORT").then(|| port.clone()));
    assert_eq!(filled.verdict("recall.frame-url-answers"), Some(Verdict::Pass));
    assert_eq!(filled.verdict("http.answers"), Some(Verdict::Pass));
    assert_eq!(filled.violated(), plain.violated());
    let address = format!("{}/frames/", server.address);
    assert!(
        filled.exchange(0)["items"].to_string().contains(&address) && !filled.everything_said().contains("redacted")
    );
}

#[test]
fn a_variable_of_the_environment_is_no_secret_in_what_a_program_says() {
    let script = Script::new(r#"echo "H records=0 truncated=false""#);
    let endpoint = EndpointFile::new("records", Address::Cli(script.words()));
    let mut file = TargetFile { endpoints: vec![endpoint], ..target("") };
    let plain = Trial::of(&SUITE, &file, "header/context");
    file.env.insert("LOGNAME".to_owned(), "${USER_}".to_owned());
    let filled = Trial::with(&SUITE, &file, "header/context", &|name| (name == "USER_").then(|| "records".to_owned()));
    assert_eq!(filled.exchange(0)["lines"], json!(["H records=0 truncated=false", ""]));
    assert_eq!(filled.violated(), plain.violated());
}

#[test]
fn what_repeats_a_call_of_a_program_sets_its_variables_and_shows_no_secret() {
    let script = Script::new(r#"echo "H $API_KEY $MODE""#);
    let endpoint = EndpointFile::new("records", Address::Cli(script.words()));
    let mut file = TargetFile { endpoints: vec![endpoint], ..target("") };
    file.env.insert("API_KEY".to_owned(), "${TOKEN}".to_owned());
    file.env.insert("MODE".to_owned(), "a b".to_owned());
    let trial = Trial::with(&SUITE, &file, "header/context", &|name| (name == "TOKEN").then(|| SECRET.to_owned()));
    assert_eq!(trial.exchange(0)["lines"][0], "H [redacted: TOKEN] a b");
    let lines = repeat::lines(trial.exchange(0));
    let [note, command] = &lines[..] else { panic!("a note and a command are expected: {lines:?}") };
    assert_eq!(note, "# set TOKEN first: the secret, which is not written here");
    assert!(command.contains(r#"env 'API_KEY='"$TOKEN" 'MODE=a b' "#), "{command}");
    let said = trial.everything_said();
    assert!(said.contains(r#""$TOKEN""#) && !said.contains(SECRET), "{said}");
}

#[test]
fn an_answer_with_a_secret_is_judged_as_received_and_its_verdict_is_repeated() {
    let server = Server::new(frame_at(SECRET));
    let file = TargetFile { secret: vec!["TOKEN".to_owned()], ..target(&server.address) };
    let trial = Trial::with(&SUITE, &file, FRAMES, &|name| (name == "TOKEN").then(|| SECRET.to_owned()));
    assert!(server.requests().iter().any(|request| request.target() == format!("/frames/1{SECRET}")));
    assert_eq!(trial.verdict("recall.frame-url-answers"), Some(Verdict::Pass));
    let marks = &trial.exchange(0)["redacted"];
    assert_eq!(marks["/items/0/frame_url"], json!(["[redacted: TOKEN]"]), "{marks}");
    let mut log = Vec::new();
    trial.log.write(&mut log).unwrap();
    let shelf: Arc<dyn Shelf> = Spill::new().unwrap();
    shelf.put(&log);
    let again = Stored::read(log.as_slice(), &shelf).unwrap().judge(&SUITE);
    let outcomes = |entries: &[conformance::model::Entry]| -> BTreeMap<String, String> {
        entries.iter().map(|entry| (entry.finding.requirement.clone(), format!("{:?}", entry.outcome))).collect()
    };
    assert_eq!(outcomes(&again.ledger.entries), outcomes(&trial.log.ledger.entries));
    let warnings = again.header.warnings.join("; ");
    assert!(warnings.contains("repeated from the log"), "{warnings}");
}

#[test]
fn a_secret_of_digits_is_known_as_a_number() {
    let server = Server::new(|_| ok(r#"{"data":[{"frame_id":8472916305,"frame_url":[18472916305,-8472916305.5]}]}"#));
    let file = TargetFile { secret: vec!["PIN".to_owned()], ..target(&server.address) };
    let trial = Trial::with(&SUITE, &file, FRAMES, &|name| (name == "PIN").then(|| "8472916305".to_owned()));
    let item = &trial.exchange(0)["items"][0];
    let due = json!({ "frame_id": "[redacted: PIN]", "frame_url": ["1[redacted: PIN]", "-[redacted: PIN].5"] });
    assert_eq!(*item, due);
    assert_eq!(trial.exchange(0)["redacted"]["/items/0/frame_id"], json!(["[redacted: PIN]"]));
    let said = trial.everything_said();
    assert!(!said.contains("8472916305"), "{said}");
}

#[test]
fn a_secret_that_is_too_short_is_named() {
    let server = Server::new(|_| ok(r#"{"data":[]}"#));
    let mut file = target(&server.address);
    file.endpoints[0].headers.insert("X-Api-Key".to_owned(), "${SHORT}".to_owned());
    let target = file.ready(&BTreeMap::new(), &|_| Some("a1b2c".to_owned())).unwrap();
    let warnings = target.redactor.warnings();
    assert!(warnings.iter().any(|one| one.contains("X_API_KEY") && one.contains("fewer than 6")), "{warnings:?}");
}

/// A server whose frames have addresses of their own host, which end in this.
fn frame_at(end: &'static str) -> impl Fn(&Request) -> Answer {
    move |asked| {
        let address = format!("http://{}/frames/1{end}", asked.header("host").unwrap_or_default());
        ok(json!({ "data": [{ "frame_id": 1, "frame_url": address }] }).to_string())
    }
}
