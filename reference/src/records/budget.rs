//! The section "Budgets and truncation": `--max-chars` is exact, and nothing is printed in part.
//!
//! The answer becomes the longest prefix of whole records that fits, header included. The header says what was printed,
//! so its length changes with the prefix; only whole texts are ever measured, in Unicode scalar values.

use super::record::Answer;
use super::refusal::Refusal;

/// A form of an answer: writes the header and the first so many records.
pub(crate) type Render = fn(&Answer, usize) -> String;

/// The longest text that `render` makes of `answer` within the budget.
pub(crate) fn fit(answer: &Answer, render: Render, budget: Option<usize>) -> Result<String, Refusal> {
    let whole = render(answer, answer.records.len());
    let Some(budget) = budget else {
        return Ok(whole);
    };
    if length(&whole) <= budget {
        return Ok(whole);
    }
    // Prefixes that leave something out all say `truncated=true`, so each is longer than the one before. The whole is
    // not among them: it says `truncated=false`, a character more.
    let (mut fits, mut too_long) = (0, answer.records.len());
    while fits + 1 < too_long {
        let middle = fits + (too_long - fits) / 2;
        if length(&render(answer, middle)) <= budget {
            fits = middle;
        } else {
            too_long = middle;
        }
    }
    let text = render(answer, fits);
    if length(&text) <= budget { Ok(text) } else { Err(Refusal::BudgetTooSmall { budget, needed: length(&text) }) }
}

fn length(text: &str) -> usize {
    text.chars().count()
}
