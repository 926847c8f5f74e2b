//! Changes of the contracts of this repository, each with what it means for either side: `kind implementations clients`,
//! with a `?` where nothing shows it.

mod approval;
mod faults;
mod frozen;
mod unseen;
mod views;

use conformance::diff::{Change, ContractSide, Diff, Seen, Side};
use conformance::model::ContractKey;
use rstest::rstest;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The contracts as they are.
fn all() -> Side {
    static SIDE: LazyLock<Side> =
        LazyLock::new(|| Side::read(testing::root()).expect("the contracts of this repository"));
    SIDE.clone()
}

/// The contracts, each at its first revision alone.
fn side() -> Side {
    let mut side = all();
    side.contracts.retain(|key, _| key.revision() == ContractKey::FIRST);
    side
}

fn view<'s>(side: &'s mut Side, key: &str) -> &'s mut ContractSide {
    side.contracts.get_mut(&ContractKey::from(key)).expect("a contract")
}

/// Does what an edit of a file does: a JSON Patch over the parsed file, at the first revision.
fn edit(side: &mut Side, file: &str, patch: &Value) {
    let (contract, file) = file.split_once('/').expect("contract/file");
    let contract = view(side, contract);
    let patch: json_patch::Patch = serde_json::from_value(patch.clone()).expect("a JSON Patch");
    let patched = |value: &mut Value| json_patch::patch(value, &patch).expect("the patch fits");
    if file == "contract.json" {
        let mut value = serde_json::to_value(&contract.contract).expect("JSON");
        patched(&mut value);
        contract.contract = serde_json::from_value(value).expect("a contract");
    } else if let Some(name) = file.strip_prefix("cases/") {
        let case = contract.cases.get_mut(name).expect("a case");
        let mut value = serde_json::to_value(&*case).expect("JSON");
        patched(&mut value);
        *case = serde_json::from_value(value).expect("a case");
    } else if file == "always.json" {
        let mut value = serde_json::to_value(&contract.always).expect("JSON");
        patched(&mut value);
        contract.always = serde_json::from_value(value).expect("checks");
    } else if let Some(name) = file.strip_prefix("goldens/") {
        patched(contract.goldens.get_mut(name).expect("a golden"));
    } else {
        patched(contract.schemas.get_mut(file).expect("a schema"));
    }
}

fn diff(before: &Side, now: &Side) -> Diff {
    Diff::of(("before", before), ("now", now), &Seen::default())
}

fn told(change: &Change) -> String {
    let suspicion = if change.is_suspicion() { "?" } else { "" };
    format!("{} {} {}{suspicion}", change.kind, change.implementations, change.clients)
}

/// What is found, each with what it is about.
fn with_subjects(diff: &Diff) -> Vec<(String, &str)> {
    diff.changes.iter().map(|one| (told(&one.change), one.change.subject.as_str())).collect()
}

fn replace(path: &str, value: Value) -> Value {
    json!([{ "op": "replace", "path": path, "value": value }])
}

fn add(path: &str, value: Value) -> Value {
    json!([{ "op": "add", "path": path, "value": value }])
}

fn remove(path: &str) -> Value {
    json!([{ "op": "remove", "path": path }])
}

const MEMORY: &str = "memory/search.input.schema.json";
const ANSWER: &str = "memory/search.output.schema.json";
const RECALL: &str = "recall/search.input.schema.json";
const ITEM: &str = "recall/item.schema.json";
const NOTE: &str = "remnote/note.schema.json";
const SEARCH: &str = "remnote/search.input.schema.json";
const LIMIT: &str = "/properties/limit/maximum";

#[rstest]
// Arguments: what is allowed.
#[case::raised_maximum(MEMORY, replace("/properties/top_ke/maximum", json!(25)), "argument-range breaking compatible")]
#[case::lowered_maximum(MEMORY, replace("/properties/top_ke/maximum", json!(5)), "argument-range compatible breaking")]
#[case::raised_minimum(MEMORY, replace("/properties/top_kc/minimum", json!(2)), "argument-range breaking breaking")]
#[case::lowered_minimum(MEMORY, replace("/properties/top_kc/minimum", json!(0)), "argument-range breaking compatible")]
#[case::lowered_where_nothing_is_refused(SEARCH, replace(LIMIT, json!(100)), "argument-range compatible breaking")]
#[case::raised_where_nothing_is_refused(SEARCH, replace(LIMIT, json!(200)), "argument-range breaking compatible")]
#[case::maximum_gone(SEARCH, remove(LIMIT), "argument-range breaking compatible")]
#[case::moved_range(
    SEARCH,
    json!([
        { "op": "replace", "path": LIMIT, "value": 200 },
        { "op": "replace", "path": "/properties/limit/minimum", "value": 10 }
    ]),
    "argument-range breaking breaking"
)]
#[case::longer_texts(MEMORY, replace("/properties/query/minLength", json!(3)), "argument-range compatible breaking")]
#[case::type_widened(SEARCH, replace("/properties/limit/type", json!("number")), "argument-type breaking compatible")]
#[case::type_changed(SEARCH, replace("/properties/query/type", json!("integer")), "argument-type breaking breaking")]
#[case::type_narrowed(RECALL, replace("/properties/start_time/type", json!("integer")), "argument-type breaking breaking")]
#[case::null_allowed(RECALL, replace("/properties/q/type", json!(["string", "null"])), "argument-nullable breaking compatible")]
#[case::another_choice(SEARCH, add("/properties/includeContent/enum/-", json!("html")), "argument-enum breaking compatible")]
#[case::a_choice_less(SEARCH, remove("/properties/includeContent/enum/2"), "argument-enum compatible breaking")]
#[case::const_opened(RECALL, json!([
    { "op": "remove", "path": "/properties/content_type/const" },
    { "op": "add", "path": "/properties/content_type/enum", "value": ["ocr", "audio"] }
]), "argument-enum breaking compatible")]
#[case::pattern(RECALL, add("/properties/app_name/pattern", json!("^[a-z]+$")), "argument-constraint compatible breaking")]
// Arguments: whether they are there, and what they mean when they are not.
#[case::default_changed(SEARCH, replace("/properties/limit/default", json!(20)), "argument-default breaking breaking")]
#[case::default_gone(SEARCH, remove("/properties/limit/default"), "argument-default compatible breaking")]
#[case::default_new(RECALL, add("/properties/limit/default", json!(10)), "argument-default breaking compatible")]
#[case::now_required(SEARCH, add("/required/-", json!("limit")), "argument-required compatible breaking")]
#[case::now_optional(MEMORY, remove("/required/1"), "argument-optional breaking compatible")]
#[case::optional_where_it_was_promised(RECALL, remove("/required/0"), "argument-optional breaking compatible")]
#[case::new_argument(SEARCH, add("/properties/sort", json!({ "type": "string" })), "argument-added breaking compatible")]
#[case::new_required_argument(SEARCH, json!([
    { "op": "add", "path": "/properties/sort", "value": { "type": "string" } },
    { "op": "add", "path": "/required/-", "value": "sort" }
]), "argument-added breaking breaking")]
#[case::gone(RECALL, remove("/properties/browser_url"), "argument-removed compatible breaking")]
#[case::renamed(MEMORY, json!([
    { "op": "move", "from": "/properties/top_ke", "path": "/properties/max_entries" }
]), "argument-renamed breaking breaking")]
#[case::strangers_allowed(SEARCH, remove("/additionalProperties"), "argument-opened compatible compatible")]
#[case::together(RECALL, add("/dependentRequired", json!({ "offset": ["limit"] })), "argument-constraint compatible breaking")]
// Answers.
#[case::new_field(ITEM, add("/properties/device", json!({ "type": "string" })), "field-added compatible compatible")]
#[case::new_required_field(ITEM, json!([
    { "op": "add", "path": "/properties/device", "value": { "type": "string" } },
    { "op": "add", "path": "/required/-", "value": "device" }
]), "field-added breaking compatible")]
#[case::field_gone(ITEM, json!([
    { "op": "remove", "path": "/properties/ocr_snippet" },
    { "op": "remove", "path": "/required/6" }
]), "field-removed compatible breaking")]
#[case::optional_field_gone(NOTE, remove("/properties/aliases"), "field-removed compatible breaking")]
#[case::field_now_optional(ITEM, remove("/required/1"), "field-optional compatible breaking")]
#[case::field_now_required(NOTE, add("/required/-", json!("aliases")), "field-required breaking compatible")]
#[case::field_renamed(ITEM, json!([
    { "op": "move", "from": "/properties/ocr_snippet", "path": "/properties/snippet" },
    { "op": "replace", "path": "/required/6", "value": "snippet" }
]), "field-renamed breaking breaking")]
#[case::field_nullable(ITEM, replace("/properties/timestamp/type", json!(["number", "null"])), "field-nullable compatible breaking")]
#[case::field_never_null(ITEM, replace("/properties/app_name/type", json!("string")), "field-nullable breaking compatible")]
#[case::field_type(ITEM, replace("/properties/timestamp/type", json!("string")), "field-type breaking breaking")]
#[case::field_type_narrowed(ITEM, replace("/properties/timestamp/type", json!("integer")), "field-type breaking compatible")]
#[case::field_choice_more(NOTE, add("/properties/remType/enum/-", json!("image")), "field-enum compatible breaking")]
#[case::field_choice_less(NOTE, remove("/properties/remType/enum/4"), "field-enum breaking compatible")]
#[case::field_range(NOTE, replace("/properties/contentProperties/properties/childrenTotal/maximum", json!(5000)), "field-range compatible breaking")]
#[case::field_list_bound(ANSWER, replace("/properties/contexts/maxItems", json!(10)), "field-range compatible breaking")]
#[case::field_element(NOTE, replace("/properties/aliases/items/type", json!(["string", "null"])), "field-nullable compatible breaking")]
#[case::field_format(
    ANSWER,
    remove("/properties/entries/items/properties/creationTime/format"),
    "field-constraint compatible breaking"
)]
#[case::fields_together(NOTE, remove("/dependentRequired/content"), "field-constraint compatible breaking")]
// Operations and the way they are called.
#[case::method("memory/contract.json", replace("/operations/search/http/method", json!("GET")), "binding-method breaking breaking")]
#[case::path("memory/contract.json", replace("/operations/search/http/path", json!("/v1/search")), "binding-path breaking breaking")]
#[case::tool("memory/contract.json", replace("/operations/search/mcp/tool", json!("search")), "binding-tool breaking breaking")]
#[case::wire_name(
    "memory/contract.json",
    remove("/operations/search/mcp/rename/memoryId"),
    "binding-argument breaking breaking"
)]
#[case::same_wire_name("memory/contract.json", add("/operations/search/mcp/rename/query", json!("query")), "")]
#[case::query_string("recall/contract.json", replace("/operations/search/http/arguments", json!("body")), "binding-arguments breaking breaking")]
#[case::flag("records/contract.json", replace("/operations/context/cli/flags/max_chars", json!("--budget")), "binding-argument breaking breaking")]
#[case::transport_gone("memory/contract.json", remove("/operations/search/mcp"), "binding-removed compatible breaking")]
#[case::transport_new("recall/contract.json", add("/operations/search/mcp", json!({ "tool": "search" })), "binding-added compatible compatible")]
#[case::operation_gone("memory/contract.json", remove("/operations/tools"), "operation-removed compatible breaking")]
#[case::operation_name("memory/contract.json", json!([
    { "op": "move", "from": "/operations/tools", "path": "/operations/list" }
]), "operation-renamed editorial editorial")]
#[case::operation_new("remnote/contract.json", json!([
    { "op": "copy", "from": "/operations/search", "path": "/operations/browse" },
    { "op": "replace", "path": "/operations/browse/mcp/tool", "value": "remnote_browse" }
]), "operation-added breaking compatible")]
// The catalogue.
#[case::level_lowered("memory/contract.json", replace("/requirements/0/level", json!("should")), "requirement-level compatible breaking")]
#[case::origin_lowered("memory/contract.json", replace("/requirements/0/origin", json!("decided")), "requirement-origin compatible breaking")]
#[case::origin_that_binds_all_the_same("memory/contract.json", replace("/requirements/0/origin", json!("derived")), "requirement-origin editorial editorial")]
#[case::reworded("memory/contract.json", replace("/requirements/0/text", json!("`topK` is no argument any more.")), "requirement-reworded editorial editorial")]
#[case::requirement_gone("memory/contract.json", remove("/requirements/0"), "requirement-removed compatible breaking")]
#[case::requirement_id("memory/contract.json", replace("/requirements/0/id", json!("memory.top-k")), "requirement-unjudged compatible breaking, requirement-renamed compatible compatible")]
#[case::title("memory/contract.json", replace("/title", json!("Search")), "wording editorial editorial")]
// Fixtures.
#[case::golden("records/goldens/garden-notes.json", replace("/0/title", json!("Other")), "golden-changed breaking breaking")]
#[case::golden_that_asks_for_more("records/goldens/garden-notes.json", add("/0/body", json!("x")), "golden-changed breaking compatible")]
#[case::golden_that_asks_for_less(
    "records/goldens/garden-notes.json",
    remove("/0/tags"),
    "golden-changed compatible breaking"
)]
#[case::other_calls("recall/cases/query/one", replace("/steps/0/with/start_time", json!(1)), "case-changed compatible compatible")]
fn a_change_is_classified_for_both_sides(#[case] file: &str, #[case] patch: Value, #[case] due: &str) {
    let (before, mut now) = (side(), side());
    edit(&mut now, file, &patch);
    let found: Vec<String> = diff(&before, &now).changes.iter().map(|one| told(&one.change)).collect();
    assert_eq!(found.join(", "), due);
}

#[rstest]
#[case::annotations(NOTE, json!([
    { "op": "replace", "path": "/title", "value": "A note" },
    { "op": "add", "path": "/properties/title/description", "value": "Its title" }
]))]
#[case::a_list_of_one_type(ITEM, replace("/properties/ocr_snippet/type", json!(["string"])))]
#[case::alternatives_for_types(ITEM, replace("/properties/app_name", json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] })))]
#[case::const_for_one_choice(RECALL, replace("/properties/content_type", json!({ "enum": ["ocr"], "default": "ocr" })))]
#[case::constants_for_choices(NOTE, replace("/properties/cardDirection", json!({
    "oneOf": [{ "const": "bidirectional" }, { "const": "forward" }, { "const": "reverse" }]
})))]
#[case::bound_of_whole_numbers(MEMORY, json!([
    { "op": "remove", "path": "/properties/top_ke/minimum" },
    { "op": "add", "path": "/properties/top_ke/exclusiveMinimum", "value": -1 }
]))]
#[case::order(ITEM, replace("/required", json!([
    "timestamp", "frame_id", "app_name", "window_name", "focused", "browser_url", "ocr_snippet", "frame_url"
])))]
#[case::definitions(ITEM, json!([
    { "op": "add", "path": "/$defs", "value": { "text": { "type": ["string", "null"] } } },
    { "op": "replace", "path": "/properties/app_name", "value": { "$ref": "#/$defs/text" } },
    { "op": "replace", "path": "/properties/window_name", "value": { "$ref": "#/$defs/text" } }
]))]
#[case::split_into_parts(ITEM, json!([
    { "op": "remove", "path": "/properties/frame_url" },
    { "op": "add", "path": "/allOf", "value": [
        { "properties": { "frame_url": { "type": "string", "pattern": "^(/|https?://)" } } }
    ] }
]))]
#[case::dependencies(NOTE, json!([
    { "op": "remove", "path": "/dependentRequired/content" },
    { "op": "add", "path": "/if", "value": { "required": ["content"] } },
    { "op": "add", "path": "/then", "value": { "required": ["contentProperties"] } }
]))]
fn a_rewrite_that_means_the_same_is_no_change(#[case] file: &str, #[case] patch: Value) {
    let (before, mut now) = (side(), side());
    edit(&mut now, file, &patch);
    let found: Vec<String> = diff(&before, &now).changes.iter().map(|one| told(&one.change)).collect();
    assert_eq!(found, ["wording editorial editorial"]);
}

#[test]
fn nothing_changes_between_a_side_and_itself() {
    assert_eq!(diff(&side(), &side()).changes, []);
}

/// A later decision record of the memory contract: up to 25 entries and up to 10 contexts.
#[test]
fn the_wider_memory_breaks_implementations_and_no_client() {
    let (before, mut now) = (side(), side());
    edit(&mut now, MEMORY, &replace("/properties/top_ke/maximum", json!(25)));
    edit(&mut now, MEMORY, &replace("/properties/top_kc/maximum", json!(10)));
    edit(&mut now, ANSWER, &replace("/properties/entries/maxItems", json!(25)));
    edit(&mut now, ANSWER, &replace("/properties/count/maximum", json!(25)));
    edit(&mut now, ANSWER, &replace("/properties/contexts/maxItems", json!(10)));
    let diff = diff(&before, &now);
    assert_eq!(
        with_subjects(&diff),
        [
            ("argument-range breaking compatible".to_owned(), "search: top_kc"),
            ("argument-range breaking compatible".to_owned(), "search: top_ke"),
            ("field-range compatible compatible".to_owned(), "search: contexts"),
            ("field-range compatible compatible".to_owned(), "search: count"),
            ("field-range compatible compatible".to_owned(), "search: entries"),
        ]
    );
    let witness = diff.changes[1].change.witness.as_ref().expect("a witness");
    assert_eq!(witness.document["top_ke"], 11);
    assert_eq!(diff.changes[1].change.requirements, ["memory.top-ke-maximum"]);
}

/// A later release of the remnote contract: reading a note gives structured content too.
#[test]
fn structured_reading_breaks_implementations_and_no_client() {
    let (before, mut now) = (side(), side());
    edit(
        &mut now,
        "remnote/read-note.input.schema.json",
        &add("/properties/includeContent/enum/-", json!("structured")),
    );
    let tree = json!({ "type": "array", "items": { "$ref": "structured-node.schema.json" } });
    edit(&mut now, NOTE, &add("/properties/contentStructured", tree));
    let diff = diff(&before, &now);
    assert_eq!(
        with_subjects(&diff),
        [
            ("argument-enum breaking compatible".to_owned(), "read-note: includeContent"),
            ("field-added compatible compatible".to_owned(), "read-note: contentStructured"),
        ]
    );
}

#[test]
fn a_piece_that_serves_several_places_is_told_once() {
    let (before, mut now) = (side(), side());
    let file = "outline/reference.schema.json";
    edit(&mut now, file, &replace("/properties/title/type", json!(["string", "null"])));
    let diff = diff(&before, &now);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", diff.changes) };
    assert_eq!(told(&one.change), "field-nullable compatible breaking");
    assert!(one.change.also.len() > 2, "{:?}", one.change.also);
}

#[test]
fn a_new_requirement_that_binds_comes_with_what_it_catches() {
    let (now, mut before) = (side(), side());
    edit(&mut before, "memory/contract.json", &remove("/requirements/3"));
    let diff = diff(&before, &now);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", diff.changes) };
    assert_eq!(told(&one.change), "requirement-added breaking compatible");
    let witness = one.change.witness.as_ref().expect("a counterexample");
    assert!(witness.document["call"].is_string() && witness.document["mistake"].is_string(), "{witness:?}");
}
