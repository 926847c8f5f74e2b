//! Each mode as a whole: its header, its records, their order.

use super::{Store, call};
use rstest::rstest;
use std::fs;

#[rstest]
#[case("context", "context --note qp-a1b2 --note qp-3e7a --note qp-a1b2")]
#[case("context_with_body", "context --note qp-f14c --note qp-lone --with-body")]
#[case("prime", "prime")]
#[case("tree", "link tree qp-a1b2")]
#[case("tree_one_hop", "link tree qp-moc1 --direction out --max-hops 1")]
#[case("tree_no_hop", "link tree qp-a1b2 --max-hops 0")]
#[case("tree_in", "link tree qp-f14c --direction in")]
#[case("path", "link path qp-3e7a qp-moc1")]
#[case("path_against_the_links", "link path qp-3e7a qp-moc1 --direction in")]
#[case("path_not_found", "link path qp-3e7a qp-moc1 --direction out")]
#[case("path_too_long", "link path qp-3e7a qp-moc1 --max-hops 1")]
#[case("path_to_itself", "link path qp-3e7a qp-3e7a")]
#[case("list", "link list qp-a1b2")]
#[case("list_out", "link list qp-a1b2 --direction out")]
#[case("list_in", "link list qp-a1b2 --direction in")]
#[case("dump", "dump")]
fn answers(#[case] name: &str, #[case] arguments: &str) {
    let store = Store::sample();
    keep(name, arguments, &store.records(arguments));
    assert_eq!(store.records(arguments), store.records(arguments), "two runs give the same bytes");
}

#[rstest]
#[case("human_context", "context --note qp-a1b2 --with-body")]
#[case("human_prime", "prime")]
#[case("human_tree_cut", "link tree qp-a1b2 --max-chars 350")]
fn people_read(#[case] name: &str, #[case] arguments: &str) {
    keep(name, arguments, &Store::sample().call(arguments).out);
}

#[test]
fn json_holds_the_same_records() {
    let out = Store::sample().call("--format json link list qp-3e7a").out;
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    keep("json_list", "--format json link list qp-3e7a", &serde_json::to_string_pretty(&answer).unwrap());
}

#[rstest]
#[case("prime", "notes=0")]
#[case("dump", "notes=0 links=0 attachments=0")]
fn an_empty_store_is_a_store(#[case] arguments: &str, #[case] counts: &str) {
    let out = Store::empty().records(arguments);
    assert!(out.lines().next().unwrap().contains(counts), "{out}");
    assert!(!out.contains("\nN "), "{out}");
}

#[test]
fn the_store_is_found_from_below_and_named_from_there() {
    let store = Store::sample();
    let below = store.folder.path().join("one/two");
    fs::create_dir_all(&below).unwrap();
    let out = call(&below, "prime --format records").out;
    assert!(out.starts_with("H qipu=1 records=1 store=../../.qipu/ mode=prime "), "{out}");
    assert!(store.records("prime").starts_with("H qipu=1 records=1 store=.qipu/ mode=prime "));
}

#[test]
fn undated_notes_come_last_and_equal_times_go_by_id() {
    let store = Store::empty();
    store.note("qp-a", "title: A", "");
    store.note("qp-c", "title: C\ncreated: 2026-01-01T01:00:00+01:00", "");
    store.note("qp-b", "title: B\ncreated: 2026-01-01T00:00:00Z", "");
    let out = store.records("context --note qp-a --note qp-b --note qp-c");
    let ids: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("N ")).map(|rest| &rest[..4]).collect();
    assert_eq!(ids, ["qp-b", "qp-c", "qp-a"]);
}

#[test]
fn only_ten_notes_are_recent() {
    let store = Store::empty();
    for day in 10..25 {
        store.note(&format!("qp-{day}"), &format!("title: T\ncreated: 2026-01-{day}T00:00:00Z"), "");
    }
    let out = store.records("prime");
    assert_eq!(out.matches("\nN ").count(), 10);
    assert!(out.contains("\nN qp-15 ") && !out.contains("\nN qp-14 "), "{out}");
}

#[test]
fn undated_notes_fill_up_the_ten() {
    let store = Store::empty();
    for number in 0..10 {
        store.note(&format!("qp-u{number}"), "title: Undated", "");
    }
    store.note("qp-d", "title: Dated\ncreated: 2026-01-10T00:00:00Z", "");
    let out = store.records("prime");
    assert_eq!(out.matches("\nN ").count(), 10);
    assert!(out.contains("\nN qp-d ") && out.contains("\nN qp-u8 ") && !out.contains("\nN qp-u9 "), "{out}");
}

#[test]
fn a_note_may_link_to_itself() {
    let store = Store::empty();
    store.note("qp-a", "title: A", "[[qp-a]]");
    for mode in ["link list qp-a", "link list qp-a --direction in", "link tree qp-a"] {
        assert_eq!(store.records(mode).matches("\nE qp-a related qp-a inline\n").count(), 1, "{mode}");
    }
}

/// Compares an answer with the kept one, which shows the call above it.
fn keep(name: &str, arguments: &str, answer: &str) {
    insta::with_settings!({ description => arguments, omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, answer);
    });
}
