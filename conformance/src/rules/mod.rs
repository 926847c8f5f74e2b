//! Relations that a schema cannot express, each a pure function of selected values.
//!
//! A rule names the selections that it reads, and skips when they hold fewer values than the relation needs. To add one: write
//! the function and a line of [`GENERAL`]; case files use it by its name. A rule whose name, arguments or code know a word of a
//! contract stands in `contracts/` instead.

mod advertised;
mod again;
mod amounts;
mod bounds;
mod clipped;
mod compare;
mod fold;
mod general;
mod moment;
mod offered;
mod pages;
mod relate;
mod rule;
mod schemas;
mod times;
mod values;
mod witness;
mod words;

pub(crate) use clipped::length;
pub(crate) use compare::{brief, common, equal, fits, short, whole};
pub(crate) use fold::folded;
pub(crate) use relate::Names;
pub(crate) use rule::{Input, Relation, Rule, Ruling, Selections, given, plain, selected_as};
pub(crate) use schemas::{Bounded, validity};

/// The rules of every contract.
pub(crate) const GENERAL: &[Rule] = &[
    Rule::new("absent", &["value"], |args| plain(args, general::absent)),
    Rule::new("advertises", &["value"], |args| given(args, advertised::advertises)),
    Rule::new("agree", &["left", "right"], |args| given(args, relate::agree)),
    Rule::new("as-listed", &["value"], |args| given(args, relate::as_listed)),
    Rule::new("as-many", &["left", "right"], |args| plain(args, amounts::as_many)),
    Rule::new("as-many-or-refused", &["left", "right"], |args| given(args, amounts::as_many_or_refused)),
    Rule::new("contains", &["value", "part"], |args| plain(args, values::contains)),
    Rule::new("count", &["count", "of"], |args| plain(args, general::count)),
    Rule::new("covers-the-same", &["left", "right"], |args| given(args, pages::covers_the_same)),
    Rule::new("dated", &["value"], |args| given(args, times::dated)),
    Rule::new("descending", &["value"], |args| plain(args, values::descending)),
    Rule::new("explains", &["value"], |args| plain(args, words::explains)),
    Rule::new("first-lines", CLIPPED, |args| plain(args, clipped::first_lines)),
    Rule::new("hides-nothing", &["text", "schema"], |args| given(args, offered::hides_nothing)),
    Rule::new("in-rank-order", &["value"], |args| given(args, relate::in_rank_order)),
    Rule::new("includes", &["value"], |args| given(args, general::includes)),
    Rule::new("includes-times", &["value"], |args| given(args, times::includes_times)),
    Rule::new("joined", &["value"], |args| given(args, relate::joined)),
    Rule::new("keeps-order", &["value"], |args| given(args, relate::keeps_order)),
    Rule::new("json-text", &["text", "value"], |args| plain(args, general::json_text)),
    Rule::new("known-items", &["value"], |args| given(args, times::known_items)),
    Rule::new("mentioned", &["value"], |args| given(args, words::mentioned)),
    Rule::new("most-lines", CLIPPED, |args| plain(args, clipped::most_lines)),
    Rule::new("no-longer-than", &["items", "limit"], |args| plain(args, values::no_longer_than)),
    Rule::new("none-of", &["part", "whole"], |args| given(args, relate::none_of)),
    Rule::new("none-above", &["value", "best"], |args| plain(args, values::none_above)),
    Rule::new("not-newer", &["value", "bound"], |args| plain(args, times::not_newer)),
    Rule::new("only", &["value"], |args| given(args, general::only)),
    Rule::new("only-times", &["value"], |args| given(args, times::only_times)),
    Rule::new("own-times", &["value"], |args| given(args, times::own_times)),
    Rule::new("reaches", &["value"], |args| given(args, amounts::reaches)),
    Rule::new("rfc-3339", &["value"], |args| plain(args, times::rfc_3339)),
    Rule::new("root-without", &["schema", "name"], |args| given(args, offered::root_without)),
    Rule::new("same", &["left", "right"], |args| plain(args, general::same)),
    Rule::new("same-schema", &["left", "right"], |args| plain(args, advertised::same_schema)),
    Rule::new("same-set", &["left", "right"], |args| plain(args, general::same_set)),
    Rule::new("same-time-again", &["value"], |args| given(args, again::same_time_again)),
    Rule::new("same-time-as-told", &["value", "told"], |args| given(args, again::same_time_as_told)),
    Rule::new("same-times", &["left", "right"], |args| plain(args, times::same_times)),
    Rule::new("same-walk", &["left", "right"], |args| given(args, pages::same_walk)),
    Rule::new("sequence", &["value"], |args| given(args, values::sequence)),
    Rule::new("set", &["value"], |args| given(args, values::set)),
    Rule::new("shows-none-of", &["value"], |args| given(args, times::shows_none_of)),
    Rule::new("some-of-enough", &["left", "right"], |args| given(args, amounts::some_of_enough)),
    Rule::new("some-too", &["left", "right"], |args| plain(args, amounts::some_too)),
    Rule::new("subset", &["part", "whole"], |args| plain(args, relate::subset)),
    Rule::new("tells-clipping", &["truncated", "value", "whole", "limit"], |args| given(args, clipped::tells_clipping)),
    Rule::new("told-whole", &["value", "told"], |args| given(args, again::told_whole)),
    Rule::new("unique", &["value"], |args| plain(args, general::unique)),
    Rule::new("valid-by", &["value", "schema"], |args| plain(args, schemas::valid_by)),
    Rule::new("valid-schema", &["value"], |args| plain(args, schemas::valid_schema)),
    Rule::new("walk-complete", &["pages"], |args| given(args, pages::walk_complete)),
    Rule::new("walk-unique", &["pages"], |args| given(args, pages::walk_unique)),
    Rule::new("whole-lines", CLIPPED, |args| plain(args, clipped::whole_lines)),
    Rule::new("whole-when-it-fits", CLIPPED, |args| given(args, clipped::whole_when_it_fits)),
    Rule::new("within-budget", &["lines", "budget"], |args| plain(args, clipped::within_budget)),
    Rule::new("within-length", &["value", "limit"], |args| given(args, clipped::within_length)),
    Rule::new("words-find", &["words", "own", "found"], |args| given(args, witness::words_find)),
];

/// A clipped text, the whole one, and the limit.
const CLIPPED: &[&str] = &["value", "whole", "limit"];
