//! Frames, and searches over them.

use crate::contracts::shape::{Corpus, Shape, lines, piece, step, texts, walked};
use crate::contracts::words::{WORDS, part_of, text, word};
use crate::model::{Contract, Step};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FILE: &str = "frames.ndjson";
/// All frames lie within so many seconds after this moment, so in the past.
const FIRST: f64 = 1_700_000_000.0;
const SECONDS: u32 = 4000;
/// Bounds lie beside the times of frames: whether a bound is part of its window is our own reading.
const BESIDE: f64 = 0.125;

/// Some have what other ways to compare would read as an operator, and others are what it would find then.
const APPS: [&str; 8] =
    ["Ledgerline", "Browserly", "Inkwell", "Ink 100%", "Ink 100 ml", "snake_case", "snakexcase", "Paint*pot"];
const WINDOWS: [&str; 8] = [
    "Budget 2023",
    "Untitled drawing",
    "100% of it",
    "100 parts of it",
    "my_notes.txt",
    "C:\\letters",
    "Weather \"now\"",
    "Timetable",
];
const URLS: [&str; 4] = [
    "https://weather.example/weekend",
    "http://trains.example.net:8080/timetable",
    "https://shop.example.com/a_b/100%25",
    "https://shop.example.com/search?page=2",
];

/// recall.
pub(super) struct Recall;

impl Shape for Recall {
    fn corpus(&self, size: usize, _: &Contract) -> BoxedStrategy<Corpus> {
        let frame = (
            (0..SECONDS, select(vec![0.0, 0.25, 0.5, 0.75])),
            (select(&APPS[..]), select(&WINDOWS[..]), option::of(select(&URLS[..]))),
            option::of(any::<bool>()),
            text(1..12),
        );
        // Whether `focused=false` finds frames of unknown focus is our own reading: some corpora have none. In some, many
        // frames share a moment.
        let frames = (any::<bool>(), any::<bool>(), vec(frame, 0..=size));
        let corpus = frames.prop_map(|(has_unknown, is_crowded, frames)| {
            let pieces =
                frames.into_iter().enumerate().map(|(at, ((second, part), (app, window, url), focus, text))| {
                    let focused = focus.or((!has_unknown).then_some(false));
                    let time = FIRST + if is_crowded { f64::from(second % 3) } else { f64::from(second) + part };
                    let timestamp = if part == 0.0 { json!(time as i64) } else { json!(time) };
                    // Ids follow neither the lines nor the times.
                    let id = 1 + at * 7919 % 10_007;
                    piece(
                        FILE,
                        json!({ "frame_id": id, "timestamp": timestamp, "app_name": app, "window_name": window,
                            "browser_url": url, "focused": focused, "ocr_text": text }),
                    )
                });
            Corpus { pieces: pieces.collect() }
        });
        corpus.boxed()
    }

    fn mend(&self, corpus: Corpus) -> Corpus {
        corpus
    }

    fn call(&self, corpus: &Corpus, _: &Contract) -> BoxedStrategy<Step> {
        let values = |field: &str| {
            let all: BTreeSet<&str> = texts(corpus, FILE, field).collect();
            all.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let filter = |field: &str| {
            // One that has what may be read as an operator is worth asking for whole.
            let (values, odd) = (values(field), |value: &String| value.contains(['%', '_', '*', '"', '\\']));
            let odd: Vec<String> = values.iter().filter(|value| odd(value)).cloned().collect();
            let part = match odd.is_empty() {
                true => part_of(values),
                false => prop_oneof![2 => part_of(values), 1 => select(odd).prop_map(Some)].boxed(),
            };
            option::weighted(0.15, part).prop_map(Option::flatten)
        };
        let mut times: Vec<f64> = corpus.of(FILE).filter_map(|frame| frame["timestamp"].as_f64()).collect();
        times.sort_by(f64::total_cmp);
        times.push(FIRST);
        let bound = || option::of((select(times.clone()), select(vec![BESIDE, -BESIDE])));
        let bounds = (bound(), bound());
        let filters = (filter("app_name"), filter("window_name"), filter("browser_url"));
        let more = (option::weighted(0.4, word()), option::weighted(0.2, any::<bool>()));
        let page = (5..=20u64, option::weighted(0.4, 0..40u64));
        let corpus = corpus.clone();
        let call = (bounds, filters, more, page);
        call.prop_map(move |((from, until), (app, window, url), (q, focused), (limit, offset))| {
            let beside = |(time, by): (f64, f64)| time + by;
            let (from, until) = match (from.map(beside), until.map(beside)) {
                (Some(from), Some(until)) => (Some(from.min(until)), Some(from.max(until) + 1.0)),
                other => other,
            };
            let with = [
                ("start_time", Some(json!(from.unwrap_or(FIRST - 1000.0)))),
                ("end_time", until.map(|until| json!(until))),
                ("q", q.filter(|word| is_plain_word(word, &corpus)).map(Value::from)),
                ("app_name", app.filter(|part| is_plain_part(part, "app_name", &corpus)).map(Value::from)),
                ("window_name", window.filter(|part| is_plain_part(part, "window_name", &corpus)).map(Value::from)),
                ("browser_url", url.filter(|part| is_plain_part(part, "browser_url", &corpus)).map(Value::from)),
                ("focused", focused.filter(|focused| *focused || !has_unknown_focus(&corpus)).map(Value::from)),
                ("limit", Some(limit.into())),
                ("offset", offset.filter(|offset| *offset > 0).map(Value::from)),
            ];
            match offset {
                Some(_) => step("search", with),
                None => walked(step("search", with), "limit", "offset"),
            }
        })
        .boxed()
    }

    fn files(&self, corpus: &Corpus) -> BTreeMap<String, String> {
        lines(corpus, &[FILE])
    }
}

/// Whether a filter finds the same frames with and without regard to the case of letters, and has no blank at its ends.
fn is_plain_part(part: &str, field: &str, corpus: &Corpus) -> bool {
    let folded = part.to_lowercase();
    part.trim() == part
        && texts(corpus, FILE, field)
            .all(|value| value.contains(part) == value.to_lowercase().contains(folded.as_str()))
}

/// Whether a word finds the same frames as a whole word, as a part of a word, and in titles too.
fn is_plain_word(word: &str, corpus: &Corpus) -> bool {
    WORDS.contains(&word)
        && corpus.of(FILE).all(|frame| {
            let whole = frame["ocr_text"].as_str().unwrap_or_default().split(' ').any(|other| other == word);
            let anywhere = frame.to_string().to_lowercase().contains(word);
            whole == anywhere
        })
}

fn has_unknown_focus(corpus: &Corpus) -> bool {
    corpus.of(FILE).any(|frame| frame["focused"].is_null())
}
