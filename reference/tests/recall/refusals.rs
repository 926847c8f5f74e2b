//! Which parameters are refused, in which words, and which odd ones are not.

use crate::client::{Client, client};
use crate::corpus::frames;
use rstest::rstest;
use serde_json::json;

#[rstest]
#[case::start_missing("", "start_time")]
#[case::start_empty("start_time=", "start_time")]
#[case::start_text("start_time=yesterday", "start_time")]
#[case::start_not_a_number("start_time=NaN", "start_time")]
#[case::start_infinite("start_time=inf", "start_time")]
#[case::start_too_large("start_time=1e999", "start_time")]
#[case::start_after_end("start_time=2&end_time=1", "start_time")]
#[case::start_after_now("start_time=4e9", "start_time")]
#[case::end_empty("start_time=1&end_time=", "end_time")]
#[case::end_infinite("start_time=1&end_time=-inf", "end_time")]
#[case::content_type("start_time=1&content_type=audio", "content_type")]
#[case::content_types("start_time=1&content_type=ocr,audio", "content_type")]
#[case::content_type_case("start_time=1&content_type=OCR", "content_type")]
#[case::limit_zero("start_time=1&limit=0", "limit")]
#[case::limit_above("start_time=1&limit=101", "limit")]
#[case::limit_fraction("start_time=1&limit=5.0", "limit")]
#[case::limit_empty("start_time=1&limit=", "limit")]
#[case::offset_negative("start_time=1&offset=-1", "offset")]
#[case::offset_huge("start_time=1&offset=9223372036854775808", "offset")]
#[case::focused("start_time=1&focused=yes", "focused")]
#[case::unknown("start_time=1&app=Terminal", "app")]
#[case::repeated("start_time=1&start_time=1", "start_time")]
#[case::nul("start_time=1&q=a%00b", "q")]
#[case::not_utf8("start_time=1&q=%ff", "q")]
fn what_cannot_be_meant_is_refused(client: Client, #[case] query: &str, #[case] parameter: &str) {
    let (status, body) = client.get(&format!("/api/v1/search?{query}"));
    assert_eq!(status, 400, "{body}");
    assert_eq!((&body["code"], &body["parameter"]), (&json!("INVALID_PARAMS"), &json!(parameter)));
    assert!(body["error"].as_str().unwrap().starts_with(parameter), "{body}");
}

#[test]
fn a_refusal_says_what_was_wanted_and_what_came() {
    let (_, body) = client().get("/api/v1/search?start_time=1&content_type=audio");
    let error = "content_type must be \"ocr\", got \"audio\"";
    assert_eq!(body, json!({ "error": error, "code": "INVALID_PARAMS", "parameter": "content_type" }));
}

#[rstest]
fn what_can_be_meant_is_answered(client: Client) {
    for query in [
        "start_time=1e9&end_time=1700000000.5",
        "start_time=-1&limit=1&offset=0",
        "start_time=1&limit=100&offset=9223372036854775807",
        "start_time=1&content_type=ocr",
        "start_time=1&content_type=&q=&app_name=&window_name=&browser_url=",
        "&start_time=1&&",
    ] {
        let body = client.search(query);
        assert!(body["data"].is_array(), "{query}: {body}");
    }
    assert_eq!(client.search("start_time=1")["pagination"]["limit"], 20);
    assert_eq!(client.search("start_time=1&browser_url=")["pagination"]["total"], frames().len() - 1);
}
