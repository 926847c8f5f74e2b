//! A line as a grammar has read it.

use pest::iterators::{Pair, Pairs};
use std::ops::Range;
use std::sync::Arc;

/// What a grammar has read of a line: the parts that its rules have found, without the text.
pub(super) struct Read(Vec<Node>);

struct Node {
    rule: Box<str>,
    /// In bytes.
    place: Range<usize>,
    within: Vec<Node>,
}

impl Read {
    pub(super) fn of(pairs: Pairs<'_, &str>) -> Self {
        Self(pairs.map(Node::of).collect())
    }
}

impl Node {
    fn of(pair: Pair<'_, &str>) -> Self {
        let place = pair.as_span().start()..pair.as_span().end();
        Self { rule: pair.as_rule().into(), place, within: pair.into_inner().map(Self::of).collect() }
    }
}

/// A line, and what it was read as.
pub(crate) struct Line<'i> {
    text: &'i str,
    read: Arc<Read>,
}

impl<'i> Line<'i> {
    pub(super) fn new(text: &'i str, read: Arc<Read>) -> Self {
        Self { text, read }
    }

    /// What the line is, where its rule has found anything.
    pub(crate) fn part(&self) -> Option<Part<'_>> {
        self.read.0.first().map(|node| Part { line: self.text, node })
    }
}

/// What a rule has read.
#[derive(Clone, Copy)]
pub(crate) struct Part<'l> {
    line: &'l str,
    node: &'l Node,
}

impl<'l> Part<'l> {
    /// The name of the rule.
    pub(crate) fn rule(self) -> &'l str {
        &self.node.rule
    }

    pub(crate) fn text(self) -> &'l str {
        &self.line[self.node.place.clone()]
    }

    /// The column where it begins, from 1.
    pub(crate) fn column(self) -> usize {
        self.line[..self.node.place.start].chars().count() + 1
    }

    /// What other rules have read within.
    pub(crate) fn within(self) -> impl ExactSizeIterator<Item = Self> {
        self.node.within.iter().map(move |node| Self { line: self.line, node })
    }
}
