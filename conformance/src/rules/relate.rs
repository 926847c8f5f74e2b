//! Relations between objects: the same thing told twice, the fields of one object, the order of kinds.

use super::{Input, Ruling, brief, common, equal, fits};
use crate::model::Detail;
use serde::Deserialize;
use serde_json::Value;

/// A name of a field, or a pair of them where it is called otherwise on the right.
#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    Same(String),
    Pair(String, String),
}

impl Names {
    fn both(&self) -> (&str, &str) {
        match self {
            Self::Same(name) => (name, name),
            Self::Pair(left, right) => (left, right),
        }
    }
}

/// The field that tells which objects belong together, and those that are compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agree {
    key: Names,
    fields: Vec<Names>,
}

/// Objects of two selections that have the same key agree in the listed fields, absent ones included.
pub(super) fn agree(args: &Agree, input: &Input<'_, '_>) -> Ruling {
    let (left_key, right_key) = args.key.both();
    let (mut exercised, mut details) = (0, Vec::new());
    for left in input.all("left") {
        let Some(key) = left.value.get(left_key) else { continue };
        for right in input.all("right").iter().filter(|right| right.value.get(right_key) == Some(key)) {
            exercised += 1;
            for (here, there) in args.fields.iter().map(Names::both) {
                let (due, came) = (left.value.get(here), right.value.get(there));
                let same = match (due, came) {
                    (Some(due), Some(came)) => equal(due, came),
                    (due, came) => due.is_none() && came.is_none(),
                };
                if !same {
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

/// Objects that are known, the field that tells them apart, and those that are compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    key: String,
    fields: Vec<String>,
    of: Vec<Value>,
}

/// Each selected object is as a listed one of the same key, in the listed fields, absent ones included. What has the key of none
/// is passed over, and so is what did not come.
pub(super) fn as_listed(args: &Listed, input: &Input<'_, '_>) -> Ruling {
    let Listed { key, fields, of } = args;
    let is_as = |due: &Value, found: &Value| {
        fields.iter().all(|field| match (due.get(field), found.get(field)) {
            (Some(due), Some(found)) => fits(due, found),
            (due, found) => due.is_none() && found.is_none(),
        })
    };
    let (mut exercised, mut details) = (0, Vec::new());
    for node in input.all("value") {
        let Some(name) = node.value.get(key) else { continue };
        let mut of_key = of.iter().filter(|due| due.get(key).is_some_and(|due| equal(due, name)));
        let Some(first) = of_key.next() else { continue };
        exercised += 1;
        if !is_as(first, node.value) && !of_key.any(|due| is_as(due, node.value)) {
            let mut shown = first.clone();
            for field in fields.iter().filter(|field| first.get(field.as_str()).is_none()) {
                shown[field] = "absent".into();
            }
            let found = common(&shown, node.value);
            details.push(
                Detail::new(format!("{} is not as it is due", brief(name)))
                    .at(&node.pointer)
                    .compare(first.clone(), found),
            );
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
            delimiters.iter().any(|by| {
                rest.strip_prefix(by.as_str()).is_some_and(|more| more.starts_with(' ') && !more.trim().is_empty())
            })
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

/// No value of the part is one of the whole.
pub(super) fn none_of(input: &Input<'_, '_>) -> Ruling {
    let (part, whole) = (input.all("part"), input.all("whole"));
    if part.is_empty() || whole.is_empty() {
        return Ruling::skip("nothing to compare");
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
