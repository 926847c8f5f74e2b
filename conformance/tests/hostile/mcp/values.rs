//! What a tool returns: structured content, text, neither, and things that nobody expects.

use super::talk::{assert_failed, codes};
use super::ways::{Answers, Way};
use conformance::model::Status;
use rstest::rstest;
use serde_json::{Value, json};

const BOTH: [Way; 2] = [Way::Stdio, Way::Web];

#[rstest]
#[case::structured(json!({ "content": [], "structuredContent": { "results": [1] } }))]
#[case::structured_rather_than_text(json!({ "content": [{ "type": "text", "text": "{\"results\":[2]}" }], "structuredContent": { "results": [1] } }))]
#[case::text(json!({ "content": [{ "type": "text", "text": "{\"results\":[1]}" }] }))]
#[case::text_with_blanks(json!({ "content": [{ "type": "text", "text": "\n  {\"results\": [ 1 ]}\n" }] }))]
#[case::structured_that_is_nothing(json!({ "content": [{ "type": "text", "text": "{\"results\":[1]}" }], "structuredContent": null }))]
#[case::text_after_a_picture(json!({ "content": [{ "type": "image", "data": "", "mimeType": "image/png" }, { "type": "text", "text": "{\"results\":[1]}" }] }))]
#[case::text_after_text_for_people(json!({ "content": [{ "type": "text", "text": "Found 1 note:" }, { "type": "text", "text": "{\"results\":[1]}" }] }))]
#[case::text_in_the_wrapper_of_a_library(json!({ "content": [{ "type": "text", "text": "{\"results\":[1]}" }], "structuredContent": { "result": "{\"results\":[1]}" } }))]
#[case::no_content_at_all(json!({ "structuredContent": { "results": [1] } }))]
#[case::is_no_error(json!({ "content": [], "structuredContent": { "results": [1] }, "isError": false }))]
fn a_value(#[case] result: Value) {
    for way in BOTH {
        let reply = Answers::call(json!({ "result": result })).over(way).find();
        assert_eq!((reply.status, codes(&reply)), (Status::Accepted, Vec::new()), "{reply:?}");
        assert_eq!(reply.answer["body"], json!({ "results": [1] }));
        assert_eq!(reply.items, Some(json!([1])));
        assert_eq!(reply.answer["result"], result);
        assert_eq!(reply.answer["outputSchema"], Value::Null);
    }
}

#[rstest]
#[case::a_sentence(json!({ "content": [{ "type": "text", "text": "Found 1 note" }] }))]
#[case::no_blocks(json!({ "content": [] }))]
#[case::no_content(json!({}))]
#[case::content_that_is_no_list(json!({ "content": "{}" }))]
#[case::a_picture(json!({ "content": [{ "type": "image", "data": "", "mimeType": "image/png" }] }))]
#[case::text_without_text(json!({ "content": [{ "type": "text" }] }))]
#[case::text_that_is_no_text(json!({ "content": [{ "type": "text", "text": { "results": [] } }] }))]
#[case::not_a_number(json!({ "content": [{ "type": "text", "text": "{\"score\":NaN}" }] }))]
#[case::two_values(json!({ "content": [{ "type": "text", "text": "{} {}" }] }))]
fn no_value(#[case] result: Value) {
    for way in BOTH {
        let reply = Answers::call(json!({ "result": result })).over(way).find();
        assert_eq!((reply.status, codes(&reply)), (Status::Accepted, vec!["json"]), "{reply:?}");
        assert_eq!((&reply.answer["body"], &reply.items), (&Value::Null, &None));
    }
}

#[test]
fn a_text_that_nests_deeper_than_is_read() {
    for way in BOTH {
        let result = json!({ "content": [{ "type": "text", "text": "[".repeat(10_000) }] });
        let reply = Answers::call(json!({ "result": result })).over(way).find();
        assert_eq!((reply.status, codes(&reply)), (Status::Failed, Vec::new()), "{reply:?}");
        assert!(reply.raw.failure.as_ref().unwrap().to_string().contains("nest deeper than 127"), "{reply:?}");
    }
}

#[rstest]
#[case::null(json!({ "result": null }))]
#[case::a_list(json!({ "result": [] }))]
#[case::a_text(json!({ "result": "{\"results\":[]}" }))]
#[case::a_number(json!({ "result": 7 }))]
#[case::yes(json!({ "result": true }))]
fn a_result_that_is_no_object(#[case] answer: Value) {
    for way in BOTH {
        let failure = assert_failed(&Answers::call(answer.clone()).over(way).find());
        assert!(failure.contains("the result is not an object"), "{failure}");
    }
}

#[rstest]
#[case::a_list(json!([1]))]
#[case::results_that_are_no_list(json!({ "results": {} }))]
#[case::no_results(json!({ "found": [] }))]
#[case::a_text(json!("{\"results\":[]}"))]
fn a_value_without_items(#[case] body: Value) {
    for way in BOTH {
        let reply = Answers::call(json!({ "result": { "content": [], "structuredContent": body } })).over(way).find();
        assert_eq!((reply.status, codes(&reply)), (Status::Accepted, vec!["items"]), "{reply:?}");
        assert_eq!((&reply.answer["body"], &reply.items), (&body, &None));
    }
}

#[test]
fn what_nobody_knows_is_kept() {
    let blocks = json!([{ "type": "hologram", "x": [1.5, 1e300, -0.0], "annotations": { "y": null } }]);
    let result =
        json!({ "content": blocks, "structuredContent": { "results": [] }, "_meta": { "z": "\u{0}" }, "own": [] });
    for way in BOTH {
        let reply = Answers::call(json!({ "result": result, "more": 1 })).over(way).find();
        assert_eq!(reply.answer["result"], result);
    }
}

#[rstest]
#[case::in_structured_content(json!({ "content": [], "structuredContent": { "results": [], "text": "x".repeat(7 << 20) } }))]
#[case::as_text(json!({ "content": [{ "type": "text", "text": format!("{{\"results\":[\"{}\"]}}", "x".repeat(7 << 20)) }] }))]
fn much_text(#[case] result: Value) {
    for way in BOTH {
        let reply = Answers::call(json!({ "result": result })).over(way).find();
        assert_eq!((reply.status, codes(&reply)), (Status::Accepted, Vec::new()), "{:?}", reply.raw);
        assert!(reply.raw.bytes > 7 << 20);
    }
}

#[test]
fn keys_that_occur_twice_in_the_text() {
    let text = "{\"results\":[{\"id\":1,\"id\":2}]}";
    for way in BOTH {
        let reply =
            Answers::call(json!({ "result": { "content": [{ "type": "text", "text": text }] } })).over(way).find();
        assert_eq!((reply.status, codes(&reply)), (Status::Accepted, vec!["duplicate-key"]));
    }
}

#[test]
fn half_a_surrogate_in_the_text() {
    let text = "{\"results\":[\"\\ud83d\"]}";
    for way in BOTH {
        let reply =
            Answers::call(json!({ "result": { "content": [{ "type": "text", "text": text }] } })).over(way).find();
        assert_eq!((reply.status, codes(&reply)), (Status::Accepted, Vec::new()));
        assert_eq!(reply.items, Some(json!(["\u{fffd}"])));
    }
}

#[test]
fn the_schema_that_is_advertised_comes_with_every_answer() {
    let schema = json!({ "type": "object", "required": ["results"] });
    let tool = json!({ "name": "find", "inputSchema": { "type": "object" }, "outputSchema": schema });
    for way in BOTH {
        let reply = Answers::list(json!({ "result": { "tools": [tool] } })).over(way).find();
        assert_eq!(reply.answer["outputSchema"], schema);
    }
}
