//! The subtree of a Rem as markdown or as nodes, within the limits of the call.

use super::corpus::Corpus;
use super::item::{Label, back, title};
use super::rem::{Rem, RemType};
use super::variant::Variant;
use serde::Serialize;
use std::collections::HashSet;

/// The largest total; counting stops there.
const LARGEST_TOTAL: usize = 2000;

/// How much of a subtree is rendered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Levels below the Rem.
    pub(crate) depth: usize,
    /// Children of one node.
    pub(crate) child_limit: usize,
    /// UTF-16 code units of markdown, line ends included.
    pub(crate) max_content_length: usize,
}

/// The subtree as text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Markdown {
    content: String,
    content_properties: ContentProperties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ContentProperties {
    children_rendered: usize,
    children_total: usize,
    content_truncated: bool,
}

/// One Rem of the subtree, with its own subtree.
#[derive(Serialize)]
pub(crate) struct Node {
    #[serde(flatten)]
    label: Label,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Node>,
}

/// Renders the subtree as an indented list, one line a Rem. The first line that does not fit ends it.
pub(crate) fn markdown(corpus: &Corpus, rem: &Rem, limits: Limits) -> Markdown {
    let mut content = String::new();
    let (mut length, mut rendered, mut truncated) = (0, 0, false);
    for (level, headline) in lines(&nodes(corpus, rem, limits)) {
        let line = format!("{}- {}\n", "  ".repeat(level), on_one_line(headline));
        length += line.encode_utf16().count();
        truncated = length > limits.max_content_length;
        if truncated {
            break;
        }
        content.push_str(&line);
        rendered += 1;
    }
    let content_properties = ContentProperties {
        children_rendered: rendered,
        children_total: total(corpus, rem),
        content_truncated: truncated,
    };
    Markdown { content, content_properties }
}

/// The children of a Rem with theirs, as deep as was asked for.
pub(crate) fn nodes(corpus: &Corpus, rem: &Rem, limits: Limits) -> Vec<Node> {
    let most = if corpus.variant == Some(Variant::ChildLimitOfAll) { limits.child_limit } else { usize::MAX };
    below(corpus, rem, limits.depth, limits.child_limit, &mut Rendered { ids: HashSet::from([rem.id.as_str()]), most })
}

/// What is rendered of a tree already.
struct Rendered<'a> {
    ids: HashSet<&'a str>,
    /// How many more Rems may be.
    most: usize,
}

/// No Rem is rendered twice, so that circles end. The depth that may be asked for bounds the recursion.
fn below<'a>(
    corpus: &'a Corpus,
    rem: &'a Rem,
    depth: usize,
    child_limit: usize,
    rendered: &mut Rendered<'a>,
) -> Vec<Node> {
    if depth == 0 {
        return Vec::new();
    }
    let mut nodes = Vec::new();
    for child in renderable(corpus, rem, child_limit) {
        if rendered.most > 0 && rendered.ids.insert(&child.id) {
            rendered.most -= 1;
            let label = Label::of(corpus, child);
            nodes.push(Node { label, children: below(corpus, child, depth - 1, child_limit, rendered) });
        }
    }
    nodes
}

/// Level and headline of every node, depth first.
fn lines(nodes: &[Node]) -> Vec<(usize, &str)> {
    let mut lines = Vec::new();
    let mut waiting: Vec<_> = nodes.iter().rev().map(|node| (0, node)).collect();
    while let Some((level, node)) = waiting.pop() {
        lines.push((level, node.label.headline.as_str()));
        waiting.extend(node.children.iter().rev().map(|child| (level + 1, child)));
    }
    lines
}

fn on_one_line(headline: &str) -> String {
    headline.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

/// How many Rems of the whole subtree could be rendered, whatever the limits.
fn total(corpus: &Corpus, rem: &Rem) -> usize {
    let mut seen = HashSet::from([rem.id.as_str()]);
    let mut waiting = vec![rem];
    while let Some(rem) = waiting.pop() {
        for child in renderable(corpus, rem, usize::MAX) {
            if seen.insert(&child.id) {
                waiting.push(child);
            }
        }
    }
    (seen.len() - 1).min(LARGEST_TOTAL)
}

/// The children that are rendered: no rows, the first ones, and no empty leaves at their end.
fn renderable<'a>(corpus: &'a Corpus, rem: &'a Rem, child_limit: usize) -> Vec<&'a Rem> {
    let mut children: Vec<_> = visible_children(corpus, rem).take(child_limit).collect();
    while children.pop_if(|last| is_empty_leaf(corpus, last)).is_some() {}
    children
}

fn visible_children<'a>(corpus: &'a Corpus, rem: &'a Rem) -> impl Iterator<Item = &'a Rem> {
    rem.children.iter().filter_map(|id| corpus.rem(id)).filter(|child| !child.is_row())
}

/// A text Rem that says nothing, with nothing below it that says something.
fn is_empty_leaf(corpus: &Corpus, rem: &Rem) -> bool {
    let mut seen = HashSet::from([rem.id.as_str()]);
    let mut waiting = vec![rem];
    while let Some(rem) = waiting.pop() {
        if rem.rem_type() != RemType::Text || !title(corpus, rem).is_empty() || back(corpus, rem).is_some() {
            return false;
        }
        waiting.extend(visible_children(corpus, rem).filter(|child| seen.insert(&child.id)));
    }
    true
}
