//! The records contract: line records for context injection, and packs that carry a whole store.

mod budget;
mod fields;
mod flags;
mod hops;
mod hostile;
mod legal;
mod lines;
mod links;
mod measure;
mod order;
mod pack;
mod picks;
mod raw;
mod shape;

use super::specifics::Specifics;
use crate::format::Format;
use crate::path::{Picker, picks};
use crate::rules::{Rule, given, plain};

pub(super) const RECORDS: Specifics = Specifics {
    name: "records",
    formats: &[Format { name: "records", parse: lines::parse }, Format { name: "pack", parse: pack::parse }],
    rules: RULES,
    picks: &[Picker::new("record-ends", |args| picks(args, picks::record_ends))],
    functions: legal::FUNCTIONS,
    shape: Some(&shape::Records),
    hostile: Some(hostile::corpus),
};

const RULES: &[Rule] = &[
    Rule::new("after-its-note", &["value"], |args| given(args, order::after_its_note)),
    Rule::new("complete-when-it-fits", OUTPUTS, |args| given(args, budget::complete_when_it_fits)),
    Rule::new("lines-of-bodies", &["value"], |args| given(args, raw::lines_of_bodies)),
    Rule::new("linked", &["value"], |args| given(args, links::linked)),
    Rule::new("longest-prefix", OUTPUTS, |args| plain(args, budget::longest_prefix)),
    Rule::new("never-less", &["value"], |args| given(args, budget::never_less)),
    Rule::new("parts-of-titles", &["value"], |args| given(args, raw::parts_of_titles)),
    Rule::new("record-prefix", &["cut", "full"], |args| plain(args, budget::record_prefix)),
    Rule::new("refused-or-same", &["left", "right"], |args| plain(args, flags::refused_or_same)),
    Rule::new("shorter", &["lines", "text"], |args| plain(args, budget::shorter)),
    Rule::new("tells-truncation", &["truncated", "header", "cut", "full", "lines", "whole", "budget"], |args| {
        given(args, budget::tells_truncation)
    }),
    Rule::new("within-hops", &["root", "hops", "notes", "edges"], |args| plain(args, hops::within_hops)),
    Rule::new("whole-records", OUTPUTS, |args| plain(args, budget::whole_records)),
];

/// The records and lines with a budget and without, and the budget.
const OUTPUTS: &[&str] = &["cut", "full", "lines", "whole", "budget"];
