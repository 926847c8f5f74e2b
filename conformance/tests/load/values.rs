//! What differs from one revision of a contract to the next, and how a view sees it.

use super::sound::{CASE, CONTRACT, Sound};
use conformance::load::Suite;
use conformance::model::ContractKey;
use serde_json::{Value, json};

/// A suite whose contract has two revisions, with this one added to what the second says.
fn suite(second: &Value) -> Sound {
    let suite = Sound::suite();
    let mut revision = json!({ "revision": 2, "name": "two" });
    revision.as_object_mut().unwrap().extend(second.as_object().unwrap().clone());
    suite.write_json(
        "schemas/tea/revisions.json",
        &json!({ "revisions": [{ "revision": 1, "name": "one" }, revision] }),
    );
    suite
}

#[test]
fn a_value_is_the_one_of_the_last_revision_that_has_one() {
    let sound = suite(&json!({}));
    sound.arguments(&["leaf", "milk"]);
    sound.edit(CASE, |case| {
        case["steps"][0]["with"] = json!({
            "leaf": { "$at": { "1": "green", "2": "black" } }, "milk": { "$at": { "1": true, "2": null } }
        });
    });
    let suite = Suite::load(sound.path()).unwrap();
    let with = |revision| {
        let view = suite.view(&ContractKey::new("tea").at(revision)).unwrap();
        Value::Object(view.cases[0].steps[0].with.clone())
    };
    assert_eq!(with(1), json!({ "leaf": "green", "milk": true }));
    assert_eq!(with(2), json!({ "leaf": "black" }));
}

#[test]
fn a_word_of_a_schema_stands_in_texts_and_calls() {
    let sound = suite(&json!({ "schemas": { "brew.input.schema.json": "brew.input.2.schema.json" } }));
    for (file, leaf) in [("brew.input.schema.json", "green"), ("brew.input.2.schema.json", "black")] {
        let id = format!("https://schemas.invalid/tea/{file}");
        let schema = json!({ "$id": id, "type": "object", "properties": { "leaf": { "const": leaf } } });
        sound.write_json(&format!("schemas/tea/{file}"), &schema);
    }
    sound.edit(CONTRACT, |contract| contract["requirements"][0]["text"] = json!("The leaf is `{leaf.const}`."));
    sound.edit(CASE, |case| case["steps"][0]["with"] = json!({ "leaf": "{leaf.const}" }));
    let suite = Suite::load(sound.path()).unwrap();
    for (revision, leaf) in [(1, "green"), (2, "black")] {
        let view = suite.view(&ContractKey::new("tea").at(revision)).unwrap();
        assert_eq!(view.contract.requirements[0].text, format!("The leaf is `{leaf}`."));
        assert_eq!(view.cases[0].steps[0].with["leaf"], leaf);
    }
}

#[test]
fn a_section_is_called_as_the_document_of_the_revision_calls_it() {
    let headings = json!({ "Brewing": "Steeping", "Cups": null, "Pots": "Steeping" });
    let sound = suite(&json!({ "sections": ["Mugs"], "headings": headings }));
    sound.edit(CONTRACT, |contract| contract["sections"] = json!(["Brewing", "Pots", "Cups"]));
    let suite = Suite::load(sound.path()).unwrap();
    let view = |revision| &suite.view(&ContractKey::new("tea").at(revision)).unwrap().contract;
    assert_eq!(view(1).sections, ["Brewing", "Pots", "Cups"]);
    assert_eq!(view(2).sections, ["Steeping", "Mugs"]);
    assert_eq!(view(2).requirements[0].section, "Steeping");
}

#[test]
fn what_is_said_of_a_section_that_is_gone_is_an_error() {
    let sound = suite(&json!({ "headings": { "Brewing": null } }));
    let suite = Suite::load(sound.path()).unwrap();
    let message = suite.view(&ContractKey::new("tea").at(2)).unwrap_err().to_string();
    assert!(message.contains("`tea.hot` stands in section `Brewing`, which is not listed"), "{message}");
}

#[test]
fn a_mistake_breaks_other_requirements_at_some_revisions_alone() {
    let sound = suite(&json!({}));
    sound.edit(CONTRACT, |contract| {
        let mut strong = contract["requirements"][0].clone();
        (strong["id"], strong["since"]) = (json!("tea.strong"), json!(2));
        contract["requirements"].as_array_mut().unwrap().push(strong);
    });
    sound.edit(CASE, |case| {
        let mut check = case["checks"][0].clone();
        (check["requirement"], check["since"]) = (json!("tea.strong"), json!(2));
        check["select"] = json!("$[0][0]['status']");
        case["checks"].as_array_mut().unwrap().push(check);
        case["checks"][0]["broken_by"][0]["also"] = json!([{ "$at": { "2": "tea.strong" } }]);
    });
    let suite = Suite::load(sound.path()).unwrap();
    let also = |revision| {
        let view = suite.view(&ContractKey::new("tea").at(revision)).unwrap();
        view.cases[0].checks[0].broken_by[0].also.clone()
    };
    assert_eq!((also(1), also(2)), (vec![], vec!["tea.strong".to_owned()]));
}
