//! What the answers took and cost, in words.

use crate::ledger::RunLog;
use crate::model::{Cost, Numbers, Place};
use crate::text::{inert, plural};

/// What stands above the table.
pub(super) const TITLE: &str = "What answers took, and the tokens (o200k_base) that a model reads in them";

/// The heads of the table: two of words, the others of numbers.
pub(super) const HEADS: [&str; 8] =
    ["endpoint", "operation", "answers", "p50", "p95", "max", "tokens, median answer", "tokens, largest answer"];

/// The numbers that reports show. Those of the reference, whose counterexamples are tried, are for whoever asks for them.
pub(super) fn told(log: &RunLog) -> &[Numbers] {
    if log.totals.counterexamples.is_some() { &[] } else { &log.totals.numbers }
}

/// The table of them, a row for each operation at an endpoint.
pub(super) fn rows(log: &RunLog) -> Vec<[String; HEADS.len()]> {
    told(log).iter().map(|one| row(log, one)).collect()
}

/// The operations of an endpoint, each with its numbers in a few words.
pub(super) fn at<'l>(log: &'l RunLog, place: &Place) -> impl Iterator<Item = (String, String)> + use<'l> {
    let place = place.clone();
    told(log).iter().filter(move |one| one.place() == place).map(|one| {
        let cost = |cost: Option<Cost>, of: &str| Some(format!(", {} tokens in the {of} answer", tokens(cost?)?));
        let (median, largest) = (cost(one.median, "median"), cost(one.largest, "largest"));
        let words = format!("{}, {}", plural(one.answers, "answer"), times(one));
        (inert::line(&one.operation), words + &median.unwrap_or_default() + &largest.unwrap_or_default())
    })
}

/// The same for a terminal, whoever was judged: the operations below their endpoint.
pub(super) fn table(log: &RunLog) -> Vec<String> {
    const NARROW: [&str; HEADS.len()] = ["", "operation", "answers", "p50", "p95", "max", "median", "largest"];
    let rows: Vec<[String; HEADS.len()]> = log.totals.numbers.iter().map(|one| row(log, one)).collect();
    let heads = NARROW.map(str::to_owned);
    let width = |at: usize| rows.iter().chain([&heads]).map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    let line = |row: &[String; HEADS.len()]| {
        let numbers = row.iter().zip(&widths).skip(2).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("    {:<width$}{}", row[1], numbers.collect::<String>(), width = widths[1])
    };
    let mut lines = vec![format!("{TITLE}, median and largest:"), line(&heads)];
    for of_place in rows.chunk_by(|one, next| one[0] == next[0]) {
        lines.push(format!("  {}", of_place[0][0]));
        lines.extend(of_place.iter().map(line));
    }
    lines
}

/// What stands out, in two sentences at most.
pub(super) fn summary(log: &RunLog) -> Vec<String> {
    let all = told(log);
    let named = |one: &Numbers| format!("{} of {}", inert::line(&one.operation), endpoint(log, one));
    let slowest = all.iter().max_by(|left, right| left.elapsed.p95.total_cmp(&right.elapsed.p95));
    let slowest = slowest.map(|one| {
        let more = if all.len() > 1 { "; -v shows every operation" } else { "" };
        format!("slowest: {}, {} of {}{more}", named(one), times(one), plural(one.answers, "answer"))
    });
    let (lists, others): (Vec<&Numbers>, Vec<&Numbers>) = all.iter().partition(|one| one.operation == Numbers::TOOLS);
    let list = dearest(lists).map(|(tokens, one)| format!("{tokens} in the list of tools of {}", endpoint(log, one)));
    let answer = dearest(others).map(|(tokens, one)| {
        let median = one.median.and_then(self::tokens).map_or_else(String::new, |median| format!(" (median {median})"));
        format!("{tokens} in the largest answer to {}{median}", named(one))
    });
    let costs: Vec<String> = list.into_iter().chain(answer).collect();
    let costs = (!costs.is_empty()).then(|| format!("tokens: {}", costs.join(", ")));
    slowest.into_iter().chain(costs).collect()
}

/// The operation with the answer of most tokens, where they were counted.
fn dearest(all: Vec<&Numbers>) -> Option<(String, &Numbers)> {
    let counted = all.into_iter().filter_map(|one| Some((one.largest.filter(|cost| cost.tokens.is_some())?, one)));
    let (cost, one) = counted.max_by_key(|(cost, _)| cost.tokens)?;
    Some((tokens(cost)?, one))
}

fn row(log: &RunLog, one: &Numbers) -> [String; HEADS.len()] {
    let cost = |cost: Option<Cost>| cost.and_then(tokens).unwrap_or_default();
    [
        endpoint(log, one),
        inert::line(&one.operation),
        one.answers.to_string(),
        seconds(one.elapsed.p50),
        seconds(one.elapsed.p95),
        seconds(one.elapsed.max),
        cost(one.median),
        cost(one.largest),
    ]
}

fn endpoint(log: &RunLog, one: &Numbers) -> String {
    format!("{} over {}", super::contract(log, &one.place()), one.transport)
}

fn times(one: &Numbers) -> String {
    let [p50, p95, max] = [one.elapsed.p50, one.elapsed.p95, one.elapsed.max].map(seconds);
    format!("p50 {p50}, p95 {p95}, max {max}")
}

/// How many tokens, where they were counted.
pub(super) fn tokens(cost: Cost) -> Option<String> {
    cost.tokens.map(|tokens| if cost.about { format!("about {tokens}") } else { tokens.to_string() })
}

/// A time in the unit that it is read in: `0.3 ms`, `24 ms`, `1.4 s`.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds * 1000.0 {
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        _ => format!("{seconds:.1} s"),
    }
}
