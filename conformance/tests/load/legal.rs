//! A legal answer that makes no sense is told with its file and place, and so is a freedom or a decision without any.

use super::sound::{CONTRACT, Sound, requirement};
use conformance::load::Suite;
use conformance::model::{Change, LegalAnswer};
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use testing::root;

const LEGAL: &str = "fixtures/tea/legal.json";

/// A sound suite whose requirement has one legal answer, and an advised one.
fn suite(change: impl FnOnce(&mut Value)) -> Sound {
    let suite = Sound::suite();
    suite.arguments(&["leaf"]);
    suite.edit(CONTRACT, |contract| {
        let mut advice = requirement("tea.sweet");
        advice["level"] = json!("should");
        contract["requirements"].as_array_mut().unwrap().push(advice);
        contract["operations"]["brew"]["http"] = json!({ "method": "GET", "path": "/", "arguments": "query" });
    });
    suite.edited_case("sweet", |case| case["checks"][0]["requirement"] = json!("tea.sweet"));
    let mut legal = json!({
        "id": "more-keys", "about": "An answer carries more.", "source": "The document forbids nothing.", "of": ["brew"],
        "rewrite": [{ "do": "add", "at": "$", "key": "more", "value": 1 }]
    });
    change(&mut legal);
    suite.write_json(LEGAL, &json!({ "legal": [legal] }));
    suite
}

#[test]
fn a_sound_legal_answer_loads() {
    let suite = Suite::load(suite(|_| ()).path()).unwrap();
    assert_eq!(suite.contracts[0].legal[0].answer.id, "more-keys");
}

#[rstest]
#[case::against(|one: &mut Value| one["against"] = json!(["tea.swete"]), "/against: unknown requirement `tea.swete`; did you mean `tea.sweet`?")]
#[case::also(|one: &mut Value| one["also"] = json!(["tea.swete"]), "/also: unknown requirement `tea.swete`; did you mean `tea.sweet`?")]
#[case::against_what_binds(|one: &mut Value| one["against"] = json!(["tea.hot"]), "/against: `tea.hot` binds, so no legal answer may violate it")]
#[case::named_twice(|one: &mut Value| { one["against"] = json!(["tea.sweet"]); one["also"] = json!(["tea.sweet"]); }, "/also: `tea.sweet` is named by `against` already")]
#[case::not_exercised(|one: &mut Value| one["not-exercised"] = json!({ "tea.hto": "why" }), "/not-exercised: unknown requirement `tea.hto`; did you mean `tea.hot`?")]
#[case::without_a_reason(|one: &mut Value| one["not-exercised"] = json!({ "tea.hot": " " }), "/not-exercised: `tea.hot` has no reason")]
#[case::operation(|one: &mut Value| one["of"] = json!(["brwe"]), "/of: unknown operation `brwe`; did you mean `brew`?")]
#[case::operation_of_a_rewrite(|one: &mut Value| one["rewrite"][0]["of"] = json!(["brwe"]), "/rewrite/0/of: unknown operation `brwe`; did you mean `brew`?")]
#[case::protocol(|one: &mut Value| one["over"] = json!(["cli"]), "/over: `brew` is not spoken over cli")]
#[case::no_operation(|one: &mut Value| one["of"] = json!([]), "/of: names no operation")]
#[case::cases(|one: &mut Value| one["cases"] = json!(["brwe/*"]), "/cases: no case fits `brwe/*`")]
#[case::cases_left_out(|one: &mut Value| one["cases"] = json!(["!brwe/hot"]), "/cases: no case fits `brwe/hot`; did you mean `brew/hot`?")]
#[case::argument(|one: &mut Value| one["without"] = json!(["laef"]), "/without: no operation of it has an argument `laef`; did you mean `leaf`?")]
#[case::freedom(|one: &mut Value| one["freedom"] = json!("any"), "/freedom: unknown freedom `any`")]
#[case::says_nothing(|one: &mut Value| one["source"] = json!(" "), "/source: says nothing")]
#[case::neither(|one: &mut Value| one["rewrite"] = json!([]), ": a legal answer has exactly one of `rewrite` and `variant`")]
#[case::both(|one: &mut Value| one["variant"] = json!("cold"), ": a legal answer has exactly one of `rewrite` and `variant`")]
#[case::a_variant_of_some_cases(
    |one: &mut Value| { one["rewrite"] = json!([]); one["variant"] = json!("cold"); one["cases"] = json!(["brew/hot"]); },
    ": a variant answers every case, so it takes neither `cases` nor `without`"
)]
#[case::path(|one: &mut Value| one["rewrite"][0]["at"] = json!("$["), "/rewrite/0/at: ")]
#[case::function(|one: &mut Value| one["rewrite"] = json!([{ "do": "map", "at": "$", "with": "revrese" }]), "/rewrite/0/with: unknown function `revrese`; did you mean `reverse`?")]
fn what_makes_no_sense_is_told_with_its_place(#[case] change: fn(&mut Value), #[case] due: &str) {
    let problems = suite(change).problems();
    assert!(problems.contains(&format!("{LEGAL} at /legal/0{due}")), "{problems}");
}

#[test]
fn a_misspelt_key_is_told() {
    let problems = suite(|one| one["agianst"] = json!([])).problems();
    assert!(problems.contains(&format!("{LEGAL} at ")) && problems.contains("did you mean `against`?"), "{problems}");
}

#[test]
fn a_freedom_has_a_legal_answer() {
    let suite = suite(|_| ());
    suite.edit(CONTRACT, |contract| {
        contract["freedoms"] = json!([{ "id": "keys", "about": "Other keys.", "source": "The document is silent." }]);
    });
    let problems = suite.problems();
    let due = format!("{CONTRACT} at /freedoms/0: no legal answer is an example of `keys`; write one in legal.json");
    assert!(problems.contains(&due), "{problems}");
    suite.edit(LEGAL, |file| file["legal"][0]["freedom"] = json!("keys"));
    Suite::load(suite.path()).unwrap();
}

/// Makes the suite's one advice a decision whose only counterexample also violates what binds.
fn decided() -> Sound {
    let suite = suite(|_| ());
    suite.edit(CONTRACT, |contract| contract["requirements"][1]["origin"] = json!("decided"));
    suite.edit("fixtures/tea/cases/sweet.json", |case| {
        let mistake = &mut case["checks"][0]["broken_by"][0];
        mistake["also"] = json!(["tea.hot"]);
        mistake["binds-because"] = json!("Cold tea is never sweet.");
    });
    suite
}

#[test]
fn something_shows_that_a_decision_only_advises() {
    let problems = decided().problems();
    let due = format!("{CONTRACT} at /requirements/1: `tea.sweet` is decided by the suite, and nothing shows that");
    assert!(problems.contains(&due), "{problems}");
}

#[rstest]
#[case::a_legal_answer(LEGAL, |file: &mut Value| file["legal"][0]["against"] = json!(["tea.sweet"]))]
#[case::a_counterexample("fixtures/tea/cases/sweet.json", |case: &mut Value| {
    let mistake = case["checks"][0]["broken_by"][0].as_object_mut().unwrap();
    mistake.insert("also".to_owned(), json!([]));
    mistake.remove("binds-because");
})]
#[case::a_reason(CONTRACT, |contract: &mut Value| contract["requirements"][1]["no-opposite"] = json!("Nothing else is safe."))]
fn one_of_these_is_enough(#[case] file: &str, #[case] change: fn(&mut Value)) {
    let suite = decided();
    suite.edit(file, change);
    Suite::load(suite.path()).unwrap();
}

#[rstest]
#[case::none(json!(null), json!(["tea.hot"]), "breaks `tea.hot`, which binds, beside advice")]
#[case::empty(json!(" "), json!(["tea.hot"]), "breaks `tea.hot`, which binds, beside advice")]
#[case::not_needed(json!("why"), json!([]), "`binds-because` is for mistakes against advice that break what binds")]
fn a_mistake_against_advice_that_breaks_what_binds_says_why(
    #[case] why: Value,
    #[case] also: Value,
    #[case] expected: &str,
) {
    let suite = suite(|_| ());
    suite.edit("fixtures/tea/cases/sweet.json", |case| {
        let mistake = &mut case["checks"][0]["broken_by"][0];
        mistake["also"] = also;
        mistake["binds-because"] = why;
    });
    let problems = suite.problems();
    let place = "fixtures/tea/cases/sweet.json at /checks/0/broken_by/0: ";
    assert!(problems.contains(&format!("{place}{expected}")), "{problems}");
}

#[rstest]
#[case::empty(json!(" "), json!("decided"), "says nothing")]
#[case::of_what_the_document_says(json!("why"), json!("stated"), "`tea.sweet` is not decided by the suite; delete the reason")]
fn a_reason_says_something_and_is_needed(#[case] reason: Value, #[case] origin: Value, #[case] due: &str) {
    let suite = decided();
    suite.edit(CONTRACT, |contract| {
        contract["requirements"][1]["no-opposite"] = reason;
        contract["requirements"][1]["origin"] = origin;
    });
    let problems = suite.problems();
    assert!(problems.contains(&format!("{CONTRACT} at /requirements/1/no-opposite: {due}")), "{problems}");
}

#[test]
fn every_function_of_legal_answers_is_used() {
    let suite = Suite::load(root()).unwrap();
    let answers: Vec<&LegalAnswer> =
        suite.keys().flat_map(|key| &suite.view(&key).unwrap().legal).map(|legal| &legal.answer).collect();
    let used = answers.iter().flat_map(|answer| &answer.rewrite).filter_map(|rewrite| match &rewrite.change {
        Change::Map { with, .. } => Some(with.as_str()),
        _ => None,
    });
    assert_eq!(used.collect::<BTreeSet<_>>(), conformance::contracts::function_names().collect());
}
