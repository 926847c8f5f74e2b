//! The folder of frames: lines, or a database.

use crate::client::{Client, EVER};
use crate::corpus::{frames, ids};
use crate::support::{corpus, over, refused};
use serde_json::json;

#[test]
fn without_frames_there_is_an_empty_answer() {
    assert_eq!(
        Client::start(&[]).search(EVER),
        json!({ "data": [], "pagination": { "limit": 20, "offset": 0, "total": 0 } })
    );
}

#[test]
fn a_database_needs_no_more_than_its_frames() {
    let folder = corpus("recall", &[("frames.ndjson", "not read")]);
    let path = folder.path().join("recall/corpus/frames.sqlite");
    let database = rusqlite::Connection::open(path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE frames (frame_id INTEGER PRIMARY KEY, timestamp REAL NOT NULL, app_name TEXT NOT NULL,
                 window_name TEXT NOT NULL, browser_url TEXT, focused INTEGER, ocr_text TEXT NOT NULL);
             INSERT INTO frames WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
                 SELECT i, 1700000000 + i, 'app', 'window', NULL, NULL, 'word number' || i FROM n",
        )
        .unwrap();
    drop(database);
    for _ in ["as it was", "as the first server left it"] {
        let client = Client::start(&over(&folder));
        assert_eq!(client.search(&format!("{EVER}&limit=2&offset=1"))["pagination"]["total"], 50_000);
        assert_eq!(ids(&client.search(&format!("{EVER}&limit=2&offset=1"))), [49_999, 49_998]);
        assert_eq!(ids(&client.search(&format!("{EVER}&q=NUMBER77"))), [77]);
    }
}

#[test]
fn an_empty_address_is_an_unknown_one() {
    let line = json!({ "frame_id": 1, "timestamp": 1_700_000_000, "app_name": "", "window_name": "", "browser_url": "",
                       "focused": null, "ocr_text": "" });
    let client = Client::start(&over(&corpus("recall", &[("frames.ndjson", &line.to_string())])));
    assert_eq!(client.search(EVER)["data"][0]["browser_url"], json!(null));
}

#[test]
fn a_line_that_is_no_frame_is_named() {
    let lines = format!("{}\n{{\"frame_id\":1}}\n", frames().remove(0));
    let message = refused(&["serve"], &corpus("recall", &[("frames.ndjson", &lines)]));
    assert!(message.contains("line 2 of") && message.contains("frames.ndjson"), "{message}");
}
