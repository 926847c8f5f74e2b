//! The remnote contract: outlines of bullets inside of JSON answers.

mod bullets;
mod children;
mod hostile;
mod known;
mod legal;
mod limits;
mod lines;
mod nodes;
mod pairs;
mod picks;
mod shape;

use super::specifics::Specifics;
use crate::path::{Picker, picks as pick};
use crate::rules::{Rule, given, plain};

pub(super) const REMNOTE: Specifics = Specifics {
    name: "remnote",
    formats: &[],
    rules: RULES,
    picks: PICKS,
    functions: legal::FUNCTIONS,
    shape: Some(&shape::Remnote),
    hostile: Some(hostile::corpus),
};

const PICKS: &[Picker] = &[Picker::new("longest-content", |args| pick(args, picks::longest_content))];

const RULES: &[Rule] = &[
    Rule::new("counts-lines", &["count", "of"], |args| given(args, bullets::counts_lines)),
    Rule::new("cut-at-children", &["value", "whole", "limit"], |args| given(args, bullets::cut_at_children)),
    Rule::new("cut-at-depth", &["value", "whole", "depth"], |args| given(args, bullets::cut_at_depth)),
    Rule::new("first-children", &["value", "whole"], |args| plain(args, children::first_children_of_each)),
    Rule::new("no-empty-ends", &["value"], |args| plain(args, bullets::no_empty_ends)),
    Rule::new("nodes-as-listed", &["value"], |args| given(args, nodes::nodes_as_listed)),
    Rule::new("not-above-itself", &["value"], |args| plain(args, known::not_above_itself)),
    Rule::new("outline", &["value"], |args| given(args, bullets::outline)),
    Rule::new("parents-as-nested", &["value"], |args| plain(args, known::parents_as_nested)),
    Rule::new("parents-show", &["value", "children"], |args| given(args, known::parents_show)),
    Rule::new("same-nodes", &["left", "right"], |args| given(args, nodes::same_nodes)),
    Rule::new("same-outline", &["left", "right"], |args| given(args, bullets::same_outline)),
    Rule::new("within-limit", &["value", "limit"], |args| given(args, limits::within_limit)),
];
