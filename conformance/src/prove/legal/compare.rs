//! What the checks say of a legal answer, beside what they say of the reference.

use super::Tried;
use crate::judge::Judgement;
use crate::load::Legal;
use crate::model::{Detail, Finding, Requirement, Unproven, Verdict};
use crate::text::inert;
use serde_json::Value;

/// What a check says of one case.
#[derive(Clone, Copy)]
pub(super) struct Said<'s> {
    pub(super) verdict: Verdict,
    pub(super) exercised: usize,
    pub(super) details: &'s [Detail],
}

impl Said<'_> {
    /// Nothing at all.
    const NOTHING: Self = Self { verdict: Verdict::Skip, exercised: 0, details: &[] };
}

impl<'s> Said<'s> {
    /// What a judgement says, which may be missing.
    pub(super) fn judged(one: Option<&'s Judgement>) -> Self {
        one.map_or(Self::NOTHING, |one| Self { verdict: one.verdict, exercised: one.exercised, details: &one.details })
    }

    /// What a finding says, which may be missing.
    pub(super) fn found(one: Option<&'s Finding>) -> Self {
        one.map_or(Self::NOTHING, |one| Self { verdict: one.verdict, exercised: one.exercised, details: &one.details })
    }
}

/// Notes in `tried` what a legal answer of a contract does to a requirement in one case; `problem` makes a problem of a sentence.
pub(super) fn compare(
    (contract, legal): (&str, &Legal),
    requirement: Option<&Requirement>,
    id: &str,
    (before, after): (Said<'_>, Said<'_>),
    tried: &mut Tried,
    problem: impl Fn(String) -> Unproven,
) {
    let (was, is) = (before.verdict, after.verdict);
    // What the reference itself violates is reported elsewhere, and most requirements are as they were.
    let is_the_same = was == is && before.exercised == after.exercised;
    if was == Verdict::Fail || is_the_same {
        return;
    }
    // A transport is judged by every exchange, and other calls may follow from a legal answer, or fewer: that is not its fault.
    if (was, is) == (Verdict::Pass, Verdict::Pass) && requirement.is_some_and(|one| one.owner() != contract) {
        return;
    }
    let answer = &legal.answer;
    if !requirement.is_some_and(Requirement::binds) {
        if is == Verdict::Fail {
            tried.failed.insert(id.to_owned());
            if !answer.against.iter().chain(&answer.also).any(|named| named == id) {
                let why = format!("fails advice that neither `against` nor `also` names: {}", received(after));
                tried.problems.push(problem(why));
            }
        }
        return;
    }
    let shrank = match answer.variant {
        None => after.exercised < before.exercised,
        // A server that decides otherwise answers with more or fewer values; the check still has to look at some.
        Some(_) => after.exercised == 0 && before.exercised > 0,
    };
    let is_less = was == Verdict::Pass && is != Verdict::Fail && (is != Verdict::Pass || shrank);
    if is_less {
        tried.less.insert(id.to_owned());
    }
    let is_excused = is_less && is != Verdict::Incomplete && answer.not_exercised.contains_key(id);
    let is_worse = is.severity() > was.severity().max(Verdict::Pass.severity());
    if is_worse || is_less && !is_excused {
        let why = format!(
            "is condemned: expected {was} with {} values looked at, received {}",
            before.exercised,
            received(after)
        );
        tried.problems.push(problem(why));
    }
}

/// What a check says, in a sentence.
fn received(after: Said<'_>) -> String {
    let mut said = format!("{} with {}", after.verdict, after.exercised);
    if let Some(Detail { message, at, expected, found }) = after.details.first() {
        said += &format!(": {message}");
        said += &at.as_ref().map_or_else(String::new, |at| format!(" (evidence {at})"));
        let shown = |value: &Value| inert::short(&value.to_string(), 200);
        said += &expected.as_ref().map_or_else(String::new, |value| format!(", expected {}", shown(value)));
        said += &found.as_ref().map_or_else(String::new, |value| format!(", received {}", shown(value)));
    }
    said
}
