//! A small suite on disk with nothing wrong with it, to be broken.

use conformance::load::Suite;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

pub(crate) const CONTRACT: &str = "schemas/tea/contract.json";
pub(crate) const CASE: &str = "fixtures/tea/cases/brew/hot.json";

/// A suite of one contract, one case and one check, with nothing wrong with it.
pub(crate) struct Sound(TempDir);

impl Sound {
    pub(crate) fn suite() -> Self {
        let suite = Self(tempfile::tempdir().unwrap());
        suite.write_json("schemas/suite/transports.json", &json!({ "requirements": [], "checks": {} }));
        suite.write_json(
            CONTRACT,
            &json!({ "name": "tea", "title": "Tea", "document": "A cup", "sections": ["Brewing"],
                     "operations": { "brew": { "about": "Brews.", "input": "brew.input.schema.json" } },
                     "requirements": [requirement("tea.hot")] }),
        );
        suite.write_json(
            "schemas/tea/brew.input.schema.json",
            &json!({ "$id": "https://schemas.invalid/tea/brew.input.schema.json", "type": "object" }),
        );
        suite.write_json(
            CASE,
            &json!({ "about": "It is hot.", "steps": [{ "call": "brew" }],
                     "checks": [{ "requirement": "tea.hot", "select": "$[0][0].status", "equals": "accepted",
                                  "broken_by": [{ "about": "cold", "patch": [
                                      { "op": "replace", "path": "/0/0/status", "value": "refused" }] }] }] }),
        );
        suite
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let file = self.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn write_json(&self, file: &str, value: &Value) {
        self.write(file, &format!("{value:#}\n"));
    }

    pub(crate) fn read(&self, file: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path().join(file)).unwrap()).unwrap()
    }

    /// Gives `brew` these arguments.
    pub(crate) fn arguments(&self, names: &[&str]) {
        self.arguments_of("tea", names);
    }

    /// Gives `brew` of a contract these arguments.
    pub(crate) fn arguments_of(&self, contract: &str, names: &[&str]) {
        let properties: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        let file = format!("schemas/{contract}/brew.input.schema.json");
        self.edit(&file, |schema| schema["properties"] = properties.into());
    }

    pub(crate) fn edit(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let mut value = self.read(file);
        change(&mut value);
        self.write_json(file, &value);
    }

    /// One more case.
    pub(crate) fn case(&self, name: &str, text: &str) {
        self.write(&format!("fixtures/tea/cases/{name}.json"), text);
    }

    /// One more case, that differs from the sound one.
    pub(crate) fn edited_case(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let mut case = self.read(CASE);
        change(&mut case);
        self.case(name, &format!("{case:#}\n"));
    }

    /// The whole message, the folder taken out.
    pub(crate) fn problems(&self) -> String {
        let message = Suite::load(self.path()).unwrap_err().to_string();
        message.replace(self.path().to_str().unwrap(), "<folder>")
    }
}

pub(crate) fn requirement(id: &str) -> Value {
    json!({ "id": id, "level": "must", "origin": "stated", "section": "Brewing", "text": "A sentence." })
}

/// The check judges by a rule.
pub(crate) fn rule(case: &mut Value, name: &str, args: Value) {
    comparison(case, "rule", json!(name));
    case["checks"][0]["args"] = args;
}

/// The check judges in another way than by `equals`.
pub(crate) fn comparison(case: &mut Value, way: &str, how: Value) {
    let check = case["checks"][0].as_object_mut().unwrap();
    check.remove("equals");
    check.insert(way.to_owned(), how);
}
