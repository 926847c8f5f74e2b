//! The items of a JSON answer, for every contract and transport. Where the document leaves open what is around the items, they
//! are found by the fields that they have.

use crate::format::json::copied;
use crate::model::{Contract, Item, Problem};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// An object with so many of the fields is an item. One field may be missing or misspelt, which its requirement then says.
const ENOUGH: usize = 2;
/// Items are at most so many levels below the answer.
const DEPTH: usize = 5;
/// Where nothing but a null can mean that there are no items, it is at most so many levels below the answer.
const DEPTH_OF_NULL: usize = 3;
/// A list with so many members may be a tuple, as in `[status, items]`.
const LONGEST_TUPLE: usize = 4;

/// The list of items, or a list of the one item that the answer is.
///
/// `expected` is where they are expected. For an `item` that is known by its fields, other names and further levels are as good.
/// An empty list counts only where no list holds an item.
///
/// # Errors
///
/// When there is neither an item nor an empty list.
pub(super) fn items(body: &Value, expected: Option<&str>, item: Option<&Item>) -> Result<Value, Problem> {
    let list = || in_place(expected.and_then(|pointer| body.pointer(pointer)));
    let found = match item {
        Some(Item { fields, alone: true }) => alone(body, fields),
        Some(Item { fields, alone: false }) => list_of(body, expected, fields).or_else(list).or_else(|| none(body)),
        None => list(),
    };
    found.ok_or_else(|| {
        let message = match item {
            Some(item) => format!(
                "no list of items is found: nothing has two of the fields {}; `--results` says where they are",
                item.fields.join(", ")
            ),
            None => format!("there is no list at {}", expected.unwrap_or_default()),
        };
        Problem { code: Problem::NO_ITEMS.to_owned(), line: 1, column: 1, message }
    })
}

/// Finds the items of an exchange again in its answer, after a change of the answer.
pub(crate) fn find_again(exchange: &mut Value, contract: &Contract) {
    let operation = exchange["request"]["operation"].as_str().and_then(|name| contract.operations.get(name));
    let Some((operation, item)) = operation.and_then(|one| Some((one, one.found_by.as_ref()?))) else { return };
    let expected = operation.mcp.as_ref().and_then(|binding| binding.results.as_deref());
    match items(&exchange["answer"]["body"], expected, Some(item)) {
        Ok(found) => exchange["items"] = found,
        Err(problem) => {
            exchange["items"] = Value::Null;
            exchange["problems"] = json!([problem]);
        }
    }
}

/// The first object with the fields, perhaps in a list that holds nothing else.
fn alone(body: &Value, fields: &[String]) -> Option<Value> {
    let one = levels(body, DEPTH).into_iter().find_map(|value| match value {
        Value::Array(list) if list.len() == 1 => within(&list[0], fields),
        value => is_item(value, fields).then_some(Cow::Borrowed(value)),
    });
    one.map(|item| Value::Array(vec![item.into_owned()]))
}

/// The list with items: the expected one, else the longest one. Its items are out of what each may be wrapped in.
fn list_of(body: &Value, expected: Option<&str>, fields: &[String]) -> Option<Value> {
    let has_items = |list: &&Vec<Value>| list.iter().any(|value| within(value, fields).is_some());
    let expected = expected.and_then(|pointer| body.pointer(pointer)).and_then(Value::as_array).filter(has_items);
    let list = expected.or_else(|| {
        let lists = levels(body, DEPTH).into_iter().filter_map(Value::as_array).filter(has_items);
        // A top hit may be told of beside the list. Of lists of one length the first is taken, which `max_by_key` finds last.
        lists.rev().max_by_key(|list| list.len())
    })?;
    Some(list.iter().map(|value| within(value, fields).map_or_else(|| copied(value), Cow::into_owned)).collect())
}

/// What is expected to be the list. Null is an empty list.
fn in_place(expected: Option<&Value>) -> Option<Value> {
    match expected? {
        list @ Value::Array(_) => Some(copied(list)),
        Value::Null => Some(Value::Array(Vec::new())),
        _ => None,
    }
}

/// An empty list, where there is one, or where nothing but a null can stand for it.
fn none(body: &Value) -> Option<Value> {
    let levels = levels(body, DEPTH_OF_NULL);
    let mut lists = levels.iter().filter_map(|value| value.as_array()).peekable();
    let nulls = levels.iter().filter(|value| value.is_null()).count();
    let is_empty = if lists.peek().is_some() { lists.any(Vec::is_empty) } else { nulls == 1 };
    is_empty.then(|| Value::Array(Vec::new()))
}

/// An item itself, or the only object up to two levels below that has more of its fields than what is around it. Fields that this
/// object lacks are taken from what is around it.
fn within<'v>(value: &'v Value, fields: &[String]) -> Option<Cow<'v, Value>> {
    let own = count(value, fields);
    let is_inside = |member: &&Value| is_item(member, fields) && count(member, fields) > own;
    let members = || value.as_object().into_iter().flat_map(Map::values);
    let below = || members().filter_map(Value::as_object).flat_map(Map::values);
    let only = |mut inside: Vec<&'v Value>| inside.pop().filter(|_| inside.is_empty());
    let inside = only(members().filter(is_inside).collect());
    let inside = inside.or_else(|| only(below().filter(is_inside).collect()).filter(|_| own == 0));
    match inside {
        Some(inside) if own == 0 => Some(Cow::Borrowed(inside)),
        Some(inside) => {
            let mut both = inside.clone();
            for name in fields.iter().filter(|name| inside.get(name.as_str()).is_none()) {
                if let Some(outside) = value.get(name) {
                    both[name] = outside.clone();
                }
            }
            Some(Cow::Owned(both))
        }
        None => is_item(value, fields).then_some(Cow::Borrowed(value)),
    }
}

fn is_item(value: &Value, fields: &[String]) -> bool {
    count(value, fields) >= ENOUGH
}

/// How many of the fields an object has.
fn count(value: &Value, fields: &[String]) -> usize {
    let has = |name: &&String| value.get(name.as_str()).is_some();
    fields.iter().filter(has).count()
}

/// The answer and what is below it, level by level. Of lists only tuples are looked into, for lists in them.
fn levels(body: &Value, depth: usize) -> Vec<&Value> {
    let (mut all, mut level) = (vec![body], vec![body]);
    for _ in 0..depth {
        level = level.into_iter().flat_map(below).collect();
        all.extend(&level);
    }
    all
}

fn below(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(members) => members.values().collect(),
        Value::Array(members) if members.len() <= LONGEST_TUPLE => {
            members.iter().filter(|member| member.is_array()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::items;
    use crate::model::Item;
    use rstest::rstest;
    use serde_json::{Value, json};

    fn found(body: &Value, alone: bool) -> Option<Value> {
        let fields = ["id", "title", "type"].map(str::to_owned).to_vec();
        items(body, Some("/results"), Some(&Item { fields, alone })).ok()
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
    #[case::deep(json!({ "response": { "search": { "hits": { "hits": [note()] } } } }))]
    #[case::each_wrapped_twice(json!({ "edges": [{ "cursor": "x", "node": { "note": note() } }] }))]
    #[case::in_a_tuple(json!(["ok", [note()]]))]
    #[case::beside_an_empty_list(json!({ "results": [], "items": [note()] }))]
    fn a_list_is_found_under_any_key_and_beside_other_lists(#[case] body: Value) {
        assert_eq!(found(&body, false), Some(json!([note()])));
    }

    #[test]
    fn a_top_hit_beside_the_list_is_not_the_list() {
        let other = json!({ "id": "d", "title": "e", "type": "f" });
        let body = json!({ "best": [note()], "hits": [note(), other] });
        assert_eq!(found(&body, false), Some(json!([note(), other])));
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
