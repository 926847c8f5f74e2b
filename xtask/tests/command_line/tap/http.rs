//! HTTP passes as it comes.

use super::{Tap, parts};
use rstest::rstest;
use std::io::{Read, Write};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use testing::{Answer, Server};

/// The bytes of an answer whose connection is closed afterwards.
fn closing(head: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n").as_bytes(), body].concat()
}

/// A server that gives such an answer to everything.
fn giving(head: impl Into<String>, body: impl Into<Vec<u8>>) -> Server {
    let bytes = closing(&head.into(), &body.into());
    Server::new(move |_| Answer::End(bytes.clone()))
}

#[rstest]
#[case::odd_headers(
    "200 OK\r\nX-Odd: a\r\nx-odd: b\r\nSet-Cookie: c=1\r\nSet-Cookie: d=2\r\nX-EMPTY:\r\nContent-Length: 2",
    b"ok"
)]
#[case::bytes_that_are_no_text("200 Fine\r\nContent-Type: image/png\r\nContent-Length: 6", b"\x89\0\xff\r\n\0")]
#[case::nothing("204 No Content\r\nX-After: 1", b"")]
#[case::not_modified("304 Not Modified\r\nETag: \"1\"", b"")]
#[case::elsewhere("302 Found\r\nLocation: http://elsewhere.invalid/\r\nContent-Length: 0", b"")]
#[case::refused("418 Teapot\r\nContent-Length: 5\r\nWWW-Authenticate: Own", b"short")]
#[case::broken("503 Unavailable\r\nRetry-After: 1\r\nContent-Length: 4", b"wait")]
#[case::compressed("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3", b"\x1f\x8b\0")]
#[case::as_long_as_the_connection("200 OK\r\nContent-Type: text/plain", b"until it is closed")]
fn an_answer_comes_back_as_it_was_given(#[case] head: &'static str, #[case] body: &'static [u8]) {
    let server = giving(head, body);
    let tap = Tap::before(&server.address, &[]);
    let came = tap.raw(b"GET / HTTP/1.1\r\nHost: it\r\nConnection: close\r\n\r\n");
    let (lines, mut got) = parts(&came);
    if lines.iter().any(|line| line.eq_ignore_ascii_case("transfer-encoding: chunked")) {
        got = unchunked(&got);
    }
    assert_eq!(got, body);
    let wanted: Vec<&str> = head.split("\r\n").collect();
    assert_eq!(lines[0].split(' ').nth(1), wanted[0].split(' ').next());
    for line in &wanted[1..] {
        let count = |lines: &mut dyn Iterator<Item = &str>| lines.filter(|one| one.trim() == *line).count();
        let (due, came) = (count(&mut wanted.iter().copied()), count(&mut lines.iter().map(String::as_str)));
        assert_eq!(came, due, "{line} in {lines:?}");
    }
    let more = |line: &&String| {
        let name = line.split(':').next().unwrap().to_lowercase();
        !head.to_lowercase().contains(&name) && !["connection", "transfer-encoding", "date"].contains(&&*name)
    };
    assert_eq!(lines[1..].iter().find(more), None, "nothing is added");
    assert_eq!(tap.end().code, Some(5), "nothing of it belongs to a contract");
}

#[test]
fn a_request_goes_on_as_it_came() {
    let server = giving("200 OK\r\nContent-Length: 0", b"");
    let tap = Tap::before(&server.address, &[]);
    let body = b"\0\xff not { json";
    let head = "PUT /a%2Fb/./c?x=%20&y=+&&z HTTP/1.1\r\nHost: elsewhere\r\nX-Own-Case: 1\r\nx-twice: a\r\nX-Twice: b\r\n\
                Accept-Encoding: br\r\nKeep-Alive: 5\r\nX-Hop: 1\r\nConnection: close, X-Hop\r\nContent-Length: 13\r\n\r\n";
    tap.raw(&[head.as_bytes(), body].concat());
    let asked = &server.requests()[0];
    assert_eq!(asked.head[0], "PUT /a%2Fb/./c?x=%20&y=+&&z HTTP/1.1");
    assert_eq!(asked.body, body);
    let host = format!("host: {}", server.address.strip_prefix("http://").unwrap());
    assert!(asked.head.iter().any(|line| line.to_lowercase() == host), "{asked:?}");
    for line in ["X-Own-Case: 1", "Accept-Encoding: br", "Content-Length: 13"] {
        assert!(asked.has(line), "{line} in {asked:?}");
    }
    let values: Vec<&str> = asked
        .head
        .iter()
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| name.eq_ignore_ascii_case("x-twice"))
        .map(|(_, value)| value)
        .collect();
    assert_eq!(values, ["a", "b"]);
    let names: Vec<String> =
        asked.head[1..].iter().map(|line| line.split(':').next().unwrap().to_lowercase()).collect();
    for of_a_connection in ["keep-alive", "x-hop", "connection"] {
        assert!(!names.iter().any(|name| name == of_a_connection), "{asked:?}");
    }
    assert_eq!(names.len(), 6, "nothing is added, and no client says what it is: {asked:?}");
    tap.end();
}

#[test]
fn chunks_pass_both_ways() {
    let server = Server::new(|request| {
        assert_eq!(request.header("Transfer-Encoding"), Some("chunked"));
        Answer::End(closing("200 OK\r\nTransfer-Encoding: chunked", b"3\r\nabc\r\n1;odd=1\r\n\xff\r\n0\r\n\r\n"))
    });
    let tap = Tap::before(&server.address, &[]);
    let came = tap.raw(
        b"POST / HTTP/1.1\r\nHost: it\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n\0\x01\r\n3\r\nxyz\r\n0\r\n\r\n",
    );
    assert_eq!(unchunked(&parts(&came).1), b"abc\xff");
    assert_eq!(server.requests()[0].body, b"\0\x01xyz");
    tap.end();
}

#[test]
fn a_head_is_asked_for_alone() {
    let server = giving("200 OK\r\nContent-Length: 1234", b"");
    let tap = Tap::before(&server.address, &[]);
    let (lines, body) = parts(&tap.raw(b"HEAD /v0/search HTTP/1.1\r\nHost: it\r\nConnection: close\r\n\r\n"));
    assert!(lines.contains(&"Content-Length: 1234".to_owned()), "{lines:?}");
    assert_eq!((server.requests()[0].head[0].as_str(), body.len()), ("HEAD /v0/search HTTP/1.1", 0));
    tap.end();
}

#[test]
fn events_come_while_the_server_still_holds_the_connection() {
    let (go_on, wait) = channel::<()>();
    let wait = Mutex::new(wait);
    let server = Server::serving(move |_, stream| {
        stream.write_all(&closing("200 OK\r\nContent-Type: text/event-stream", b"data: 1\n\n")).unwrap();
        wait.lock().unwrap().recv().unwrap();
        stream.write_all(b"data: \xff\n\n").unwrap();
    });
    let tap = Tap::before(&server.address, &[]);
    let mut stream = tap.connect();
    stream
        .write_all(b"GET /mcp HTTP/1.1\r\nHost: it\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut came = Vec::new();
    while !came.windows(9).any(|part| part == b"data: 1\n\n") {
        let mut piece = [0; 512];
        let count = stream.read(&mut piece).unwrap();
        assert!(count > 0, "the first event does not come by itself");
        came.extend_from_slice(&piece[..count]);
    }
    go_on.send(()).unwrap();
    stream.read_to_end(&mut came).unwrap();
    assert!(came.windows(9).any(|part| part == b"data: \xff\n\n"));
    tap.end();
}

#[test]
fn a_request_is_answered_before_its_body_has_come() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let tap = Tap::before(&url, &[]);
    let mut client = tap.connect();
    client.write_all(b"POST / HTTP/1.1\r\nHost: it\r\nConnection: close\r\nContent-Length: 6\r\n\r\none").unwrap();
    let (mut upstream, _) = listener.accept().unwrap();
    let mut heard = Vec::new();
    while !heard.ends_with(b"\r\n\r\none") {
        let mut piece = [0; 512];
        let count = upstream.read(&mut piece).unwrap();
        heard.extend_from_slice(&piece[..count]);
    }
    client.write_all(b"two").unwrap();
    let mut rest = [0; 3];
    upstream.read_exact(&mut rest).unwrap();
    assert_eq!(&rest, b"two");
    upstream.write_all(&closing("200 OK\r\nContent-Length: 2", b"ok")).unwrap();
    let mut came = Vec::new();
    client.read_to_end(&mut came).unwrap();
    assert!(came.ends_with(b"\r\n\r\nok"));
    tap.end();
}

#[test]
fn a_body_of_any_size_passes_and_one_beyond_the_cap_is_not_judged() {
    let body: Vec<u8> = (0..20_000_000_u32).map(|at| (at % 251) as u8).collect();
    let sent = body.clone();
    let head = format!("200 OK\r\nContent-Length: {}", body.len());
    let server = giving(head, sent);
    let tap = Tap::before(&server.address, &[]);
    let came = tap.raw(b"GET /api/v1/search?start_time=1 HTTP/1.1\r\nHost: it\r\nConnection: close\r\n\r\n");
    assert!(parts(&came).1 == body);
    let said = tap.end();
    assert_eq!(said.code, Some(5));
    assert!(said.out.contains("1 not judged: more than 8388608 bytes"), "{}", said.out);
}

#[test]
fn another_protocol_goes_through() {
    let server = Server::serving(|asked, stream| {
        assert!(asked.header("upgrade") == Some("own"), "{asked:?}");
        stream.write_all(b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: own\r\n\r\n").unwrap();
        let mut word = [0; 4];
        stream.read_exact(&mut word).unwrap();
        word.reverse();
        stream.write_all(&word).unwrap();
    });
    let tap = Tap::before(&server.address, &[]);
    let mut stream = tap.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: it\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n").unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"));
    stream.write_all(b"abcd").unwrap();
    let mut word = [0; 4];
    stream.read_exact(&mut word).unwrap();
    assert_eq!(&word, b"dcba");
    tap.end();
}

/// A body without the frames of its chunks.
fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let end = body.iter().position(|byte| *byte == b'\n').unwrap();
        let size = std::str::from_utf8(&body[..end]).unwrap().trim_end();
        let size = usize::from_str_radix(size.split(';').next().unwrap(), 16).unwrap();
        whole.extend_from_slice(&body[end + 1..end + 1 + size]);
        body = &body[end + 1 + size + 2..];
        if size == 0 {
            return whole;
        }
    }
}
