//! Whatever passes and however it is cut, a tap comes to an end with it, and to the same.

use super::mcp::{call, found, hello, tools};
use super::{Listening, now, outcomes, request, result};
use conformance::tap::{Direction, Ended};
use proptest::prelude::*;
use serde_json::json;

/// A conversation with a fault, as lines of both.
fn conversation() -> Vec<(Direction, Vec<u8>)> {
    let lines = [
        (Direction::ToServer, request(json!(0), "initialize", json!({}))),
        (Direction::ToClient, result(json!(0), hello())),
        (Direction::ToServer, request(json!(1), "tools/list", json!({}))),
        (Direction::ToClient, result(json!(1), tools())),
        (Direction::ToServer, call(json!(2))),
        (Direction::ToClient, json!("noise")),
        (Direction::ToClient, result(json!(2), found(1))),
    ];
    lines.into_iter().map(|(direction, line)| (direction, format!("{line}\n").into_bytes())).collect()
}

fn heard(size: usize) -> Vec<(String, String, conformance::model::Outcome, usize)> {
    let mut listening = Listening::program();
    for (direction, line) in conversation() {
        line.chunks(size).for_each(|piece| listening.tap.streamed(direction, piece, now()));
    }
    outcomes(&listening.end().log)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn it_does_not_matter_how_a_stream_is_cut(size in 1_usize..400) {
        prop_assert_eq!(heard(size), heard(usize::MAX));
    }

    #[test]
    fn any_bytes_come_to_an_end(
        pieces in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u8>(), 0..60)), 0..20)
    ) {
        let mut listening = Listening::program();
        for (up, piece) in pieces {
            let direction = if up { Direction::ToServer } else { Direction::ToClient };
            listening.tap.streamed(direction, &piece, now());
        }
        listening.end();
    }

    #[test]
    fn any_request_comes_to_an_end(
        method in "GET|POST|[A-Z]{1,5}",
        target in "/(api/v1/search|v0/search|mcp)?(\\?\\PC{0,20})?",
        sent in "\\{\"jsonrpc\":\"2.0\",\"id\":[0-9a\"]{1,3},\"method\":\"tools/(list|call)\"\\}|\\PC{0,40}",
        status in 100_u16..600,
        kind in "application/json|text/event-stream|\\PC{0,9}",
        came in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let mut listening = Listening::web();
        let headers = [("content-type", kind.as_str())];
        listening.with(&[], (&method, &target, &sent), (status, &headers, &came), Ended::Whole);
        listening.end();
    }
}
