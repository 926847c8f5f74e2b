//! What our own client does or leaves out is no fault of a server.

use super::{NOTHING, SEARCH, target, tried_at, tried_file};
use crate::trial::{PATIENT, on_a_terminal};
use conformance::model::{Outcome, Verdict};
use conformance::targets::{Address, EndpointFile, TargetFile};
use flate2::Compression;
use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};
use rstest::rstest;
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testing::{Answer, Server, answer, ok, whole};

/// A case of several searches, one after the other.
const SEARCHES: &str = "params/optional";

/// A good answer, after which the connection stays open.
fn open() -> Answer {
    Answer::Bytes(whole("200 OK", "content-type: application/json\r\n", NOTHING))
}

#[test]
fn a_kept_connection_that_the_server_ends_is_tried_again_on_a_new_one() {
    let asked = AtomicUsize::new(0);
    let server = Server::new(move |_| match asked.fetch_add(1, Ordering::Relaxed) % 3 {
        // Each second request of a connection.
        1 => Answer::End(Vec::new()),
        _ => open(),
    });
    let trial = tried_at(&server.address, SEARCHES, PATIENT);
    assert_eq!(trial.verdict("http.answers"), Some(Verdict::Pass));
    assert_eq!(trial.violated(), [""; 0]);
    assert!(trial.log.totals.retried.is_empty(), "{:?}", trial.log.totals.retried);
    assert!(server.connections() > 2, "{}", server.connections());
    let count = trial.log.totals.reconnected;
    assert!(count > 0);
    let page = on_a_terminal(&trial.log, false);
    assert!(page.contains(&format!("{count} requests sent once more on a new connection")), "{page}");
}

#[test]
fn requests_are_spaced() {
    let at = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&at);
    let server = Server::new(move |_| {
        noted.lock().unwrap().push(Instant::now());
        open()
    });
    let endpoints =
        ["recall", "recall"].map(|contract| EndpointFile::new(contract, Address::Http(server.address.clone())));
    let rate = Some("20/s".parse().unwrap());
    let file = TargetFile { rate, jobs: Some(4), endpoints: endpoints.to_vec(), ..target(&server.address) };
    tried_file(&file, SEARCHES);
    let at = at.lock().unwrap();
    assert!(at.len() > 6, "{}", at.len());
    // The first and the last of them may be late, all in all they are not early.
    let least = Duration::from_millis(50) * (at.len() as u32 - 2);
    assert!(at.last().unwrap().duration_since(at[0]) > least, "{at:?}");
}

#[test]
fn a_token_that_expires_leaves_what_was_judged_before() {
    let asked = AtomicUsize::new(0);
    let server = Server::new(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        0..2 => open(),
        _ => answer("401 Unauthorized", "www-authenticate: Bearer\r\n", "expired"),
    });
    let trial = tried_file(&TargetFile { jobs: Some(1), ..target(&server.address) }, SEARCHES);
    assert_eq!(trial.violated(), [""; 0]);
    assert!(trial.unreachable.is_none());
    assert!(trial.log.ledger.rows.iter().any(|row| row.outcome == Outcome::Verified), "what was judged stays");
    let page = on_a_terminal(&trial.log, true);
    assert!(page.contains("the token was refused (401) after 2 answers"), "{page}");
}

#[test]
fn a_server_that_ends_each_new_connection_too_has_not_answered() {
    let asked = AtomicUsize::new(0);
    let server = Server::new(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => open(),
        _ => Answer::End(Vec::new()),
    });
    let trial = tried_at(&server.address, SEARCHES, PATIENT);
    assert!(trial.violated().contains(&"http.answers"), "{:?}", trial.violated());
}

/// We ask for no coding, and any is allowed all the same (RFC 9110, 12.5.3).
#[rstest]
#[case::gzip("gzip", packed(GzEncoder::new(NOTHING.as_bytes(), Compression::fast())))]
#[case::in_capitals("GZIP", packed(GzEncoder::new(NOTHING.as_bytes(), Compression::fast())))]
#[case::older_name("x-gzip", packed(GzEncoder::new(NOTHING.as_bytes(), Compression::fast())))]
#[case::members("gzip", [&NOTHING[..4], &NOTHING[4..]].map(|part| packed(GzEncoder::new(part.as_bytes(), Compression::fast()))).concat())]
#[case::twice("gzip, gzip", packed(GzEncoder::new(&*packed(GzEncoder::new(NOTHING.as_bytes(), Compression::fast())), Compression::fast())))]
#[case::two_lines("deflate\r\ncontent-encoding: gzip", packed(GzEncoder::new(&*packed(ZlibEncoder::new(NOTHING.as_bytes(), Compression::fast())), Compression::fast())))]
#[case::without_a_frame("deflate", packed(DeflateEncoder::new(NOTHING.as_bytes(), Compression::fast())))]
#[case::no_coding("utf-8", NOTHING.as_bytes().to_vec())]
#[case::deflate("deflate", packed(ZlibEncoder::new(NOTHING.as_bytes(), Compression::fast())))]
#[case::brotli("br", [b"\x0b\x05\x80", NOTHING.as_bytes(), b"\x03"].concat())]
#[case::zstd("zstd", [b"\x28\xb5\x2f\xfd\x20\x0b\x59\x00\x00", NOTHING.as_bytes()].concat())]
fn a_body_that_is_compressed_is_read(#[case] coding: &'static str, #[case] body: Vec<u8>) {
    let head = format!("content-type: application/json\r\ncontent-encoding: {coding}\r\n");
    let server = Server::new(move |_| answer("200 OK", &head, &body));
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_eq!(trial.exchange(0)["answer"]["body"], serde_json::json!({ "data": [] }));
    assert_eq!(trial.verdict("http.json"), Some(Verdict::Pass));
    assert_eq!(server.requests()[0].header("accept-encoding"), Some("identity"));
}

#[test]
fn a_coding_that_we_cannot_undo_says_nothing_of_the_server() {
    let head = "content-type: application/json\r\ncontent-encoding: compress\r\n";
    let server = Server::new(move |_| answer("200 OK", head, [0x1f, 0x9d, 0x90]));
    let trial = tried_at(&server.address, SEARCH, PATIENT);
    assert_eq!(trial.exchange(0)["raw"]["failure"]["kind"], "hindered");
    assert_eq!(trial.violated(), Vec::<String>::new());
}

fn packed(mut encoder: impl Read) -> Vec<u8> {
    let mut packed = Vec::new();
    encoder.read_to_end(&mut packed).unwrap();
    packed
}

#[test]
fn requests_say_who_asks() {
    let server = Server::new(|asked| match asked.header("user-agent") {
        Some(agent) if agent.starts_with("retrieval-contracts/") => ok(NOTHING),
        _ => answer("403 Forbidden", "", "no user agent"),
    });
    assert_eq!(tried_at(&server.address, SEARCH, PATIENT).exchange(0)["status"], "accepted");
}

#[test]
fn a_cookie_goes_back_to_the_server_that_set_it() {
    let server = Server::new(|asked| match asked.header("cookie") {
        Some("node=b7") => open(),
        _ => {
            Answer::Bytes(whole("200 OK", "content-type: application/json\r\nset-cookie: node=b7; Path=/\r\n", NOTHING))
        }
    });
    tried_at(&server.address, SEARCHES, PATIENT);
    let cookies: Vec<Option<String>> =
        server.requests().iter().map(|asked| asked.header("cookie").map(str::to_owned)).collect();
    assert_eq!(cookies[0], None);
    assert!(cookies.len() > 1 && cookies[1..].iter().all(|cookie| cookie.as_deref() == Some("node=b7")), "{cookies:?}");
}

#[test]
fn the_headers_of_the_target_file_go_before_ours() {
    let server = Server::new(|_| ok(NOTHING));
    let mut file = target(&server.address);
    file.endpoints[0].headers.insert("User-Agent".to_owned(), "mine".to_owned());
    file.endpoints[0].headers.insert("Accept-Encoding".to_owned(), "gzip".to_owned());
    tried_file(&file, SEARCH);
    let asked = &server.requests()[0];
    assert_eq!((asked.header("user-agent"), asked.header("accept-encoding")), (Some("mine"), Some("gzip")));
}

/// A redirect of a POST by 301 makes a GET of it, as browsers do, which nobody asked for.
#[rstest]
#[case::moved("301 Moved Permanently", false)]
#[case::found("302 Found", false)]
#[case::see_other("303 See Other", false)]
#[case::temporary("307 Temporary Redirect", true)]
#[case::permanent("308 Permanent Redirect", true)]
fn a_redirect_of_a_post(#[case] status: &'static str, #[case] is_followed: bool) {
    let server = Server::new(move |asked| match asked.target() {
        "/v0/search" => answer(status, "location: /v0/search/\r\n", ""),
        _ => ok(r#"{"entries":[],"contexts":[],"latest_context":"","latest_context_timestamp":null}"#),
    });
    let mut endpoint = EndpointFile::new("memory", Address::Http(server.address.clone()));
    endpoint.arguments.insert("memoryId".to_owned(), "m-1".into());
    let file = TargetFile { name: "hostile".to_owned(), endpoints: vec![endpoint], ..TargetFile::default() };
    let trial = tried_file(&file, "request/offered");
    let exchange = trial.exchange(0);
    match is_followed {
        true => {
            assert_eq!(exchange["status"], "accepted");
            assert!(server.requests().iter().all(|asked| asked.head[0].starts_with("POST ")));
        }
        false => {
            let why = exchange["raw"]["failure"]["detail"].as_str().unwrap();
            assert!(why.contains(&status[..3]) && why.contains("to /v0/search/"), "{why}");
            assert!(server.requests().iter().all(|asked| asked.target() == "/v0/search"));
        }
    }
}
