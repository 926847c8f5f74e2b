//! The fields of an answer, and the schemas that promise them.

use crate::client::Client;
use crate::corpus::{garden, rem};
use jsonschema::draft202012;
use rstest::rstest;
use serde_json::{Value, json};

#[test]
fn an_item_says_what_the_rem_is_and_where_it_stands() {
    let item = json!({
        "remId": "apple", "title": "Apple", "headline": "Apple :: a fruit", "remType": "concept",
        "aliases": ["Malus", "Pome"], "cardDirection": "forward", "parentRemId": "garden", "parentTitle": "Garden"
    });
    let mut client = Client::of(&garden());
    assert_eq!(client.search(json!({ "query": "appl" }))[0], item);
    assert_eq!(client.json("remnote_read_note", json!({ "remId": "apple", "includeContent": "none" })), item);
    let top = json!({ "remId": "garden", "title": "Garden", "headline": "Garden", "remType": "document" });
    assert_eq!(client.by_tag(json!({ "tag": "fruit" })), [top]);
}

#[test]
fn every_answer_satisfies_the_schema_that_its_tool_advertises() {
    let mut client = Client::of(&garden());
    let tools = client.tools();
    let schema = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        draft202012::options().build(&tool["outputSchema"]).unwrap()
    };
    for mode in ["none", "markdown", "structured"] {
        let more = json!({ "includeContent": mode, "depth": 3 });
        for (tool, name, value) in [("remnote_search", "query", ""), ("remnote_search_by_tag", "tag", "fruit")] {
            let mut arguments = more.clone();
            arguments[name] = json!(value);
            let answer = client.json(tool, arguments);
            schema(tool).validate(&answer).unwrap();
        }
    }
    for id in ["garden", "apple", "note", "row", "window"] {
        let answer = client.read(id);
        schema("remnote_read_note").validate(&answer).unwrap();
    }
}

#[test]
fn the_tools_describe_themselves_completely() {
    let tools = Client::of(&[]).tools();
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    // Other contracts have tools on the same server.
    let tools: Vec<_> = tools.iter().filter(|tool| name(tool).starts_with("remnote_")).collect();
    let names: Vec<_> = tools.iter().map(|tool| name(tool)).collect();
    assert_eq!(names, ["remnote_search", "remnote_search_by_tag", "remnote_read_note"]);
    for tool in &tools {
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert!(draft202012::meta::is_valid(schema), "{schema}");
            assert_eq!((&schema["type"], &schema["$id"]), (&json!("object"), &Value::Null));
            undescribed(schema, &mut |place| panic!("{place} has no description in {schema}"));
        }
    }
    assert_eq!(tools[0]["outputSchema"], tools[1]["outputSchema"]);
    let documented = [
        "remId",
        "title",
        "headline",
        "remType",
        "aliases",
        "cardDirection",
        "parentRemId",
        "parentTitle",
        "content",
        "contentProperties",
        "contentStructured",
    ];
    let keys = |schema: &Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let mut note = keys(&tools[0]["outputSchema"]["$defs"]["note"]);
    assert!(documented.iter().all(|field| note.contains(&(*field).to_owned())), "{note:?}");
    // Structured content belongs to the searches alone.
    note.retain(|field| field != "contentStructured");
    assert_eq!(keys(&tools[2]["outputSchema"]), note);
}

/// Calls `found` with the name of each property that says nothing of itself.
fn undescribed(schema: &Value, found: &mut impl FnMut(&str)) {
    if let Some(properties) = schema["properties"].as_object() {
        for (name, property) in properties {
            if !property["description"].is_string() {
                found(name);
            }
            undescribed(property, found);
        }
    }
    for definition in schema["$defs"].as_object().into_iter().flat_map(|definitions| definitions.values()) {
        undescribed(definition, found);
    }
}

#[rstest]
#[case::nothing(json!([]), "text", ">>")]
#[case::document(json!(["document"]), "document", ">>")]
#[case::daily(json!(["document", "dailyDocument", "concept"]), "dailyDocument", ">>")]
#[case::concept(json!(["document", "descriptor", "concept"]), "concept", "::")]
#[case::descriptor(json!(["portal", "descriptor", "document"]), "descriptor", ";;")]
#[case::portal(json!(["document", "portal"]), "portal", ">>")]
fn a_rem_has_one_type_and_its_delimiter(#[case] kinds: Value, #[case] rem_type: &str, #[case] delimiter: &str) {
    let mut client = Client::of(&[rem("x", "Front", json!({ "kinds": kinds, "back": ["Back"] }))]);
    let item = client.read("x");
    assert_eq!(item["remType"], rem_type);
    assert_eq!(item["headline"], format!("Front {delimiter} Back"));
}

#[rstest]
#[case::forward("forward", json!("forward"))]
#[case::reverse("reverse", json!("reverse"))]
#[case::both("bidirectional", json!("bidirectional"))]
#[case::none("none", Value::Null)]
fn a_direction_needs_practice_and_a_back(#[case] practice: &str, #[case] direction: Value) {
    let card = rem("card", "Front", json!({ "practice": practice, "back": ["Back"] }));
    let bare = rem("bare", "Front", json!({ "practice": practice, "back": [""] }));
    let mut client = Client::of(&[card, bare]);
    assert_eq!(client.read("card")["cardDirection"], direction);
    let bare = client.read("bare");
    assert_eq!((&bare["cardDirection"], &bare["headline"]), (&Value::Null, &json!("Front")));
}

#[test]
fn a_parent_without_text_is_still_a_parent() {
    let mut client = Client::of(&[
        rem("above", "", json!({ "children": ["below"] })),
        rem("below", "Below", json!({ "parent": "above", "aliases": [[], [""]] })),
    ]);
    let item = client.read("below");
    assert_eq!((&item["parentRemId"], &item["parentTitle"]), (&json!("above"), &json!("")));
    assert!(!item.as_object().unwrap().contains_key("aliases"), "only empty ones are none: {item}");
}
