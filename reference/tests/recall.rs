//! What the decisions say of the reference alone on recall, asked of the real program over a real socket.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "recall/corpus.rs"]
mod corpus;
#[path = "support/listening.rs"]
mod listening;
#[path = "recall/program.rs"]
mod program;
#[path = "recall/serving.rs"]
mod serving;

use corpus::{CORPUS, encoded, frames, id, ids, naive, readme_rows};
use program::Server;
use rstest::{fixture, rstest};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A window around every frame, the one of the year 2100 too.
const EVER: &str = "start_time=0&end_time=5e9";
const CROWD: &str = "start_time=1700500000&end_time=1700500000";

#[fixture]
fn server() -> Server {
    Server::start(&["--recall-frames", CORPUS])
}

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
fn what_cannot_be_meant_is_refused(server: Server, #[case] query: &str, #[case] parameter: &str) {
    let (status, body) = server.get(&format!("/api/v1/search?{query}"));
    assert_eq!(status, 400, "{body}");
    assert_eq!((&body["code"], &body["parameter"]), (&json!("INVALID_PARAMS"), &json!(parameter)));
    assert!(body["error"].as_str().unwrap().starts_with(parameter), "{body}");
}

#[test]
fn a_refusal_says_what_was_wanted_and_what_came() {
    let (_, body) = server().get("/api/v1/search?start_time=1&content_type=audio");
    let error = "content_type must be \"ocr\", got \"audio\"";
    assert_eq!(body, json!({ "error": error, "code": "INVALID_PARAMS", "parameter": "content_type" }));
}

#[rstest]
fn what_can_be_meant_is_answered(server: Server) {
    for query in [
        "start_time=1e9&end_time=1700000000.5",
        "start_time=-1&limit=1&offset=0",
        "start_time=1&limit=100&offset=9223372036854775807",
        "start_time=1&content_type=ocr",
        "start_time=1&content_type=&q=&app_name=&window_name=&browser_url=",
        "&start_time=1&&",
    ] {
        let body = server.search(query);
        assert!(body["data"].is_array(), "{query}: {body}");
    }
    assert_eq!(server.search("start_time=1")["pagination"]["limit"], 20);
    assert_eq!(server.search("start_time=1&browser_url=")["pagination"]["total"], frames().len() - 1);
}

#[rstest]
fn an_item_has_its_eight_fields_and_its_frame(server: Server) {
    for item in server.search(&format!("{EVER}&limit=100"))["data"].as_array().unwrap() {
        let keys: Vec<_> = item.as_object().unwrap().keys().map(String::as_str).collect();
        let names = "frame_id timestamp app_name window_name browser_url focused ocr_snippet frame_url";
        assert_eq!(keys, names.split(' ').collect::<Vec<_>>());
        let (status, frame) = server.get(item["frame_url"].as_str().unwrap());
        assert_eq!((status, &frame["frame_id"]), (200, &item["frame_id"]));
        let line = frames().into_iter().find(|line| line["frame_id"] == item["frame_id"]).unwrap();
        assert_eq!(frame["ocr_text"], line["ocr_text"]);
    }
    for id in ["1", "999999999999", "99999999999999999999", "x", "%ff", "1001x"] {
        assert_eq!(server.get(&format!("/api/v1/frames/{id}")).0, 404, "{id}");
    }
}

#[rstest]
fn both_bounds_belong_to_the_window(server: Server) {
    let times = |query: &str| -> Vec<f64> {
        let body = server.search(query);
        body["data"].as_array().unwrap().iter().map(|item| item["timestamp"].as_f64().unwrap()).collect()
    };
    let inside = times("start_time=1700750010&end_time=1700750020");
    assert_eq!(inside, [1_700_750_020.0, 1_700_750_010.25, 1_700_750_010.0]);
    assert_eq!(times("start_time=1700750010.25&end_time=1700750010.25"), [1_700_750_010.25]);
    // No end means now: the frame of the year 2100 is not there yet.
    assert_eq!(times("start_time=1700000000&q=Clairvoyance"), [1_700_900_000.0]);
    assert_eq!(times(&format!("{EVER}&q=Clairvoyance")), [4_102_444_800.0, 1_700_900_000.0]);
}

#[rstest]
fn each_word_of_the_readme_is_found_as_often_as_it_says(server: Server) {
    let rows: Vec<_> = readme_rows().filter_map(|row| Some((row[0], row[1].parse::<u64>().ok()?))).collect();
    assert!(rows.len() > 50);
    for (word, count) in rows {
        assert_eq!(naive(word).len() as u64, count, "the corpus has another number of {word}");
        for case in [word.to_owned(), word.to_ascii_lowercase(), word.to_ascii_uppercase()] {
            let body = server.search(&format!("{EVER}&q={}", encoded(&case)));
            assert_eq!(body["pagination"]["total"], count, "{case}");
        }
    }
}

#[rstest]
fn each_substring_of_the_readme_is_found_once_in_each_field(server: Server) {
    let rows: Vec<_> = readme_rows().filter(|row| row.len() == 3 && row[1].contains(row[0])).collect();
    assert!(rows.len() > 5);
    for row in rows {
        for field in ["app_name", "window_name", "browser_url"] {
            for case in [row[0].to_owned(), row[0].to_ascii_uppercase()] {
                let body = server.search(&format!("{EVER}&{field}={}", encoded(&case)));
                assert_eq!(body["pagination"]["total"], 1, "{field}={case}");
                let value = body["data"][0][field].as_str().unwrap();
                assert!(value.contains(row[0]), "{value}");
            }
        }
    }
}

#[rstest]
fn no_text_is_an_operator(server: Server) {
    let odd = "\" \"\" * ** % _ \\ \\\\ ( ) NEAR( NEAR() ^ ^Kestrel - + -- ; ' '' : ocr_text: {} [] [a-z] ? . , | & && ! ~ \
         AND OR NOT a\" \"a Kestrel\" \"Kestrel Kestrel* *Kestrel -Kestrel +Kestrel ocr_text:Kestrel {ocr_text}:Kestrel \
         Kestrel|Marzipan Kestrel; \u{feff} \u{301} \u{202e} Ⓐ ½ ﷺ \u{e000} \u{10ffff} <b> %00 $1 ?1 :start";
    let phrases = [
        "Kestrel NOT Marzipan",
        "Kestrel OR Marzipan",
        "NEAR(Kestrel Marzipan)",
        "\" OR \"a\" OR \"",
        "a AND",
        "\"a b\"",
    ];
    for q in odd.split(' ').chain(phrases) {
        let body = server.search(&format!("{EVER}&limit=100&q={}", encoded(q)));
        let found: BTreeSet<_> = ids(&body).into_iter().collect();
        let literal = naive(q);
        assert!(found.is_subset(&literal), "{q} found {found:?}");
        // Without a letter there is no whole word to insist on: all that holds it is found.
        if !q.chars().any(char::is_alphanumeric) {
            assert_eq!(found, literal, "{q}");
        }
    }
}

#[rstest]
#[case::browse("")]
#[case::query("&q=Kestrel")]
fn a_walk_is_whole_and_the_same_for_every_page_size(server: Server, #[case] q: &str) {
    let mut whole: Vec<_> = frames().iter().filter(|frame| frame["timestamp"] == 1_700_500_000).map(id).collect();
    let kestrels = naive("Kestrel");
    whole.retain(|id| q.is_empty() || kestrels.contains(id));
    whole.reverse();
    assert_eq!(whole.len(), if q.is_empty() { 320 } else { 100 });
    for limit in [5, 7, 20] {
        assert_eq!(server.walk(&format!("{CROWD}{q}"), limit), whole, "pages of {limit}");
    }
}

#[rstest]
fn the_order_is_total(server: Server) {
    let newest_first = |mut frames: Vec<Value>| -> Vec<i64> {
        let milliseconds = |frame: &Value| (frame["timestamp"].as_f64().unwrap() * 1000.0) as i64;
        frames.sort_by_key(|frame| Reverse((milliseconds(frame), id(frame))));
        frames.iter().map(id).collect()
    };
    assert_eq!(server.walk(EVER, 100), newest_first(frames()));
    // Texts of one length with the word once have one score.
    let kestrels = naive("Kestrel");
    let frames = frames().into_iter().filter(|frame| kestrels.contains(&id(frame))).collect();
    assert_eq!(server.walk(&format!("{EVER}&q=kestrel"), 20), newest_first(frames));
}

#[rstest]
fn equal_texts_stand_newest_first_and_better_ones_before_newer(server: Server) {
    let times = |word| {
        server.search(&format!("{EVER}&q={word}"))["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["timestamp"].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    for row in readme_rows().filter(|row| row.len() == 3 && row[2].starts_with("pair ")) {
        assert!(times(row[0]).is_sorted_by(|newer, older| newer > older), "{row:?}");
    }
    for word in ["Gallimaufry", "Brouhaha", "Skedaddle"] {
        assert!(times(word).is_sorted(), "{word}");
    }
}

#[rstest]
#[case::known("focused=true&q=Focalpoint", 10)]
#[case::known_not("focused=0&q=Focalpoint", 10)]
#[case::with_query("app_name=LEDGER&q=Marzipan", 10)]
#[case::all("app_name=edger&window_name=ecip&focused=1&q=Marzipan", 4)]
#[case::null_url("browser_url=almond&q=Marzipan", 5)]
#[case::no_match("app_name=Inkwell&window_name=Recipes", 0)]
#[case::plus_is_a_space("window_name=of+the%20meeting&start_time=1700000000&end_time=1700000000", 0)]
#[case::any_order("q=Nightjar%09%E3%80%80+Copperfield+nightjar", 3)]
#[case::raw_percent("q=100%", 2)]
fn filters_narrow_together(server: Server, #[case] query: &str, #[case] total: u64) {
    let window = if query.contains("start_time") { "" } else { EVER };
    assert_eq!(server.search(&format!("{window}&{query}"))["pagination"]["total"], total);
}

#[rstest]
fn a_snippet_is_short_clean_and_shows_the_match(server: Server) {
    for q in ["", "&q=Palimpsest", "&q=Rhododendron"] {
        let body = server.search(&format!("start_time=1700730000&end_time=1700730500&limit=100{q}"));
        for snippet in body["data"].as_array().unwrap().iter().map(|item| item["ocr_snippet"].as_str().unwrap()) {
            let unsafe_to_show =
                |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            assert!(snippet.chars().count() <= 200 && !snippet.contains(unsafe_to_show), "{snippet:?}");
            assert_eq!(snippet.split_whitespace().collect::<Vec<_>>().join(" "), snippet);
            assert!(snippet.contains(q.trim_start_matches("&q=")), "{snippet:?}");
        }
    }
}
