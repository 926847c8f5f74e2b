//! Servers that are asked over plain HTTP.

use crate::bystander::{assert_nobody_else_was_asked, begun, bystander};
use crate::run::{CONFORMS, Due, PATIENT, SOON, advises, is_not_there, leaves_untold, verify, violates};
use libtest_mimic::Trial;
use testing::{Answer, Request, Server, answer, head, ok, redirect};

/// A case of one search.
const SEARCH: &str = "params/offered";
const NO_ANSWER: Due = violates("http.answers");
/// We do not follow it, so what it leads to is not known.
const NOT_TOLD: Due = leaves_untold("recall.search-offered");
/// It is more than we read, so nothing is known of it.
const TOO_LARGE: Due = leaves_untold("recall.search-offered");
const NO_JSON: Due = violates("http.json");
const FOUND: &str = r#"{"data":[]}"#;

/// Every row by its name, the seconds that a call may take, and what the run comes to.
pub(crate) fn trials() -> Vec<Trial> {
    vec![
        row("hangs_before_the_headers", SOON, NO_ANSWER, |_| Answer::Hang(Vec::new())),
        row("hangs_in_the_headers", SOON, NO_ANSWER, |_| Answer::Hang(b"HTTP/1.1 200 OK\r\ncontent-".to_vec())),
        row("hangs_after_the_headers", SOON, NO_ANSWER, |_| Answer::Hang(head("content-length: 2"))),
        row("drips_headers", SOON, NO_ANSWER, |_| Answer::Drip(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), b'y')),
        row("drips_a_body", SOON, NO_ANSWER, |_| Answer::Drip(head("content-length: 99999"), b' ')),
        row("a_body_without_end", PATIENT, TOO_LARGE, |_| {
            Answer::Flood(head("content-type: application/json"), vec![b'['; 1 << 16])
        }),
        row("chunks_without_end", PATIENT, TOO_LARGE, |_| Answer::Flood(head("transfer-encoding: chunked"), chunk())),
        row("ten_gigabytes", PATIENT, TOO_LARGE, |_| {
            Answer::Flood(head("content-length: 10000000000"), vec![b' '; 1 << 16])
        }),
        row("ten_gigabytes_that_do_not_come", SOON, NO_ANSWER, |_| Answer::Hang(head("content-length: 10000000000"))),
        row("a_gzip_bomb", PATIENT, TOO_LARGE, |_| answer("200 OK", "content-encoding: gzip\r\n", bomb())),
        row("closed_before_the_headers", PATIENT, NO_ANSWER, |_| Answer::End(Vec::new())),
        row("closed_in_the_headers", PATIENT, NO_ANSWER, |_| Answer::End(b"HTTP/1.1 200 OK\r\ncontent-".to_vec())),
        row("closed_in_the_body", PATIENT, NO_ANSWER, |_| Answer::End(begun("content-length: 99", FOUND))),
        row("tls_where_none_is_due", PATIENT, NO_ANSWER, |_| Answer::End(b"\x15\x03\x01\0\x02\x02\x46".to_vec())),
        row("another_protocol", PATIENT, NO_ANSWER, |_| Answer::End(b"220 mail.example ESMTP\r\n".to_vec())),
        row("continues_without_end", SOON, NO_ANSWER, |_| {
            Answer::Flood(Vec::new(), b"HTTP/1.1 100 Continue\r\n\r\n".repeat(99))
        }),
        row("hints_without_end", SOON, NO_ANSWER, |_| {
            Answer::Flood(Vec::new(), b"HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n".repeat(99))
        }),
        row("ten_thousand_headers", PATIENT, NO_ANSWER, |_| Answer::End(begun(&"x: y\r\n".repeat(10_000), FOUND))),
        row("a_header_without_end", PATIENT, NO_ANSWER, |_| {
            Answer::Flood(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), vec![b'y'; 1 << 16])
        }),
        row("a_loop_of_redirects", PATIENT, NOT_TOLD, |_| redirect("/api/v1/search")),
        row("a_redirect_to_another_host", PATIENT, NOT_TOLD, |_| redirect(&format!("{}/", bystander()))),
        row("a_redirect_to_a_file", PATIENT, NOT_TOLD, |_| redirect("file:///etc/passwd")),
        row("an_error_page", PATIENT, NO_ANSWER, |_| answer("500 Oops", "content-type: text/html\r\n", "<h1>500</h1>")),
        row("wants_a_token", PATIENT, is_not_there("it wants a token"), |_| answer("401 Unauthorized", "", "")),
        row("ten_thousand_arrays", PATIENT, TOO_LARGE, |_| ok("[".repeat(10_000) + &"]".repeat(10_000))),
        row("eight_million_open_arrays", PATIENT, TOO_LARGE, |_| ok("[".repeat(8_000_000))),
        row("a_key_twice", PATIENT, advises("http.no-duplicate-keys"), |_| ok(r#"{"data":[],"data":[]}"#)),
        row("a_million_keys_twice", PATIENT, TOO_LARGE, |_| {
            ok(format!("{{{}\"data\":[]}}", r#""a":1,"#.repeat(1_000_000)))
        }),
        row("four_million_values", PATIENT, TOO_LARGE, |_| ok(format!("{{\"data\":[{}0]}}", "0,".repeat(4_000_000)))),
        row("two_million_objects", PATIENT, TOO_LARGE, |_| ok(format!("[{}0]", "{},".repeat(2_600_000)))),
        row("one_very_long_text", PATIENT, violates("recall.item-frame-id"), |_| {
            ok(format!("{{\"data\":[\"{}\"]}}", "\\u0000".repeat(400_000)))
        }),
        row("not_a_number", PATIENT, NO_JSON, |_| ok(r#"{"data":[{"timestamp":NaN}]}"#)),
        row("half_a_surrogate_pair", PATIENT, CONFORMS, |_| ok(r#"{"data":[],"more":"\ud800"}"#)),
        row("not_utf_8", PATIENT, NO_JSON, |_| ok(b"{\"data\":[],\"x\":\"caf\xe9\"}")),
        row("a_byte_order_mark", PATIENT, NO_JSON, |_| ok(format!("\u{feff}{FOUND}"))),
        row("html", PATIENT, NO_JSON, |_| {
            answer("200 OK", "content-type: text/html\r\n", "<!doctype html><title>It works!</title>")
        }),
        row("another_type_of_content", PATIENT, NO_JSON, |_| answer("200 OK", "content-type: image/png\r\n", FOUND)),
        row("cookies", PATIENT, CONFORMS, |_| answer("200 OK", &"set-cookie: a=b; Path=/\r\n".repeat(50), FOUND)),
    ]
}

fn row(
    name: &str,
    timeout: &'static str,
    due: Due,
    given: impl Fn(&Request) -> Answer + Send + Sync + 'static,
) -> Trial {
    Trial::test(format!("http::{name}"), move || {
        let server = Server::new(given);
        let run = verify(&["recall", "--http", &server.address, "--case", SEARCH, "--timeout", timeout]);
        run.assert_is(due);
        assert_nobody_else_was_asked();
        assert!(server.requests().iter().all(|request| request.header("cookie").is_none()), "cookies are not kept");
        Ok(())
    })
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
