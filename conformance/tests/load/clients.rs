//! What clients refuse stands in a file of its own, with who says so.

use super::sound::{CONTRACT, Sound};
use rstest::rstest;
use serde_json::{Value, json};

const FILE: &str = "schemas/suite/clients.json";

/// A requirement and its check.
fn clients() -> Value {
    let said = json!({ "name": "A client", "does": "leaves it out", "source": "https://example.org/1" });
    let requirement = json!({
        "id": "client.named", "level": "may", "origin": "clients", "section": "S", "text": "T.", "clients": [said],
    });
    let damage = json!({ "about": "a dot", "patch": [{ "op": "add", "path": "/answer/name", "value": "a.b" }] });
    let schema = json!({ "pattern": "^[a-z]*$" });
    let check =
        json!({ "requirement": "client.named", "select": "@.answer.name", "schema": schema, "broken_by": [damage] });
    json!({ "requirements": [requirement], "checks": [{ "check": check }] })
}

#[rstest]
#[case::no_client("/requirements/0/clients", json!([]), "`client.named` names no client")]
#[case::no_address("/requirements/0/clients/0/source", json!("heard of it"), "is not an address that begins with https://")]
#[case::another_level("/requirements/0/level", json!("must"), "`client.named` has the level `may` and the origin `clients`")]
#[case::another_origin("/requirements/0/origin", json!("decided"), "`client.named` has the level `may` and the origin `clients`")]
#[case::another_id("/requirements/0/id", json!("mcp.named"), "`mcp.named`")]
#[case::no_check("/checks", json!([]), "`client.named` has no check")]
fn what_is_wrong_is_told_with_its_place(#[case] at: &str, #[case] value: Value, #[case] message: &str) {
    let suite = Sound::suite();
    let mut file = clients();
    *file.pointer_mut(at).unwrap() = value;
    suite.write_json(FILE, &file);
    assert!(suite.problems().contains(message), "{}", suite.problems());
}

#[test]
fn a_contract_has_none_of_them() {
    let suite = Sound::suite();
    suite.write_json(FILE, &clients());
    conformance::load::Suite::load(suite.path()).unwrap();
    suite.edit(CONTRACT, |contract| contract["requirements"][0]["origin"] = json!("clients"));
    let problems = suite.problems();
    assert!(problems.contains("is about clients; it belongs to schemas/suite/clients.json"), "{problems}");
}
