//! Sentences that are general over operations, and paths of checks, lead somewhere.

use super::sound::{CONTRACT, Sound};
use conformance::load::{Judged, Suite};
use rstest::rstest;
use serde_json::{Value, json};

/// `tea.hot` is judged where tea is brewed, and nobody looks where it is poured.
fn poured(over: Value, unjudged: Value) -> Sound {
    let suite = Sound::suite();
    suite.edit(CONTRACT, |contract| {
        contract["operations"]["pour"] = json!({ "about": "Pours.", "input": "brew.input.schema.json" });
        contract["requirements"][0]["over"] = over;
        contract["requirements"][0]["unjudged"] = unjudged;
    });
    suite
}

#[rstest]
#[case::an_empty_cell(json!(["brew", "pour"]), json!({}), "nothing judges `tea.hot` at `pour`; write a case")]
#[case::no_reason(json!(["brew", "pour"]), json!({ "pour": " " }), "`tea.hot` has no reason why nothing judges it at `pour`")]
#[case::a_needless_reason(json!(["brew", "pour"]), json!({ "brew": "x", "pour": "x" }), "remove the reason")]
#[case::a_reason_for_another(json!(["brew", "brew"]), json!({ "pour": "x" }), "`tea.hot` is not over `pour`")]
#[case::an_unknown_operation(json!(["brew", "puor"]), json!({}), "unknown operation `puor`; did you mean `pour`?")]
#[case::one_operation(json!(["brew"]), json!({}), "`tea.hot` is over one operation")]
fn a_general_sentence_is_judged_at_each_operation_or_says_why_not(
    #[case] over: Value,
    #[case] unjudged: Value,
    #[case] due: &str,
) {
    let problems = poured(over, unjudged).problems();
    assert!(problems.contains("contract.json at /requirements/0: ") && problems.contains(due), "{problems}");
}

#[test]
fn a_reason_fills_a_cell() {
    let suite = Suite::load(poured(json!(["brew", "pour"]), json!({ "pour": "tea cools" })).path()).unwrap();
    let judged = suite.contracts[0].judged_at("tea.hot");
    assert_eq!(judged.into_iter().collect::<Vec<_>>(), [("brew", Judged { cases: 1, always: false })]);
    assert_eq!(suite.contracts[0].general().count(), 1);
}

/// No cell of our own contracts is empty: `Suite::load` refuses one.
#[test]
fn our_contracts_with_several_operations_have_general_sentences() {
    let suite = Suite::load(testing::root()).unwrap();
    let answering = |name: &&String| !["tools", "frame"].contains(&name.as_str());
    for contract in &suite.contracts {
        let several = contract.contract.operations.keys().filter(answering).count() > 1;
        assert_eq!(contract.general().count() > 0, several, "{}", contract.contract.name);
    }
}

#[rstest]
#[case::an_unknown_argument(json!({ "select": "$[0][0].request.with.laef" }), "no operation has an argument `laef`; did you mean `leaf`?")]
#[case::in_a_filter(json!({ "select": "$[0][0].items[?@.x == $.request.with.laef]" }), "no operation has an argument `laef`")]
#[case::nothing_of_an_exchange(json!({ "each": "$[0][*]", "select": "$[0][0].status" }), "`each` chooses exchanges, and no path looks into one")]
fn a_path_that_leads_nowhere_is_told(#[case] paths: Value, #[case] due: &str) {
    let suite = Sound::suite();
    suite.arguments(&["leaf"]);
    suite.edited_case("astray", |case| {
        for (name, path) in paths.as_object().unwrap() {
            case["checks"][0][name] = path.clone();
        }
    });
    let problems = suite.problems();
    assert!(problems.contains("astray.json at /checks/0: ") && problems.contains(due), "{problems}");
}
