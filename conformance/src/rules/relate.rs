//! Relations between objects: the same thing told twice, the fields of one object, the order of kinds.

use super::{Input, Ruling, brief, common, equal, fits};
use crate::model::Detail;
use crate::path::field;
use serde::Deserialize;
use serde_json::Value;

/// A name of a field, or a pair of them where it is called otherwise on the right. What begins with `/` is a JSON Pointer, so
/// that an exchange can be named by what it was asked for.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Names {
    Same(String),
    Pair(String, String),
}

impl Names {
    pub(crate) fn both(&self) -> (&str, &str) {
        match self {
            Self::Same(name) => (name, name),
            Self::Pair(left, right) => (left, right),
        }
    }
}

/// Equality of two fields, absent ones included. Of a set, order does not count, and an absent one is empty.
fn is_same(due: Option<&Value>, came: Option<&Value>, is_set: bool, equal: impl Fn(&Value, &Value) -> bool) -> bool {
    if is_set {
        let [due, came] = [due, came].map(|list| list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice));
        return due.len() == came.len() && due.iter().all(|due| came.iter().any(|came| equal(due, came)));
    }
    match (due, came) {
        (Some(due), Some(came)) => equal(due, came),
        (due, came) => due.is_none() && came.is_none(),
    }
}

/// The field that tells which objects belong together, and those that are compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agree {
    key: Names,
    fields: Vec<Names>,
    /// Fields of the left side that are lists in which order does not count.
    #[serde(default)]
    sets: Vec<String>,
    /// Fields of the left side that are texts in which only letters and digits count, not how they are formatted.
    #[serde(default)]
    words: Vec<String>,
}

/// Objects of two selections that have the same key agree in the listed fields, absent ones included.
pub(super) fn agree(args: &Agree, input: &Input<'_, '_>) -> Ruling {
    let (left_key, right_key) = args.key.both();
    let (mut exercised, mut details) = (0, Vec::new());
    for left in input.all("left") {
        let Some(key) = field(left.value, left_key) else { continue };
        for right in input.all("right").iter().filter(|right| field(right.value, right_key) == Some(key)) {
            exercised += 1;
            for (here, there) in args.fields.iter().map(Names::both) {
                let (due, came) = (field(left.value, here), field(right.value, there));
                let are_words = args.words.iter().any(|words| words == here);
                let equals = |due: &Value, came: &Value| match (due.as_str(), came.as_str()) {
                    (Some(due), Some(came)) if are_words => bare(due) == bare(came),
                    _ => equal(due, came),
                };
                if !is_same(due, came, args.sets.iter().any(|set| set == here), equals) {
                    let shown = |value: Option<&Value>| value.cloned().unwrap_or_else(|| "absent".into());
                    let message = format!("`{there}` of {} differs from {}/{here}", brief(key), left.pointer);
                    details.push(Detail::new(message).at(&right.pointer).compare(shown(due), shown(came)));
                }
            }
        }
    }
    match exercised {
        0 => Ruling::skip("nothing was told twice"),
        _ => Ruling::of(exercised, details),
    }
}

/// The letters and digits of a text, without HTML tags and the addresses of links.
fn bare(text: &str) -> String {
    let (mut bare, mut rest) = (String::new(), text);
    while let Some(character) = rest.chars().next() {
        let behind = match character {
            '<' if rest[1..].starts_with(|next: char| next == '/' || next.is_ascii_alphabetic()) => rest.find('>'),
            ']' if rest[1..].starts_with('(') => rest.find(')'),
            _ => None,
        };
        if behind.is_none() && character.is_alphanumeric() {
            bare.push(character);
        }
        rest = &rest[behind.map_or(character.len_utf8(), |end| end + 1)..];
    }
    bare
}

/// Objects that are known, the field that tells them apart, and those that are compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    key: Names,
    fields: Vec<Names>,
    of: Vec<Value>,
    /// Fields that are lists in which order does not count.
    #[serde(default)]
    sets: Vec<String>,
    /// Fields that are texts on one line, in which a line end may stand as a blank or as `\n`.
    #[serde(default)]
    lines: Vec<String>,
}

/// A text with single blanks in the place of line ends, escaped or not, and of other white space.
fn on_one_line(value: &Value) -> Value {
    let flat = |text: &str| text.replace("\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    value.as_str().map_or_else(|| value.clone(), |text| flat(text).into())
}

/// Each selected object is as a listed one of the same key, in the listed fields, absent ones included. What has the key of none
/// is passed over, and so is what did not come.
pub(super) fn as_listed(args: &Listed, input: &Input<'_, '_>) -> Ruling {
    let Listed { key, fields, of, sets, lines } = args;
    let (due_key, found_key) = key.both();
    let is_as = |due: &Value, found: &Value| {
        fields.iter().map(Names::both).all(|(here, there)| {
            let is_as = |due: &Value, found: &Value| match lines.iter().any(|text| text == here) {
                true => fits(&on_one_line(due), &on_one_line(found)),
                false => fits(due, found),
            };
            is_same(field(due, here), field(found, there), sets.iter().any(|set| set == here), is_as)
        })
    };
    let (mut exercised, mut details) = (0, Vec::new());
    for node in input.all("value") {
        let Some(name) = field(node.value, found_key) else { continue };
        let mut of_key = of.iter().filter(|due| field(due, due_key).is_some_and(|due| equal(due, name)));
        let Some(first) = of_key.next() else { continue };
        exercised += 1;
        if !is_as(first, node.value) && !of_key.any(|due| is_as(due, node.value)) {
            let mut shown = first.clone();
            let mut found = serde_json::Map::new();
            for (here, there) in fields.iter().map(Names::both) {
                if field(first, here).is_none() {
                    shown[here] = "absent".into();
                }
                let value =
                    field(node.value, there).map(|found| common(field(first, here).unwrap_or(&Value::Null), found));
                found.insert(here.to_owned(), value.unwrap_or_default());
            }
            let message = format!("{} is not as expected", brief(name));
            details.push(Detail::new(message).at(&node.pointer).compare(shown, found.into()));
        }
    }
    match exercised {
        0 => Ruling::skip("nothing that is listed came"),
        _ => Ruling::of(exercised, details),
    }
}

/// The fields that hold the first part and the whole, and what may stand between the parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Joined {
    first: String,
    whole: String,
    by: Vec<String>,
    #[serde(default)]
    only: bool,
}

/// Each object's `whole` is its `first`, or that, a delimiter and more, with single spaces. With `only`, objects that say no
/// more than `first` are passed over.
pub(super) fn joined(args: &Joined, input: &Input<'_, '_>) -> Ruling {
    let Joined { first, whole, by: delimiters, only: passes_over } = args;
    let texts = input
        .all("value")
        .iter()
        .filter_map(|node| Some((node, node.value.get(first)?.as_str()?, node.value.get(whole)?.as_str()?)));
    // Nothing can be told where the first part is empty.
    let texts: Vec<_> =
        texts.filter(|(_, first, whole)| !(first.is_empty() || *passes_over && first == whole)).collect();
    if texts.is_empty() {
        return Ruling::skip("no texts to compare");
    }
    let joined = |first: &str, whole: &str| {
        let rest = whole.strip_prefix(first).and_then(|rest| rest.strip_prefix(' '));
        rest.is_some_and(|rest| {
            delimiters
                .iter()
                .any(|by| rest.strip_prefix(by.as_str()).is_some_and(|more| more.starts_with(' ') && more.len() > 1))
        })
    };
    let wrong = texts.iter().filter(|(_, first, whole)| first != whole && !joined(first, whole));
    let details = wrong.map(|(node, first, whole)| {
        Detail::new("is not put together as it is due")
            .at(&node.pointer)
            .compare(format!("{first} {} …", delimiters.join(" or ")).into(), (*whole).into())
    });
    Ruling::of(texts.len(), details.collect())
}

/// Values of the same rank, the first rank first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ranks {
    ranks: Vec<Vec<Value>>,
}

/// No value stands in an earlier rank than the one before it.
pub(super) fn in_rank_order(args: &Ranks, input: &Input<'_, '_>) -> Ruling {
    let rank = |value: &Value| args.ranks.iter().position(|rank| rank.contains(value));
    let ranked: Vec<_> = input.all("value").iter().filter_map(|node| Some((node, rank(node.value)?))).collect();
    if ranked.len() < 2 {
        return Ruling::skip("fewer than two values to compare");
    }
    let falls = ranked.windows(2).filter(|pair| pair[0].1 > pair[1].1);
    let details = falls.map(|pair| {
        Detail::new(format!("{} comes after {}", brief(pair[1].0.value), brief(pair[0].0.value))).at(&pair[1].0.pointer)
    });
    Ruling::of(ranked.len() - 1, details.collect())
}

/// Whether a part without any value is as good as one with others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Apart {
    #[serde(default)]
    or_nothing: bool,
}

/// No value of the part is one of the whole.
pub(super) fn none_of(args: &Apart, input: &Input<'_, '_>) -> Ruling {
    let (part, whole) = (input.all("part"), input.all("whole"));
    match (part.is_empty(), whole.is_empty()) {
        (_, true) => return Ruling::skip("nothing to compare with"),
        (true, _) if args.or_nothing => return Ruling::pass(1),
        (true, _) => return Ruling::skip("nothing to compare"),
        _ => {}
    }
    let common =
        part.iter().filter_map(|node| Some((node, whole.iter().find(|other| equal(node.value, other.value))?)));
    let details = common.map(|(node, other)| {
        Detail::new(format!("{} stands at {} too", brief(node.value), other.pointer)).at(&node.pointer)
    });
    Ruling::of(part.len(), details.collect())
}

/// Each value of the part is one of the whole.
pub(super) fn subset(input: &Input<'_, '_>) -> Ruling {
    let (part, whole) = (input.all("part"), input.all("whole"));
    if part.is_empty() {
        return Ruling::skip("nothing to compare");
    }
    let missing = part.iter().filter(|node| !whole.iter().any(|other| equal(node.value, other.value)));
    let details = missing.map(|node| Detail::new(format!("{} is missing", brief(node.value))).at(&node.pointer));
    Ruling::of(part.len(), details.collect())
}

/// Lists of values, each in the order that is expected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chains {
    chains: Vec<Vec<Value>>,
}

/// Of each chain, the selected values come in its order. What did not come is passed over, and so is all else.
pub(super) fn keeps_order(args: &Chains, input: &Input<'_, '_>) -> Ruling {
    let values = input.all("value");
    let (mut exercised, mut details) = (0, Vec::new());
    for chain in &args.chains {
        let places: Vec<usize> =
            chain.iter().filter_map(|due| values.iter().position(|node| equal(node.value, due))).collect();
        exercised += places.len().saturating_sub(1);
        for pair in places.windows(2).filter(|pair| pair[0] > pair[1]) {
            let (later, sooner) = (&values[pair[0]], &values[pair[1]]);
            let message = format!("{} comes after {}", brief(later.value), brief(sooner.value));
            details.push(Detail::new(message).at(&later.pointer));
        }
    }
    match exercised {
        0 => Ruling::skip("no two values of a chain came"),
        _ => Ruling::of(exercised, details),
    }
}
