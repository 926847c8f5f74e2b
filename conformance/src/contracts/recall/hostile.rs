//! Frames of hostile texts and titles, at times of every length.

use super::shape::FILE;
use crate::contracts::hostile::{Share, any_text, some_text};
use crate::contracts::shape::{Corpus, piece};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// About so many frames.
pub(super) fn corpus(size: usize, share: Share) -> BoxedStrategy<Corpus> {
    // Some are lonely, some many at one moment; the future is seen by nobody who asks of now.
    let time = prop_oneof![
        4 => (0..4000u32).prop_map(|second| json!(1_700_000_000 + second)),
        3 => Just(json!(1_700_000_000)),
        3 => (0..4_000_000u32).prop_map(|part| json!(1_700_000_000.0 + f64::from(part) / 1024.0)),
        2 => select(vec![json!(0), json!(-1), json!(-86_400.5), json!(1), json!(1.5), json!(0.001)]),
        2 => select(vec![json!(999_999_999), json!(1_000_000_000), json!(999_999_999.999_999), json!(12_345_678)]),
        1 => select(vec![json!(4_102_444_800u64), json!(99_999_999_999u64), json!(1_700_000_000_000u64)]),
    ];
    let title = || prop_oneof![3 => any_text(share), 1 => select(&TITLES[..]).prop_map(str::to_owned)];
    let url = option::weighted(0.6, prop_oneof![2 => select(&URLS[..]).prop_map(str::to_owned), 1 => any_text(share)]);
    let texts = prop_oneof![6 => any_text(share), 1 => some_text(share)];
    let frames = vec((time, (title(), title(), url), option::of(any::<bool>()), texts), size);
    let corpus = frames.prop_map(|frames| {
        let frames = frames.into_iter().enumerate().map(|(at, (time, (app, window, url), focused, text))| {
            let value = json!({ "frame_id": id(at), "timestamp": time, "app_name": app, "window_name": window,
                                "browser_url": url, "focused": focused, "ocr_text": text });
            piece(FILE, value)
        });
        Corpus { pieces: frames.collect() }
    });
    corpus.boxed()
}

const TITLES: [&str; 5] = ["org.example.App", "Untitled \"1\".txt", "100% _a_*", "O'Brien [2] (3)", "C:\\a\\b"];

const URLS: [&str; 5] = [
    "https://trains.example/?q=a+b&c=%25#d",
    "http://[::1]:8080/",
    "about:blank",
    "file:///C:/a%20b/c.html",
    "https://例え.jp/パス",
];

/// Ids in no order, the first of them where a number of another kind ends.
fn id(at: usize) -> Value {
    match at {
        0 => json!(0),
        1 => json!(-1),
        2 => json!(1u64 << 31),
        3 => json!((1u64 << 53) + 1),
        _ => json!(1 + at * 7919 % 10_007),
    }
}
