//! A broken suite tells every problem at once, with file and place.

use super::sound::{CONTRACT, Sound, comparison, requirement, rule};
use conformance::load::Suite;
use insta::assert_snapshot;
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_sound_suite_loads() {
    let suite = Suite::load(Sound::suite().path()).unwrap();
    assert_eq!(suite.contracts[0].cases[0].name, "brew/hot");
    assert!(suite.requirement("tea.hot").is_some());
}

#[test]
fn every_problem_is_told_at_once() {
    let suite = Sound::suite();
    suite.edit(CONTRACT, |contract| {
        let requirements = contract["requirements"].as_array_mut().unwrap();
        requirements.push(requirement("tea.hot"));
        requirements.push(requirement("tea.unchecked"));
        requirements.push(requirement("coffee.black"));
        requirements.push(requirement("tea.elsewhere"));
        requirements[4]["section"] = json!("Brewin");
        contract["operations"]["pour"] = json!({ "about": "Pours.", "input": "pour.input.schema.json" });
    });
    suite.case("syntax-error", "{ \"about\": \"One bracket is missing.\",\n  \"steps\": [ }");
    suite.case("twice", "{ \"about\": \"\", \"steps\": [], \"checks\": [] }\n{}");
    suite.edited_case("unknown-key", |case| case["stepps"] = json!([]));
    suite.edited_case("unknown-key-in-a-check", |case| case["checks"][0]["equal"] = json!(1));
    suite.edited_case("wrong-type", |case| case["needs"] = json!("corpus"));
    suite.edited_case("unknown-operation", |case| case["steps"][0]["call"] = json!("brwe"));
    suite.edited_case("unknown-requirement", |case| case["checks"][0]["requirement"] = json!("tea.hott"));
    suite.edited_case("unknown-requirement-in-also", |case| {
        case["checks"][0]["broken_by"][0]["also"] = json!(["tea.strnog"]);
    });
    suite.edited_case("unknown-rule", |case| rule(case, "uniqe", json!({})));
    suite.edited_case("unknown-argument", |case| rule(case, "unique", json!({ "by": 1 })));
    suite.edited_case("unknown-selection", |case| rule(case, "same", json!({})));
    suite.edited_case("unknown-pick", |case| {
        case["steps"][0]["with"]["id"] = json!({ "$pick": "valeu", "from": "$[0][0].lines" });
    });
    suite.edited_case("unknown-part", |case| case["needs"] = json!(["corpus/garden"]));
    suite.edited_case("bad-path", |case| case["checks"][0]["select"] = json!("$[0][0].status["));
    suite.edited_case("path-not-into-evidence", |case| case["checks"][0]["select"] = json!("$.status"));
    suite.edited_case("bad-schema", |case| comparison(case, "schema", json!({ "type": "texxt" })));
    suite.edited_case("schema-that-is-not-there", |case| {
        comparison(case, "schema", json!({ "$ref": "far.schema.json" }))
    });
    suite.edited_case("golden-that-is-not-there", |case| comparison(case, "golden", json!("gone.json")));
    suite.edited_case("two-comparisons", |case| case["checks"][0]["schema"] = json!({}));
    suite.edited_case("no-comparison", |case| _ = case["checks"][0].as_object_mut().unwrap().remove("equals"));
    suite.edited_case("no-counterexample", |case| case["checks"][0]["broken_by"] = json!([]));
    suite.edited_case("bad-patch", |case| case["checks"][0]["broken_by"][0]["patch"] = json!([{ "op": "rub out" }]));
    suite.edited_case("no-check", |case| case["checks"] = json!([]));
    suite.edited_case("judged-twice", |case| {
        let check = case["checks"][0].clone();
        case["checks"].as_array_mut().unwrap().push(check);
    });
    suite.edited_case("refusal-without-twin", |case| case["checks"][0]["equals"] = json!("refused"));
    suite.edited_case("answered-by-no-requirement", |case| case["steps"][0]["answered"] = json!("tea.hott"));
    suite.edited_case("answered-and-free", |case| {
        case["steps"][0]["answered"] = json!("tea.hot");
        case["steps"][0]["free"] = json!(true);
    });
    suite.edited_case("waits-for-itself", |case| case["steps"][0]["when"] = json!("$[0][0].items"));
    suite.edited_case("asks-for-what-is-not-there-yet", |case| {
        case["steps"][0]["with"]["id"] = json!({ "$pick": "value", "from": "$[0][0].items[0].id" });
    });
    suite.edited_case("waits-for-no-path", |case| case["steps"][0]["when"] = json!("items"));
    suite.edited_case("twin-of-itself", |case| case["steps"][0]["twin"] = json!(0));
    suite.write("fixtures/tea/goldens/unused.json", "[]");
    assert_snapshot!(suite.problems());
}

#[rstest]
#[case::no_contract_file(CONTRACT)]
#[case::no_transports("schemas/suite/transports.json")]
#[case::no_cases("fixtures/tea/cases")]
fn what_is_missing_is_named(#[case] missing: &str) {
    let suite = Sound::suite();
    let path = suite.path().join(missing);
    if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }.unwrap();
    let problems = suite.problems();
    assert!(problems.contains(&format!("{missing}: cannot be read")), "{problems}");
}

#[test]
fn a_schema_of_the_contract_is_held_to_its_id_and_its_form() {
    let suite = Sound::suite();
    suite.edit("schemas/tea/brew.input.schema.json", |schema| {
        schema["$id"] = json!("https://example.com/brew");
        schema["type"] = json!("objekt");
    });
    assert_snapshot!(suite.problems());
}

/// What answers may hold at most stands in two schemas; they do not part unnoticed.
#[test]
fn a_bound_that_follows_an_argument_is_its_maximum() {
    let suite = Sound::suite();
    let schema = |name: &str, schema: Value| {
        let mut schema = schema;
        schema["$id"] = json!(format!("https://schemas.invalid/tea/{name}"));
        suite.write_json(&format!("schemas/tea/{name}"), &schema);
    };
    let answer = |most: u32| {
        let cups = json!({ "type": "array", "maxItems": most, "x-follows": { "maxItems": "cups" } });
        schema("brew.output.schema.json", json!({ "type": "object", "properties": { "cups": cups } }));
    };
    let cups = json!({ "type": "integer", "maximum": 4 });
    schema("brew.input.schema.json", json!({ "type": "object", "properties": { "cups": cups } }));
    suite.edit(CONTRACT, |contract| contract["operations"]["brew"]["output"] = json!("brew.output.schema.json"));
    answer(4);
    Suite::load(suite.path()).unwrap();
    answer(6);
    let problems = suite.problems();
    let due = "/properties/cups/maxItems: is 6, and follows the argument `cups`, whose maximum is 4";
    assert!(problems.contains(due), "{problems}");
}

#[rstest]
#[case::a_transport_that_is_not_spoken(|step: &mut Value| step["over"] = json!("http"), "`brew` is not spoken over http")]
#[case::a_value_of_no_example(|step: &mut Value| step["with"]["leaf"] = json!({ "$given": "leaf" }), "stands in no example")]
fn a_step_that_leads_nowhere_is_told(#[case] change: fn(&mut Value), #[case] message: &str) {
    let suite = Sound::suite();
    suite.edited_case("astray", |case| change(&mut case["steps"][0]));
    let problems = suite.problems();
    assert!(problems.contains(message) && problems.contains("astray.json at /steps/0"), "{problems}");
}

#[test]
fn where_one_step_names_its_transport_all_do() {
    let suite = Sound::suite();
    suite.edit(CONTRACT, |contract| contract["operations"]["brew"]["mcp"] = json!({ "tool": "brew" }));
    suite.edited_case("astray", |case| {
        case["steps"] = json!([{ "call": "brew", "over": "mcp" }, { "call": "brew" }]);
    });
    assert!(suite.problems().contains("astray.json at /steps/1: names no transport"), "{}", suite.problems());
}

#[rstest]
#[case::title("/title")]
#[case::document("/document")]
#[case::operation("/operations/brew/about")]
#[case::requirement("/requirements/0/text")]
fn what_is_not_described_is_named(#[case] place: &str) {
    let suite = Sound::suite();
    suite.edit(CONTRACT, |contract| *contract.pointer_mut(place).unwrap() = json!(" "));
    assert!(suite.problems().contains(&format!("contract.json at {place}: is empty")), "{}", suite.problems());
}

/// However a check takes a refusal, the refused step stands beside an accepted one.
#[rstest]
#[case::equals(|case: &mut Value| case["checks"][0]["equals"] = json!("refused"))]
#[case::a_schema(|case: &mut Value| comparison(case, "schema", json!({ "const": "refused" })))]
#[case::an_alternative_of_a_schema(|case: &mut Value| {
    case["checks"][0]["select"] = json!("$[0][0]");
    let refused = json!({ "properties": { "status": { "const": "refused" } } });
    comparison(case, "schema", json!({ "anyOf": [refused, { "properties": { "items": { "maxItems": 0 } } }] }));
})]
#[case::a_rule(|case: &mut Value| rule(case, "sequence", json!({ "of": ["refused"] })))]
#[case::each_exchange(|case: &mut Value| {
    case["checks"][0]["each"] = json!("$[0][*]");
    case["checks"][0]["select"] = json!("@.status");
    case["checks"][0]["equals"] = json!("refused");
})]
fn a_refusal_stands_beside_its_twin(#[case] change: fn(&mut Value)) {
    let suite = Sound::suite();
    suite.edited_case("alone", change);
    let problems = suite.problems();
    assert!(
        problems.contains("alone.json at /checks/0: step 0 may be refused but names no accepted `twin`"),
        "{problems}"
    );

    let suite = Sound::suite();
    suite.edited_case("with-its-twin", |case| {
        change(case);
        case["steps"] = json!([{ "call": "brew", "twin": 1 }, { "call": "brew" }]);
    });
    Suite::load(suite.path()).unwrap();
}

#[test]
fn a_sequence_may_hold_the_twin_itself() {
    let suite = Sound::suite();
    suite.edited_case("both", |case| {
        case["steps"] = json!([{ "call": "brew" }, { "call": "brew", "twin": 0 }]);
        case["checks"][0]["select"] = json!("$[*][0].status");
        rule(case, "sequence", json!({ "of": ["accepted", "refused"] }));
    });
    Suite::load(suite.path()).unwrap();
}

#[test]
fn a_sentinel_that_leads_nowhere_is_told() {
    let suite = Sound::suite();
    suite.write_json(
        "fixtures/tea/corpus/sentinel.json",
        &json!({ "about": "Every leaf.", "looks": [{ "of": "leaves.ndjson", "name": "/id", "only": "(", "marks": [], "call": "brwe",
                   "violates": [{ "unlike": "green", "requirement": "tea.gren" }] },
                 { "of": "leaves.ndjson", "name": "/id", "marks": ["/id"], "call": "brew", "with": { "laef": 1 } }] }),
    );
    let problems = suite.problems();
    for due in [
        "there is no operation `brwe`",
        "the corpus has no file `leaves.ndjson`",
        "names no marks",
        "no look of leaves.ndjson is called `green`",
        "`tea.gren` is not a requirement that binds",
        "`only` is no regular expression",
    ] {
        assert!(problems.contains(&format!("sentinel.json at /looks/0: {due}")), "{problems}");
    }
    assert!(problems.contains("sentinel.json at /looks/1/with: `brew` has no argument `laef`"), "{problems}");
}

#[test]
fn a_corpus_that_a_server_has_to_be_given_has_a_sentinel() {
    let suite = Suite::load(testing::root()).unwrap();
    for contract in &suite.contracts {
        let is_served = contract.contract.operations.values().any(|one| one.http.is_some() || one.mcp.is_some());
        let documents = contract.sentinel.as_ref().map(|sentinel| sentinel.documents().unwrap());
        assert_eq!(documents.is_some(), is_served, "{}", contract.contract.name);
        assert_ne!(documents, Some(0), "{}", contract.contract.name);
    }
}
