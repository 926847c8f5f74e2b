//! What stands below a Rem, and where it ends.

use crate::client::Client;
use crate::corpus::{family, garden, rem};
use rstest::rstest;
use serde_json::{Value, json};

fn properties(rendered: usize, total: usize, truncated: bool) -> Value {
    json!({ "childrenRendered": rendered, "childrenTotal": total, "contentTruncated": truncated })
}

#[test]
fn markdown_is_an_indented_list_without_rows_and_aliases() {
    let mut client = Client::of(&garden());
    let whole = "- Apple :: a fruit\n  - colour ;; red\n- plant Apple in March\n";
    assert_eq!(client.content("garden", json!({})), (whole.to_owned(), properties(3, 3, false)));
    let one_level = "- Apple :: a fruit\n- plant Apple in March\n";
    assert_eq!(client.content("garden", json!({ "depth": 1 })), (one_level.to_owned(), properties(2, 3, false)));
    let one_child = "- Apple :: a fruit\n  - colour ;; red\n";
    assert_eq!(client.content("garden", json!({ "childLimit": 1 })), (one_child.to_owned(), properties(2, 3, false)));
    assert_eq!(client.content("garden", json!({ "depth": 0 })), (String::new(), properties(0, 3, false)));
    assert_eq!(client.content("window", json!({})), (String::new(), properties(0, 0, false)));
}

#[test]
fn structured_content_is_the_same_tree() {
    let mut client = Client::of(&garden());
    let found = client.search(json!({ "query": "Garden", "includeContent": "structured", "depth": 2 }));
    let apple = json!({
        "remId": "apple", "title": "Apple", "headline": "Apple :: a fruit", "remType": "concept",
        "aliases": ["Malus", "Pome"], "cardDirection": "forward",
        "children": [{ "remId": "colour", "title": "colour", "headline": "colour ;; red", "remType": "descriptor" }]
    });
    assert_eq!(found[0]["contentStructured"][0], apple);
    let keys: Vec<_> = found[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["remId", "title", "headline", "remType", "contentStructured"]);
    let none = client.search(json!({ "query": "Window", "includeContent": "structured" }));
    assert_eq!(none[0]["contentStructured"], json!([]));
}

#[rstest]
#[case::ascii("x", 1)]
#[case::two_bytes("é", 1)]
#[case::three_bytes("漢", 1)]
#[case::surrogates("🍎", 2)]
fn length_is_counted_in_utf16_units_with_line_ends(#[case] character: &str, #[case] units: usize) {
    // Two lines: "- ", the text, a line end, of 100 units together.
    let (first, second) = (character.repeat(40 / units), character.repeat(54 / units));
    let mut client = Client::of(&family(&[("a", &first), ("b", &second)]));
    let whole = format!("- {first}\n- {second}\n");
    assert_eq!(whole.encode_utf16().count(), 100);
    assert_eq!(client.content("root", json!({ "maxContentLength": 100 })), (whole, properties(2, 2, false)));
    let longer = format!("{second}.");
    let mut client = Client::of(&family(&[("a", &first), ("b", &longer)]));
    let cut = format!("- {first}\n");
    assert_eq!(client.content("root", json!({ "maxContentLength": 100 })), (cut, properties(1, 2, true)));
}

#[test]
fn the_first_line_that_does_not_fit_ends_it() {
    let long = "x".repeat(98);
    let mut client = Client::of(&family(&[("a", &long), ("b", "short")]));
    assert_eq!(client.content("root", json!({ "maxContentLength": 100 })), (String::new(), properties(0, 2, true)));
    let mut client = Client::of(&family(&[("a", "short"), ("b", &long), ("c", "short")]));
    let content = client.content("root", json!({ "maxContentLength": 100 }));
    assert_eq!(content, ("- short\n".to_owned(), properties(1, 3, true)));
}

#[test]
fn empty_leaves_are_dropped_at_the_end_alone() {
    let mut client = Client::of(&family(&[("a", "a"), ("e", ""), ("b", "b"), ("f", ""), ("g", "")]));
    let content = client.content("root", json!({}));
    assert_eq!(content, ("- a\n- \n- b\n".to_owned(), properties(3, 3, false)));
    // First the limit, then what is at the end.
    let content = client.content("root", json!({ "childLimit": 2 }));
    assert_eq!(content, ("- a\n".to_owned(), properties(1, 3, false)));
}

#[test]
fn what_is_empty_but_says_something_below_is_no_leaf() {
    let mut rems = vec![
        rem("root", "Root", json!({ "children": ["empty", "hollow", "blank"] })),
        rem("empty", "", json!({ "parent": "root", "children": ["row", "leaf"] })),
        rem("leaf", "leaf", json!({ "parent": "empty" })),
        rem("hollow", "", json!({ "parent": "root", "kinds": ["concept"] })),
        rem("blank", "", json!({ "parent": "root", "children": ["row", "nothing"] })),
        rem("row", "Status", json!({ "row": "property" })),
        rem("nothing", "", json!({ "parent": "blank" })),
    ];
    let mut client = Client::of(&rems);
    let content = client.content("root", json!({}));
    assert_eq!(
        content,
        ("- \n  - leaf\n- \n".to_owned(), properties(3, 3, false)),
        "an empty concept is not text leaf"
    );
    // Text that is only a reference to a Rem without text is not text either.
    rems[4]["text"] = json!([{ "rem": "nothing" }]);
    assert_eq!(Client::of(&rems).content("root", json!({})), content);
    rems[6]["back"] = json!(["back"]);
    let content = Client::of(&rems).content("root", json!({})).0;
    assert_eq!(content, "- \n  - leaf\n- \n- \n  -  >> back\n");
}

#[test]
fn a_line_break_in_a_headline_is_a_space_in_content() {
    let mut client = Client::of(&family(&[("a", "one\ntwo\r\nthree")]));
    assert_eq!(client.content("root", json!({})).0, "- one two three\n");
    let found = client.search(json!({ "query": "Root", "includeContent": "structured" }));
    assert_eq!(found[0]["contentStructured"][0]["title"], "one\ntwo\r\nthree");
}

#[rstest]
#[case::below(1999)]
#[case::at(2000)]
#[case::above(2001)]
#[case::far_above(5000)]
fn counting_stops_at_2000(#[case] count: usize) {
    let ids: Vec<_> = (0..count).map(|n| (format!("r{n}"), "x")).collect();
    let children: Vec<_> = ids.iter().map(|(id, text)| (id.as_str(), *text)).collect();
    let mut client = Client::of(&family(&children));
    let content = client.content("root", json!({ "childLimit": 1 }));
    assert_eq!(content, ("- x\n".to_owned(), properties(1, count.min(2000), false)));
}

#[test]
fn a_subtree_may_be_deeper_than_any_stack() {
    let deep = 3000;
    let link = |n: usize| rem(&format!("r{n}"), "x", json!({ "children": [format!("r{}", n + 1)] }));
    let mut rems: Vec<_> = (0..deep).map(link).collect();
    rems.push(rem(&format!("r{deep}"), "end", json!({})));
    let (content, counts) = Client::of(&rems).content("r0", json!({ "depth": 10 }));
    assert_eq!((content.lines().count(), &counts["childrenTotal"]), (10, &json!(2000)));
}

#[test]
fn circles_of_children_end() {
    let mut client = Client::of(&[
        rem("a", "a", json!({ "parent": "b", "children": ["b", "a"] })),
        rem("b", "b", json!({ "parent": "a", "children": ["a", "c"] })),
        rem("c", "", json!({ "parent": "b", "children": ["d"] })),
        rem("d", "", json!({ "parent": "c", "children": ["c"] })),
    ]);
    assert_eq!(client.content("a", json!({ "depth": 10 })), ("- b\n".to_owned(), properties(1, 1, false)));
}
