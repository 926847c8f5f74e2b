//! Rendering of rich text.

use crate::client::Client;
use crate::corpus::rem;
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case::plain(json!(["a", " ", { "text": "b" }]), "a b")]
#[case::bold(json!([{ "text": "b", "bold": true }]), "**b**")]
#[case::italic(json!([{ "text": "i", "italic": true }]), "*i*")]
#[case::both(json!([{ "text": "x", "bold": true, "italic": true }]), "***x***")]
#[case::code(json!([{ "text": "c", "code": true, "bold": true }]), "**`c`**")]
#[case::link(json!([{ "text": "l", "link": "https://e.example", "italic": true }]), "[*l*](https://e.example)")]
#[case::unmarked(json!([{ "text": "u", "underline": true, "highlight": true }]), "u")]
#[case::cloze(json!(["a ", { "text": "b", "cloze": true }]), "a b")]
#[case::latex(json!([{ "latex": "e^{i\\pi}" }]), "e^{i\\pi}")]
#[case::media(json!([{ "image": "" }, { "audio": "" }, { "drawing": true }]), "[image][audio][drawing]")]
#[case::picture(json!([{ "image": "A cat" }]), "A cat")]
#[case::gone(json!(["see ", { "rem": "gone" }]), "see [deleted reference]")]
#[case::nothing_marked(json!([{ "text": "", "bold": true, "link": "https://e.example" }]), "")]
#[case::reference(json!([{ "rem": "card" }]), "Front")]
#[case::twice(json!([{ "rem": "card" }, " & ", { "rem": "card" }]), "Front & Front")]
fn a_title_keeps_what_it_says(#[case] text: Value, #[case] title: &str) {
    let card = rem("card", "", json!({ "text": ["Front", { "delimiter": true }, "Back"] }));
    let mut client = Client::of(&[rem("x", "", json!({ "text": text })), card]);
    let item = client.read("x");
    assert_eq!((&item["title"], &item["headline"]), (&json!(title), &json!(title)));
}

#[rstest]
#[case::delimiter(json!({ "text": ["Q", { "delimiter": true }, "A"] }), "Q >> A")]
#[case::back(json!({ "text": ["Q"], "back": ["A"] }), "Q >> A")]
#[case::back_first(json!({ "text": ["Q", { "delimiter": true }, "other"], "back": ["A"] }), "Q >> A")]
#[case::empty_back(json!({ "text": ["Q", { "delimiter": true }, "A"], "back": [""] }), "Q >> A")]
#[case::no_back(json!({ "text": ["Q", { "delimiter": true }] }), "Q")]
#[case::no_front(json!({ "text": [{ "delimiter": true }, "A"] }), " >> A")]
#[case::two(json!({ "text": ["Q", { "delimiter": true }, "A", { "delimiter": true }, "B"] }), "Q >> AB")]
#[case::own_title(json!({ "text": ["Q"], "back": ["like ", { "rem": "x" }] }), "Q >> like Q")]
fn a_delimiter_splits_and_does_not_show(#[case] card: Value, #[case] headline: &str) {
    let mut client = Client::of(&[rem("x", "", card)]);
    assert_eq!(client.read("x")["headline"], headline);
}

#[test]
fn a_circle_ends_where_it_closes() {
    let pointing = |id: &str, to: &str| rem(id, "", json!({ "text": [id, ">", { "rem": to }] }));
    let mut client = Client::of(&[pointing("a", "b"), pointing("b", "c"), pointing("c", "b"), pointing("d", "d")]);
    assert_eq!(client.read("a")["title"], "a>b>c>[circular reference]");
    assert_eq!(client.read("b")["title"], "b>c>[circular reference]");
    assert_eq!(client.read("d")["title"], "d>[circular reference]");
}

#[test]
fn a_long_chain_of_references_is_followed_to_its_end() {
    let length = 20_000;
    let link = |n: usize| match n {
        0 => rem("r0", "the end", json!({})),
        n => rem(&format!("r{n}"), "", json!({ "text": [{ "rem": format!("r{}", n - 1) }] })),
    };
    let rems: Vec<_> = (0..length).map(link).collect();
    assert_eq!(Client::of(&rems).read(&format!("r{}", length - 1))["title"], "the end");
}
