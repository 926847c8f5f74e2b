//! Numbers in cases that are bounds of one revision alone: written out, they stay when the bound moves.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// Cases that ask for a number and not for a bound, each with the reason.
const OTHERWISE: &[(&str, &str)] =
    &[("memory/cases/live/words.json", "it asks for enough to tell words apart, and more leave no entry out")];

/// The bounds of each argument that revisions differ in: those of every revision.
type Bounds = BTreeMap<String, BTreeSet<i64>>;

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("JSON")
}

/// By the name of an argument, the bounds that moved.
fn moved(folder: &Path) -> Bounds {
    let contract = read(&folder.join("contract.json"));
    let revisions = folder.join("revisions.json");
    let revisions = if revisions.exists() { read(&revisions) } else { Value::Null };
    let mut instead: BTreeMap<String, String> = BTreeMap::new();
    let mut all: BTreeMap<(String, &str, &str), BTreeSet<i64>> = BTreeMap::new();
    let operations = contract["operations"].as_object().expect("operations");
    for revision in revisions["revisions"].as_array().into_iter().flatten() {
        for (name, other) in revision["schemas"].as_object().into_iter().flatten() {
            instead.insert(name.clone(), other.as_str().expect("a file").to_owned());
        }
        for (operation, says) in operations {
            let input = says["input"].as_str().expect("an input schema");
            let schema = read(&folder.join(instead.get(input).map_or(input, String::as_str)));
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                for keyword in ["minimum", "maximum"] {
                    let key = (name.clone(), operation.as_str(), keyword);
                    all.entry(key).or_default().extend(property[keyword].as_i64());
                }
            }
        }
    }
    let moved = all.into_iter().filter(|(_, values)| values.len() > 1);
    moved.fold(Bounds::new(), |mut bounds, ((name, ..), values)| {
        bounds.entry(name).or_default().extend(values);
        bounds
    })
}

/// The bounds that steps write out, each as `name: number`.
fn written(steps: &Value, bounds: &Bounds) -> Vec<String> {
    let is_one = |name: &str, value: &Value| {
        value.as_i64().is_some_and(|one| bounds.get(name).is_some_and(|of| of.contains(&one)))
    };
    let mut found = Vec::new();
    for step in steps.as_array().into_iter().flatten() {
        let swept = step["sweep"]["over"].as_array().into_iter().flatten();
        let rows = swept.clone().filter_map(Value::as_object).chain(step["with"].as_object());
        let of_rows = rows.flatten().filter(|(name, value)| is_one(name, value));
        found.extend(of_rows.map(|(name, value)| format!("{name}: {value}")));
        let argument = step["sweep"]["argument"].as_str().unwrap_or_default();
        found.extend(swept.filter(|value| is_one(argument, value)).map(|value| format!("{argument}: {value}")));
    }
    found
}

/// What a case over the corpus asks for counts what the corpus holds. A case of any data has nothing but the bound to ask for.
#[test]
fn a_bound_that_moved_is_written_out_in_no_case() {
    let root = testing::root();
    let contracts = fs::read_dir(root.join("schemas")).expect("contracts").map(|entry| entry.expect("an entry").path());
    let (mut found, mut excused, mut moves) = (Vec::new(), BTreeSet::new(), 0);
    for folder in contracts.filter(|folder| folder.join("contract.json").is_file()) {
        let bounds = moved(&folder);
        moves += bounds.len();
        let fixtures = root.join("fixtures").join(folder.file_name().expect("a name"));
        for entry in WalkDir::new(fixtures.join("cases")).into_iter().map(|entry| entry.expect("an entry")) {
            if entry.path().extension().is_none_or(|end| end != "json") {
                continue;
            }
            let case = read(entry.path());
            // A case of one revision may speak of its bounds.
            let is_of_some = ["since", "until"].iter().any(|key| !case[key].is_null());
            if is_of_some || case["needs"].as_array().is_some_and(|needs| !needs.is_empty()) {
                continue;
            }
            let name = entry.path().strip_prefix(root.join("fixtures")).expect("below").display().to_string();
            let literals = written(&case["steps"], &bounds);
            if let Some((known, _)) = OTHERWISE.iter().find(|(known, _)| *known == name && !literals.is_empty()) {
                excused.insert(*known);
                continue;
            }
            found.extend(literals.into_iter().map(|one| format!("{name}: {one}")));
        }
    }
    assert!(moves > 1, "some bounds moved");
    assert_eq!(found, [""; 0], "write {{ \"$bound\": \"top.maximum\" }}");
    assert_eq!(excused.len(), OTHERWISE.len(), "each exception is used");
}

#[test]
fn a_bound_is_found_in_arguments_rows_and_sweeps() {
    let bounds = Bounds::from([("top".to_owned(), BTreeSet::from([3, 10]))]);
    let steps = serde_json::json!([
        { "with": { "top": 3, "other": 10 } },
        { "with": { "top": { "$bound": "top.maximum" } }, "sweep": { "over": [{ "top": 10 }, { "top": 4 }] } },
        { "sweep": { "argument": "top", "over": [1, 3] } }
    ]);
    assert_eq!(written(&steps, &bounds), ["top: 3", "top: 10", "top: 3"]);
}
