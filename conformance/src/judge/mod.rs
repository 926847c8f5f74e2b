//! Evidence → findings. Pure: no file, clock, process, network or environment.

mod asked;
pub(crate) mod corpus;
mod golden;
mod judgement;
mod marked;
mod obstacle;
mod parts;
mod scope;
mod wrong;

use crate::load::{Always, Case, Check, Comparison, ContractSuite, Selector};
use crate::model::{Detail, Verdict};
use crate::path::{EvidencePath, ExchangeAt, Located, Reach};
use crate::rules::{Ruling, Selections, equal, selected_as};
use asked::{AskedExchange, asked};
use golden::golden;
pub use judgement::Judgement;
use judgement::{MOST_DETAILS, Wanted, judgement};
pub(crate) use judgement::{merge, merged};
pub(crate) use marked::{unreadable, unreadable_cases};
pub(crate) use obstacle::refusal;
use obstacle::{Obstacle, has_answers, obstacle, refused_twin, unread};
pub use parts::Parts;
use scope::Readers;
pub(crate) use scope::{Change, Changes, Scope, alter, differing};
use serde_json::Value;

/// Judges a case: its own checks, then those that always apply to its exchanges.
pub fn judge(case: &Case, suite: &ContractSuite, transports: &[&Always], evidence: &Value) -> Vec<Judgement> {
    judge_within(Scope::Case, case, suite, transports, evidence)
}

/// As [`judge`], of what is within a scope alone.
pub(crate) fn judge_within(
    scope: Scope<'_>,
    case: &Case,
    suite: &ContractSuite,
    transports: &[&Always],
    evidence: &Value,
) -> Vec<Judgement> {
    merged(one_by_one(scope, case, suite, transports, evidence).collect())
}

/// As [`judge_within`], check by check, each when it is asked for. Several judgements of one requirement are not yet one.
pub(crate) fn one_by_one<'j>(
    scope: Scope<'j>,
    case: &'j Case,
    suite: &'j ContractSuite,
    transports: &'j [&'j Always],
    evidence: &'j Value,
) -> impl Iterator<Item = Judgement> + 'j {
    let judgements =
        judge_own(scope, case, evidence).chain(judge_each_always(scope, case, suite, transports, evidence));
    judgements.map(move |judgement| with_errors(judgement, evidence))
}

/// With what a program said on standard error, where something is wrong with its answer.
fn with_errors(mut judgement: Judgement, evidence: &Value) -> Judgement {
    let is_wrong = matches!(judgement.verdict, Verdict::Fail | Verdict::Incomplete);
    if let Some((step, index)) = judgement.details.iter().find_map(Detail::exchange).filter(|_| is_wrong) {
        let words = obstacle::errors(&evidence[step][index])
            .filter(|_| evidence[step][index]["status"] != "refused")
            .map(|words| format!("it said on standard error: {words}"));
        let detail = words.map(|words| Detail::new(words).at(format!("/{step}/{index}")));
        // Reports show the first ones.
        judgement.details.splice(1..1, detail);
        judgement.details.truncate(MOST_DETAILS);
    }
    judgement
}

/// Judges by the case alone: its checks, and whether the calls that it knows to be allowed were refused.
fn judge_own<'j>(scope: Scope<'j>, case: &'j Case, evidence: &'j Value) -> impl Iterator<Item = Judgement> + 'j {
    let checks = case.checks.iter().enumerate().filter(move |(at, _)| scope.has_check(*at));
    let checks = checks.map(|(_, check)| judge_check(check, case, evidence));
    checks.chain(allowed(case, evidence).filter(move |(step, _)| scope.has_step(*step)).map(|(_, judgement)| judgement))
}

/// What refusals say of the requirements that allow the calls, by the step.
pub(crate) fn allowed<'j>(case: &'j Case, evidence: &'j Value) -> impl Iterator<Item = (usize, Judgement)> + 'j {
    case.allowed().filter_map(move |(step, requirement)| {
        obstacle::allowed(step, case, evidence).map(|ruling| (step, judgement(requirement, ruling)))
    })
}

/// Judges by the checks that always apply.
pub(crate) fn judge_always(
    scope: Scope<'_>,
    case: &Case,
    suite: &ContractSuite,
    transports: &[&Always],
    evidence: &Value,
) -> Vec<Judgement> {
    merged(judge_each_always(scope, case, suite, transports, evidence).collect())
}

fn judge_each_always<'j>(
    scope: Scope<'j>,
    case: &'j Case,
    suite: &'j ContractSuite,
    transports: &'j [&'j Always],
    evidence: &'j Value,
) -> impl Iterator<Item = Judgement> + 'j {
    let asked = asked(case, evidence);
    transports.iter().copied().chain(&suite.always).filter_map(move |always| {
        let within = asked.iter().filter(|exchange| scope.has(exchange.at.step, exchange.at.index, &always.reads));
        judge_where_it_applies(always, case, evidence, within)
    })
}

/// Judges by one check that always applies; nothing where it applies to no exchange of the case.
pub(crate) fn judge_one_always(always: &Always, case: &Case, evidence: &Value) -> Option<Judgement> {
    judge_where_it_applies(always, case, evidence, asked(case, evidence).iter())
}

fn judge_where_it_applies<'a, 'e: 'a>(
    always: &Always,
    case: &Case,
    evidence: &'e Value,
    asked: impl Iterator<Item = &'a AskedExchange<'e>>,
) -> Option<Judgement> {
    let Applying { nodes, free, obstacles } = applying(always, case, asked)?;
    // One exchange after the other: a large answer has many nodes.
    let within = |nodes: Vec<Located<'e>>| {
        nodes.into_iter().flat_map(|node| match &always.check.each {
            Some(Selector::Relative(path)) => path.values(&node),
            _ => vec![node],
        })
    };
    let mut outcome = for_each(&always.check, case, evidence, within(nodes), obstacles);
    // An answer to what may be refused can be wrong, and shows nothing where it is right: the next server refuses.
    let beside = for_each(&always.check, case, evidence, within(free), Vec::new());
    if beside.verdict == Verdict::Fail {
        outcome.exercised += beside.exercised;
        match outcome.verdict {
            Verdict::Fail => outcome.details.extend(beside.details),
            _ => (outcome.verdict, outcome.details) = (Verdict::Fail, beside.details),
        }
    }
    // Where there is nothing of its kind, a check that always applies has nothing to say.
    (outcome.verdict != Verdict::Skip).then(|| judgement(&always.check.requirement, outcome))
}

/// The exchanges that a check which always applies judges.
struct Applying<'e> {
    nodes: Vec<Located<'e>>,
    /// Answers to what may be refused.
    free: Vec<Located<'e>>,
    /// What keeps it from judging more.
    obstacles: Vec<Obstacle>,
}

/// The exchanges that a check which always applies judges, and what keeps it from judging more; nothing where it applies to no
/// exchange.
fn applying<'a, 'e: 'a>(
    always: &Always,
    case: &Case,
    asked: impl Iterator<Item = &'a AskedExchange<'e>>,
) -> Option<Applying<'e>> {
    let part = case.corpus_part();
    if !always.corpus.is_empty() && !always.corpus.iter().any(|wanted| part == Some(wanted)) {
        return None;
    }
    let applies = asked
        .filter(|exchange| always.refused_too || exchange.is_accepted && !exchange.has_no_form)
        .filter(|exchange| always.of.is_empty() || always.of.iter().any(|name| exchange.operation == name))
        // What went to the other era of MCP is judged there.
        .filter(|exchange| !(exchange.is_elsewhere && (always.of_transport || case.names_eras())))
        .filter(|exchange| !always.without.iter().any(|name| exchange.with.get(name).is_some()))
        .filter(|exchange| always.sound.allows(exchange.operation, exchange.with));
    let reads_content = !always.of_transport && always.check.reads_content();
    let (mut nodes, mut free, mut obstacles) = (Vec::new(), Vec::new(), Vec::new());
    for exchange in applies {
        let at = exchange.at;
        let node = Located { pointer: at.pointer(), value: at.value };
        let is_its_own = always.form && obstacle::lacks_items(at.value);
        match unread(at).filter(|_| reads_content && !is_its_own) {
            // What may be refused may be answered so that nothing can be read.
            Some(_) if exchange.may_be_refused && !always.refused_too => {}
            Some(obstacle) => obstacles.push(obstacle),
            None if exchange.may_be_refused && !always.refused_too => free.push(node),
            None => nodes.push(node),
        }
    }
    if nodes.is_empty() && free.is_empty() && obstacles.is_empty() {
        return None;
    }
    Some(Applying { nodes, free, obstacles })
}

/// Judges by one check of a case.
pub(crate) fn judge_check(check: &Check, case: &Case, evidence: &Value) -> Judgement {
    let outcome = match &check.each {
        Some(Selector::Evidence(path)) => {
            let reach = match path.whole_exchange {
                true if check.reads_content() => Reach::Answer,
                true => Reach::Form,
                false => path.reach,
            };
            let (exchanges, obstacles) = reached(path, reach, case, evidence);
            let nodes = exchanges.into_iter().flat_map(|exchange| path.inside(exchange));
            for_each(check, case, evidence, nodes, obstacles)
        }
        _ => match select(check, case, evidence, None) {
            Ok(selections) => compare(check, &selections),
            Err((selections, obstacles)) => despite(check, &selections, obstacles),
        },
    };
    judgement(&check.requirement, outcome)
}

/// Judges each node by itself: one failure fails, one obstacle leaves it incomplete, nothing at all is skipped.
fn for_each<'e>(
    check: &'e Check,
    case: &Case,
    evidence: &'e Value,
    nodes: impl Iterator<Item = Located<'e>>,
    mut obstacles: Vec<Obstacle>,
) -> Ruling {
    let (mut exercised, mut failures) = (0, Vec::new());
    let (mut skipped, mut wanted) = (None, Wanted::default());
    for node in nodes {
        let outcome = match select(check, case, evidence, Some(&node)) {
            Ok(selections) => compare(check, &selections),
            Err((_, details)) => {
                obstacles.extend(details);
                continue;
            }
        };
        exercised += outcome.exercised;
        match outcome.verdict {
            Verdict::Fail if wanted.takes(&node.pointer) => failures.extend(outcome.details),
            // A list of many items may fail at each of them.
            Verdict::Fail => {}
            Verdict::Incomplete => obstacles.extend(outcome.details.into_iter().map(Obstacle::untold)),
            Verdict::Skip => skipped = skipped.or(outcome.details.into_iter().next()),
            Verdict::Pass => {}
        }
    }
    match (failures.is_empty(), obstacles.is_empty(), exercised) {
        (false, ..) => Ruling { verdict: Verdict::Fail, details: failures, exercised },
        _ if exercised > 0 && obstacle::all_harmless(&obstacles) => Ruling::pass(exercised),
        (_, false, _) => obstacle::outcome(obstacles, exercised),
        (_, _, 0) => Ruling { verdict: Verdict::Skip, details: skipped.into_iter().collect(), exercised },
        _ => Ruling::pass(exercised),
    }
}

/// The exchanges that have what a path reaches for, and what is missing of the others.
///
/// A refusal among the answers of a sweep is an answer of its own, which checks of the status judge; so it is where whole
/// exchanges are chosen. Behind the first page of a walk it is as good as an empty page.
fn reached<'e>(
    path: &EvidencePath,
    reach: Reach,
    case: &Case,
    evidence: &'e Value,
) -> (Vec<ExchangeAt<'e>>, Vec<Obstacle>) {
    let (mut reached, mut obstacles, mut passed_over) = (Vec::new(), Vec::new(), Vec::new());
    let all = path.exchanges(evidence);
    if all.is_empty() {
        obstacles.push(why_not_run(path, case, evidence));
    }
    let sweeps = |step: usize| case.steps.get(step).is_some_and(|step| step.sweep.is_some());
    for exchange in all {
        let is_of_sweep = || sweeps(exchange.step) && has_answers(exchange.step, evidence);
        let is_behind = exchange.index > 0 && case.steps.get(exchange.step).is_some_and(|step| step.walk.is_some());
        if let Some(obstacle) = refused_twin(exchange, case, evidence) {
            obstacles.push(obstacle);
            continue;
        }
        let reads_content = reach.is_of_content() || path.whole_exchange && reach == Reach::Exchange;
        match obstacle(exchange, reach, case).or_else(|| unread(exchange).filter(|_| reads_content)) {
            None => reached.push(exchange),
            Some(obstacle) if exchange.status() == "refused" && (path.whole_exchange || is_behind || is_of_sweep()) => {
                passed_over.push(obstacle);
            }
            Some(obstacle) => obstacles.push(obstacle),
        }
    }
    // A refusal among answers is passed over; where nothing else was asked for, it is what stands in the way.
    if reached.is_empty() && obstacles.is_empty() {
        obstacles = passed_over;
    }
    (reached, obstacles)
}

/// Why no step was taken that a path speaks of.
fn why_not_run(path: &EvidencePath, case: &Case, evidence: &Value) -> Obstacle {
    let steps = path.steps(case.steps.len());
    if let Some(condition) = steps.iter().find_map(|step| case.conditions.get(step)) {
        let (_, obstacles) = reached(condition, condition.reach, case, evidence);
        return match obstacles.into_iter().next() {
            Some(obstacle) => obstacle,
            None => Obstacle::not_exercised(format!("the call is made only where {} finds something", condition.text)),
        };
    }
    Obstacle::not_run(case, evidence)
}

/// Selects the values of a check; on the way, what stands in the way.
fn select<'e>(
    check: &'e Check,
    case: &Case,
    evidence: &'e Value,
    node: Option<&Located<'e>>,
) -> Result<Selections<'e>, (Selections<'e>, Vec<Obstacle>)> {
    let (mut selections, mut obstacles) = (Selections::with_capacity(check.select.len()), Vec::new());
    for (name, selector) in &check.select {
        let mut values = Vec::new();
        match (selector, node) {
            (Selector::Relative(path), Some(node)) => values = path.values(node),
            (Selector::Relative(_), None) => {}
            (Selector::Evidence(path), _) => {
                let (exchanges, missing) = reached(path, path.reach, case, evidence);
                values = exchanges.into_iter().flat_map(|exchange| path.inside(exchange)).collect();
                obstacles.extend(missing);
            }
        }
        selections.push((name.as_str(), values));
    }
    match obstacles.is_empty() {
        true => Ok(selections),
        false => Err((selections, obstacles)),
    }
}

/// A failure among what came fails all the same; otherwise it could not be told.
fn despite(check: &Check, selections: &Selections<'_>, obstacles: Vec<Obstacle>) -> Ruling {
    let each_by_itself = matches!(check.comparison, Comparison::Equals(_) | Comparison::Schema { .. });
    if each_by_itself && selections.iter().any(|(_, values)| !values.is_empty()) {
        let outcome = compare(check, selections);
        if outcome.verdict == Verdict::Fail || obstacle::all_harmless(&obstacles) {
            return outcome;
        }
    }
    obstacle::outcome(obstacles, 0)
}

fn compare(check: &Check, selections: &Selections<'_>) -> Ruling {
    if let Comparison::Rule { relation, .. } = &check.comparison {
        return relation.judge(selections);
    }
    let values = selected_as("value", selections);
    if let Comparison::Golden { expected, matching, .. } = &check.comparison {
        return golden(values, expected, matching);
    }
    if values.is_empty() {
        return Ruling::fail(Detail::new("nothing was received"));
    }
    if let Comparison::Schema { bound: Some(bound), .. } = &check.comparison
        && let Some((node, why)) = values.iter().find_map(|node| Some((node, bound.refuses(node.value)?)))
    {
        let message = format!("it cannot be judged by the schema of the check: {why}");
        return Ruling::incomplete(Detail::new(message).at(&node.pointer));
    }
    let mut wanted = Wanted::default();
    // Most values are valid, which is told without looking for what is wrong.
    let wrong = values.iter().filter(|node| match &check.comparison {
        Comparison::Equals(expected) => !equal(expected, node.value),
        Comparison::Schema { validator, .. } => !validator.is_valid(node.value),
        _ => false,
    });
    let details = wrong.filter(|node| wanted.takes(&node.pointer)).filter_map(|node| match &check.comparison {
        Comparison::Equals(expected) => Some(wrong::unequal(node, expected)),
        Comparison::Schema { validator, .. } => Some(wrong::invalid(node, &validator.validate(node.value).err()?)),
        _ => None,
    });
    Ruling::of(values.len(), details.collect())
}

/// The values that a check of a case selects: what a golden is made of.
pub fn selected(check: &Check, case: &Case, evidence: &Value) -> Vec<Value> {
    let (Ok(selections) | Err((selections, _))) = select(check, case, evidence, None);
    selections.into_iter().flat_map(|(_, values)| values).map(|node| node.value.clone()).collect()
}

/// The verdict of one check of a case.
pub fn judge_case_check(check: &Check, case: &Case, evidence: &Value) -> Verdict {
    judge_check(check, case, evidence).verdict
}
