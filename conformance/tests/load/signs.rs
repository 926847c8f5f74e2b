//! Signs of a revision that make no sense are told with their place.

use super::sound::{CONTRACT, Sound};
use conformance::load::Suite;
use rstest::rstest;
use serde_json::{Value, json};

/// The problems of a suite whose second revision has this sign.
fn problems(sign: &Value) -> String {
    let suite = Sound::suite();
    suite.edit(CONTRACT, |contract| {
        contract["operations"]["brew"]["mcp"] = json!({ "tool": "brew" });
        contract["operations"]["pour"] = json!({ "about": "Pours.", "input": "brew.input.schema.json" });
    });
    let second = json!({ "revision": 2, "name": "two", "signs": [sign] });
    suite.write_json("schemas/tea/revisions.json", &json!({ "revisions": [{ "revision": 1, "name": "one" }, second] }));
    let Err(error) = Suite::load(suite.path()) else { return String::new() };
    // The small suite has none of the requirements of MCP.
    let of_signs = error.problems.iter().filter(|problem| problem.file.ends_with("revisions.json"));
    of_signs.map(ToString::to_string).collect()
}

#[rstest]
#[case::of_a_tool(json!({ "about": "a", "operation": "brew", "tool": { "required": ["title"] } }), "")]
#[case::of_a_text(json!({ "about": "a", "operation": "brew", "says": [{ "rule": "unique" }] }), "")]
#[case::of_an_answer(json!({ "about": "a", "operation": "brew", "probe": {}, "shows": {} }), "")]
#[case::of_no_operation(
    json!({ "about": "a", "operation": "brwe", "tool": {} }),
    "/revisions/1/signs/0/operation: unknown operation; did you mean `brew`?"
)]
#[case::of_no_tool(json!({ "about": "a", "operation": "pour", "tool": {} }), "`pour` is called by no tool")]
#[case::of_nothing(json!({ "about": "a", "operation": "brew" }), "a sign is seen in a tool, by `tool` and `says`")]
#[case::of_both(
    json!({ "about": "a", "operation": "brew", "tool": {}, "probe": {}, "shows": {} }),
    "a sign is seen in a tool, by `tool` and `says`"
)]
#[case::that_shows_nothing(
    json!({ "about": "a", "operation": "brew", "probe": {} }),
    "a sign is seen in a tool, by `tool` and `says`"
)]
#[case::with_another_argument(
    json!({ "about": "a", "operation": "brew", "probe": { "hot": true }, "shows": {} }),
    "/revisions/1/signs/0/probe: `brew` has no argument `hot`"
)]
#[case::that_ends_before_it_begins(
    json!({ "about": "a", "operation": "brew", "last": 1, "tool": {} }),
    "/revisions/1/signs/0/last: is not a revision from 2 to 2"
)]
#[case::of_no_schema(
    json!({ "about": "a", "operation": "brew", "tool": { "type": "texxt" } }),
    "/revisions/1/signs/0/tool: is not a JSON Schema that can be used"
)]
#[case::of_no_rule(
    json!({ "about": "a", "operation": "brew", "says": [{ "rule": "uniqe" }] }),
    "/revisions/1/signs/0/says/0/rule: unknown rule `uniqe`; did you mean `unique`?"
)]
#[case::of_a_rule_over_more(
    json!({ "about": "a", "operation": "brew", "says": [{ "rule": "same" }] }),
    "/revisions/1/signs/0/says/0/rule: rule `same` selects left, right"
)]
fn a_sign(#[case] sign: Value, #[case] expected: &str) {
    let found = problems(&sign);
    match expected {
        "" => assert_eq!(found, ""),
        expected => assert!(found.contains(expected), "{found}"),
    }
}
