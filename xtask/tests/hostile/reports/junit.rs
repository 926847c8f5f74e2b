//! JUnit, as XML is.

use roxmltree::{Document, Node};
use std::collections::BTreeSet;

/// Sound XML; as many test cases as there are checks and problems of the run, each with a name of its own and at most one
/// outcome, and counted rightly.
pub(super) fn assert_whole(text: &str, cases: usize) {
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let all = named(root, "testcase");
    assert_eq!(all.len(), cases, "{text}");
    let names: BTreeSet<_> = all.iter().map(|case| (case.attribute("classname"), case.attribute("name"))).collect();
    assert_eq!(names.len(), cases, "{text}");
    for case in all {
        let outcomes = case.children().filter(Node::is_element).count();
        assert!(outcomes <= 1, "{text}");
    }
    for counted in named(root, "testsuite").into_iter().chain([root]) {
        for (name, tag) in [("tests", "testcase"), ("failures", "failure"), ("errors", "error")] {
            let count = counted.attribute(name).unwrap().parse::<usize>().unwrap();
            assert_eq!(count, named(counted, tag).len(), "{name}: {text}");
        }
    }
}

fn named<'d>(node: Node<'d, 'd>, name: &str) -> Vec<Node<'d, 'd>> {
    node.descendants().filter(|one| one.is_element() && one.tag_name().name() == name).collect()
}
