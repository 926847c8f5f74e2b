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
    "200 OK\r\nX-Odd: a\r\nx-OTHER:b\r\nx-odd:  c \r\nSet-Cookie: c=1\r\nSet-Cookie: d=2\r\nX-EMPTY:\r\nContent-Length: 2",
    b"ok"
)]
#[case::bytes_that_are_no_text("200 Fine\r\nContent-Type: image/png\r\nContent-Length: 6", b"\x89\0\xff\r\n\0")]
#[case::header_bytes_that_are_no_text("200 Fine\r\nX-Name: caf\u{e9}\r\nContent-Length: 0", b"")]
#[case::nothing("204 No Content\r\nX-After: 1", b"")]
#[case::not_modified("304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 7", b"")]
#[case::elsewhere("302 Found\r\nLocation: http://elsewhere.invalid/\r\nContent-Length: 0", b"")]
#[case::refused("418 Teapot\r\nContent-Length: 5\r\nWWW-Authenticate: Own", b"short")]
#[case::broken("503 Unavailable\r\nRetry-After: 1\r\nContent-Length: 4", b"wait")]
#[case::compressed("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3", b"\x1f\x8b\0")]
#[case::as_long_as_the_connection("200 OK\r\nContent-Type: text/plain", b"until it is closed")]
#[case::hints_before("103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2", b"ok")]
#[case::chunks("200 OK\r\nTransfer-Encoding: chunked", b"3\r\nabc\r\n1;odd=1\r\n\xff\r\n0\r\n\r\n")]
#[case::trailers(
    "200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: Chunked",
    b"2\r\nok\r\n0\r\nX-Sum: 1\r\nx-other: 2\r\n\r\n"
)]
#[case::coded_in_transfer("200 OK\r\nTransfer-Encoding: gzip, chunked", b"3\r\n\x1f\x8b\0\r\n0\r\n\r\n")]
#[case::no_http("it speaks another protocol", b"")]
fn an_answer_comes_back_to_the_byte(#[case] head: &'static str, #[case] body: &'static [u8]) {
    let server = giving(head, body);
    let tap = Tap::before(&server.address, &[]);
    let came = tap.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let given = closing(head, body);
    assert_eq!(String::from_utf8_lossy(&came), String::from_utf8_lossy(&given));
    assert!(came == given);
    let said = tap.end();
    assert_eq!((said.code, said.err.as_str()), (Some(5), ""), "nothing of it belongs to a contract");
}

#[rstest]
#[case::after_its_length("Content-Length: 3\r\nTransfer-Encoding: chunked\r\nX-After: 1")]
#[case::before_its_length("Transfer-Encoding: chunked\r\nX-After: 1\r\ncontent-length: 3")]
fn a_length_that_does_not_count_goes_from_an_answer(#[case] lines: &str) {
    let chunks = b"5\r\nabcde\r\n0\r\n\r\n";
    let server = giving(format!("200 OK\r\n{lines}"), chunks);
    let tap = Tap::before(&server.address, &[]);
    let came = tap.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let due: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-After: 1\r\nConnection: close\r\n\r\n";
    assert_eq!(String::from_utf8_lossy(&came), String::from_utf8_lossy(&[due, chunks].concat()));
    tap.end();
}

/// A client may take another end of it for the right one than the next client on the way does (RFC 9112, 6.3).
#[rstest]
#[case::two_lengths("Content-Length: 1\r\nContent-Length: 2")]
#[case::no_length("Content-Length: -1")]
fn an_answer_without_a_certain_end_is_not_passed_back(#[case] lines: &str) {
    let server = giving(format!("200 OK\r\n{lines}"), b"ab");
    let tap = Tap::before(&server.address, &[]);
    let came = tap.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(parts(&came).0[0].starts_with("HTTP/1.1 502 "), "{came:?}");
    tap.end();
}

/// Chunks in a version without them may be framed otherwise by others on the way (RFC 9112, 6.1).
#[test]
fn a_connection_ends_after_chunks_of_http_1_0() {
    let answer = b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    let server = Server::new(|_| Answer::Bytes(answer.to_vec()));
    let tap = Tap::before(&server.address, &[]);
    // It is read to its end, which comes although nobody asks for it.
    let came = tap.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(String::from_utf8_lossy(&came), String::from_utf8_lossy(answer));
    tap.end();
}

#[test]
fn no_request_is_hidden_in_the_body_of_another() {
    let server = Server::new(|_| Answer::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec()));
    let tap = Tap::before(&server.address, &[]);
    let hidden = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    let came = tap.raw(format!("{head}{hidden}").as_bytes());
    assert_eq!(came, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "its connection ends with it");
    let asked = server.requests();
    assert_eq!(asked.len(), 1);
    assert_eq!((asked[0].header("content-length"), asked[0].header("transfer-encoding")), (None, Some("chunked")));
    tap.end();
}

#[rstest]
#[case::two_lengths("Content-Length: 1\r\nContent-Length: 2", 400)]
#[case::no_length("Content-Length: -1", 400)]
#[case::unknown_end("Transfer-Encoding: gzip", 400)]
#[case::no_header("a line without a colon", 400)]
fn a_request_without_a_certain_end_is_not_passed_on(#[case] lines: &str, #[case] status: u16) {
    let server = giving("200 OK\r\nContent-Length: 0", b"");
    let tap = Tap::before(&server.address, &[]);
    let came = tap.raw(format!("POST / HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n\r\nab").as_bytes());
    assert!(parts(&came).0[0].starts_with(&format!("HTTP/1.1 {status} ")), "{came:?}");
    assert_eq!(server.connections(), 0);
    tap.end();
}

#[test]
fn requests_go_on_as_they_came() {
    let server = Server::new(|_| Answer::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec()));
    let tap = Tap::before(&server.address, &[]);
    let put = "PUT /a%2Fb/./c?x=%20&y=+&&z HTTP/1.1\r\nHOST:  localhost:9000\r\nX-Own-Case: 1\r\nx-twice: a\r\nX-Other: \r\n\
               X-Twice: b\r\nAccept-Encoding: br\r\nKeep-Alive: 5\r\nTE: trailers\r\nContent-Length: 12\r\n\r\n\0\u{7f}not { json";
    let post = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n\
                2\r\n\0\x01\r\n3\r\nxyz\r\n0\r\n\r\n";
    let get = "GET http://localhost:1?q HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n";
    let mut stream = tap.connect();
    // One after another without waiting, on one connection.
    stream.write_all([put, post, get].concat().as_bytes()).unwrap();
    let mut came = [0; 38 * 3];
    stream.read_exact(&mut came).unwrap();
    let host = server.address.strip_prefix("http://").unwrap();
    let asked = server.requests();
    let heads: Vec<String> = asked.iter().map(|one| format!("{}\r\n\r\n", one.head.join("\r\n"))).collect();
    let due = |sent: &str, from: &str, to: &str| {
        format!("{}\r\n\r\n", sent.replacen(from, to, 1).split("\r\n\r\n").next().unwrap())
    };
    assert_eq!(heads[0], due(put, "HOST:  localhost:9000", &format!("HOST: {host}")));
    assert_eq!(heads[1], due(post, "Host: 127.0.0.1", &format!("Host: {host}")));
    assert_eq!(heads[2], format!("GET /?q HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    assert_eq!(asked.iter().map(|one| &*one.body).collect::<Vec<_>>(), [&b"\0\x7fnot { json"[..], b"\0\x01xyz", b""]);
    assert_eq!(server.connections(), 1);
    tap.end();
}

#[rstest]
#[case::refused(b"HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", b"")]
#[case::awaited(b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")]
fn a_client_that_waits_to_send_its_body_hears_what_the_server_says(
    #[case] first: &'static [u8],
    #[case] second: &'static [u8],
) {
    let server = Server::accepting(move |_, mut connection| {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            connection.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        connection.write_all(first).unwrap();
        if !second.is_empty() {
            let mut body = [0; 4];
            connection.read_exact(&mut body).unwrap();
            assert_eq!(&body, b"body");
            connection.write_all(second).unwrap();
        }
    });
    let tap = Tap::before(&server.address, &[]);
    let mut client = tap.connect();
    client
        .write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        .unwrap();
    let mut said = vec![0; first.len()];
    client.read_exact(&mut said).unwrap();
    assert_eq!(said, first);
    if !second.is_empty() {
        client.write_all(b"body").unwrap();
    }
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, second);
    assert_eq!(tap.end().err, "");
}

#[rstest]
#[case::trailers("200 OK\r\nTransfer-Encoding: chunked", "b\r\n{\"data\":[]}\r\n0\r\nX-Sum: 1\r\n\r\n", "")]
#[case::hints("103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 11", "{\"data\":[]}", "")]
#[case::nothing("204 No Content", "", "")]
#[case::known("304 Not Modified", "", "the status 304, which is no whole answer")]
#[case::unread_coding(
    "200 OK\r\nTransfer-Encoding: compress, chunked",
    "1\r\n0\r\n0\r\n\r\n",
    "compressed with compress"
)]
fn an_answer_without_a_plain_body_is_judged_or_says_why_not(
    #[case] head: &str,
    #[case] body: &str,
    #[case] why_not: &str,
) {
    let server = giving(head, body);
    let tap = Tap::before(&server.address, &["--contract", "recall"]);
    tap.raw(b"GET /api/v1/search?start_time=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let log = tap.end().log;
    let heard = log.lines().next().unwrap();
    match why_not {
        "" => assert!(heard.contains("\"judged\":1}"), "{heard}"),
        why_not => assert!(heard.contains("\"judged\":0") && heard.contains(why_not), "{heard}"),
    }
}

#[test]
fn a_kept_connection_that_ends_under_a_request_is_held_against_nobody() {
    let server = Server::accepting(|_, mut connection| {
        let mut reader = std::io::BufReader::new(connection.try_clone().unwrap());
        testing::skip_request(&mut reader);
        connection.write_all(&testing::whole("200 OK", "", "{\"data\":[]}")).unwrap();
        // It takes the next request, and ends the connection.
        testing::skip_request(&mut reader);
    });
    let tap = Tap::before(&server.address, &[]);
    let search = "GET /api/v1/search?start_time=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let came = tap.raw(search.repeat(2).as_bytes());
    assert!(came.ends_with(b"{\"data\":[]}"), "the client sees what it would see: {came:?}");
    let said = tap.end();
    assert!(said.out.contains("1 not judged: the server ended the connection that it had kept open"), "{}", said.out);
    assert!(!said.out.contains("VIOLATED http.answers"), "{}", said.out);
}

#[rstest]
#[case::another_name("Host: evil.example")]
#[case::a_page_of_another_site("Host: localhost\r\nOrigin: https://evil.example")]
fn a_page_of_another_site_does_not_reach_the_server(#[case] lines: &str) {
    let server = giving("200 OK\r\nContent-Length: 0", b"");
    let tap = Tap::before(&server.address, &[]);
    for path in ["/", "/mcp", "/api/v1/search?start_time=1"] {
        let came = tap.raw(format!("GET {path} HTTP/1.1\r\n{lines}\r\n\r\n").as_bytes());
        assert!(came.starts_with(b"HTTP/1.1 403 Forbidden\r\n"), "{came:?}");
    }
    assert_eq!(server.connections(), 0);
    assert!(tap.end().log.contains("the tap did not pass it on"));
}

#[test]
fn a_tap_that_other_machines_can_reach_says_so() {
    let server = giving("200 OK\r\nContent-Length: 0", b"");
    let tap = Tap::before(&server.address, &["--listen", "0.0.0.0:0"]);
    let mut stream = std::net::TcpStream::connect(tap.address.replace("0.0.0.0", "127.0.0.1")).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: my-machine.local\r\nConnection: close\r\n\r\n").unwrap();
    let mut came = Vec::new();
    stream.read_to_end(&mut came).unwrap();
    assert!(came.starts_with(b"HTTP/1.1 200 OK"), "its names are not known: {came:?}");
    assert!(tap.end().err.contains("warning: 0.0.0.0 can be reached from other machines"));
}

#[test]
fn a_head_is_asked_for_alone() {
    let server = giving("200 OK\r\nContent-Length: 1234", b"");
    let tap = Tap::before(&server.address, &[]);
    let (lines, body) = parts(&tap.raw(b"HEAD /v0/search HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
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
        .write_all(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n")
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
    client
        .write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 6\r\n\r\none")
        .unwrap();
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
    drop(upstream);
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
    let came = tap.raw(b"GET /api/v1/search?start_time=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
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
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n").unwrap();
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
