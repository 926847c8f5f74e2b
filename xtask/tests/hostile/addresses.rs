//! Servers that are asked over plain HTTP.

use crate::run::{CONFORMS, Due, PATIENT, SOON, advises, is_not_there, verify, violates};
use crate::server::{Answer, Request, Server, answer, begun, head, ok, redirect};
use rstest::rstest;

/// A case of one search.
const SEARCH: &str = "params/offered";
const NO_ANSWER: Due = violates("http.answers");
const NO_JSON: Due = violates("http.json");
const FOUND: &str = r#"{"data":[]}"#;

#[rstest]
#[case::hangs_before_the_headers(|_: &Request| Answer::Hang(Vec::new()), SOON, NO_ANSWER)]
#[case::hangs_in_the_headers(|_: &Request| Answer::Hang(b"HTTP/1.1 200 OK\r\ncontent-".to_vec()), SOON, NO_ANSWER)]
#[case::hangs_after_the_headers(|_: &Request| Answer::Hang(head("content-length: 2")), SOON, NO_ANSWER)]
#[case::drips_headers(|_: &Request| Answer::Drip(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), b'y'), SOON, NO_ANSWER)]
#[case::drips_a_body(|_: &Request| Answer::Drip(head("content-length: 99999"), b' '), SOON, NO_ANSWER)]
#[case::a_body_without_end(|_: &Request| Answer::Flood(head("content-type: application/json"), vec![b'['; 1 << 16]), PATIENT, NO_ANSWER)]
#[case::chunks_without_end(|_: &Request| Answer::Flood(head("transfer-encoding: chunked"), chunk()), PATIENT, NO_ANSWER)]
#[case::ten_gigabytes(|_: &Request| Answer::Flood(head("content-length: 10000000000"), vec![b' '; 1 << 16]), PATIENT, NO_ANSWER)]
#[case::ten_gigabytes_that_do_not_come(|_: &Request| Answer::Hang(head("content-length: 10000000000")), SOON, NO_ANSWER)]
#[case::a_gzip_bomb(|_: &Request| answer("200 OK", "content-encoding: gzip\r\n", bomb()), PATIENT, NO_JSON)]
#[case::closed_before_the_headers(|_: &Request| Answer::Bytes(Vec::new()), PATIENT, NO_ANSWER)]
#[case::closed_in_the_headers(|_: &Request| Answer::Bytes(b"HTTP/1.1 200 OK\r\ncontent-".to_vec()), PATIENT, NO_ANSWER)]
#[case::closed_in_the_body(|_: &Request| Answer::Bytes(begun("content-length: 99", FOUND)), PATIENT, NO_ANSWER)]
#[case::tls_where_none_is_due(|_: &Request| Answer::Bytes(b"\x15\x03\x01\0\x02\x02\x46".to_vec()), PATIENT, NO_ANSWER)]
#[case::another_protocol(|_: &Request| Answer::Bytes(b"220 mail.example ESMTP\r\n".to_vec()), PATIENT, NO_ANSWER)]
#[case::continues_without_end(|_: &Request| Answer::Flood(Vec::new(), b"HTTP/1.1 100 Continue\r\n\r\n".repeat(99)), SOON, NO_ANSWER)]
#[case::hints_without_end(|_: &Request| Answer::Flood(Vec::new(), b"HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n".repeat(99)), SOON, NO_ANSWER)]
#[case::ten_thousand_headers(|_: &Request| Answer::Bytes(begun(&"x: y\r\n".repeat(10_000), FOUND)), PATIENT, NO_ANSWER)]
#[case::a_header_without_end(|_: &Request| Answer::Flood(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), vec![b'y'; 1 << 16]), PATIENT, NO_ANSWER)]
#[case::a_loop_of_redirects(|_: &Request| redirect("/api/v1/search"), PATIENT, NO_ANSWER)]
#[case::a_redirect_to_another_host(|asked: &Request| redirect(&format!("http://{}/", asked.bystander)), PATIENT, NO_ANSWER)]
#[case::a_redirect_to_a_file(|_: &Request| redirect("file:///etc/passwd"), PATIENT, NO_ANSWER)]
#[case::an_error_page(|_: &Request| answer("500 Oops", "content-type: text/html\r\n", "<h1>500</h1>"), PATIENT, NO_ANSWER)]
#[case::wants_a_token(|_: &Request| answer("401 Unauthorized", "", ""), PATIENT, is_not_there("it wants a token"))]
#[case::ten_thousand_arrays(|_: &Request| ok("[".repeat(10_000) + &"]".repeat(10_000)), PATIENT, NO_JSON)]
#[case::eight_million_open_arrays(|_: &Request| ok("[".repeat(8_000_000)), PATIENT, NO_JSON)]
#[case::a_key_twice(|_: &Request| ok(r#"{"data":[],"data":[]}"#), PATIENT, advises("http.no-duplicate-keys"))]
#[case::a_million_keys_twice(|_: &Request| ok(format!("{{{}\"data\":[]}}", r#""a":1,"#.repeat(1_000_000))), PATIENT, NO_ANSWER)]
#[case::four_million_values(|_: &Request| ok(format!("{{\"data\":[{}0]}}", "0,".repeat(4_000_000))), PATIENT, NO_ANSWER)]
#[case::two_million_objects(|_: &Request| ok(format!("[{}0]", "{},".repeat(2_600_000))), PATIENT, NO_ANSWER)]
#[case::one_very_long_text(|_: &Request| ok(format!("{{\"data\":[\"{}\"]}}", "\\u0000".repeat(1_300_000))), PATIENT, violates("recall.item-frame-id"))]
#[case::not_a_number(|_: &Request| ok(r#"{"data":[{"timestamp":NaN}]}"#), PATIENT, NO_JSON)]
#[case::half_a_surrogate_pair(|_: &Request| ok(r#"{"data":[],"more":"\ud800"}"#), PATIENT, CONFORMS)]
#[case::not_utf_8(|_: &Request| ok(b"{\"data\":[],\"x\":\"caf\xe9\"}"), PATIENT, NO_JSON)]
#[case::a_byte_order_mark(|_: &Request| ok(format!("\u{feff}{FOUND}")), PATIENT, NO_JSON)]
#[case::html(|_: &Request| answer("200 OK", "content-type: text/html\r\n", "<!doctype html><title>It works!</title>"), PATIENT, NO_JSON)]
#[case::another_type_of_content(|_: &Request| answer("200 OK", "content-type: image/png\r\n", FOUND), PATIENT, CONFORMS)]
#[case::cookies(|_: &Request| answer("200 OK", &"set-cookie: a=b; Path=/\r\n".repeat(50), FOUND), PATIENT, CONFORMS)]
fn an_http_server(
    #[case] given: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    #[case] timeout: &str,
    #[case] due: Due,
) {
    let server = Server::new(given);
    let run = verify(&["recall", "--http", &server.address, "--case", SEARCH, "--timeout", timeout]);
    run.assert_is(due);
    server.assert_nobody_else_was_asked();
    assert!(server.heard().iter().all(|head| !head.contains("cookie")), "cookies are not kept");
}

/// A chunk of blanks.
fn chunk() -> Vec<u8> {
    format!("10000\r\n{}\r\n", " ".repeat(1 << 16)).into_bytes()
}

/// What unpacks to a gigabyte: a zero, and as often as possible the longest repetition of it that there is, 13 bits for 258
/// bytes.
fn bomb() -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::new();
    // The last block, of fixed codes; the byte 0.
    bits.extend([true, true, false].into_iter().chain(msb(0b0011_0000, 8)));
    // Eight repetitions are a whole number of bytes.
    let repetitions: Vec<bool> = (0..8).flat_map(|_| msb(0b1100_0101, 8).chain(msb(0, 5))).collect();
    // To the next whole byte, what is left of the first five; so the pattern is turned by as much.
    let turn = 8 - bits.len() % 8;
    bits.extend(&repetitions[..turn]);
    let period: Vec<bool> = repetitions.iter().cycle().skip(turn).take(8 * 13).copied().collect();
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255].to_vec();
    [head, packed(&bits), packed(&period).repeat(520_000)].concat()
}

/// The bits of a code, the highest first.
fn msb(code: u16, length: u32) -> impl Iterator<Item = bool> {
    (0..length).rev().map(move |at| code >> at & 1 == 1)
}

/// Bits in bytes, the first one lowest.
fn packed(bits: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| bits.iter().enumerate().fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at);
    bits.chunks(8).map(byte).collect()
}
