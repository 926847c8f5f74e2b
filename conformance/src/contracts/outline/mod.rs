//! The outline contract: record trees as indented text, beside the JSON that they stand for.

mod agrees;
mod bundle;
mod counts;
mod family;
mod format;
mod formats;
mod full;
mod hostile;
mod ids;
mod legal;
mod otherwise;
mod overview;
mod pairs;
mod picks;
mod places;
mod shape;
mod telling;
mod texts;
mod tokens;
mod words;

use super::specifics::Specifics;
use crate::format::Format;
use crate::path::{Picker, picks as given_picks};
use crate::rules::{Rule, given, plain};

pub(super) const OUTLINE: Specifics = Specifics {
    name: "outline",
    formats: &[
        Format { name: "outline", parse: format::parse },
        Format { name: "outline-2", parse: format::parse_second },
    ],
    rules: RULES,
    picks: PICKS,
    functions: legal::FUNCTIONS,
    shape: Some(&shape::Outline),
    hostile: Some(hostile::corpus),
};

const RULES: &[Rule] = &[
    Rule::new("bodies-agree", &["value"], |args| plain(args, full::bodies_agree)),
    Rule::new("body-mark", &["bundle", "id", "outline", "full"], |args| plain(args, bundle::body_mark)),
    Rule::new("bundle-agrees", &["bundle", "id", "full"], |args| given(args, bundle::bundle_agrees)),
    Rule::new("children-counted", &["value"], |args| plain(args, counts::children_counted)),
    Rule::new("formats-allowed", &["value"], |args| plain(args, formats::formats_allowed)),
    Rule::new("half-the-tokens", &["lines", "full"], |args| plain(args, tokens::half_the_tokens)),
    Rule::new("headers-in-form", &["lines", "outline", "full"], |args| given(args, otherwise::headers_in_form)),
    Rule::new("outline-agrees", &["outline", "full"], |args| given(args, agrees::outline_agrees)),
    Rule::new("outline-parts", &["value"], |args| plain(args, overview::outline_parts)),
    Rule::new("outline-text", &["value"], |args| plain(args, agrees::outline_text)),
    Rule::new("overview-shows", &["outline", "full"], |args| plain(args, overview::overview_shows)),
];

const PICKS: &[Picker] = &[
    Picker::new("kin-word", |args| given_picks(args, words::kin_word)),
    Picker::new("marked", |args| given_picks(args, picks::marked)),
    Picker::new("telling", |args| given_picks(args, telling::telling)),
    Picker::new("unlisted", |args| given_picks(args, picks::unlisted)),
];
