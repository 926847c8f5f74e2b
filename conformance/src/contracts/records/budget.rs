//! What a budget of characters does to a text of records. "Budgets and truncation" of the records document.

use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, equal, length};
use serde::Deserialize;
use serde_json::Value;

/// Every record of the cut output is a record of the full output, whole.
pub(super) fn whole_records(input: &Input<'_, '_>) -> Ruling {
    let (Some(cut), Some(full)) = (input.one("cut"), input.one("full")) else {
        return Ruling::skip("no records");
    };
    let (records, all) = (array(cut.value), array(full.value));
    if records.is_empty() {
        return Ruling::skip("no record was printed");
    }
    let partial = records.iter().position(|record| !all.iter().any(|whole| same_record(record, whole)));
    match partial {
        None => Ruling::pass(records.len()),
        Some(at) => Ruling::fail(stranger(cut, records, all, at)),
    }
}

/// The records of the cut output are the first ones of the full output.
pub(super) fn record_prefix(input: &Input<'_, '_>) -> Ruling {
    let (Some(cut), Some(full)) = (input.one("cut"), input.one("full")) else {
        return Ruling::skip("no records");
    };
    let (records, all) = (array(cut.value), array(full.value));
    if records.is_empty() {
        return Ruling::skip("no record was printed");
    }
    match common(records, all) == records.len() {
        true => Ruling::pass(records.len()),
        false => Ruling::fail(stranger(cut, records, all, common(records, all))),
    }
}

/// A budget that is as large as the whole output leaves nothing out.
pub(super) fn complete_when_it_fits(input: &Input<'_, '_>) -> Ruling {
    let (Some(cut), Some(full), Some(whole), Some(budget)) =
        (input.one("cut"), input.one("full"), input.one("whole"), input.one("budget"))
    else {
        return Ruling::skip("no records");
    };
    let (needed, budget) = (length(whole.value), number(budget.value));
    let (came, all) = (array(cut.value).len(), array(full.value).len());
    if needed > budget {
        return Ruling::skip(format!("the whole output has {needed} characters"));
    }
    match came == all {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new(format!("the whole output has {needed} characters and {budget} are allowed"))
                .at(&cut.pointer)
                .compare(format!("{all} records").into(), format!("{came} records").into()),
        ),
    }
}

/// The next record would not have fitted. Two characters are left to the header, whose counts may grow with it.
pub(super) fn longest_prefix(input: &Input<'_, '_>) -> Ruling {
    let (Some(cut), Some(full), Some(lines), Some(whole), Some(budget)) =
        (input.one("cut"), input.one("full"), input.one("lines"), input.one("whole"), input.one("budget"))
    else {
        return Ruling::skip("no records");
    };
    let (records, all) = (array(cut.value), array(full.value));
    let Some(next) = all.get(common(records, all)) else {
        return Ruling::skip("nothing was left out");
    };
    let size = size_of(next, whole.value);
    let free = number(budget.value).saturating_sub(length(lines.value));
    match size + 2 > free {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new(format!("{free} characters are left, and the next record takes {size}"))
                .at(&cut.pointer)
                .compare(next.clone(), Value::Null),
        ),
    }
}

/// The argument that holds the budget.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Budget {
    argument: String,
}

/// A larger budget never gives fewer records.
pub(super) fn never_less(args: &Budget, input: &Input<'_, '_>) -> Ruling {
    let mut runs: Vec<(u64, usize, &Located<'_>)> = input
        .all("value")
        .iter()
        .filter(|run| run.value["status"] == "accepted")
        .map(|run| {
            let budget = number(&run.value["request"]["with"][&args.argument]);
            (budget, array(&run.value["parsed"]["records"]).len(), run)
        })
        .collect();
    runs.sort_by_key(|(budget, ..)| *budget);
    if runs.len() < 2 {
        return Ruling::skip("fewer than two budgets were answered");
    }
    let falls = runs.windows(2).filter(|pair| pair[0].1 > pair[1].1);
    let details = falls.take(3).map(|pair| {
        let message = format!("{} records at {}, but {} at {}", pair[0].1, pair[0].0, pair[1].1, pair[1].0);
        Detail::new(message).at(&pair[1].2.pointer)
    });
    Ruling::of(runs.len() - 1, details.collect())
}

/// Which answers are judged: those that left something out, or those that had room for everything.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answers {
    when: When,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum When {
    Cut,
    Whole,
}

/// `truncated` is true when records were left out, and false when the whole output fits.
///
/// Where every record came though the whole output is one character too long, since `true` is shorter than `false`, both
/// are right.
pub(super) fn tells_truncation(args: &Answers, input: &Input<'_, '_>) -> Ruling {
    let (Some(header), Some(cut), Some(full)) = (input.one("header"), input.one("cut"), input.one("full")) else {
        return Ruling::skip("no records");
    };
    let (Some(whole), Some(budget)) = (input.one("whole"), input.one("budget")) else {
        return Ruling::skip("no budget");
    };
    let (came, all) = (array(cut.value).len(), array(full.value).len());
    let is_cut = came < all;
    let is_due = match args.when {
        When::Cut => is_cut,
        When::Whole => !is_cut && length(whole.value) <= number(budget.value),
    };
    if header.value.is_null() || !is_due {
        return Ruling::skip(format!("{came} of {all} records came"));
    }
    let truncated = input.one("truncated").map_or(&Value::Null, |node| node.value);
    if came == 0 && truncated.is_null() {
        return Ruling::skip("there was no room for more than a header");
    }
    // Where nothing was left out, nothing need be said.
    match *truncated == Value::Bool(is_cut) || (!is_cut && truncated.is_null()) {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new(format!("{came} of {all} records came within {} characters", number(budget.value)))
                .at(&header.pointer)
                .compare(format!("truncated={is_cut}").into(), format!("truncated={truncated}").into()),
        ),
    }
}

fn stranger(cut: &Located<'_>, records: &[Value], all: &[Value], at: usize) -> Detail {
    Detail::new(format!("record {} is not a whole record of the output without a budget", at + 1))
        .at(format!("{}/{at}", cut.pointer))
        .compare(all.get(at).cloned().unwrap_or_default(), records[at].clone())
}

/// How many records the two have in common at their beginning.
fn common(records: &[Value], all: &[Value]) -> usize {
    records.iter().zip(all).take_while(|(record, whole)| same_record(record, whole)).count()
}

/// Equal but for the line that they stand on, which a header may shift.
fn same_record(left: &Value, right: &Value) -> bool {
    match (left.as_object(), right.as_object()) {
        (Some(left), Some(right)) => {
            let without_line = |(key, _): &(&String, &Value)| key.as_str() != "line";
            left.len() == right.len()
                && left
                    .iter()
                    .filter(without_line)
                    .all(|(key, value)| right.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => false,
    }
}

/// The characters that a record takes in the full output, line ends included.
fn size_of(record: &Value, lines: &Value) -> u64 {
    let (first, count) = (number(&record["line"]) as usize, number(&record["lines"]) as usize);
    let taken = array(lines).iter().skip(first.saturating_sub(1)).take(count);
    taken.map(|line| line.as_str().map_or(0, |line| line.chars().count() as u64) + 1).sum()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
