//! The page, as a browser reads it.

use super::MARK;
use scraper::{Html, Node, Selector};

/// The attributes that each element of the page may have.
const ELEMENTS: &[(&str, &str)] = &[
    ("html", "lang"),
    ("head", ""),
    ("meta", "charset name content http-equiv"),
    ("title", ""),
    ("style", ""),
    ("body", ""),
    ("header", ""),
    ("h1", ""),
    ("h2", ""),
    ("p", "class id role hidden"),
    ("strong", ""),
    ("main", ""),
    ("table", "class"),
    ("caption", ""),
    ("thead", ""),
    ("tbody", ""),
    ("tr", ""),
    ("th", "scope class"),
    ("td", "class"),
    ("a", "href"),
    ("div", "class aria-hidden"),
    ("span", "class style"),
    ("form", "class role"),
    ("label", "class"),
    ("input", "type id placeholder autocomplete name value checked"),
    ("fieldset", ""),
    ("legend", ""),
    ("button", "type id class"),
    ("section", "class id"),
    ("details", "class id data-outcome data-cases open"),
    ("summary", ""),
    ("code", ""),
    ("pre", "class"),
    ("del", ""),
    ("ins", ""),
    ("ul", "class"),
    ("li", "id"),
    ("nav", "class id aria-label"),
    ("dl", "class"),
    ("dt", ""),
    ("dd", ""),
    ("script", ""),
];

/// Sound HTML of the elements that the page is made of, whose only script is ours, that loads nothing, leads nowhere else,
/// and holds evidence as text alone.
pub(super) fn assert_whole(page: &str, code: i32) {
    assert!(page.ends_with("</html>"), "{page}");
    let read = Html::parse_document(page);
    assert!(read.errors.is_empty(), "{:?}", read.errors);
    for node in read.tree.values() {
        match node {
            Node::Element(element) => {
                let (name, attributes) = (element.name(), element.attrs().collect::<Vec<_>>());
                let known = ELEMENTS.iter().find(|(known, _)| *known == name);
                let (_, allowed) = known.unwrap_or_else(|| panic!("<{name}> stands in the page"));
                for (attribute, value) in attributes {
                    assert!(allowed.split(' ').any(|one| one == attribute), "<{name} {attribute}={value:?}>");
                    assert!(!value.contains(MARK), "<{name} {attribute}={value:?}>");
                    let leads_elsewhere = attribute == "href" && !value.starts_with('#');
                    let is_odd_style = attribute == "style" && !value.starts_with("width:");
                    assert!(!leads_elsewhere && !is_odd_style, "<{name} {attribute}={value:?}>");
                }
            }
            Node::Comment(comment) => panic!("a comment stands in the page: {}", &**comment),
            _ => {}
        }
    }
    let text_of = |name: &str| {
        let selector = Selector::parse(name).unwrap();
        read.select(&selector).map(|one| one.text().collect()).collect::<Vec<String>>()
    };
    assert_eq!(text_of("script"), [include_str!("../../../../conformance/src/report/html/page.js")]);
    assert_eq!(text_of("style"), [include_str!("../../../../conformance/src/report/html/page.css")]);
    assert!(text_of("p.conclusion")[0].ends_with(&format!("exit code {code}")), "{page}");
}
