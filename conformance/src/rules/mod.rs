//! Relations that a schema cannot express, each a pure function of selected values.
//!
//! A rule names the selections that it reads, and skips when they hold fewer values than the relation needs. To add one: write
//! the function and a line of [`GENERAL`]; case files use it by its name. A rule whose name, arguments or code know a word of a
//! contract stands in `contracts/` instead.

mod advertised;
mod amounts;
mod bounds;
mod clipped;
mod compare;
mod general;
mod pages;
mod relate;
mod rule;
mod schemas;
mod times;
mod values;
mod words;

pub(crate) use clipped::length;
pub(crate) use compare::{brief, common, equal, fits, short};
pub(crate) use rule::{Input, Relation, Rule, Ruling, Selections, given, plain, selected_as};

/// The rules of every contract.
pub(crate) const GENERAL: &[Rule] = &[
    Rule { name: "absent", selections: &["value"], bind: |args| plain(args, general::absent) },
    Rule { name: "advertises", selections: &["value"], bind: |args| given(args, advertised::advertises) },
    Rule { name: "agree", selections: &["left", "right"], bind: |args| given(args, relate::agree) },
    Rule { name: "as-listed", selections: &["value"], bind: |args| given(args, relate::as_listed) },
    Rule { name: "as-many", selections: &["left", "right"], bind: |args| plain(args, amounts::as_many) },
    Rule {
        name: "as-many-or-refused",
        selections: &["left", "right"],
        bind: |args| given(args, amounts::as_many_or_refused),
    },
    Rule { name: "at-least", selections: &["value", "bound"], bind: |args| plain(args, values::at_least) },
    Rule { name: "at-most", selections: &["value", "bound"], bind: |args| plain(args, values::at_most) },
    Rule { name: "contains", selections: &["value", "part"], bind: |args| plain(args, values::contains) },
    Rule { name: "count", selections: &["count", "of"], bind: |args| plain(args, general::count) },
    Rule { name: "covers-the-same", selections: &["left", "right"], bind: |args| given(args, pages::covers_the_same) },
    Rule { name: "descending", selections: &["value"], bind: |args| plain(args, values::descending) },
    Rule { name: "first-lines", selections: CLIPPED, bind: |args| plain(args, clipped::first_lines) },
    Rule { name: "in-rank-order", selections: &["value"], bind: |args| given(args, relate::in_rank_order) },
    Rule { name: "includes", selections: &["value"], bind: |args| given(args, general::includes) },
    Rule { name: "includes-times", selections: &["value"], bind: |args| given(args, times::includes_times) },
    Rule { name: "joined", selections: &["value"], bind: |args| given(args, relate::joined) },
    Rule { name: "json-text", selections: &["text", "value"], bind: |args| plain(args, general::json_text) },
    Rule { name: "mentioned", selections: &["value"], bind: |args| given(args, words::mentioned) },
    Rule { name: "mentions", selections: &["value"], bind: |args| given(args, words::mentions) },
    Rule { name: "most-lines", selections: CLIPPED, bind: |args| plain(args, clipped::most_lines) },
    Rule { name: "no-longer-than", selections: &["items", "limit"], bind: |args| plain(args, values::no_longer_than) },
    Rule { name: "none-of", selections: &["part", "whole"], bind: |args| plain(args, relate::none_of) },
    Rule { name: "not-newer", selections: &["value", "bound"], bind: |args| plain(args, times::not_newer) },
    Rule { name: "only", selections: &["value"], bind: |args| given(args, general::only) },
    Rule { name: "only-times", selections: &["value"], bind: |args| given(args, times::only_times) },
    Rule { name: "same", selections: &["left", "right"], bind: |args| plain(args, general::same) },
    Rule { name: "same-schema", selections: &["left", "right"], bind: |args| plain(args, advertised::same_schema) },
    Rule { name: "same-times", selections: &["left", "right"], bind: |args| plain(args, times::same_times) },
    Rule { name: "same-walk", selections: &["left", "right"], bind: |args| given(args, pages::same_walk) },
    Rule { name: "says", selections: &["value"], bind: |args| given(args, words::says) },
    Rule { name: "sequence", selections: &["value"], bind: |args| given(args, values::sequence) },
    Rule { name: "set", selections: &["value"], bind: |args| given(args, values::set) },
    Rule { name: "shares-a-word", selections: &["value"], bind: |args| given(args, words::shares_a_word) },
    Rule {
        name: "tells-clipping",
        selections: &["truncated", "value", "whole", "limit"],
        bind: |args| given(args, clipped::tells_clipping),
    },
    Rule { name: "unique", selections: &["value"], bind: |args| plain(args, general::unique) },
    Rule { name: "valid-by", selections: &["value", "schema"], bind: |args| plain(args, schemas::valid_by) },
    Rule { name: "walk-complete", selections: &["pages"], bind: |args| given(args, pages::walk_complete) },
    Rule { name: "walk-unique", selections: &["pages"], bind: |args| given(args, pages::walk_unique) },
    Rule { name: "whole-lines", selections: CLIPPED, bind: |args| plain(args, clipped::whole_lines) },
    Rule { name: "whole-when-it-fits", selections: CLIPPED, bind: |args| plain(args, clipped::whole_when_it_fits) },
    Rule { name: "within-budget", selections: &["lines", "budget"], bind: |args| plain(args, clipped::within_budget) },
    Rule { name: "within-length", selections: &["value", "limit"], bind: |args| given(args, clipped::within_length) },
];

/// A clipped text, the whole one, and the limit.
const CLIPPED: &[&str] = &["value", "whole", "limit"];
