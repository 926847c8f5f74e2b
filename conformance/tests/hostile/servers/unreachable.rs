//! A target that is not there: told as such, with its address, and no case is judged.

use super::{SEARCH, target, tried_at};
use crate::reports::assert_whole_and_inert;
use crate::trial::{PATIENT, Trial};
use conformance::model::{Conclusion, Verdict};
use conformance::targets::TargetFile;
use conformance::transport::TransportError;
use rstest::rstest;
use std::collections::BTreeMap;
use testing::{Answer, Server, unused_address};

#[test]
fn an_address_where_nobody_listens() {
    let address = unused_address();
    let trial = tried_at(&address, SEARCH, PATIENT);
    assert_not_reachable(&trial, &address);
}

#[test]
fn a_server_that_speaks_no_tls_where_it_is_due() {
    let server = Server::new(|_| Answer::End(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()));
    let address = server.address.replace("http:", "https:");
    let trial = tried_at(&address, SEARCH, PATIENT);
    assert_not_reachable(&trial, &address);
}

#[rstest]
#[case::no_scheme("127.0.0.1:3000")]
#[case::a_file("file:///tmp")]
#[case::no_host("http://")]
#[case::no_port("http://127.0.0.1:port")]
#[case::a_socket("unix:///tmp/socket")]
fn an_address_that_is_none_is_told_before_the_run(#[case] address: &str) {
    let error = target(address).ready(&BTreeMap::new(), &|_| None).err().unwrap().to_string();
    assert!(error.contains("hostile") && error.contains(address), "{error}");
}

#[test]
fn a_header_that_cannot_be_sent_is_told_without_its_value() {
    let mut file: TargetFile = target("http://127.0.0.1:1");
    file.endpoints[0].headers.insert("Authorization".to_owned(), "s3cret\nvalue".to_owned());
    let error = file.ready(&BTreeMap::new(), &|_| None).err().unwrap().to_string();
    assert!(error.contains("`Authorization`") && !error.contains("s3cret"), "{error}");
}

fn assert_not_reachable(trial: &Trial, address: &str) {
    let error = trial.unreachable.as_ref().unwrap();
    assert!(matches!(error, TransportError::NotReachable { address: named, .. } if named == address), "{error:?}");
    assert!(error.to_string().contains(address), "{error}");
    assert_eq!(trial.log.totals.conclusion, Conclusion::NotReachable);
    assert!(trial.log.ledger.entries.iter().all(|entry| entry.finding.verdict == Verdict::Incomplete));
    assert_whole_and_inert(&trial.log);
}
