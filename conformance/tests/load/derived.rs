//! Cases that are derived from an input schema: what they are, what they find, and that each can fail.

use conformance::load::{Case, Suite};
use conformance::model::{TransportKind, Verdict};
use conformance::{judge, prove};
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

const SCHEMA: &str = "schemas/tea/brew.input.schema.json";

#[test]
fn each_keyword_that_names_a_requirement_makes_a_case() {
    let (_folder, suite) = suite(&schema());
    let names: Vec<&str> = suite.contracts[0].cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "derived/brew/leaf/required",
            "derived/brew/leaf/type",
            "derived/brew/cups/default",
            "derived/brew/cups/minimum",
            "derived/brew/cups/maximum",
            "derived/brew/cups/range",
            "derived/brew/cups/type"
        ]
    );
}

#[test]
fn what_a_derived_case_wants_refused_stands_beside_an_accepted_call() {
    let (_folder, suite) = suite(&schema());
    let refusing = suite.contracts[0]
        .cases
        .iter()
        .filter(|case| !case.name.ends_with("/default") && !case.name.ends_with("/range"));
    for case in refusing {
        assert!(case.steps.len() > 1 && case.steps[1..].iter().all(|step| step.twin == Some(0)), "{}", case.name);
    }
}

#[test]
fn types_are_probed_only_where_they_arrive() {
    let (_folder, suite) = suite(&schema());
    let contract = &suite.contracts[0];
    let over_cli = contract.cases.iter().filter(|case| case.is_spoken_over(&contract.contract, TransportKind::Cli));
    assert!(over_cli.clone().count() > 0);
    assert!(over_cli.clone().all(|case| !case.name.ends_with("/type")));
    assert!(contract.cases.iter().all(|case| case.is_spoken_over(&contract.contract, TransportKind::Http)));
}

#[test]
fn a_sound_server_passes_and_every_counterexample_is_noticed() {
    let (_folder, suite) = suite(&schema());
    let contract = &suite.contracts[0];
    for case in &contract.cases {
        let evidence = evidence(case, sound);
        assert_eq!(judge::judge(case, contract, &[], &evidence)[0].verdict, Verdict::Pass, "{}", case.name);
        let (caught, unproven) =
            prove::case(case, contract, &[], &evidence, &judge::Parts::of(case, contract, &[], &evidence));
        assert_eq!(unproven, []);
        assert_eq!(caught, case.checks[0].broken_by.len());
    }
}

#[rstest]
#[case::another_default("cups/default", |with: &Value| brewed(with["cups"].as_i64().unwrap_or(3)))]
#[case::clamped_below("cups/minimum", |with: &Value| brewed(with["cups"].as_i64().unwrap_or(2).max(1)))]
#[case::clamped_above("cups/maximum", |with: &Value| brewed(with["cups"].as_i64().unwrap_or(2).min(3)))]
#[case::too_narrow("cups/range", |with: &Value| if with["cups"] == 3 { refused() } else { sound(with) })]
#[case::read_from_text("cups/type", |with: &Value| brewed(with["cups"].as_i64().unwrap_or(2)))]
#[case::not_required("leaf/required", |with: &Value| brewed(with["cups"].as_i64().unwrap_or(2)))]
#[case::broken("cups/minimum", |with: &Value| if with["cups"] == 0 { json!({ "status": "failed" }) } else { sound(with) })]
fn a_wrong_server_is_found(#[case] case: &str, #[case] server: fn(&Value) -> Value) {
    let (_folder, suite) = suite(&schema());
    let contract = &suite.contracts[0];
    let case = contract.cases.iter().find(|one| one.name.ends_with(case)).unwrap();
    assert_eq!(judge::judge(case, contract, &[], &evidence(case, server))[0].verdict, Verdict::Fail);
}

#[rstest]
#[case::no_example("/examples", json!([]), "`examples` of the schema")]
#[case::no_requirement("/properties/cups/x-requirements/minimum", json!("tea.cupz"), "did you mean `tea.cups`?")]
#[case::no_keyword("/properties/cups/x-requirements/minimmum", json!("tea.cups"), "did you mean `minimum`?")]
#[case::no_default("/properties/leaf/x-requirements/default", json!("tea.cups"), "the argument has no `default`")]
#[case::no_bound("/properties/cups/maximum", json!("many"), "no whole `maximum`")]
fn what_cannot_be_derived_is_told_with_its_place(#[case] place: &str, #[case] value: Value, #[case] message: &str) {
    let mut schema = schema();
    let (parent, key) = place.rsplit_once('/').unwrap();
    schema.pointer_mut(parent).unwrap()[key] = value;
    let folder = write(&schema);
    let problems = Suite::load(folder.path()).unwrap_err().to_string();
    assert!(problems.contains(message) && problems.contains(SCHEMA), "{problems}");
}

fn schema() -> Value {
    json!({
        "$id": "https://schemas.invalid/tea/brew.input.schema.json",
        "type": "object",
        "required": ["leaf"],
        "properties": {
            "leaf": { "type": "string", "x-requirements": { "required": "tea.leaf", "type": "tea.leaf" } },
            "cups": {
                "type": "integer", "minimum": 1, "maximum": 3, "default": 2,
                "x-requirements": { "default": "tea.cups", "minimum": "tea.cups", "maximum": "tea.cups",
                                    "range": "tea.cups", "type": "tea.cups" }
            }
        },
        "examples": [{ "leaf": "green" }]
    })
}

fn write(schema: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |file: &str, value: &Value| {
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, value.to_string()).unwrap();
    };
    let requirement = |id: &str| json!({ "id": id, "level": "must", "origin": "stated", "section": "S", "text": "T." });
    put("schemas/suite/transports.json", &json!({ "requirements": [], "checks": {} }));
    put(SCHEMA, schema);
    put(
        "schemas/tea/contract.json",
        &json!({ "name": "tea", "title": "Tea", "document": "A cup", "sections": ["S"],
                 "operations": { "brew": { "about": "Brews.", "input": "brew.input.schema.json",
                                           "cli": { "argv": ["brew"] },
                                           "http": { "method": "POST", "path": "/brew", "arguments": "body" } } },
                 "requirements": [requirement("tea.leaf"), requirement("tea.cups")] }),
    );
    fs::create_dir_all(folder.path().join("fixtures/tea/cases")).unwrap();
    folder
}

fn suite(schema: &Value) -> (TempDir, Suite) {
    let folder = write(schema);
    let suite = Suite::load(folder.path()).unwrap();
    (folder, suite)
}

/// What a server answers to the steps of a case.
fn evidence(case: &Case, server: fn(&Value) -> Value) -> Value {
    let steps = case.steps.iter().map(|step| {
        let mut with = json!(step.with);
        for value in with.as_object_mut().unwrap().values_mut().filter(|value| value["$given"] == "leaf") {
            *value = json!("green");
        }
        let mut exchange = server(&with);
        exchange["request"] = json!({ "operation": step.call, "with": with });
        json!([exchange])
    });
    steps.collect()
}

fn sound(with: &Value) -> Value {
    let cups = with.get("cups").map_or(Some(2), Value::as_i64);
    match cups.filter(|cups| with["leaf"].is_string() && (1..=3).contains(cups)) {
        Some(cups) => brewed(cups),
        None => refused(),
    }
}

fn brewed(cups: i64) -> Value {
    let cups: Vec<Value> = (0..cups).map(Value::from).collect();
    json!({ "status": "accepted", "answer": { "body": cups }, "items": cups })
}

fn refused() -> Value {
    json!({ "status": "refused", "answer": { "body": "no" } })
}
