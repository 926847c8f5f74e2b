//! Contracts that a user brings: read beside the built-in ones, never in the place of one, and trusted no more than a target.

use super::sound::{CASE, CONTRACT, Sound, comparison, requirement};
use conformance::load::Suite;
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// The sound suite as a folder of the user's own, with its contract called `coffee`.
fn coffee() -> Sound {
    let own = Sound::suite();
    fs::remove_dir_all(own.path().join("schemas/suite")).unwrap();
    called(&own, "coffee");
    own
}

const COFFEE: &str = "schemas/coffee/contract.json";
const COFFEE_CASE: &str = "fixtures/coffee/cases/brew/hot.json";

/// Calls the contract of a sound suite otherwise, in its folders and in its files.
fn called(own: &Sound, name: &str) {
    for file in [CONTRACT, CASE, "schemas/tea/brew.input.schema.json"] {
        let text =
            own.read(file).to_string().replace("tea.", &format!("{name}.")).replace("\"tea\"", &format!("\"{name}\""));
        own.write(file, &text.replace("/tea/", &format!("/{name}/")));
    }
    for top in ["schemas", "fixtures"] {
        fs::rename(own.path().join(top).join("tea"), own.path().join(top).join(name)).unwrap();
    }
}

/// What is wrong with a folder of the user's own beside the sound suite; the folder taken out.
fn problems(own: &Sound) -> String {
    match Suite::load_beside(Sound::suite().path(), None, own.path()) {
        Ok(_) => String::new(),
        Err(error) => error.to_string().replace(own.path().to_str().unwrap(), "<own>"),
    }
}

#[test]
fn it_stands_beside_the_built_in_ones() {
    let own = coffee();
    let suite = Suite::load_beside(Sound::suite().path(), None, own.path()).unwrap();
    let names: Vec<&str> = suite.contracts.iter().map(|one| one.contract.name.as_str()).collect();
    assert_eq!(names, ["tea", "coffee"]);
    assert!(suite.is_brought("coffee") && !suite.is_brought("tea"));
    assert!(suite.requirement("coffee.hot").is_some());
    let brought = suite.brought().unwrap();
    assert_eq!(brought.contracts, ["coffee"]);
    own.edit(COFFEE_CASE, |case| case["about"] = json!("It is very hot."));
    let changed = Suite::load_beside(Sound::suite().path(), None, own.path()).unwrap();
    assert_ne!(changed.brought().unwrap().fingerprint, brought.fingerprint);
}

#[test]
fn a_later_revision_is_read_from_its_folder() {
    let own = coffee();
    let later = json!({ "revisions": [{ "revision": 1, "name": "first" }, { "revision": 2, "name": "second", "document": "A mug" }] });
    own.write_json("schemas/coffee/revisions.json", &later);
    let suite = Suite::load_beside(Sound::suite().path(), None, own.path()).unwrap();
    assert_eq!(suite.view(&"coffee@2".into()).unwrap().contract.document, "A mug");
    assert_eq!(suite.keys().map(|key| key.full()).collect::<Vec<_>>(), ["tea@1", "coffee@1", "coffee@2"]);
}

#[test]
fn a_folder_without_contracts_says_what_was_expected() {
    let own = Sound::suite();
    fs::remove_dir_all(own.path().join("schemas")).unwrap();
    insta::assert_snapshot!(problems(&own), @"
    the contracts of <own> have 1 problem(s):
      schemas: holds no contract: schemas/<name>/contract.json was expected below it
    ");
}

#[rstest]
#[case::of_a_built_in_contract(
    "tea",
    "`tea` is a built-in contract, and no other can be called so: choose another name"
)]
#[case::of_the_requirements_of_a_transport("mcp", "`mcp` has a meaning of its own in the suite: choose another name")]
#[case::of_a_revision(
    "coffee@2",
    "a contract is called by a small letter, then small letters, digits and `-`, 40 at most"
)]
#[case::of_a_place(
    "..coffee",
    "a contract is called by a small letter, then small letters, digits and `-`, 40 at most"
)]
fn a_name_that_no_contract_of_a_user_has(#[case] name: &str, #[case] expected: &str) {
    let own = Sound::suite();
    if name != "tea" {
        called(&own, name);
    }
    let found = problems(&own);
    assert!(found.contains(&format!("schemas/{name}: {expected}")), "{found}");
}

#[test]
fn a_contract_is_called_as_its_folder_is() {
    let own = coffee();
    own.edit(COFFEE, |contract| contract["name"] = json!("../tea"));
    let found = problems(&own);
    assert!(
        found.contains("schemas/coffee/contract.json at /name: is `../tea`, and the folder is `coffee`"),
        "{found}"
    );
}

/// The secret is not in the message either.
#[rstest]
#[case::absolute("/etc/hostname")]
#[case::above("../../../secret.schema.json")]
fn a_schema_is_beside_its_contract(#[case] name: &str, #[values("input", "output", "item")] key: &str) {
    let own = coffee();
    own.edit(COFFEE, |contract| contract["operations"]["brew"][key] = json!(name));
    let found = problems(&own);
    assert!(found.contains(&format!("at /operations/brew/{key}: `{name}` leads out of its folder")), "{found}");
}

#[test]
fn what_stands_in_the_place_of_a_schema_is_beside_it_too() {
    let own = coffee();
    let later =
        json!({ "revision": 2, "name": "second", "schemas": { "brew.input.schema.json": "../../../secret.json" } });
    own.write_json(
        "schemas/coffee/revisions.json",
        &json!({ "revisions": [{ "revision": 1, "name": "first" }, later] }),
    );
    let found = problems(&own);
    assert!(found.contains("`../../../secret.json` leads out of its folder"), "{found}");
}

#[rstest]
#[case::out_of_it("/etc")]
#[case::within_it("../cases")]
fn a_link_is_refused(#[case] target: &str) {
    let own = coffee();
    fs::create_dir_all(own.path().join("fixtures/coffee/corpus")).unwrap();
    symlink(target, own.path().join("fixtures/coffee/corpus/link")).unwrap();
    let found = problems(&own);
    assert!(
        found.contains("fixtures/coffee/corpus/link: is a link, and nothing outside of the folder is read"),
        "{found}"
    );
}

#[test]
fn so_is_one_in_the_place_of_a_whole_tree() {
    let own = coffee();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::rename(own.path().join("fixtures"), elsewhere.path().join("fixtures")).unwrap();
    symlink(elsewhere.path().join("fixtures"), own.path().join("fixtures")).unwrap();
    let found = problems(&own);
    assert!(found.contains("fixtures: is a link, and nothing outside of the folder is read"), "{found}");
}

#[test]
fn a_named_pipe_is_not_waited_for() {
    let own = coffee();
    let pipe = own.path().join("fixtures/coffee/cases/pipe.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let found = problems(&own);
    assert!(found.contains("cases/pipe.json: is neither a file nor a folder"), "{found}");
}

#[test]
fn a_file_has_a_bounded_size() {
    let own = coffee();
    let file = own.path().join("fixtures/coffee/cases/large.json");
    // Nothing of it is on the disk.
    fs::File::create(file).unwrap().set_len((16 << 20) + 1).unwrap();
    let found = problems(&own);
    assert!(found.contains("cases/large.json: is larger than 16 MiB, and no file of a contract is"), "{found}");
}

#[test]
fn folders_are_not_nested_without_end() {
    let own = coffee();
    own.write(&format!("fixtures/coffee/cases/{}case.json", "a/".repeat(20)), "{}");
    let found = problems(&own);
    assert!(found.contains("is nested deeper than 16 folders"), "{found}");
}

#[test]
fn a_name_that_would_forge_a_line_is_refused() {
    let own = coffee();
    own.write("fixtures/coffee/cases/a\u{1b}[2Jb.json", "{}");
    let found = problems(&own);
    assert!(found.contains("has characters in its name that no file of a contract has"), "{found}");
}

#[rstest]
#[case::title("/title")]
#[case::sentence("/requirements/0/text")]
#[case::operation("/operations/brew/about")]
fn a_text_that_would_forge_a_line_is_refused(#[case] place: &str) {
    let own = coffee();
    own.edit(COFFEE, |contract| *contract.pointer_mut(place).unwrap() = json!("cold\u{1b}[2J"));
    let found = problems(&own);
    assert!(found.contains(&format!("contract.json at {place}: holds control characters")), "{found}");
}

/// Each doubles the work of the one before it.
fn doubling() -> Value {
    let definitions = (1..40).map(|at| {
        let before = json!({ "$ref": format!("#/$defs/d{}", at - 1) });
        (format!("d{at}"), json!({ "allOf": [before, before] }))
    });
    let mut definitions: serde_json::Map<String, Value> = definitions.collect();
    definitions.insert("d0".to_owned(), json!({ "type": "object" }));
    definitions.into()
}

#[test]
fn a_schema_that_takes_for_ever_is_refused() {
    let own = coffee();
    own.edit("schemas/coffee/brew.input.schema.json", |schema| {
        schema["$defs"] = doubling();
        schema["allOf"] = json!([{ "$ref": "#/$defs/d39" }]);
    });
    let found = problems(&own);
    assert!(found.contains("its schemas cannot be used: it would take more than a million steps"), "{found}");
}

#[test]
fn so_is_a_check_that_does() {
    let own = coffee();
    let schema = json!({ "$defs": doubling(), "allOf": [{ "$ref": "#/$defs/d39" }] });
    own.edit(COFFEE_CASE, |case| comparison(case, "schema", schema));
    let found = problems(&own);
    assert!(found.contains("at /checks/0/schema: it would take more than a million steps"), "{found}");
}

#[test]
fn schemas_that_refer_to_each_other_without_end_are_refused() {
    let own = coffee();
    for (name, other) in [("a", "b"), ("b", "a")] {
        let schema = json!({ "$id": format!("https://schemas.invalid/coffee/{name}.schema.json"), "$ref": format!("{other}.schema.json") });
        own.write_json(&format!("schemas/coffee/{name}.schema.json"), &schema);
    }
    own.edit(COFFEE, |contract| contract["operations"]["brew"]["item"] = json!("a.schema.json"));
    let found = problems(&own);
    assert!(found.contains("the schema refers to itself without end"), "{found}");
}

#[test]
fn a_pattern_that_looks_around_is_refused() {
    let own = coffee();
    own.edit(COFFEE_CASE, |case| comparison(case, "schema", json!({ "pattern": "^(?=(a+)+$)" })));
    let found = problems(&own);
    assert!(found.contains("at /checks/0/schema: the schema does not compile"), "{found}");
}

#[test]
fn what_is_wrong_has_its_file_and_its_place() {
    let own = coffee();
    own.edit(COFFEE, |contract| {
        contract["requirements"] = json!([requirement("coffee.hot"), requirement("coffee.cold")])
    });
    own.edit(COFFEE_CASE, |case| case["checks"][0]["requirement"] = json!("coffee.hott"));
    insta::assert_snapshot!(problems(&own), @"
    the contracts of <own> have 3 problem(s):
      schemas/coffee/contract.json at /requirements/0: `coffee.hot` has no check; write one, or exclude its sentence with a reason
      schemas/coffee/contract.json at /requirements/1: `coffee.cold` has no check; write one, or exclude its sentence with a reason
      fixtures/coffee/cases/brew/hot.json at /checks/0: unknown requirement `coffee.hott`; did you mean `coffee.hot`?
    ");
}

#[test]
fn a_label_of_a_case_is_shown_and_an_argument_is_not() {
    let own = coffee();
    own.arguments_of("coffee", &["milk"]);
    own.edit(COFFEE_CASE, |case| case["steps"][0]["with"] = json!({ "milk": "\u{1b}[2J" }));
    assert_eq!(problems(&own), "");
    own.edit(COFFEE_CASE, |case| case["checks"][0]["broken_by"][0]["about"] = json!("\u{1b}[2J"));
    let found = problems(&own);
    assert!(found.contains("hot.json at /checks/0/broken_by/0/about: holds control characters"), "{found}");
}

#[test]
fn a_case_makes_a_bounded_number_of_calls() {
    let own = coffee();
    own.arguments_of("coffee", &["milk"]);
    let sweep = json!({ "argument": "milk", "over": { "from": 0, "to": i64::MAX } });
    own.edit(COFFEE_CASE, |case| case["steps"][0]["sweep"] = sweep);
    let found = problems(&own);
    assert!(found.contains("at /steps/0/sweep/over: has more than 10000 values"), "{found}");
}

#[test]
fn a_path_looks_below_values_a_bounded_number_of_times() {
    let own = coffee();
    own.edit(COFFEE_CASE, |case| case["checks"][0]["select"] = json!("$[0][0].answer..*..*..*..*..*"));
    let found = problems(&own);
    assert!(found.contains("has `..` more than 4 times"), "{found}");
}
