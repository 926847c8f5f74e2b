//! A contract with one requirement and one case of one check, written for a test.

use conformance::judge::{self, Judgement};
use conformance::load::Suite;
use serde_json::{Value, json};
use std::fs;

/// Judges evidence by one check of a case with these steps. The check says what it selects and how it judges.
pub(crate) fn judged(steps: &Value, check: Value, evidence: &Value) -> Judgement {
    judgements(steps, check, evidence).remove(0)
}

/// The same, with what else the case says.
pub(crate) fn judgements(steps: &Value, mut check: Value, evidence: &Value) -> Vec<Judgement> {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, value: &Value| {
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, value.to_string()).unwrap();
    };
    write("schemas/suite/transports.json", &json!({ "requirements": [], "checks": {} }));
    write(
        "schemas/tea/any.schema.json",
        &json!({ "$id": "https://schemas.invalid/tea/any.schema.json", "properties": { "leaf": {} } }),
    );
    write(
        "schemas/tea/contract.json",
        &json!({ "name": "tea", "title": "Tea", "document": "A cup", "sections": ["Brewing"],
                 "operations": { "brew": { "about": "Brews.", "input": "any.schema.json" } },
                 "requirements": [{ "id": "tea.good", "level": "must", "origin": "stated", "section": "Brewing",
                                    "text": "It is good." },
                                  { "id": "tea.served", "level": "must", "origin": "stated", "section": "Brewing",
                                    "text": "Tea is served." }] }),
    );
    let damage = json!({ "about": "none", "patch": [{ "op": "remove", "path": "/0/0/answer" }] });
    check["requirement"] = json!("tea.good");
    check["broken_by"] = json!([&damage]);
    let served = json!({ "requirement": "tea.served", "select": "$[0][0].status", "equals": "accepted",
                         "broken_by": [damage] });
    write("fixtures/tea/cases/case.json", &json!({ "about": "A cup.", "steps": steps, "checks": [check] }));
    let step = json!({ "call": "brew" });
    write("fixtures/tea/cases/served.json", &json!({ "about": "A cup.", "steps": [step], "checks": [served] }));
    let suite = Suite::load(folder.path()).unwrap();
    let contract = &suite.contracts[0];
    judge::judge(&contract.cases[0], contract, &[], evidence)
}
