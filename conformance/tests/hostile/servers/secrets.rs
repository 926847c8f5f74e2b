//! Values from the environment are sent, and nobody who reads of a run sees them.

use super::{SEARCH, target};
use crate::trial::{SUITE, Trial};
use rstest::rstest;
use std::collections::BTreeMap;
use testing::{Answer, Server, answer, ok};

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
