//! The section "Budgets and truncation": `--max-chars` is exact, and nothing is printed in part.
//!
//! The answer becomes the longest prefix of whole records that fits, header included. The header says what was printed,
//! so its length changes with the prefix; only whole texts are ever measured, in Unicode scalar values.

use super::record::Answer;
use super::refusal::Refusal;
use super::variant::Variant;

/// A form of an answer: writes the header and this many records.
pub(crate) type Render = fn(&Answer, usize) -> String;

/// The longest text that `render` makes of `answer` within the budget.
pub(crate) fn fit(
    answer: &Answer,
    render: Render,
    budget: Option<usize>,
    variant: Option<Variant>,
) -> Result<String, Refusal> {
    let whole = render(answer, answer.records.len());
    let Some(budget) = budget else {
        return Ok(whole);
    };
    let length = match variant {
        None => characters,
        Some(Variant::Utf16Budget) => code_units,
    };
    if length(&whole) <= budget {
        return Ok(whole);
    }
    // Prefixes that leave something out all say `truncated=true`, so each is longer than the one before. The whole is
    // not among them: it says `truncated=false`, a character more.
    let prefixes: Vec<usize> = (0..answer.records.len()).collect();
    let fitting = prefixes.partition_point(|records| length(&render(answer, *records)) <= budget);
    match prefixes[..fitting].last() {
        Some(records) => Ok(render(answer, *records)),
        None => Err(Refusal::BudgetTooSmall { budget, needed: length(&render(answer, 0)) }),
    }
}

fn characters(text: &str) -> usize {
    text.chars().count()
}

fn code_units(text: &str) -> usize {
    text.encode_utf16().count()
}
