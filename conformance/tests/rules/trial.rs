//! One rule, tried on evidence that a test writes down.

use conformance::judge;
use conformance::load::Suite;
use conformance::model::Verdict;
use serde_json::{Value, json};
use std::fs;

/// What a check says.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) verdict: Verdict,
    pub(crate) exercised: usize,
    /// Its reasons, in lines.
    pub(crate) why: String,
}

/// Judges values by a rule: each stands in the answer of one accepted exchange, under the name of its selection, where
/// `select` finds it.
pub(crate) fn try_rule(rule: &str, select: &Value, args: &Value, answer: &Value) -> Said {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, value: &Value| {
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, value.to_string()).unwrap();
    };
    write("schemas/suite/transports.json", &json!({ "requirements": [], "checks": {} }));
    write("schemas/tea/any.schema.json", &json!({ "$id": "https://schemas.invalid/tea/any.schema.json" }));
    write(
        "schemas/tea/contract.json",
        &json!({ "name": "tea", "title": "Tea", "document": "A cup", "sections": ["Brewing"],
                 "operations": { "brew": { "about": "Brews.", "input": "any.schema.json" } },
                 "requirements": [{ "id": "tea.good", "level": "must", "origin": "stated", "section": "Brewing",
                                    "text": "It is good." }] }),
    );
    let damage = json!({ "about": "none", "patch": [{ "op": "remove", "path": "/0/0/answer" }] });
    write(
        "fixtures/tea/cases/case.json",
        &json!({ "about": "A rule.", "steps": [{ "call": "brew" }],
                 "checks": [{ "requirement": "tea.good", "select": select, "rule": rule, "args": args,
                              "broken_by": [damage] }] }),
    );
    let suite = Suite::load(folder.path()).unwrap();
    let contract = &suite.contracts[0];
    let evidence =
        json!([[{ "status": "accepted", "request": { "operation": "brew", "with": {} }, "answer": answer }]]);
    let judgement = judge::judge(&contract.cases[0], contract, &[], &evidence).remove(0);
    let why = judgement.details.iter().map(|detail| format!("{}\n", detail.message)).collect();
    Said { verdict: judgement.verdict, exercised: judgement.exercised, why }
}
