//! Files of the contracts as they are written: what of them `diff` has to see.

use conformance::diff::{Diff, Seen, Side, Standing};
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::{TempDir, tempdir};

const TRANSPORTS: &str = "schemas/suite/transports.json";
const REVISIONS: &str = "schemas/memory/revisions.json";

/// The transports and some contracts, in a folder of their own.
fn contracts(names: &[&str]) -> TempDir {
    let folder = tempdir().expect("a folder");
    for name in
        names.iter().map(|name| format!("schemas/{name}")).chain(names.iter().map(|name| format!("fixtures/{name}")))
    {
        let from = testing::root().join(&name);
        if from.exists() {
            testing::copy(&from, &folder.path().join(&name));
        }
    }
    folder
}

fn read(root: &Path, file: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(root.join(file)).expect("a file")).expect("JSON")
}

/// What `diff` tells of an edit of a file: kind, subject, and what it means for implementations and clients.
fn told(contract: &str, file: &str, edit: impl FnOnce(&mut Value)) -> Vec<(String, String, bool)> {
    let folder = contracts(&["suite", contract]);
    let before = Side::read(folder.path()).expect("contracts");
    let mut value = read(folder.path(), file);
    edit(&mut value);
    fs::write(folder.path().join(file), value.to_string()).expect("written");
    let now = Side::read(folder.path()).expect("contracts");
    let diff = Diff::of(("before", &before), ("now", &now), &Seen::default());
    let told = diff.changes.iter().map(|one| {
        let needs_reason = matches!(one.standing, Standing::Unapproved { .. });
        (
            format!("{} {} {}", one.change.kind, one.change.implementations, one.change.clients),
            one.change.subject.clone(),
            needs_reason,
        )
    });
    told.collect()
}

fn case<'v>(file: &'v mut Value, name: &str) -> &'v mut Value {
    file["cases"].as_array_mut().expect("cases").iter_mut().find(|one| one["name"] == name).expect("a case")
}

fn check<'v>(file: &'v mut Value, id: &str) -> &'v mut Value {
    let all = file["checks"]["mcp"].as_array_mut().expect("checks");
    all.iter_mut().find(|one| one["check"]["requirement"] == id).expect("a check")
}

const UNJUDGED: &str = "requirement-unjudged compatible breaking";

#[rstest]
#[case::the_case_is_gone(|file: &mut Value| {
    file["cases"].as_array_mut().expect("cases").retain(|one| one["name"] != "other-version");
}, "mcp.other-version")]
#[case::over_one_transport_alone(|file: &mut Value| case(file, "other-version")["over"] = json!("mcp-http"), "mcp.other-version")]
#[case::of_servers_of_one_era_alone(|file: &mut Value| case(file, "required-meta")["alone"] = json!(true), "mcp.required-meta")]
#[case::where_something_is_found(
    |file: &mut Value| case(file, "unknown-method")["when"] = json!("$[0][0].nothing[*]"),
    "mcp.unknown-method"
)]
#[case::nothing_is_changed(
    |file: &mut Value| case(file, "other-version")["otherwise"] = json!({ "message": {}, "headers": {} }),
    "mcp.other-version"
)]
#[case::in_one_era_alone(|file: &mut Value| check(file, "mcp.schemas-valid")["era"] = json!("legacy"), "mcp.schemas-valid")]
#[case::of_what_is_accepted_alone(
    |file: &mut Value| _ = check(file, "mcp.no-noise").as_object_mut().expect("a check").remove("refused_too"),
    "mcp.no-noise"
)]
#[case::without_what_gives_an_argument(
    |file: &mut Value| check(file, "mcp.schemas-valid")["without"] = json!(["query"]),
    "mcp.schemas-valid"
)]
fn where_a_transport_is_not_judged_any_more(#[case] edit: fn(&mut Value), #[case] id: &str) {
    let told = told("recall", TRANSPORTS, edit);
    let due = (UNJUDGED.to_owned(), id.to_owned(), true);
    assert!(told.contains(&due), "{told:?}");
}

#[rstest]
#[case::need_not_be_seen("mcp.other-version", json!(true), "requirement-conditional compatible breaking")]
fn whether_a_requirement_has_to_be_seen(#[case] id: &str, #[case] conditional: Value, #[case] due: &str) {
    let told = told("recall", TRANSPORTS, |file| {
        let all = file["requirements"].as_array_mut().expect("requirements");
        all.iter_mut().find(|one| one["id"] == id).expect("a requirement")["conditional"] = conditional;
    });
    assert_eq!(told, [(due.to_owned(), id.to_owned(), true)]);
}

/// What is judged more is no loss, and neither is what another check still judges.
#[test]
fn a_wider_check_takes_nothing_away() {
    let told = told("recall", TRANSPORTS, |file| {
        _ = case(file, "no-version-header").as_object_mut().expect("a case").remove("alone")
    });
    assert!(told.iter().all(|(kind, ..)| kind != UNJUDGED), "{told:?}");
    assert!(!told.is_empty());
}

#[rstest]
#[case::gone(|file: &mut Value| file["revisions"][1]["signs"] = json!([]), "sign-removed breaking compatible")]
#[case::another(
    |file: &mut Value| file["revisions"][1]["signs"][0]["says"][0]["args"]["all"] = json!([10]),
    "sign-changed breaking compatible"
)]
#[case::new(|file: &mut Value| {
    let mut sign = file["revisions"][1]["signs"][0].clone();
    sign["about"] = json!("another");
    sign["says"][0]["args"]["all"] = json!([24]);
    file["revisions"][1]["signs"].as_array_mut().expect("signs").push(sign);
}, "sign-added breaking compatible")]
#[case::not_frozen(|file: &mut Value| file["revisions"][1]["frozen"] = json!(false), "revision-unfrozen compatible breaking")]
fn what_a_revision_is_known_by_and_kept_fast_by_needs_a_reason(#[case] edit: fn(&mut Value), #[case] due: &str) {
    let told = told("memory", REVISIONS, edit);
    assert!(!told.is_empty());
    assert!(told.iter().all(|(kind, _, needs_reason)| kind == due && *needs_reason), "{told:?}");
}

#[rstest]
#[case::the_day("schemas/memory/revisions.json", |file: &mut Value| file["revisions"][1]["date"] = json!("2025-02-08"))]
#[case::a_freedom("schemas/memory/contract.json", |file: &mut Value| _ = file["freedoms"].as_array_mut().expect("freedoms").remove(0))]
#[case::a_legal_answer("fixtures/memory/legal.json", |file: &mut Value| _ = file["legal"].as_array_mut().expect("legal answers").remove(0))]
fn what_nobody_relies_on_is_shown_too(#[case] file: &str, #[case] edit: fn(&mut Value)) {
    let told = told("memory", file, edit);
    assert!(!told.is_empty() && told.iter().all(|(.., needs_reason)| !needs_reason), "{told:?}");
}

/// A revision that others published is approved as a whole, once it has shipped.
#[test]
fn each_step_between_shipped_revisions_has_its_reason() {
    let all = Side::read(testing::root()).expect("contracts");
    for (key, now) in all.contracts.iter().filter(|(key, view)| key.revision() > 1 && view.revision.frozen) {
        for earlier in [1, key.revision() - 1] {
            let before = &all.contracts[&key.at(earlier)];
            let diff = Diff::between(before, now, &Seen::default());
            assert_eq!(diff.unapproved().count(), 0, "{} to {}", before.contract.key().full(), key.full());
        }
    }
}

#[test]
fn a_draft_is_not_approved_as_a_whole() {
    let folder = contracts(&["suite", "remnote"]);
    let file = "schemas/remnote/revisions.json";
    let unapproved = |edit: fn(&mut Value)| {
        let mut value = read(testing::root(), file);
        edit(&mut value["revisions"][1]);
        fs::write(folder.path().join(file), value.to_string()).expect("written");
        let side = Side::read(folder.path()).expect("contracts");
        let view = |key: &str| &side.contracts[&key.into()];
        Diff::between(view("remnote"), view("remnote@2"), &Seen::default()).unapproved().count()
    };
    assert_eq!(unapproved(|_| ()), 0);
    assert!(unapproved(|revision| revision["frozen"] = json!(false)) > 0);
    assert!(unapproved(|revision| revision["approved"] = json!(null)) > 0);
}
