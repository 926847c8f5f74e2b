//! Small knowledge bases for tests.

use crate::support::corpus;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a corpus.
pub(crate) fn folder(rems: &[Value], hits: &Value) -> TempDir {
    let lines: String = rems.iter().map(|rem| format!("{rem}\n")).collect();
    corpus("remnote", &[("rems.ndjson", &lines), ("hits.json", &hits.to_string())])
}

/// A Rem of plain text, with what `more` has on top.
pub(crate) fn rem(id: &str, text: &str, more: Value) -> Value {
    let mut rem = json!({ "id": id, "text": if text.is_empty() { vec![] } else { vec![text] } });
    for (name, value) in more.as_object().unwrap() {
        rem[name] = value.clone();
    }
    rem
}

/// A Rem `root` with children of these ids and texts.
pub(crate) fn family(children: &[(&str, &str)]) -> Vec<Value> {
    let ids: Vec<_> = children.iter().map(|(id, _)| id).collect();
    let mut rems = vec![rem("root", "Root", json!({ "children": ids }))];
    rems.extend(children.iter().map(|(id, text)| rem(id, text, json!({ "parent": "root" }))));
    rems
}

/// A little of everything.
pub(crate) fn garden() -> Vec<Value> {
    let reference = json!({ "rem": "apple" });
    vec![
        rem("garden", "Garden", json!({ "kinds": ["document"], "children": ["apple", "note"] })),
        rem(
            "apple",
            "Apple",
            json!({
                "parent": "garden", "kinds": ["concept"], "back": ["a fruit"], "practice": "forward",
                "aliases": [["Malus"], [], ["Pome"]], "tags": ["fruit"], "children": ["colour", "row"]
            }),
        ),
        rem("colour", "colour", json!({ "parent": "apple", "kinds": ["descriptor"], "back": ["red"] })),
        rem("row", "Aliases", json!({ "parent": "apple", "row": "powerup" })),
        rem("note", "", json!({ "parent": "garden", "text": ["plant ", reference, " in March"] })),
        rem("today", "Today", json!({ "kinds": ["dailyDocument"] })),
        rem("window", "Window", json!({ "kinds": ["portal"] })),
    ]
}
