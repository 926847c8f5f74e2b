//! Plain HTTP.

use super::packed::{deflate, gzip, zlib};
use super::{Listening, Report};
use conformance::report::FORMATS;
use conformance::tap::Ended;
use rstest::rstest;
use serde_json::{Value, json};

const SEARCH: &str = "/api/v1/search?start_time=1700000000&limit=5";

fn frame(id: u64, timestamp: u64) -> Value {
    json!({
        "frame_id": id, "timestamp": timestamp, "app_name": "Ledger", "window_name": "Accounts", "focused": true,
        "browser_url": null, "ocr_text": "text", "ocr_snippet": "text", "frame_url": format!("/api/v1/frames/{id}"),
    })
}

fn frames(timestamps: &[u64]) -> String {
    let frames = timestamps.iter().enumerate().map(|(at, time)| frame(at as u64, *time));
    json!({ "data": frames.collect::<Value>() }).to_string()
}

fn searched(target: &str, body: &str) -> Report {
    let mut listening = Listening::web();
    listening.http(("GET", target, ""), (200, "application/json", body.as_bytes()));
    listening.end()
}

#[test]
fn an_answer_in_the_wrong_order_violates_what_promises_the_order() {
    let report = searched(SEARCH, &frames(&[1_700_000_001, 1_700_000_002]));
    assert!(report.violated().contains(&"recall.browse-order"), "{:?}", report.violated());
    assert!(report.verified("recall.start-time-limits") && report.verified("http.json"));
}

#[test]
fn a_server_may_stand_below_a_path_of_its_own() {
    let report = searched(&format!("/below{SEARCH}"), &frames(&[1_700_000_002, 1_700_000_001]));
    assert!(report.verified("recall.browse-order"));
}

#[rstest]
#[case::argument_that_the_contract_does_not_know("&sort=oldest")]
#[case::argument_out_of_its_range("&limit=-1")]
#[case::argument_given_twice("&limit=9")]
fn what_a_server_makes_of_other_arguments_is_its_own_affair(#[case] more: &str) {
    let report = searched(&format!("{SEARCH}{more}"), &frames(&[1_700_000_001, 1_700_000_002]));
    assert_eq!(report.violated(), Vec::<&str>::new());
    assert!(report.verified("http.answers"), "the transport is judged all the same");
    assert!(!report.verified("recall.browse-order"));
}

#[rstest]
#[case::no_token(401)]
#[case::forbidden(403)]
#[case::method(405)]
#[case::too_many(429)]
#[case::elsewhere(307)]
#[case::not_modified(304)]
#[case::a_part(206)]
fn what_is_about_the_caller_or_the_moment_is_not_judged(#[case] status: u16) {
    let mut listening = Listening::web();
    listening.http(("GET", SEARCH, ""), (status, "text/plain", b"no"));
    let report = listening.end();
    assert_eq!(report.violated(), Vec::<&str>::new());
    assert_eq!((report.heard().0, report.heard().1.len()), (0, 1));
    assert_eq!(report.log.totals.exit_code, 5);
}

#[rstest]
#[case::gzip("gzip", gzip)]
#[case::older_name("X-GZIP", gzip)]
#[case::zlib("deflate", zlib)]
#[case::without_a_frame("Deflate", deflate)]
#[case::not_at_all("identity", <[u8]>::to_vec)]
fn a_compressed_answer_is_judged_as_its_client_reads_it(#[case] encoding: &str, #[case] packed: fn(&[u8]) -> Vec<u8>) {
    let body = packed(frames(&[1_700_000_001, 1_700_000_002]).as_bytes());
    let report = packed_answer(200, encoding, &body);
    assert!(report.violated().contains(&"recall.browse-order"), "{:?}", report.violated());
    assert!(report.verified("http.json") && report.verified("http.answers"));
}

#[rstest]
#[case::on_two_lines(&["deflate", "gzip"])]
#[case::on_one_line(&["Deflate , identity, GZIP"])]
fn an_answer_that_is_compressed_twice_is_judged_as_its_client_reads_it(#[case] encodings: &[&str]) {
    let body = gzip(&zlib(frames(&[1_700_000_001, 1_700_000_002]).as_bytes()));
    let mut listening = Listening::web();
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(encodings.iter().map(|encoding| ("content-encoding", *encoding)));
    listening.with(&[], ("GET", SEARCH, ""), (200, &headers, &body), Ended::Whole);
    let report = listening.end();
    assert!(report.violated().contains(&"recall.browse-order"), "{:?}", report.violated());
    assert!(report.verified("http.json") && report.verified("http.answers"));
}

#[test]
fn what_is_not_what_its_header_says_is_no_answer() {
    assert_eq!(packed_answer(200, "gzip", b"{}").violated(), ["http.answers"]);
}

#[rstest]
#[case::another_form(200, "compress", b"{}".to_vec(), "the body is compressed with compress, which is not read here")]
#[case::far_too_much(200, "gzip", gzip(&vec![b' '; 2 * conformance::tap::MOST_BYTES]), "more than 8388608 bytes")]
#[case::a_part(206, "gzip", gzip(b"{}")[5..].to_vec(), "the status 206, which is no whole answer")]
fn what_cannot_be_unpacked_here_is_not_judged(
    #[case] status: u16,
    #[case] encoding: &str,
    #[case] body: Vec<u8>,
    #[case] why: &str,
) {
    assert_eq!(packed_answer(status, encoding, &body).heard(), (0, vec![(why, 1)]));
}

fn packed_answer(status: u16, encoding: &str, body: &[u8]) -> Report {
    let mut listening = Listening::web();
    let headers = [("content-type", "application/json"), ("content-encoding", encoding)];
    listening.with(&[], ("GET", SEARCH, ""), (status, &headers, body), Ended::Whole);
    listening.end()
}

#[rstest]
#[case::client_went_away(Ended::ByClient, 0, &[])]
#[case::not_all_was_heard(Ended::Unheard("lag".to_owned()), 0, &[])]
#[case::broken_off(Ended::Broken("the connection broke".to_owned()), 1, &["http.answers"])]
fn a_request_may_end_early(#[case] how: Ended, #[case] judged: usize, #[case] violated: &[&str]) {
    let mut listening = Listening::web();
    listening.with(&[], ("GET", SEARCH, ""), (200, &[], b"{\"data\": ["), how);
    let report = listening.end();
    assert_eq!((report.heard().0, report.violated()), (judged, violated.to_vec()));
}

#[test]
fn a_body_beyond_the_cap_is_counted() {
    let mut listening = Listening::web();
    let body = vec![b' '; conformance::tap::MOST_BYTES + 1];
    listening.http(("GET", SEARCH, ""), (200, "application/json", &body));
    assert_eq!(listening.end().heard(), (0, vec![("more than 8388608 bytes", 1)]));
}

#[test]
fn a_server_that_was_never_there_is_not_reachable() {
    let mut listening = Listening::web();
    let number = listening.begin(&[], "GET", SEARCH, "");
    listening.tap.ended(number, Ended::NotReachable("refused".to_owned()), super::now());
    let report = listening.end();
    assert_eq!(report.log.totals.exit_code, 4);
    assert!(report.log.totals.problems[0].contains("nothing answers at http://127.0.0.1:1: refused"));
}

#[test]
fn an_address_that_an_answer_gave_is_known_again() {
    let mut listening = Listening::web();
    let body = frames(&[1_700_000_001]);
    listening.http(("GET", "/api/v1/frames/0", ""), (200, "image/png", b"\x89PNG"));
    listening.http(("GET", SEARCH, ""), (200, "application/json", body.as_bytes()));
    listening.http(("GET", "/api/v1/frames/0", ""), (200, "image/png", b"\x89PNG"));
    let report = listening.end();
    assert_eq!(report.heard().0, 2, "nobody knows what the first one was");
}

#[test]
fn traffic_of_others_passes_unheard() {
    let mut listening = Listening::web();
    listening.http(("GET", "/", ""), (200, "text/html", b"<p>"));
    listening.http(("POST", "/v1/other", "{}"), (500, "text/plain", b"broken"));
    listening.http(("DELETE", SEARCH, ""), (500, "text/plain", b"broken"));
    let report = listening.end();
    assert_eq!((report.heard(), report.log.totals.exit_code), ((0, Vec::new()), 5));
}

#[test]
fn secrets_of_a_client_stay_its_own() {
    let mut listening = Listening::web();
    let asked = [("authorization", "Bearer hunter2hunter2"), ("user-agent", "it"), ("x-own", "kept")];
    let target = format!("{SEARCH}&api_key=sesame-sesame");
    let body = json!({ "data": [], "said": "hunter2hunter2" }).to_string();
    listening.with(&asked, ("GET", &target, ""), (200, &[], body.as_bytes()), Ended::Whole);
    let mut written = Vec::new();
    listening.end().log.write(&mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert!(
        written.contains("Bearer [redacted: TOKEN]") && written.contains("x-own") && !written.contains("user-agent")
    );
    assert!(!written.contains("hunter2") && !written.contains("sesame"), "{written}");
}

#[rstest]
fn what_a_name_says_to_be_secret_stays_so_in_headers(
    #[values(
        "X-Auth",
        "X-Key",
        "X-Signature",
        "Api-Key",
        "X-Secret",
        "Proxy-Authorization",
        "Ocp-Apim-Subscription-Key"
    )]
    name: &str,
) {
    let mut listening = Listening::web();
    let name = name.to_lowercase();
    let body = json!({ "data": [], "said": "hunter2hunter2" }).to_string();
    listening.with(&[(&name, "hunter2hunter2")], ("GET", SEARCH, ""), (200, &[], body.as_bytes()), Ended::Whole);
    assert_says_nothing_of_it(listening);
}

#[rstest]
fn what_a_name_says_to_be_secret_stays_so_in_addresses(
    #[values("api_key", "apikey", "key", "sig", "auth", "pass", "X-Amz-Signature")] name: &str,
) {
    let mut listening = Listening::web();
    let target = format!("{SEARCH}&{name}=hunter2%2Fhunter2%2fhunter2");
    let body = json!({ "data": [], "said": "hunter2/hunter2/hunter2" }).to_string();
    listening.with(&[], ("GET", &target, ""), (200, &[], body.as_bytes()), Ended::Whole);
    assert_says_nothing_of_it(listening);
}

#[rstest]
fn what_a_name_says_to_be_secret_stays_so_in_bodies(#[values("password", "access_token", "clientSecret")] name: &str) {
    let mut listening = Listening::web();
    let body = json!({ "data": [], name: "hunter2hunter2", "said": "hunter2hunter2" }).to_string();
    listening.with(&[], ("GET", SEARCH, ""), (200, &[], body.as_bytes()), Ended::Whole);
    assert_says_nothing_of_it(listening);
}

/// Neither what a tap tells while it listens nor any report of it holds the secret.
fn assert_says_nothing_of_it(mut listening: Listening) {
    let told = format!("{:?}", listening.tap.news());
    let log = listening.end().log;
    for format in &FORMATS {
        let mut written = Vec::new();
        format.write(&log, &mut written).unwrap();
        let written = String::from_utf8(written).unwrap();
        assert!(!written.contains("hunter2"), "{}: {written}", format.name);
        assert!(format.name != "log" || written.contains("[redacted: "), "{written}");
    }
    assert!(!told.is_empty() && !told.contains("hunter2"), "{told}");
}

/// A memory that the client chose.
fn remembered(listening: &mut Listening, more: &Value, status: u16) {
    let mut asked = json!({ "memoryId": "m-1", "query": "apple" });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let body =
        json!({ "entries": [], "contexts": [], "count": 0, "latestContext": null, "latestContextTimestamp": null });
    let (asked, body) = (asked.to_string(), body.to_string());
    listening.http(("POST", "/v0/search", &asked), (status, "application/json", body.as_bytes()));
}

#[test]
fn a_refusal_that_is_due_is_noticed_when_it_does_not_come() {
    let mut listening = Listening::web();
    remembered(&mut listening, &json!({ "top_kc": 1 }), 200);
    remembered(&mut listening, &json!({ "top_kc": 0 }), 200);
    assert!(listening.end().violated().contains(&"memory.top-kc-minimum"));
}

#[test]
fn a_refusal_counts_beside_its_twin_alone() {
    let mut listening = Listening::web();
    remembered(&mut listening, &json!({ "top_kc": 0 }), 400);
    assert!(!listening.end().verified("memory.top-kc-minimum"));
    let mut listening = Listening::web();
    remembered(&mut listening, &json!({ "top_kc": 0 }), 400);
    remembered(&mut listening, &json!({ "top_kc": 1 }), 200);
    assert!(listening.end().verified("memory.top-kc-minimum"), "in whichever order they come");
}

#[test]
fn a_memory_that_was_deleted_in_between_is_nobodys_fault() {
    let mut listening = Listening::web();
    for more in [json!({}), json!({ "top_kc": 2 }), json!({ "top_ke": 5 }), json!({ "top_ke": 0 })] {
        remembered(&mut listening, &more, 200);
    }
    for more in [json!({}), json!({ "top_kc": 2 }), json!({ "top_ke": 5 }), json!({ "top_ke": 10 })] {
        remembered(&mut listening, &more, 404);
    }
    let report = listening.end();
    assert_eq!((report.violated(), report.log.totals.exit_code), (Vec::new(), 0));
}

#[test]
fn answers_of_different_times_are_compared_only_where_nothing_changes() {
    let first = frames(&[1_700_000_002, 1_700_000_001]);
    let mut listening = Listening::web();
    let target = "/api/v1/search?start_time=1699999999&end_time=1701000001&limit=5";
    listening.http(("GET", target, ""), (200, "application/json", first.as_bytes()));
    let with_empty = format!("{target}&q=");
    listening.http(("GET", &with_empty, ""), (200, "application/json", frames(&[1_700_000_009]).as_bytes()));
    let report = listening.end();
    assert_eq!(report.violated(), Vec::<&str>::new());
}
