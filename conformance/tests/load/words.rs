//! Words that nothing knows: each is an error of the suite, with its place and the nearest word that is known.

use super::sound::{CASE, CONTRACT, Sound, rule};
use conformance::load::Suite;
use rstest::rstest;
use serde_json::{Value, json};

/// A word that nothing knows: its place, and the nearest one.
#[rstest]
#[case::an_argument_of_a_rule(
    |case: &mut Value| rule(case, "includes", json!({ "al": [] })),
    "/checks/0/args/al: rule `includes`: unknown field `al`; did you mean `all`?"
)]
#[case::a_word_of_a_rule(
    |case: &mut Value| {
        case["checks"][0]["select"] = json!({ "outline": "$[0][0].parsed", "full": "$[0][0].parsed" });
        rule(case, "outline-agrees", json!({ "of": "titel" }));
    },
    "/checks/0/args/of: rule `outline-agrees`: unknown variant `titel`; did you mean `title`?"
)]
#[case::a_missing_argument(
    |case: &mut Value| rule(case, "includes", json!({})),
    "/checks/0/args: rule `includes`: missing field `all`"
)]
#[case::a_type_of_a_rule(
    |case: &mut Value| rule(case, "includes", json!({ "all": 1 })),
    "/checks/0/args/all: rule `includes`: invalid type: integer `1`, expected a sequence"
)]
#[case::an_argument_of_a_pick(
    |case: &mut Value| {
        case["steps"][0]["with"] = json!({ "leaf": { "$pick": "line-ends", "from": "$[0][0].lines", "args": { "arround": [1] } } });
    },
    "/steps/0/with/leaf/args/arround: unknown field `arround`; did you mean `around`?"
)]
#[case::an_argument_of_a_call(
    |case: &mut Value| case["steps"][0]["with"] = json!({ "laef": 1 }),
    "/steps/0/with: `brew` has no argument `laef`; did you mean `leaf`?"
)]
#[case::the_argument_of_a_sweep(
    |case: &mut Value| case["steps"][0]["sweep"] = json!({ "argument": "leef", "over": [1] }),
    "/steps/0/with: `brew` has no argument `leef`; did you mean `leaf`?"
)]
#[case::the_argument_of_a_walk(
    |case: &mut Value| case["steps"][0]["walk"] = json!({ "limit": "leaf", "offset": "ofset", "pages": 2 }),
    "/steps/0/with: `brew` has no argument `ofset`; did you mean `offset`?"
)]
#[case::one_that_is_said_to_be_unknown(
    |case: &mut Value| (case["steps"][0]["with"], case["steps"][0]["unknown"]) = (json!({ "leaf": 1 }), json!(["leaf"])),
    "/steps/0/unknown: `leaf` is an argument of `brew`, or is not sent at all"
)]
fn a_word_that_is_not_known_is_told_with_the_nearest(#[case] change: fn(&mut Value), #[case] message: &str) {
    let suite = Sound::suite();
    suite.arguments(&["leaf", "offset"]);
    suite.edited_case("typo", change);
    let problems = suite.problems();
    assert!(problems.contains(&format!("typo.json at {message}")), "{problems}");
}

#[test]
fn an_argument_that_is_sent_though_it_is_unknown_is_marked() {
    let suite = Sound::suite();
    suite.edited_case("marked", |case| {
        (case["steps"][0]["with"], case["steps"][0]["unknown"]) = (json!({ "milk": 1 }), json!(["milk"]));
    });
    Suite::load(suite.path()).unwrap();
}

#[rstest]
#[case::an_operation(json!({ "of": ["brwe"] }), "of: unknown operation `brwe`; did you mean `brew`?")]
#[case::an_argument(json!({ "without": ["laef"] }), "without: no operation of it has an argument `laef`; did you mean `leaf`?")]
#[case::an_argument_of_a_rule(
    json!({ "check": { "rule": "includes", "args": { "al": [] } } }),
    "check/args/al: rule `includes`: unknown field `al`; did you mean `all`?"
)]
fn a_word_of_what_always_applies_is_known(#[case] change: Value, #[case] message: &str) {
    let suite = Sound::suite();
    suite.arguments(&["leaf"]);
    let mut check = suite.read(CASE)["checks"][0].clone();
    check["select"] = json!("@.status");
    if change.get("check").is_some() {
        check.as_object_mut().unwrap().remove("equals");
    }
    let mut always = json!({ "of": ["brew"], "check": check });
    json_patch::merge(&mut always, &change);
    suite.write_json("fixtures/tea/always.json", &json!({ "about": "Always.", "checks": [always] }));
    let problems = suite.problems();
    assert!(problems.contains(&format!("always.json at /checks/0/{message}")), "{problems}");
}

#[rstest]
#[case::an_argument(json!({ "without": ["laef"] }), "/fixed/0: `brew` has no argument `laef`; did you mean `leaf`?")]
#[case::an_argument_of_a_rule(
    json!({ "rule": "agree", "select": { "left": "$[0][0].items", "right": "$[0][0].items" }, "args": { "key": "id", "fields": 1 } }),
    "/fixed/0/args/fields: rule `agree`: invalid type: integer `1`, expected a sequence"
)]
fn a_word_of_what_is_fixed_is_known(#[case] change: Value, #[case] message: &str) {
    let suite = Sound::suite();
    suite.arguments(&["leaf"]);
    let mut fixed = json!({ "requirement": "tea.hot", "of": ["brew"], "select": "$[0][0].items" });
    json_patch::merge(&mut fixed, &change);
    suite.write_json("fixtures/tea/explore.json", &json!({ "about": "Fixed.", "fixed": [fixed] }));
    let problems = suite.problems();
    assert!(problems.contains(&format!("explore.json at {message}")), "{problems}");
}

#[test]
fn a_format_that_nothing_reads_is_told() {
    let suite = Sound::suite();
    suite.edit(CONTRACT, |contract| contract["operations"]["brew"]["format"] = json!("jsno"));
    let due = "contract.json at /operations/brew/format: unknown format `jsno`; did you mean `json`?";
    assert!(suite.problems().contains(due), "{}", suite.problems());
}
