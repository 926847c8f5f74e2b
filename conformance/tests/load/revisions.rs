//! A contract at a later revision: what belongs to some revisions alone, names on the wire, and headings.

use super::sound::{CONTRACT, Sound, requirement};
use conformance::load::Suite;
use conformance::model::ContractKey;
use serde_json::{Value, json};

/// Tea whose `sugar` is called `sweetener` from the second revision on, where its brewing has another heading.
fn tea(text: &str) -> Sound {
    let suite = Sound::suite();
    suite.arguments(&["sugar"]);
    suite.edit(CONTRACT, |contract| {
        contract["operations"]["brew"]["mcp"] = json!({ "tool": "brew" });
        contract["operations"]["pour"] =
            json!({ "about": "Pours.", "input": "brew.input.schema.json", "mcp": { "tool": "pour" } });
        contract["requirements"] = json!([requirement("tea.hot")]);
        contract["requirements"][0]["text"] = json!(text);
        contract["requirements"][0]["over"] = json!(["brew", { "$item": "pour", "since": 2 }]);
        contract["requirements"][0]["unjudged"] = json!({ "pour": { "$item": "Tea cools.", "since": 2 } });
    });
    // What is called over MCP is called in both eras.
    suite.edit("schemas/suite/transports.json", |transports| {
        transports["requirements"] = json!([requirement("mcp.same-in-both-eras")]);
    });
    let renamed = json!({ "mcp": { "rename": { "sugar": "sweetener" } } });
    suite.write_json(
        "schemas/tea/revisions.json",
        &json!({ "revisions": [
            { "revision": 1, "name": "first" },
            { "revision": 2, "name": "second", "headings": { "Brewing": "Infusion" },
              "operations": { "brew": renamed, "pour": renamed } }
        ] }),
    );
    suite
}

#[test]
fn a_view_has_its_own_names_entries_and_headings() {
    let folder = tea("`{sugar.name}` is taken.");
    folder.edit(CONTRACT, |contract| {
        contract["requirements"][0]["over"] = json!([{ "$item": "brew", "since": 2 }, { "$item": "pour", "since": 2 }])
    });
    let suite = Suite::load(folder.path()).unwrap();
    let seen = |revision: u32| {
        let view = suite.view(&ContractKey::new("tea").at(revision)).unwrap();
        let one = &view.contract.requirements[0];
        json!([one.text, one.section, one.over, view.contract.sections])
    };
    assert_eq!(seen(1), json!(["`sugar` is taken.", "Brewing", [], ["Brewing"]]));
    assert_eq!(seen(2), json!(["`sweetener` is taken.", "Infusion", ["brew", "pour"], ["Infusion"]]));
}

#[test]
fn a_step_and_a_key_are_those_of_the_revision() {
    let folder = tea("A sentence.");
    folder.edit(CONTRACT, |contract| {
        contract["requirements"][0]["over"] = json!([]);
        contract["requirements"][0]["unjudged"] = json!({});
    });
    folder.edited_case("brew/sweet", |case| {
        case["steps"] = json!([
            { "$item": { "call": "brew" }, "until": 1 },
            { "$item": { "call": "brew", "with": { "sugar": 1 } }, "since": 2 }
        ]);
        case["checks"][0].as_object_mut().unwrap().remove("equals");
        case["checks"][0]["select"] = json!("$[0][0]");
        case["checks"][0]["schema"] =
            json!({ "properties": { "{sugar.name}": false, "status": { "const": "accepted" } } });
    });
    let suite = Suite::load(folder.path()).unwrap();
    let sugar = |revision: u32| -> Option<Value> {
        let view = suite.view(&ContractKey::new("tea").at(revision)).unwrap();
        let case = view.cases.iter().find(|case| case.name == "brew/sweet").unwrap();
        assert_eq!(case.steps.len(), 1);
        case.steps[0].with.get("sugar").cloned()
    };
    assert_eq!((sugar(1), sugar(2)), (None, Some(json!(1))));
}

#[test]
fn a_name_that_no_operation_has_is_told() {
    let folder = tea("`{suger.name}` is taken.");
    let problems = folder.problems();
    assert!(problems.contains("`suger.name` is not a bound of an argument: no input schema has it"), "{problems}");
}
