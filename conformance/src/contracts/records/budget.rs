//! What a budget of characters does to a text of records. "Budgets and truncation" of the records document.

use super::measure::{Outputs, array, number, same_record, size_of};
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, length};
use serde::Deserialize;
use serde_json::Value;

/// No record of the cut output is a piece of a record of the whole one.
///
/// Lines about the cut are free. A piece is allowed where it is unavoidable: where not even one record fits.
pub(super) fn whole_records(input: &Input<'_, '_>) -> Ruling {
    let (Some(outputs), Some(cut)) = (Outputs::of(input), input.one("cut")) else {
        return Ruling::skip("no records");
    };
    let (records, all) = (outputs.cut, outputs.full);
    if records.is_empty() {
        return Ruling::skip("no record was printed");
    }
    let whole = |record: &Value| all.iter().any(|other| same_record(record, other));
    match records.iter().position(|record| outputs.is_piece(record)) {
        None => Ruling::pass(records.len()),
        Some(_) if !records.iter().any(whole) && !outputs.has_room_for_one() => Ruling::skip("no record fits"),
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

/// How long the whole output is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Length {
    /// It was printed with a larger budget, so its header takes what the header of a whole output takes with a budget.
    #[serde(default)]
    as_printed: bool,
}

/// A budget that holds the whole output leaves nothing out.
pub(super) fn complete_when_it_fits(args: &Length, input: &Input<'_, '_>) -> Ruling {
    let (Some(outputs), Some(cut)) = (Outputs::of(input), input.one("cut")) else {
        return Ruling::skip("no records");
    };
    let (needed, budget) = (if args.as_printed { outputs.printed() } else { outputs.needed() }, outputs.budget);
    if needed > budget {
        return Ruling::skip(format!("the whole output needs {needed} characters"));
    }
    match outputs.missing() {
        0 => Ruling::pass(1),
        missing => Ruling::fail(
            Detail::new(format!("the whole output needs at most {needed} characters, and {budget} are allowed"))
                .at(&cut.pointer)
                .compare(
                    "every record".into(),
                    format!("{missing} of {} records are missing", outputs.full.len()).into(),
                ),
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

/// The lines have fewer characters than the texts that they stand for.
pub(super) fn shorter(input: &Input<'_, '_>) -> Ruling {
    let texts = input.all("text").iter().filter_map(|node| node.value.as_str());
    let of_texts: u64 = texts.map(|text| text.chars().count() as u64).sum();
    let of_lines: u64 = input.all("lines").iter().map(|node| length(node.value)).sum();
    match (of_texts, input.all("lines").first()) {
        (0, _) | (_, None) => Ruling::skip("no text to compare with"),
        (of_texts, Some(_)) if of_lines < of_texts => Ruling::pass(1),
        (of_texts, Some(lines)) => Ruling::fail(
            Detail::new(format!("{of_lines} characters stand for a text of {of_texts}")).at(&lines.pointer),
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

/// `truncated` is true when a record was left out, and not when nothing was and the whole output fits.
pub(super) fn tells_truncation(args: &Answers, input: &Input<'_, '_>) -> Ruling {
    let (Some(outputs), Some(header)) = (Outputs::of(input), input.one("header")) else {
        return Ruling::skip("no records");
    };
    let (missing, all) = (outputs.missing(), outputs.full.len());
    let is_cut = missing > 0;
    let is_judged = match args.when {
        // What is missing where everything fits was not left out by the budget.
        When::Cut => is_cut && outputs.needed() > outputs.budget,
        When::Whole => !is_cut && outputs.fits_as_printed(),
    };
    if header.value.is_null() || !is_judged {
        return Ruling::skip(format!("{missing} of {all} records are missing"));
    }
    let truncated = input.one("truncated").map_or(&Value::Null, |node| node.value);
    if missing == all && truncated.is_null() {
        return Ruling::skip("there was no room for more than a header");
    }
    // Where nothing was left out, nothing need be said.
    match *truncated == Value::Bool(is_cut) || (!is_cut && truncated.is_null()) {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new(format!("{missing} of {all} records are missing at {} characters", outputs.budget))
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
