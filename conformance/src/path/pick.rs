//! Picks: pure functions that take values for arguments from earlier evidence.

use super::Located;
use super::top::{spread, top};
use super::witness::{part, rare_words, texts};
use crate::model::Pick;
use crate::text::typed::{self, Misread};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A named pick.
#[derive(Debug)]
pub(crate) struct Picker {
    pub(crate) name: &'static str,
    /// Reads its arguments, so that a word that it does not know is an error of the suite.
    pub(crate) bind: fn(&Map<String, Value>) -> Result<Picking, Misread>,
}

impl Picker {
    pub(crate) const fn new(name: &'static str, bind: fn(&Map<String, Value>) -> Result<Picking, Misread>) -> Self {
        Self { name, bind }
    }
}

/// A pick with its arguments: the values that it takes from what is selected.
#[derive(Clone)]
pub(crate) struct Picking(Arc<Take>);

type Take = dyn Fn(&[Located<'_>]) -> Vec<Value> + Send + Sync;

impl Picking {
    pub(crate) fn of(&self, nodes: &[Located<'_>]) -> Vec<Value> {
        (self.0)(nodes)
    }
}

impl fmt::Debug for Picking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Picking")
    }
}

/// For the `bind` of a pick whose arguments are an `A`.
pub(crate) fn picks<A: DeserializeOwned + Send + Sync + 'static>(
    args: &Map<String, Value>,
    pick: fn(&A, &[Located<'_>]) -> Vec<Value>,
) -> Result<Picking, Misread> {
    let args: A = typed::arguments(args)?;
    Ok(Picking(Arc::new(move |nodes| pick(&args, nodes))))
}

/// The picks of every contract.
pub(crate) const PICKS: &[Picker] = &[
    Picker::new("spread", |args| picks(args, spread)),
    Picker::new("value", |args| picks(args, value)),
    Picker::new("line-ends", |args| picks(args, line_ends)),
    Picker::new("top", |args| picks(args, top)),
    Picker::new("a-word", |args| picks(args, |_: &Nothing, nodes| first_of(nodes, a_word))),
    Picker::new("part", |args| picks(args, a_part)),
    Picker::new("words", |args| picks(args, words)),
];

/// The pick in place of a value, when there is one.
pub(crate) fn pick_in(value: &Value) -> Result<Option<Pick>, String> {
    match value.get("$pick") {
        Some(_) => serde_json::from_value(value.clone()).map(Some).map_err(|error| format!("is no pick: {error}")),
        None => Ok(None),
    }
}

/// No arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// What stands before a text that is taken.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    #[serde(default)]
    before: Option<String>,
}

/// What is selected, as it is; a text perhaps with something before it.
fn value(args: &Before, nodes: &[Located<'_>]) -> Vec<Value> {
    let there = nodes.iter().map(|node| node.value).filter(|value| !value.is_null());
    let taken = there.map(|value| match (&args.before, value) {
        (Some(before), Value::String(text)) => format!("{before}{text}").into(),
        _ => value.clone(),
    });
    taken.collect()
}

/// What the first text that has something of its kind yields.
fn first_of(nodes: &[Located<'_>], of: fn(&str) -> Option<Value>) -> Vec<Value> {
    nodes.iter().find_map(|node| of(node.value.as_str()?)).into_iter().collect()
}

/// A word of plain letters with white space on both sides, long enough to be no stop word.
fn a_word(text: &str) -> Option<Value> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // The first and the last may be cut.
    let whole = words.get(1..words.len().saturating_sub(1))?;
    let plain = |word: &&&str| word.len() >= 6 && word.chars().all(|character| character.is_ascii_alphabetic());
    whole.iter().find(plain).map(|word| Value::from(*word))
}

/// The field that a part is taken from; none where texts are selected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartOf {
    #[serde(default)]
    of: Option<String>,
    /// With punctuation inside.
    #[serde(default)]
    marked: bool,
}

/// A part from the middle of a text of one of the items.
fn a_part(args: &PartOf, nodes: &[Located<'_>]) -> Vec<Value> {
    let fields: Vec<String> = args.of.iter().cloned().collect();
    let texts: Vec<Option<&str>> = nodes.iter().map(|node| texts(node.value, &fields).first().copied()).collect();
    part(&texts, args.marked).map(|part| Value::from(part.text)).into_iter().collect()
}

/// The fields that words are taken from; none where texts are selected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsIn {
    #[serde(default, rename = "in")]
    fields: Vec<String>,
    #[serde(default = "three")]
    count: usize,
    /// Of words that many items have.
    #[serde(default)]
    common: bool,
    /// Texts are not cut, so that their first and last words are words too.
    #[serde(default)]
    whole: bool,
    /// As one text, with blanks between them.
    #[serde(default)]
    joined: bool,
}

fn three() -> usize {
    3
}

/// Words that few of the items have, of different items.
fn words(args: &WordsIn, nodes: &[Located<'_>]) -> Vec<Value> {
    let items: Vec<Vec<&str>> = nodes.iter().map(|node| texts(node.value, &args.fields)).collect();
    let mut words = rare_words(&items, if args.common { usize::MAX } else { args.count }, args.whole);
    if args.common {
        words.reverse();
        words.sort_by_key(|word| Reverse(word.items));
    }
    let words: Vec<String> = words.into_iter().take(args.count).map(|word| word.text).collect();
    match args.joined && !words.is_empty() {
        true => vec![words.join(" ").into()],
        false => words.into_iter().map(Value::from).collect(),
    }
}

/// How far from each place, in characters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineEnds {
    #[serde(default = "at_the_place")]
    around: Vec<i64>,
    /// The smallest length.
    #[serde(default = "one")]
    least: i64,
    /// How many ends are looked at, evenly spread, the last one among them.
    #[serde(default = "all")]
    most: usize,
    /// In bytes of UTF-8, of which a text has the most.
    #[serde(default)]
    bytes: bool,
}

fn at_the_place() -> Vec<i64> {
    vec![0]
}

fn one() -> i64 {
    1
}

fn all() -> usize {
    1000
}

/// Lengths around the ends of lines of the first text that has some.
fn line_ends(args: &LineEnds, nodes: &[Located<'_>]) -> Vec<Value> {
    let lengths = nodes.iter().filter_map(|node| node.value.as_str()).map(|text| lengths(text, args));
    lengths.into_iter().find(|lengths| !lengths.is_empty()).unwrap_or_default()
}

fn lengths(text: &str, args: &LineEnds) -> Vec<Value> {
    let mut end = 0;
    let ends = text.split_inclusive('\n').map(|line| {
        end += if args.bytes { line.len() } else { line.chars().count() } as i64;
        end
    });
    let ends: Vec<i64> = ends.filter(|end| *end > args.least).collect();
    let count = args.most.max(1).min(ends.len());
    let places = (1..=count).map(|at| ends[at * ends.len() / count - 1]);
    let lengths: BTreeSet<i64> = places.flat_map(|place| args.around.iter().map(move |step| place + step)).collect();
    lengths.into_iter().filter(|length| *length >= args.least).map(Value::from).collect()
}
