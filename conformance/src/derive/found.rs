//! The items of a JSON answer whose envelope the document leaves open: they are found by the fields that they have.

use crate::model::{Item, Problem};
use serde_json::{Map, Value};

/// An object with so many of the fields is an item. One field may be missing or misspelt, which its requirement then says.
const ENOUGH: usize = 2;
/// Items are at most so many levels of objects below the answer.
const DEPTH: usize = 3;

/// The list of items, or a list of the one item that the answer is.
///
/// `expected` is where the contract expects them. Other names and further levels are as good. An empty list counts only where
/// no list holds an item.
///
/// # Errors
///
/// When there is neither an item nor an empty list.
pub(super) fn items(body: &Value, expected: Option<&str>, item: &Item) -> Result<Value, Problem> {
    let found = if item.alone { alone(body, &item.fields) } else { list(body, expected, &item.fields) };
    found.ok_or_else(|| Problem {
        code: Problem::NO_ITEMS.to_owned(),
        line: 1,
        column: 1,
        message: format!("nothing in the answer has two of the fields {}", item.fields.join(", ")),
    })
}

/// The first object with the fields, perhaps in a list that holds nothing else.
fn alone(body: &Value, fields: &[String]) -> Option<Value> {
    let one = levels(body).into_iter().find_map(|value| match value {
        Value::Array(list) if list.len() == 1 => within(&list[0], fields),
        value => is_item(value, fields).then(|| value.clone()),
    });
    one.map(|item| Value::Array(vec![item]))
}

/// The first list with an item, its items out of what each may be wrapped in. Without one, what is expected to be the list, or
/// an empty one. Null in the expected place is an empty list.
fn list(body: &Value, expected: Option<&str>, fields: &[String]) -> Option<Value> {
    let expected = expected.and_then(|pointer| body.pointer(pointer));
    let lists: Vec<&Vec<Value>> = expected.into_iter().chain(levels(body)).filter_map(Value::as_array).collect();
    let has_items = |list: &&&Vec<Value>| list.iter().any(|value| within(value, fields).is_some());
    if let Some(list) = lists.iter().find(has_items) {
        return Some(list.iter().map(|value| within(value, fields).unwrap_or_else(|| value.clone())).collect());
    }
    match expected {
        Some(list) if list.is_array() => Some(list.clone()),
        Some(Value::Null) => Some(Value::Array(Vec::new())),
        _ => lists.iter().any(|list| list.is_empty()).then(|| Value::Array(Vec::new())),
    }
}

/// The item itself, or the only member that is one, with the fields that are beside it.
fn within(value: &Value, fields: &[String]) -> Option<Value> {
    let members = value.as_object()?;
    let mut wrapped = members.values().filter_map(|member| member.as_object().filter(|_| is_item(member, fields)));
    match (wrapped.next(), wrapped.next()) {
        (Some(inner), None) => {
            let beside = members.iter().filter(|(name, _)| fields.contains(name) && !inner.contains_key(*name));
            Some(inner.iter().chain(beside).map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        _ => is_item(value, fields).then(|| value.clone()),
    }
}

fn is_item(value: &Value, fields: &[String]) -> bool {
    let has = |name: &&String| value.get(name.as_str()).is_some();
    value.is_object() && fields.iter().filter(has).count() >= ENOUGH
}

/// The answer and what is below it, level by level. Lists are not looked into.
fn levels(body: &Value) -> Vec<&Value> {
    let (mut all, mut level) = (vec![body], vec![body]);
    for _ in 0..DEPTH {
        level = level.into_iter().filter_map(Value::as_object).flat_map(Map::values).collect();
        all.extend(&level);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::items;
    use crate::model::Item;
    use rstest::rstest;
    use serde_json::{Value, json};

    fn found(body: &Value, alone: bool) -> Option<Value> {
        let fields = ["id", "title", "type"].map(str::to_owned).to_vec();
        items(body, Some("/results"), &Item { fields, alone }).ok()
    }

    fn note() -> Value {
        json!({ "id": "a", "title": "b", "type": "c" })
    }

    #[rstest]
    #[case::in_its_place(json!({ "results": [note()] }))]
    #[case::bare(json!([note()]))]
    #[case::beside_other_lists(json!({ "facets": [{ "type": "c", "count": 3 }], "hits": [note()], "terms": ["x"] }))]
    #[case::below(json!({ "data": { "page": 1, "notes": [note()] } }))]
    #[case::each_wrapped(json!({ "results": [{ "score": 1, "note": note() }] }))]
    #[case::partly_wrapped(json!({ "results": [{ "type": "c", "note": { "id": "a", "title": "b" } }] }))]
    #[case::beside_an_empty_list(json!({ "results": [], "items": [note()] }))]
    fn a_list_is_found_under_any_key_and_beside_other_lists(#[case] body: Value) {
        assert_eq!(found(&body, false), Some(json!([note()])));
    }

    #[rstest]
    #[case::a_field_is_missing(json!({ "results": [{ "id": 1, "title": 2 }] }), Some(json!([{ "id": 1, "title": 2 }])))]
    #[case::most_are_missing(json!({ "results": [{ "id": 1 }] }), Some(json!([{ "id": 1 }])))]
    #[case::nothing_was_found(json!({ "results": [] }), Some(json!([])))]
    #[case::nothing_elsewhere(json!({ "hits": [], "terms": ["x"] }), Some(json!([])))]
    #[case::null(json!({ "results": null }), Some(json!([])))]
    #[case::words(json!({ "error": "not found" }), None)]
    #[case::other_objects(json!({ "hits": [{ "name": "b" }] }), None)]
    fn what_is_no_item_is_kept_only_in_the_expected_place(#[case] body: Value, #[case] expected: Option<Value>) {
        assert_eq!(found(&body, false), expected);
    }

    #[rstest]
    #[case::the_answer(note())]
    #[case::wrapped(json!({ "note": note() }))]
    #[case::in_a_list(json!({ "results": [note()] }))]
    #[case::wrapped_in_a_list(json!({ "results": [{ "rem": note() }] }))]
    fn one_item_is_the_answer_or_within_it(#[case] body: Value) {
        assert_eq!(found(&body, true), Some(json!([note()])));
    }

    #[rstest]
    #[case::null(json!({ "note": null }))]
    #[case::two(json!({ "results": [note(), note()] }))]
    #[case::words(json!("no such note"))]
    fn nothing_is_found_where_there_is_not_one_item(#[case] body: Value) {
        assert_eq!(found(&body, true), None);
    }
}
