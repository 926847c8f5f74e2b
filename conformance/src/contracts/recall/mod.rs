//! The recall contract: JSON answers whose items may take several forms, and random corpora.
//!
//! `frame` reads an item in whatever form the document allows. Rules and picks see items only through it, so that no form
//! that only we decided fails a check that binds.

mod again;
mod fields;
mod frame;
mod hostile;
mod legal;
mod paging;
mod picks;
mod rows;
mod shape;
mod snippets;
mod times;
mod walked;
mod words;

use super::specifics::Specifics;
use crate::path::{Picker, picks as given_picks};
use crate::rules::{Rule, given, plain};

pub(super) const RECALL: Specifics = Specifics {
    name: "recall",
    formats: &[],
    rules: RULES,
    picks: PICKS,
    functions: legal::FUNCTIONS,
    shape: Some(&shape::Recall),
    hostile: Some(hostile::corpus),
};

const RULES: &[Rule] = &[
    Rule::new("browsed-newest-first", &["value", "q"], |args| plain(args, times::browsed_newest_first)),
    Rule::new("frames-answer-alike", &["value"], |args| plain(args, fields::answer_alike)),
    Rule::new("frames-are", &["value"], |args| given(args, times::are)),
    Rule::new("frames-as-listed", &["value"], |args| given(args, fields::as_listed)),
    Rule::new("frames-as-walked", &["asked", "walked", "found"], |args| plain(args, walked::as_walked)),
    Rule::new("frames-begin-as-walked", &["asked", "walked", "found"], |args| plain(args, walked::begin_as_walked)),
    Rule::new("frames-behind", &["asked", "own", "found"], |args| plain(args, again::behind)),
    Rule::new("frames-contain", &["value", "part"], |args| given(args, snippets::contain)),
    Rule::new("frames-differ", &["value", "other"], |args| plain(args, paging::differ)),
    Rule::new("frames-end-as-walked", &["asked", "walked", "found"], |args| plain(args, walked::end_as_walked)),
    Rule::new("frames-focused", &["value", "asked"], |args| given(args, fields::focused)),
    Rule::new("frames-found-again", &["asked", "own", "found"], |args| plain(args, again::found_again)),
    Rule::new("frames-have", &["value"], |args| given(args, fields::have)),
    Rule::new("frames-in-order", &["value"], |args| given(args, times::in_order)),
    Rule::new("frames-in-both-windows", &["asked", "own", "found"], |args| plain(args, again::in_both_windows)),
    Rule::new("frames-include", &["value"], |args| given(args, times::include)),
    Rule::new("frames-lack", &["value"], |args| given(args, times::lack)),
    Rule::new("frames-lack-although-there", &["value", "elsewhere"], |args| given(args, times::lack_although_there)),
    Rule::new("frames-lead-home", &["own", "frames"], |args| plain(args, fields::lead_home)),
    Rule::new("frames-named-by-url", &["value"], |args| plain(args, fields::named_by_url)),
    Rule::new("frames-newest-first", &["value"], |args| plain(args, times::newest_first)),
    Rule::new("frames-not-after", &["value", "start", "end"], |args| plain(args, times::not_after)),
    Rule::new("frames-not-before", &["value", "start", "end"], |args| plain(args, times::not_before)),
    Rule::new("frames-only", &["value"], |args| given(args, times::only)),
    Rule::new("frames-only-for", &["value", "of"], |args| given(args, times::only_for)),
    Rule::new("frames-same-times", &["left", "right"], |args| plain(args, times::same)),
    Rule::new("frames-served", &["value"], |args| plain(args, fields::served)),
    Rule::new("frames-some-text", &["value"], |args| given(args, snippets::some_text)),
    Rule::new("frames-unique", &["value"], |args| plain(args, paging::unique)),
    Rule::new("frames-walked", &["walked", "found"], |args| plain(args, walked::walked)),
    Rule::new("frames-until-now", &["value", "end", "sent", "date"], |args| plain(args, times::until_now)),
    Rule::new("frames-show-text", &["value"], |args| given(args, snippets::show_text)),
    Rule::new("frames-own-addresses", &["value"], |args| plain(args, fields::own_addresses)),
    Rule::new("frames-walked-to-the-end", &["pages", "older"], |args| plain(args, walked::to_the_end)),
    Rule::new("frames-with-word", &["asked", "own", "found"], |args| plain(args, again::with_word)),
    Rule::new("page-granted", &["items", "limit", "walked"], |args| plain(args, walked::page_granted)),
    Rule::new("refused-or-as-without", &["value", "without"], |args| plain(args, paging::refused_or_as_without)),
];

const PICKS: &[Picker] = &[
    Picker::new("before-sent", |args| given_picks(args, picks::before_sent)),
    Picker::new("frame-filters", |args| given_picks(args, picks::filters)),
    Picker::new("frame-rows", |args| given_picks(args, rows::rows)),
    Picker::new("frame-time", |args| given_picks(args, picks::time)),
    Picker::new("frame-words", |args| given_picks(args, picks::words)),
    Picker::new("granted", |args| given_picks(args, picks::granted)),
    Picker::new("unknown-frame", |args| given_picks(args, picks::unknown)),
];
