//! The outline contract: record trees as indented text, beside the JSON that they stand for.

mod agrees;
mod bundle;
mod format;
mod shape;
mod tokens;

use super::specifics::Specifics;
use crate::format::Format;
use crate::rules::{Rule, given, plain};

pub(super) const OUTLINE: Specifics = Specifics {
    name: "outline",
    formats: &[Format { name: "outline", parse: format::parse }],
    rules: RULES,
    picks: &[],
    shape: Some(&shape::Outline),
};

const RULES: &[Rule] = &[
    Rule {
        name: "bundle-agrees",
        selections: &["bundle", "id", "full"],
        bind: |args| given(args, bundle::bundle_agrees),
    },
    Rule { name: "half-the-tokens", selections: &["lines", "full"], bind: |args| plain(args, tokens::half_the_tokens) },
    Rule { name: "outline-agrees", selections: &["outline", "full"], bind: |args| given(args, agrees::outline_agrees) },
    Rule { name: "outline-text", selections: &["value"], bind: |args| plain(args, agrees::outline_text) },
];
