//! What once went by unseen, or was told as something else than it is.

use crate::{ANSWER, MEMORY, RECALL, SEARCH, add, diff, edit, remove, replace, side, told, view, with_subjects};
use conformance::diff::{Diff, Reviewed, Seen, Side, Standing};
use conformance::model::{Equals, Select};
use rstest::rstest;
use serde_json::{Value, json};

const CONTRACT: &str = "memory/contract.json";

fn diff_with(before: &Side, now: &Side, seen: &Seen) -> Diff {
    Diff::of(("before", before), ("now", now), seen)
}

/// What is found of a kind.
fn of_kind<'d>(diff: &'d Diff, kind: &str) -> Vec<&'d Reviewed> {
    diff.changes.iter().filter(|one| one.change.kind == kind).collect()
}

fn document<'d>(diff: &'d Diff, subject: &str) -> &'d Value {
    let one = diff.changes.iter().find(|one| one.change.subject == subject).expect("a change");
    &one.change.witness.as_ref().unwrap_or_else(|| panic!("no witness of {subject}")).document
}

/// Where a requirement of memory stands in its file.
fn requirement(side: &mut Side, id: &str) -> String {
    let all = &view(side, "memory").contract.requirements;
    format!("/requirements/{}", all.iter().position(|one| one.id == id).expect("a requirement"))
}

#[test]
fn a_sentence_that_is_turned_round_is_a_question_to_its_author() {
    let (mut before, mut now) = (side(), side());
    view(&mut before, "memory").revision.frozen = false;
    view(&mut now, "memory").revision.frozen = false;
    let text = format!("{}/text", requirement(&mut now, "memory.retired-top-k"));
    edit(&mut now, CONTRACT, &replace(&text, json!("`topK` says how many results come.")));
    let diff = diff(&before, &now);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&diff)) };
    assert_eq!(told(&one.change), "requirement-reworded editorial editorial");
    let asks = one.change.asks.as_deref().expect("a question");
    assert!(asks.starts_with("say that it means the same"), "{asks}");
    assert!(matches!(one.standing, Standing::Unapproved { .. }), "{one:?}");
}

#[test]
fn a_case_that_moves_does_not_hide_a_check_that_changed() {
    let (before, mut now) = (side(), side());
    let memory = view(&mut now, "memory");
    let mut case = memory.cases.remove("answer/nothing-found").expect("a case");
    case.about = "It moved.".to_owned();
    case.checks[0].equals.as_mut().expect("a comparison").0 = json!("refused");
    memory.cases.insert("elsewhere/none".to_owned(), case);
    let diff = diff(&before, &now);
    let due = [
        ("check-changed breaking breaking".to_owned(), "cases/elsewhere/none: memory.nothing-found"),
        ("case-renamed editorial editorial".to_owned(), "cases/answer/nothing-found"),
        ("wording editorial editorial".to_owned(), "cases/elsewhere/none"),
    ];
    assert_eq!(with_subjects(&diff), due);
}

#[test]
fn a_check_that_moves_to_another_case_is_still_compared() {
    let (before, mut now) = (side(), side());
    let memory = view(&mut now, "memory");
    let mut check = memory.cases.get_mut("answer/nothing-found").expect("a case").checks.remove(0);
    check.equals.as_mut().expect("a comparison").0 = json!("refused");
    memory.cases.get_mut("request/offered").expect("a case").checks.push(check);
    let diff = diff(&before, &now);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&diff)) };
    assert_eq!(told(&one.change), "check-changed breaking breaking");
    assert!(one.change.says.ends_with("it was judged in cases/answer/nothing-found"), "{}", one.change.says);
}

/// A recorded call that asks for more of both would be the first witness of either.
#[test]
fn a_witness_shows_one_change() {
    let (before, mut now) = (side(), side());
    edit(&mut now, MEMORY, &replace("/properties/top_ke/maximum", json!(25)));
    edit(&mut now, MEMORY, &replace("/properties/top_kc/maximum", json!(10)));
    let mut seen = Seen::default();
    let both = json!({ "memoryId": "", "query": "", "top_ke": 11, "top_kc": 4 });
    seen.arguments.insert(("memory".to_owned(), "search".to_owned()), vec![both]);
    let diff = diff_with(&before, &now, &seen);
    for (subject, own, other) in [("search: top_ke", "top_ke", "top_kc"), ("search: top_kc", "top_kc", "top_ke")] {
        let document = document(&diff, subject);
        assert!(document.get(own).is_some() && document.get(other).is_none(), "{subject}: {document}");
    }
}

#[test]
fn a_witness_of_one_default_says_the_other_one() {
    let (before, mut now) = (side(), side());
    edit(&mut now, MEMORY, &replace("/properties/top_ke/default", json!(7)));
    edit(&mut now, MEMORY, &replace("/properties/top_kc/default", json!(3)));
    let diff = diff(&before, &now);
    let document = document(&diff, "search: top_ke");
    assert!(document.get("top_ke").is_none() && document.get("top_kc").is_some(), "{document}");
}

/// No call is right before and now: what shows a change alone is judged as if the other one had not been made.
#[test]
fn a_witness_shows_one_change_where_nothing_suits_both_sides() {
    let (before, mut now) = (side(), side());
    edit(&mut now, MEMORY, &add("/properties/sort", json!({ "type": "string" })));
    edit(&mut now, MEMORY, &add("/required/-", json!("sort")));
    edit(&mut now, MEMORY, &replace("/properties/top_ke/maximum", json!(25)));
    let diff = diff(&before, &now);
    let one = of_kind(&diff, "argument-range")[0];
    let witness = one.change.witness.as_ref().expect("a witness");
    assert_eq!(
        (&witness.document["top_ke"], witness.shows.as_str()),
        (&json!(11), "refused before, accepted now, by this change alone")
    );
    let added = document(&diff, "search: sort");
    assert!(added.get("top_ke").is_none_or(|number| number.as_i64() <= Some(10)), "{added}");
}

#[test]
fn a_witness_of_a_list_shows_nothing_of_its_elements() {
    let (before, mut now) = (side(), side());
    edit(&mut now, ANSWER, &replace("/properties/contexts/maxItems", json!(2)));
    edit(
        &mut now,
        ANSWER,
        &replace("/properties/entries/items/properties/creationTime/type", json!(["string", "null"])),
    );
    let diff = diff(&before, &now);
    assert!(!document(&diff, "search: contexts").to_string().contains("\"creationTime\":null"), "{diff:?}");
    let contexts = document(&diff, "search: entries[].creationTime")["contexts"].as_array().map(Vec::len);
    assert!(contexts.is_none_or(|some| some <= 2), "{diff:?}");
}

/// Memory with its times judged by a schema, not by a rule.
fn judged_by_schema() -> Side {
    let mut now = side();
    let all = view(&mut now, "memory").always.as_mut().expect("checks");
    let time =
        all.checks.iter_mut().find(|one| one.check.requirement == "memory.entry-creation-time").expect("a check");
    time.check.rule = None;
    time.check.args.clear();
    let time = &mut time.check.schema;
    *time = Some(
        json!({ "required": ["creationTime"], "properties": { "creationTime": { "type": "string", "format": "date-time" } } }),
    );
    now
}

#[test]
fn a_rule_that_becomes_a_schema_is_tried_before_it_is_called_breaking() {
    let (before, now) = (side(), judged_by_schema());
    for (before, now, shows) in [(&before, &now, "right before, wrong now"), (&now, &before, "right before, wrong now")]
    {
        let diff = diff(before, now);
        let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&diff)) };
        assert_eq!(told(&one.change), "check-changed breaking breaking", "times of counterexamples tell them apart");
        assert_eq!(one.change.witness.as_ref().map(|witness| witness.shows.as_str()), Some(shows));
    }
}

#[test]
fn a_rule_that_says_what_the_schema_says_is_suspected() {
    let (before, mut now) = (side(), side());
    let all = view(&mut now, "memory").always.as_mut().expect("checks");
    let gone = all.checks.iter_mut().find(|one| one.check.rule.as_deref() == Some("absent")).expect("a check");
    gone.check.rule = None;
    gone.check.schema = Some(json!(false));
    let suspected = diff(&before, &now);
    let [one] = suspected.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&suspected)) };
    assert_eq!(told(&one.change), "check-changed breaking breaking?");
    assert!(one.change.says.ends_with("judged alike"), "{}", one.change.says);
}

#[test]
fn a_recorded_exchange_tells_what_counterexamples_do_not() {
    let (mut before, mut now) = (side(), side());
    for (side, most) in [(&mut before, 3), (&mut now, 2)] {
        let all = view(side, "memory").always.as_mut().expect("checks");
        let count = all.checks.iter_mut().find(|one| one.check.requirement == "memory.count-entries").expect("a check");
        count.check.rule = None;
        count.check.select = Select::One("@.answer.body.contexts[*].rank".to_owned());
        match most {
            3 => count.check.schema = Some(json!({ "maximum": 3 })),
            _ => count.check.equals = Some(Equals(json!(2))),
        }
    }
    let alike = diff(&before, &now);
    assert_eq!(told(&alike.changes[0].change), "check-changed breaking breaking?");
    let mut seen = Seen::default();
    let exchange = json!({ "status": "accepted", "answer": { "body": { "contexts": [{ "rank": 3 }] } } });
    seen.exchanges.insert("memory".to_owned(), vec![exchange]);
    let diff = diff_with(&before, &now, &seen);
    let change = &diff.changes[0].change;
    let shows = change.witness.as_ref().map(|witness| witness.shows.as_str());
    assert_eq!((told(change).as_str(), shows), ("check-changed breaking compatible", Some("right before, wrong now")));
}

#[rstest]
#[case::a_comment("line    =", "// Where a line begins.\nline    =", "wording editorial editorial", None)]
#[case::the_same_otherwise("ASCII_DIGIT+", "ASCII_DIGIT ~ ASCII_DIGIT*", "grammar editorial editorial", None)]
#[case::a_state_less(" | \"RESOLVED\"", "", "grammar breaking breaking", Some("[R1] (RESOLVED) The mill"))]
fn a_grammar_is_compared_by_what_it_reads(
    #[case] was: &str,
    #[case] is: &str,
    #[case] due: &str,
    #[case] shown: Option<&str>,
) {
    let (before, mut now) = (side(), side());
    let grammar = view(&mut now, "outline").grammars.get_mut("outline.pest").expect("a grammar");
    assert!(grammar.contains(was), "{grammar}");
    *grammar = grammar.replacen(was, is, 1);
    let mut seen = Seen::default();
    let lines = json!({ "lines": ["[R1] (RESOLVED) The mill", "[R22] (OPEN) The school"] });
    seen.exchanges.insert("outline".to_owned(), vec![lines]);
    let diff = diff_with(&before, &now, &seen);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&diff)) };
    let shows = one.change.witness.as_ref().and_then(|witness| witness.document.as_str());
    assert_eq!((told(&one.change).as_str(), shows), (due, shown));
    assert_eq!(one.change.asks.is_some(), one.change.kind == "grammar" && shown.is_none(), "{one:?}");
}

#[rstest]
#[case::nobody_goes_there(SEARCH, "limit", 400, Some("no case calls search with a `limit` above 150 up to 400"))]
#[case::cases_are_made_of_the_keyword(MEMORY, "top_ke", 25, None)]
fn a_bound_that_no_case_reaches_is_told(
    #[case] file: &str,
    #[case] argument: &str,
    #[case] maximum: u32,
    #[case] due: Option<&str>,
) {
    let (before, mut now) = (side(), side());
    edit(&mut now, file, &replace(&format!("/properties/{argument}/maximum"), json!(maximum)));
    let found = diff(&before, &now);
    let [one] = found.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&found)) };
    assert_eq!(one.change.lacks.as_deref(), due);
    let back = diff(&now, &before);
    assert_eq!(back.changes[0].change.lacks.as_deref(), due, "a lowered bound");
}

#[test]
fn a_bound_that_a_case_reaches_lacks_nothing() {
    let (before, mut now) = (side(), side());
    edit(&mut now, SEARCH, &replace("/properties/limit/maximum", json!(400)));
    let case =
        view(&mut now, "remnote").cases.values_mut().find(|case| case.steps.iter().any(|step| step.call == "search"));
    let step = case.expect("a case").steps.iter_mut().find(|step| step.call == "search").expect("a step");
    step.with.insert("limit".to_owned(), json!(151));
    let diff = diff(&before, &now);
    assert_eq!(of_kind(&diff, "argument-range")[0].change.lacks, None);
}

#[test]
fn the_only_check_of_what_binds_is_missed() {
    let (before, mut now) = (side(), side());
    edit(&mut now, "memory/cases/answer/nothing-found", &remove("/checks/0"));
    let diff = diff(&before, &now);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&diff)) };
    assert_eq!(told(&one.change), "requirement-unjudged compatible breaking");
    assert_eq!(one.change.subject, "memory.nothing-found");
}

#[test]
fn the_case_with_the_only_check_of_what_binds_is_missed() {
    let (before, mut now) = (side(), side());
    view(&mut now, "memory").cases.remove("answer/nothing-found");
    let diff = diff(&before, &now);
    let due = [
        ("requirement-unjudged compatible breaking".to_owned(), "memory.nothing-found"),
        ("case-removed compatible compatible".to_owned(), "cases/answer/nothing-found"),
    ];
    assert_eq!(with_subjects(&diff), due);
}

#[test]
fn a_renamed_requirement_is_one_change() {
    let (before, mut now) = (side(), side());
    let at = requirement(&mut now, "memory.nothing-found");
    edit(&mut now, CONTRACT, &replace(&format!("{at}/id"), json!("memory.found-none")));
    edit(&mut now, "memory/cases/answer/nothing-found", &replace("/checks/0/requirement", json!("memory.found-none")));
    let found = diff(&before, &now);
    assert_eq!(
        with_subjects(&found),
        [("requirement-renamed compatible compatible".to_owned(), "memory.nothing-found")]
    );
    assert!(found.changes[0].change.says.contains("\"formerly\": [\"memory.nothing-found\"]"), "{found:?}");
    // Its words change too: the checks, and what it was called, still tell which one it is.
    edit(&mut now, CONTRACT, &replace(&format!("{at}/text"), json!("Nothing is found, and that is an answer.")));
    let found = diff(&before, &now);
    let due = [
        ("requirement-reworded editorial editorial".to_owned(), "memory.found-none"),
        ("requirement-renamed compatible compatible".to_owned(), "memory.nothing-found"),
    ];
    let mut told = with_subjects(&found);
    told.sort_by_key(|(_, subject)| *subject);
    assert_eq!(told, due);
}

#[test]
fn a_renamed_argument_is_one_change() {
    let (before, mut now) = (side(), side());
    let file = "remnote/search-by-tag.input.schema.json";
    let tag = json!({ "type": "string", "minLength": 1, "description": "The id of the tag." });
    edit(&mut now, file, &remove("/properties/tag"));
    edit(&mut now, file, &add("/properties/tagRemId", tag));
    edit(&mut now, file, &replace("/required", json!(["tagRemId"])));
    for case in view(&mut now, "remnote").cases.values_mut() {
        for step in case.steps.iter_mut().filter(|step| step.call == "search-by-tag") {
            if let Some(tag) = step.with.remove("tag") {
                step.with.insert("tagRemId".to_owned(), tag);
            }
        }
    }
    let diff = diff(&before, &now);
    let [one] = diff.changes.iter().filter(|one| one.change.breaks()).collect::<Vec<_>>()[..] else {
        panic!("one breaking change: {:?}", with_subjects(&diff))
    };
    assert_eq!(
        (told(&one.change).as_str(), one.change.subject.as_str()),
        ("argument-renamed breaking breaking", "search-by-tag: tag")
    );
    assert!(of_kind(&diff, "case-changed").len() <= 3, "{:?}", with_subjects(&diff));
}

#[test]
fn a_renamed_heading_is_one_change() {
    let (before, mut now) = (side(), side());
    let (was, is) = ("Parameters (screenpipe-aligned semantics)", "Arguments");
    let contract = &mut view(&mut now, "recall").contract;
    let sections = contract.sections.iter_mut().chain(contract.requirements.iter_mut().map(|one| &mut one.section));
    let sections = sections.chain(contract.excluded.iter_mut().map(|one| &mut one.section));
    sections.filter(|section| *section == was).for_each(|section| is.clone_into(section));
    let diff = diff(&before, &now);
    let [one] = diff.changes.as_slice() else { panic!("one change: {:?}", with_subjects(&diff)) };
    assert_eq!((told(&one.change).as_str(), one.change.subject.as_str()), ("section-renamed editorial editorial", was));
    assert!(one.change.requirements.len() > 20, "{one:?}");
}

/// The defaults of recall are none of memory's: what is said of one contract stays there.
#[test]
fn contracts_are_told_apart() {
    let (before, mut now) = (side(), side());
    edit(&mut now, RECALL, &replace("/properties/offset/default", json!(1)));
    edit(&mut now, MEMORY, &replace("/properties/top_ke/default", json!(7)));
    let diff = diff(&before, &now);
    let contracts: Vec<&str> = diff.changes.iter().map(|one| one.change.contract.as_str()).collect();
    assert_eq!(contracts, ["memory", "recall"]);
}
