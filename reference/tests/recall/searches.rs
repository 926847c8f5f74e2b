//! What is found, and in which order.

use crate::client::{Client, EVER, client};
use crate::corpus::{encoded, frames, id, ids, naive, readme_rows};
use rstest::rstest;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeSet;

const CROWD: &str = "start_time=1700500000&end_time=1700500000";

#[rstest]
fn both_bounds_belong_to_the_window(client: Client) {
    let times = |query: &str| -> Vec<f64> {
        let body = client.search(query);
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
fn each_word_of_the_readme_is_found_as_often_as_it_says(client: Client) {
    let rows: Vec<_> = readme_rows().filter_map(|row| Some((row[0], row[1].parse::<u64>().ok()?))).collect();
    assert!(rows.len() > 50);
    for (word, count) in rows {
        assert_eq!(naive(word).len() as u64, count, "the corpus has another number of {word}");
        for case in [word.to_owned(), word.to_ascii_lowercase(), word.to_ascii_uppercase()] {
            let body = client.search(&format!("{EVER}&q={}", encoded(&case)));
            assert_eq!(body["pagination"]["total"], count, "{case}");
        }
    }
}

#[rstest]
fn each_substring_of_the_readme_is_found_once_in_each_field(client: Client) {
    let rows: Vec<_> = readme_rows().filter(|row| row.len() == 3 && row[1].contains(row[0])).collect();
    assert!(rows.len() > 5);
    for row in rows {
        for field in ["app_name", "window_name", "browser_url"] {
            for case in [row[0].to_owned(), row[0].to_ascii_uppercase()] {
                let body = client.search(&format!("{EVER}&{field}={}", encoded(&case)));
                assert_eq!(body["pagination"]["total"], 1, "{field}={case}");
                let value = body["data"][0][field].as_str().unwrap();
                assert!(value.contains(row[0]), "{value}");
            }
        }
    }
}

#[rstest]
fn no_text_is_an_operator(client: Client) {
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
        let body = client.search(&format!("{EVER}&limit=100&q={}", encoded(q)));
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
fn a_walk_is_whole_and_the_same_for_every_page_size(client: Client, #[case] q: &str) {
    let mut whole: Vec<_> = frames().iter().filter(|frame| frame["timestamp"] == 1_700_500_000).map(id).collect();
    let kestrels = naive("Kestrel");
    whole.retain(|id| q.is_empty() || kestrels.contains(id));
    whole.reverse();
    assert_eq!(whole.len(), if q.is_empty() { 320 } else { 100 });
    for limit in [5, 7, 20] {
        assert_eq!(client.walk(&format!("{CROWD}{q}"), limit), whole, "pages of {limit}");
    }
}

#[rstest]
fn the_order_is_total(client: Client) {
    let newest_first = |mut frames: Vec<Value>| -> Vec<i64> {
        let milliseconds = |frame: &Value| (frame["timestamp"].as_f64().unwrap() * 1000.0) as i64;
        frames.sort_by_key(|frame| Reverse((milliseconds(frame), id(frame))));
        frames.iter().map(id).collect()
    };
    assert_eq!(client.walk(EVER, 100), newest_first(frames()));
    // Texts of one length with the word once have one score.
    let kestrels = naive("Kestrel");
    let frames = frames().into_iter().filter(|frame| kestrels.contains(&id(frame))).collect();
    assert_eq!(client.walk(&format!("{EVER}&q=kestrel"), 20), newest_first(frames));
}

#[rstest]
fn equal_texts_stand_newest_first_and_better_ones_before_newer(client: Client) {
    let times = |word| {
        client.search(&format!("{EVER}&q={word}"))["data"]
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
fn filters_narrow_together(client: Client, #[case] query: &str, #[case] total: u64) {
    let window = if query.contains("start_time") { "" } else { EVER };
    assert_eq!(client.search(&format!("{window}&{query}"))["pagination"]["total"], total);
}
