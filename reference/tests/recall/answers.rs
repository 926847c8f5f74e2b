//! The answer: the fields of an item, its frame, its snippet.

use crate::client::{Client, EVER, client};
use crate::corpus::frames;
use rstest::rstest;

#[rstest]
fn an_item_has_its_eight_fields_and_its_frame(client: Client) {
    for item in client.search(&format!("{EVER}&limit=100"))["data"].as_array().unwrap() {
        let keys: Vec<_> = item.as_object().unwrap().keys().map(String::as_str).collect();
        let names = "frame_id timestamp app_name window_name browser_url focused ocr_snippet frame_url";
        assert_eq!(keys, names.split(' ').collect::<Vec<_>>());
        let (status, frame) = client.get(item["frame_url"].as_str().unwrap());
        assert_eq!((status, &frame["frame_id"]), (200, &item["frame_id"]));
        let line = frames().into_iter().find(|line| line["frame_id"] == item["frame_id"]).unwrap();
        assert_eq!(frame["ocr_text"], line["ocr_text"]);
    }
    for id in ["1", "999999999999", "99999999999999999999", "x", "%ff", "1001x"] {
        assert_eq!(client.get(&format!("/api/v1/frames/{id}")).0, 404, "{id}");
    }
}

#[rstest]
fn a_snippet_is_short_clean_and_shows_the_match(client: Client) {
    for q in ["", "&q=Palimpsest", "&q=Rhododendron"] {
        let body = client.search(&format!("start_time=1700730000&end_time=1700730500&limit=100{q}"));
        for snippet in body["data"].as_array().unwrap().iter().map(|item| item["ocr_snippet"].as_str().unwrap()) {
            let unsafe_to_show =
                |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            assert!(snippet.chars().count() <= 200 && !snippet.contains(unsafe_to_show), "{snippet:?}");
            assert_eq!(snippet.split_whitespace().collect::<Vec<_>>().join(" "), snippet);
            assert!(snippet.contains(q.trim_start_matches("&q=")), "{snippet:?}");
        }
    }
}
