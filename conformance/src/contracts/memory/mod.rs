//! The memory contract: JSON answers, so what a description of its tool tells, and random corpora.

mod hostile;
mod legal;
mod meanings;
mod numbers;
mod shape;
mod words;

use super::specifics::Specifics;
use crate::rules::{Rule, given, plain};

pub(super) const MEMORY: Specifics = Specifics {
    name: "memory",
    formats: &[],
    rules: RULES,
    picks: &[],
    functions: legal::FUNCTIONS,
    shape: Some(&shape::Memory),
    hostile: Some(hostile::corpus),
};

const RULES: &[Rule] = &[
    Rule::new("argument-says", &["value"], |args| given(args, numbers::argument_says)),
    Rule::new("explains-fields", &["value"], |args| given(args, meanings::explains_fields)),
    Rule::new("names-fields", &["value"], |args| given(args, meanings::names_fields)),
    Rule::new("says-order", &["value"], |args| plain(args, words::says_order)),
    Rule::new("says-time", &["value"], |args| plain(args, words::says_time)),
    Rule::new("says-why-time", &["value"], |args| plain(args, meanings::says_why_time)),
];
