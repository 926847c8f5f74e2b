//! That each of these checks can fail: small trees of files in which something is wrong.

use super::arrows::{cycles, upward};
use super::redaction;
use super::touch;
use super::tree::Tree;
use super::words::{Vocabulary, found};
use rstest::rstest;
use std::collections::{BTreeMap, BTreeSet};

fn tree(files: &[(&str, &str)]) -> Tree {
    Tree::of(&files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
}

/// Two layers, `low` below `high`, which has two files; `low` holds this code.
fn with_low(code: &str) -> Tree {
    tree(&[
        ("lib.rs", "pub mod low; pub mod high;"),
        ("low.rs", code),
        ("high/mod.rs", "mod part; pub use part::Part; pub fn high() {}"),
        (
            "high/part.rs",
            "pub struct Part; impl Part { pub fn new() {} } #[macro_export] macro_rules! part { () => {} }",
        ),
    ])
}

fn wrong(tree: &Tree) -> BTreeSet<String> {
    upward(tree, &["low".to_owned(), "high".to_owned()])
}

#[rstest]
#[case::an_import("use crate::high::Part;")]
#[case::of_several("use crate::{high::{high, Part}};")]
#[case::of_everything("use crate::high::*;")]
#[case::by_another_name("use crate::high as other; fn low() { other::high() }")]
#[case::by_super("use super::high::Part;")]
#[case::a_path_in_an_expression("fn low() { crate::high::high() }")]
#[case::a_path_in_a_type("fn low(_: crate::high::Part) {}")]
#[case::a_path_in_a_macro("fn low() { println!(\"{:?}\", [crate::high::Part::new()]) }")]
#[case::inside_of_a_function("fn low() { use crate::high::high; high() }")]
#[case::inside_of_a_module("mod inner { use super::super::high::Part; }")]
#[case::handed_on("pub use crate::high::Part;")]
fn an_upward_arrow_is_seen(#[case] code: &str) {
    assert_eq!(wrong(&with_low(code)), BTreeSet::from(["low -> high".to_owned()]));
}

#[rstest]
#[case::a_name_that_is_the_same(r"mod high {} use high::Part; struct Other;")]
#[case::a_text("/// [`crate::high::Part`]\nconst TEXT: &str = \"crate::high::Part\";")]
#[case::a_test("#[cfg(test)] mod tests { use crate::high::Part; }")]
#[case::a_variable("fn low(high: usize) -> usize { high }")]
fn what_is_no_arrow_is_not_one(#[case] code: &str) {
    assert_eq!(wrong(&with_low(code)), BTreeSet::new());
}

#[test]
fn a_way_through_a_third_module_is_seen() {
    let files = [
        ("lib.rs", ""),
        ("low.rs", "use crate::high::Thing;"),
        ("high.rs", "pub use crate::lowest::Thing;"),
        ("lowest.rs", "pub struct Thing;"),
    ];
    let layers = ["lowest", "low", "high"].map(str::to_owned);
    assert_eq!(upward(&tree(&files), &layers), BTreeSet::from(["low -> high".to_owned()]));
}

#[test]
fn every_module_has_a_layer_and_every_layer_is_one() {
    let layers = ["low", "old"].map(str::to_owned);
    let due = ["`high` has no layer", "the layer `old` is no module"];
    assert_eq!(upward(&with_low(""), &layers), due.into_iter().map(str::to_owned).collect());
}

#[rstest]
#[case::a_table_of_its_children(&[("a/mod.rs", "mod b; pub struct Row; const TABLE: [fn(); 1] = [b::row];"), ("a/b.rs", "use super::Row; pub fn row() {}")])]
#[case::neighbours(&[("a.rs", "use crate::b::B; pub struct A;"), ("b.rs", "use crate::a::A; pub struct B;")])]
#[case::around_three(&[("a.rs", "use crate::b::B; pub struct A;"), ("b.rs", "use crate::c::C; pub struct B;"), ("c.rs", "use crate::a::A; pub struct C;")])]
fn files_in_a_cycle_are_seen(#[case] files: &[(&str, &str)]) {
    let arrows = tree(files).arrows().into_iter().map(|arrow| (arrow.from, arrow.to));
    assert_eq!(cycles(arrows), [files.iter().map(|(name, _)| (*name).to_owned()).collect()]);
}

#[rstest]
#[case::a_folder_that_hands_on(&[("a/mod.rs", "mod b; mod c; pub use b::B; pub use c::*;"), ("a/b.rs", "use super::C; pub struct B;"), ("a/c.rs", "pub struct C;")])]
#[case::a_line(&[("a.rs", "use crate::b::B;"), ("b.rs", "use crate::c::C; pub struct B;"), ("c.rs", "pub struct C;")])]
fn files_in_no_cycle_are_not_reported(#[case] files: &[(&str, &str)]) {
    let arrows = tree(files).arrows().into_iter().map(|arrow| (arrow.from, arrow.to));
    assert_eq!(cycles(arrows), [] as [BTreeSet<String>; 0]);
}

#[rstest]
#[case::a_file("use std::fs; fn f() { fs::read(\"a\").ok(); }")]
#[case::in_full("fn f() { std::fs::read(\"a\").ok(); }")]
#[case::in_a_macro("fn f() { dbg!(std::env::var(\"A\").ok()); }")]
#[case::by_another_name("use std::time as when; fn f() { when::Instant::now(); }")]
#[case::a_method_of_a_path("fn f(p: &std::path::Path) -> bool { p.is_file() }")]
#[case::chance("fn f() -> std::hash::RandomState { todo!() }")]
#[case::a_clock("use chrono::Utc; fn f() { Utc::now(); }")]
fn a_touch_of_the_world_is_seen(#[case] code: &str) {
    let found: Vec<String> = touch::world(&tree(&[("a.rs", code)])).into_keys().collect();
    assert_eq!(found, ["a.rs"]);
}

#[rstest]
#[case::a_span_of_time("use std::time::Duration;")]
#[case::a_type_of_a_clock("use chrono::Utc; struct A(chrono::DateTime<Utc>);")]
#[case::a_module_of_the_same_name("mod fs { pub fn read() {} } fn f() { fs::read() }")]
#[case::a_test("#[cfg(test)] mod tests { use std::fs; }")]
fn what_touches_nothing_is_not_reported(#[case] code: &str) {
    assert_eq!(touch::world(&tree(&[("a.rs", code)])), BTreeMap::new());
}

#[rstest]
#[case::a_text("fn f() -> &'static str { \"the menu\" }", "menu")]
#[case::an_identifier("fn menu_of() {}", "menu")]
#[case::a_type("struct MenuLine;", "menu")]
#[case::in_a_macro("fn f() { println!(\"{}\", menu()) }", "menu")]
#[case::an_argument("const FIELD: &str = \"dish_name\";", "dish_name")]
fn a_word_of_a_contract_is_seen(#[case] code: &str, #[case] word: &str) {
    let vocabulary = Vocabulary {
        contracts: BTreeSet::from(["menu".to_owned()]),
        documents: BTreeSet::from(["dish_name".to_owned(), "of".to_owned()]),
    };
    let tree = tree(&[("a.rs", code), ("contracts/menu.rs", code)]);
    let found: Vec<_> = found(&tree, &vocabulary, "contracts/").into_keys().collect();
    assert_eq!(found, [("a.rs".to_owned(), word.to_owned())]);
}

#[rstest]
#[case::too_early(&[("judge.rs", "use crate::redact::Redactor;"), ("redact/mod.rs", "pub struct Redactor;")], "judge.rs redacts what may not be judged yet")]
#[case::never(&[("run.rs", "fn f() { judgement.finding(); }")], "run.rs keeps what it judged, and redacts nothing of it")]
fn redaction_at_the_wrong_place_is_seen(#[case] files: &[(&str, &str)], #[case] due: &str) {
    assert_eq!(redaction::found(&tree(files), &["run.rs", "targets/"]), BTreeSet::from([due.to_owned()]));
}

#[test]
fn redaction_in_its_place_is_not_reported() {
    let files = [
        ("run.rs", "use crate::redact::Redactor; fn f() { judgement.finding(); redactor.case(); }"),
        ("targets/mod.rs", "use crate::redact::Redactor;"),
        ("rejudge/stored.rs", "fn f() { judgement.finding(); }"),
        ("redact/mod.rs", "pub struct Redactor;"),
    ];
    assert_eq!(redaction::found(&tree(&files), &["run.rs", "targets/"]), BTreeSet::new());
}
