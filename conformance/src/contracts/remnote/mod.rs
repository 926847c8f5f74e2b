//! The remnote contract: outlines of bullets inside of JSON answers.

mod bullets;
mod shape;

use super::specifics::Specifics;
use crate::rules::{Rule, given, plain};

pub(super) const REMNOTE: Specifics =
    Specifics { name: "remnote", formats: &[], rules: RULES, picks: &[], shape: Some(&shape::Remnote) };

const RULES: &[Rule] = &[
    Rule { name: "counts-lines", selections: &["count", "of"], bind: |args| plain(args, bullets::counts_lines) },
    Rule {
        name: "cut-at-children",
        selections: &["value", "whole", "limit"],
        bind: |args| plain(args, bullets::cut_at_children),
    },
    Rule {
        name: "cut-at-depth",
        selections: &["value", "whole", "depth"],
        bind: |args| plain(args, bullets::cut_at_depth),
    },
    Rule { name: "no-empty-ends", selections: &["value"], bind: |args| plain(args, bullets::no_empty_ends) },
    Rule { name: "outline", selections: &["value"], bind: |args| given(args, bullets::outline) },
    Rule { name: "same-outline", selections: &["left", "right"], bind: |args| plain(args, bullets::same_outline) },
];
