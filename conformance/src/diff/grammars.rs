//! Grammars: what the texts that are known tell of them, read by the grammar before and by the one now.

use super::Seen;
use super::catalogue::change;
use super::change::{Change, Class, Witness};
use super::side::ContractSide;
use crate::format::Grammar;
use serde_json::{Value, json};
use std::collections::BTreeSet;

use Class::{Breaking, Compatible, Editorial};

/// So many texts are tried. Each is short, and a grammar reads some thousand of them in a second.
const MOST_TEXTS: usize = 5_000;

/// Every change of a grammar.
pub(super) fn changes(before: &ContractSide, now: &ContractSide, seen: &Seen) -> Vec<Change> {
    let mut changes = Vec::new();
    let names: BTreeSet<&String> = before.grammars.keys().chain(now.grammars.keys()).collect();
    for name in names {
        let (was, is) = (before.grammars.get(name), now.grammars.get(name));
        if was == is {
            continue;
        }
        let both = [was, is].map(|text| text.map(|text| rules(text)));
        let (old, fresh) = (json!(both[0]), json!(both[1]));
        if old == fresh {
            let says = format!("{name} says the same in other words");
            changes.push(change(now, "wording", name, (json!(was), json!(is)), says, (Editorial, Editorial)));
            continue;
        }
        let mut one = change(now, "grammar", name, (old, fresh), String::new(), (Breaking, Breaking));
        tell(&mut one, (was, is), &texts([before, now], seen));
        changes.push(one);
    }
    changes
}

/// Says what a change of a grammar means, by the texts that it reads otherwise.
fn tell(change: &mut Change, both: (Option<&String>, Option<&String>), texts: &BTreeSet<String>) {
    let name = change.subject.clone();
    let (Some(was), Some(is)) = both else {
        change.says = format!("the grammar {name} is {}", if both.0.is_none() { "new" } else { "gone" });
        return;
    };
    let (Ok(old), Ok(fresh)) = (Grammar::read(was), Grammar::read(is)) else {
        change.says = format!("the grammar {name} is another one, and one of the two cannot be read");
        return;
    };
    let entries = entries(was, is);
    let mut found: [Option<&str>; 3] = [None; 3];
    // With the names of rules, which a pair that has nothing inside is not shown by otherwise.
    for text in texts {
        for entry in &entries {
            let read = [&old, &fresh].map(|grammar| grammar.parse(entry, text).ok().map(|pairs| format!("{pairs:?}")));
            let at = match &read {
                [Some(_), None] => 0,
                [None, Some(_)] => 1,
                [Some(one), Some(other)] if one != other => 2,
                _ => continue,
            };
            // The shortest text shows it best.
            if found[at].is_none_or(|known| text.len() < known.len()) {
                found[at] = Some(text);
            }
        }
    }
    let shows = ["read before, not read now", "not read before, read now", "read before and now, as something else"];
    let [refused, accepted, other] = found;
    change.witness = found
        .into_iter()
        .zip(shows)
        .find_map(|(text, shows)| Some(Witness { shows: shows.to_owned(), document: Value::from(text?) }));
    let breaks = |is: bool| if is { Breaking } else { Compatible };
    change.implementations = breaks(refused.is_some() || other.is_some());
    change.clients = breaks(accepted.is_some() || other.is_some());
    change.says = match change.witness {
        Some(_) => format!("the grammar {name} reads texts otherwise"),
        None => {
            (change.implementations, change.clients) = (Editorial, Editorial);
            change.asks = Some("say that it reads every text as before".to_owned());
            format!(
                "the grammar {name} is another one, and reads {} as before",
                crate::text::plural(texts.len(), "text")
            )
        }
    };
}

/// A grammar without comments and the space between words.
pub(super) fn rules(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// The rules that both grammars begin to read by: they say where a text begins. All that both have where none does.
fn entries(was: &str, is: &str) -> Vec<String> {
    let all = |text: &str| -> Vec<(String, bool)> {
        let rules = text.lines().filter_map(|line| {
            let (name, body) = line.split_once('=')?;
            let name = name.trim();
            let is_name = !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
            is_name.then(|| (name.to_owned(), body.contains("SOI")))
        });
        rules.collect()
    };
    let now = all(is);
    let common: Vec<(String, bool)> =
        all(was).into_iter().filter(|(name, _)| now.iter().any(|(other, _)| other == name)).collect();
    let begins = common.iter().filter(|(_, begins)| *begins).map(|(name, _)| name.clone()).collect::<Vec<String>>();
    if begins.is_empty() { common.into_iter().map(|(name, _)| name).collect() } else { begins }
}

/// The lines of the texts in goldens, counterexamples and checks, and of answers that were recorded.
fn texts(sides: [&ContractSide; 2], seen: &Seen) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for side in sides {
        side.goldens.values().for_each(|golden| strings(golden, &mut texts));
        let of_cases = side.cases.values().flat_map(|case| &case.checks);
        let always = side.always.iter().flat_map(|always| always.checks.iter().map(|one| &one.check));
        for check in of_cases.chain(always) {
            strings(&json!([check.broken_by, check.equals, check.args]), &mut texts);
        }
        let recorded = seen.exchanges.get(&side.contract.name);
        recorded.into_iter().flatten().for_each(|exchange| strings(&exchange["lines"], &mut texts));
    }
    texts.into_iter().take(MOST_TEXTS).collect()
}

fn strings(value: &Value, to: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => to.extend(text.split('\n').map(str::to_owned)),
        Value::Array(values) => values.iter().for_each(|value| strings(value, to)),
        Value::Object(members) => members.values().for_each(|value| strings(value, to)),
        _ => {}
    }
}
