//! A contract with one requirement and one case of one check, written for a test.

use conformance::judge::{self, Judgement};
use conformance::load::Suite;
use serde_json::{Value, json};
use std::fs;

/// Judges evidence by one check of a case with one step. The check says what it selects and how it judges.
pub(crate) fn judged(step: &Value, mut check: Value, evidence: &Value) -> Judgement {
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
                                    "text": "It is good." }] }),
    );
    let damage = json!({ "about": "none", "patch": [{ "op": "remove", "path": "/0/0/answer" }] });
    check["requirement"] = json!("tea.good");
    check["broken_by"] = json!([damage]);
    write("fixtures/tea/cases/case.json", &json!({ "about": "A cup.", "steps": [step], "checks": [check] }));
    let suite = Suite::load(folder.path()).unwrap();
    let contract = &suite.contracts[0];
    judge::judge(&contract.cases[0], contract, &[], evidence).remove(0)
}
