//! The records contract: line records for context injection, and packs that carry a whole store.

mod budget;
mod fields;
mod lines;
mod order;
mod pack;
mod picks;
mod shape;

use super::specifics::Specifics;
use crate::format::Format;
use crate::path::{Picker, picks};
use crate::rules::{Rule, given, plain};

pub(super) const RECORDS: Specifics = Specifics {
    name: "records",
    formats: &[Format { name: "records", parse: lines::parse }, Format { name: "pack", parse: pack::parse }],
    rules: RULES,
    picks: &[Picker { name: "record-ends", bind: |args| picks(args, picks::record_ends) }],
    shape: Some(&shape::Records),
};

const RULES: &[Rule] = &[
    Rule { name: "after-its-note", selections: &["value"], bind: |args| given(args, order::after_its_note) },
    Rule {
        name: "complete-when-it-fits",
        selections: &["cut", "full", "whole", "budget"],
        bind: |args| plain(args, budget::complete_when_it_fits),
    },
    Rule {
        name: "longest-prefix",
        selections: &["cut", "full", "lines", "whole", "budget"],
        bind: |args| plain(args, budget::longest_prefix),
    },
    Rule { name: "never-less", selections: &["value"], bind: |args| given(args, budget::never_less) },
    Rule { name: "record-prefix", selections: &["cut", "full"], bind: |args| plain(args, budget::record_prefix) },
    Rule {
        name: "tells-truncation",
        selections: &["truncated", "header", "cut", "full", "whole", "budget"],
        bind: |args| given(args, budget::tells_truncation),
    },
    Rule { name: "whole-records", selections: &["cut", "full"], bind: |args| plain(args, budget::whole_records) },
];
