//! Budgets are exact, cut between records, take as much as fits, and never give less for more.

use super::Store;
use rstest::rstest;

#[rstest]
#[case("context --note qp-a1b2 --note qp-3e7a --note qp-wide --with-body")]
#[case("link tree qp-a1b2")]
#[case("link list qp-a1b2")]
fn every_budget(#[case] arguments: &str) {
    let store = Store::sample();
    store.note("qp-wide", "title: 広い", "日本語。\n\n> 引用\n");
    let whole = store.records(arguments);
    let records = split(&whole);
    let mut before = 0;
    for budget in 0..=length(&whole) + 1 {
        let call = store.call(&format!("--format records {arguments} --max-chars {budget}"));
        let fitting = longest(&records, budget);
        assert_eq!(call.accepted, fitting.is_some(), "{budget}: {}", call.err);
        let Some(expected) = fitting else {
            assert_eq!(call.out, "", "a refusal prints no answer");
            assert!(call.err.starts_with(&format!("error: --max-chars {budget} is too small")), "{}", call.err);
            continue;
        };
        assert_eq!(call.out, expected, "{budget}");
        let count = split(&call.out).len();
        assert!(count >= before, "{budget} gives less than {}", budget - 1);
        before = count;
    }
    assert_eq!(before, records.len());
}

#[rstest]
#[case("human")]
#[case("json")]
fn other_forms_keep_the_budget_too(#[case] format: &str) {
    let store = Store::sample();
    let mut accepted = 0;
    for budget in (0..1200).step_by(37) {
        let call = store.call(&format!("--format {format} link tree qp-a1b2 --max-chars {budget}"));
        assert!(!call.accepted || length(&call.out) <= budget);
        accepted += usize::from(call.accepted);
    }
    assert!(accepted > 10);
}

/// The header and the records of an answer, a body block being one.
fn split(text: &str) -> Vec<String> {
    let mut records: Vec<String> = Vec::new();
    let mut in_body = false;
    for line in text.split_inclusive('\n') {
        match records.last_mut() {
            Some(body) if in_body => body.push_str(line),
            _ => records.push(line.to_owned()),
        }
        in_body = (in_body || line.starts_with("B ")) && line != "B-END\n";
    }
    records
}

/// What a budget allows, by trying every prefix from the longest on.
fn longest(records: &[String], budget: usize) -> Option<String> {
    (1..=records.len()).rev().find_map(|count| {
        let mut kept = records[..count].to_vec();
        if count < records.len() {
            kept[0] = kept[0].replace("truncated=false", "truncated=true");
        }
        let notes = kept.iter().filter(|record| record.starts_with("N ")).count();
        kept[0] = kept[0].replace("notes=3", &format!("notes={notes}"));
        let text = kept.concat();
        (length(&text) <= budget).then_some(text)
    })
}

fn length(text: &str) -> usize {
    text.chars().count()
}
