//! Servers that hang, drip, flood, break off, or speak something else.

use super::tried;
use crate::reports::assert_whole_and_inert;
use crate::trial::{PATIENT, SOON};
use conformance::model::Verdict;
use rstest::rstest;
use testing::Answer;

#[rstest]
#[case::hangs_before_a_byte(Answer::Hang(Vec::new()), SOON, "timed-out")]
#[case::hangs_in_the_headers(Answer::Hang(b"HTTP/1.1 200 OK\r\ncontent-".to_vec()), SOON, "timed-out")]
#[case::hangs_before_the_body(Answer::Hang(head("content-length: 2")), SOON, "timed-out")]
#[case::hangs_in_the_body(Answer::Hang([&head("content-length: 99")[..], b"{\"data\""].concat()), SOON, "timed-out")]
#[case::drips_headers(Answer::Drip(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), b'y'), SOON, "timed-out")]
#[case::drips_a_body(Answer::Drip(head("content-length: 99999"), b' '), SOON, "timed-out")]
#[case::ten_gigabytes_then_the_end(Answer::End(head("content-length: 10000000000")), PATIENT, "broken")]
#[case::ends_in_the_body(Answer::End([&head("content-length: 99")[..], b"{\"data\":[]}"].concat()), PATIENT, "broken")]
#[case::ends_in_a_chunk(Answer::End([&head("transfer-encoding: chunked")[..], b"99\r\n{}"].concat()), PATIENT, "broken")]
#[case::a_chunk_of_no_size(Answer::End([&head("transfer-encoding: chunked")[..], b"zz\r\n{}"].concat()), PATIENT, "broken")]
#[case::two_lengths(Answer::End([&head("content-length: 2\r\ncontent-length: 3")[..], b"{}"].concat()), PATIENT, "broken")]
#[case::ends_at_once(Answer::End(Vec::new()), PATIENT, "broken")]
#[case::ends_in_the_headers(Answer::End(b"HTTP/1.1 200 OK\r\ncontent-".to_vec()), PATIENT, "broken")]
#[case::resets_at_once(Answer::Reset(Vec::new()), PATIENT, "broken")]
#[case::resets_in_the_body(Answer::Reset(head("content-length: 99")), PATIENT, "broken")]
#[case::five_thousand_headers(Answer::End(head(&"x: y\r\n".repeat(5000))), PATIENT, "broken")]
#[case::a_header_without_end(Answer::Flood(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), vec![b'y'; 65536]), PATIENT, "broken")]
#[case::continues_without_end(Answer::Flood(Vec::new(), b"HTTP/1.1 100 Continue\r\n\r\n".repeat(99)), SOON, "timed-out")]
#[case::hints_without_end(Answer::Flood(Vec::new(), b"HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n".repeat(99)), SOON, "timed-out")]
#[case::tls_where_none_is_due(Answer::End(b"\x15\x03\x01\0\x02\x02\x46".to_vec()), PATIENT, "broken")]
#[case::zeros_without_end(Answer::Flood(Vec::new(), vec![0; 65536]), PATIENT, "broken")]
#[case::another_protocol(Answer::End(b"220 mail.example ESMTP\r\n".to_vec()), PATIENT, "broken")]
fn a_request_that_is_not_answered(#[case] answer: Answer, #[case] timeout: u64, #[case] failure: &str) {
    let trial = tried(answer, timeout);
    assert_eq!(trial.unreachable.as_ref().map(ToString::to_string), None);
    assert_eq!(trial.exchange(0)["status"], "failed");
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], failure);
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Fail));
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Fail), "a status is judged even so");
    assert_eq!(trial.verdict("http.json"), None, "what is not there is not judged");
    assert_eq!(trial.log.totals.exit_code, 1);
    assert_whole_and_inert(&trial.log);
}

#[rstest]
#[case::a_body_without_end(Answer::Flood(head("content-type: application/json"), vec![b'['; 65536]))]
#[case::chunks_without_end(Answer::Flood(head("transfer-encoding: chunked"), chunk(65536)))]
#[case::too_large_by_its_length(Answer::Flood(head("content-length: 10000000000"), vec![b' '; 65536]))]
fn an_answer_that_is_larger_than_we_read_condemns_nobody(#[case] answer: Answer) {
    let trial = tried(answer, PATIENT);
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], "too-large");
    assert_eq!(trial.verdict("http.answers"), None);
    assert_eq!(trial.verdict("recall.search-offered"), Some(Verdict::Incomplete));
    let why = &trial.finding("recall.search-offered").unwrap().details[0].message;
    assert!(why.contains("as much as is read"), "{why}");
    assert_eq!(trial.log.totals.exit_code, 3);
    assert_whole_and_inert(&trial.log);
}

/// The head of a good answer, with this header.
fn head(header: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\n{header}\r\n\r\n").into_bytes()
}

/// A chunk of blanks.
fn chunk(size: usize) -> Vec<u8> {
    format!("{size:x}\r\n{}\r\n", " ".repeat(size)).into_bytes()
}
