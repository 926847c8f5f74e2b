//! Revisions in one tree: which views are compared, and what a revision that has shipped may not do unseen.

use crate::{MEMORY, add, all, diff, edit, replace, side, told, view, with_subjects};
use conformance::diff::{Diff, Pair, Reviewed, Seen, Standing};
use conformance::model::ContractKey;
use serde_json::{Value, json};

const FIRST: Pair = Pair { before: 1, now: 1 };
const SECOND: Pair = Pair { before: 2, now: 2 };
const STEP: Pair = Pair { before: 1, now: 2 };

fn find<'d>(diff: &'d Diff, kind: &str, subject: &str) -> &'d Reviewed {
    let found =
        diff.changes.iter().find(|one| (one.change.kind.as_str(), one.change.subject.as_str()) == (kind, subject));
    found.unwrap_or_else(|| panic!("no {kind} of {subject}: {:?}", with_subjects(diff)))
}

/// ADR-020 after ADR-017.
#[test]
fn two_revisions_of_memory() {
    let mut all = all();
    let before = view(&mut all, "memory").clone();
    let diff = Diff::between(&before, view(&mut all, "memory@2"), &Seen::default());
    assert_eq!((diff.before.as_str(), diff.now.as_str()), ("memory@1", "memory@2"));
    for (argument, says, beyond) in [
        ("top_ke", "`top_ke` may be integer 0 to 25 (integer 0 to 10 before)", 11),
        ("top_kc", "`top_kc` may be integer 1 to 10 (integer 1 to 3 before)", 4),
    ] {
        let one = find(&diff, "argument-range", &format!("search: {argument}"));
        assert_eq!(
            (told(&one.change).as_str(), one.change.says.as_str()),
            ("argument-range breaking compatible", says)
        );
        let document = &one.change.witness.as_ref().expect("a witness").document;
        let numbers = ["top_ke", "top_kc"].into_iter().filter(|name| document.get(*name).is_some());
        assert_eq!((numbers.collect::<Vec<_>>(), &document[argument]), (vec![argument], &json!(beyond)));
        assert_eq!((&one.revisions, &one.change.lacks), (&vec![STEP], &None), "cases ask for both ends");
    }
    for id in ["memory.most-entries", "memory.most-contexts"] {
        let one = find(&diff, "requirement-reworded", id);
        assert!(one.change.follows && one.change.asks.is_none(), "{one:?}");
    }
    let description = find(&diff, "check-changed", "cases/tools/numbers: memory.tool-top-ke-range");
    assert!(description.change.follows && description.change.breaks(), "{description:?}");
    let reasons = diff.changes.iter().filter(|one| one.standing != Standing::Free);
    let reasons: Vec<&str> = reasons.map(|one| one.change.subject.as_str()).collect();
    assert_eq!(reasons, ["search: top_kc", "search: top_ke"], "what follows a bound has the reason of the bound");
    assert_eq!(diff.unapproved().count(), 0, "changes.md gives the reason");
}

#[test]
fn a_new_revision_is_compared_with_the_one_before_it() {
    let now = all();
    let mut before = all();
    before.contracts.remove(&ContractKey::from("memory@2"));
    let diff = diff(&before, &now);
    let new = find(&diff, "revision-added", "memory@2");
    assert_eq!((new.change.says.as_str(), &new.revisions), ("the revision 2 (ADR-020) is new", &vec![STEP]));
    assert_eq!(find(&diff, "argument-range", "search: top_ke").revisions, [STEP]);
    assert!(diff.changes.iter().all(|one| one.revisions == [STEP]), "the first revision is what it was");
}

#[test]
fn a_revision_that_is_gone_breaks_its_clients() {
    let before = all();
    let mut now = all();
    now.contracts.remove(&ContractKey::from("memory@2"));
    let diff = diff(&before, &now);
    assert_eq!(with_subjects(&diff), [("revision-removed compatible breaking?".to_owned(), "memory@2")]);
    let Standing::Unapproved { missing } = &diff.changes[0].standing else { panic!("{:?}", diff.changes) };
    assert_eq!(missing, "it is not named under \"Erratum of revision 2\"");
}

#[test]
fn what_changes_in_several_revisions_alike_is_one_change() {
    let before = all();
    let mut now = all();
    edit(&mut now, MEMORY, &add("/properties/query/maxLength", json!(100)));
    let second = view(&mut now, "memory@2");
    second.schemas.get_mut("search.input.schema.json").expect("a schema")["properties"]["query"]["maxLength"] =
        json!(100);
    let diff = diff(&before, &now);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&diff)) };
    assert_eq!(one.revisions, [FIRST, SECOND]);
}

/// The list of a frozen revision holds sentences of advice and optional fields too, though they break nobody.
#[test]
fn a_frozen_revision_changes_by_an_erratum_alone() {
    let advice = |requirement: &Value| requirement["level"] == "should";
    let (before, mut now) = (side(), side());
    let contract = serde_json::to_value(&view(&mut now, "memory").contract).expect("JSON");
    let at = contract["requirements"].as_array().expect("requirements").iter().position(advice).expect("advice");
    let sentence = format!("/requirements/{at}/text");
    edit(&mut now, "memory/contract.json", &replace(&sentence, json!("It may be so.")));
    edit(&mut now, "memory/contract.json", &replace("/title", json!("Search")));
    let mut shipped = diff(&before, &now);
    let advice = find(&shipped, "requirement-reworded", view(&mut now, "memory").contract.requirements[at].id.as_str());
    assert!(!advice.change.breaks() && matches!(advice.standing, Standing::Unapproved { .. }), "{advice:?}");
    assert_eq!(find(&shipped, "wording", "title").standing, Standing::Free);
    let mut before = before;
    view(&mut before, "memory").revision.frozen = false;
    view(&mut now, "memory").revision.frozen = false;
    shipped = diff(&before, &now);
    assert_eq!(shipped.unapproved().count(), 0);
}
