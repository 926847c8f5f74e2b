//! The recorded mutants of a contract, and how they compare with a new run.

use super::mutant::{Fate, Mutant};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What `reference/mutants.json` records of a contract.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Kept {
    /// How many mutants compile.
    viable: usize,
    /// How many of them a requirement that binds catches: they break binding behaviour. Nothing before it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    caught_by_binding: Option<usize>,
    /// How many of them the suite catches. What advice alone catches is behaviour that we decided.
    caught_by_suite: usize,
    /// How many of them the suite or the reference's own tests catch.
    caught: usize,
    /// Those that the suite misses and the reference's own tests catch, each with what it breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missed: Vec<Missed>,
    /// Those that nothing catches. They count as not caught.
    survivors: Vec<Survivor>,
}

/// A mutant that the suite misses.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Missed {
    mutant: String,
    breaks: Behaviour,
    /// Which sentence it breaks, or why none speaks of it.
    reason: String,
}

/// What a mutant changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Behaviour {
    /// What a sentence of the document fixes: the suite should catch it.
    Binding,
    /// What the document leaves free, and we decided: the suite cannot catch it.
    Decided,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Survivor {
    mutant: String,
    /// Why no one can distinguish it from the reference.
    reason: String,
}

/// The result of a run for one contract, or for several.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    viable: usize,
    caught_by_binding: usize,
    caught_by_suite: usize,
    missed: Vec<String>,
    survivors: Vec<String>,
}

impl Found {
    /// From the verdicts of what binds in the suite on all mutants, of the suite on those that it let through, and of the reference's
    /// own tests on those that the suite let through.
    pub(super) fn new(rounds: &[Vec<Mutant>]) -> Self {
        let mut found = Self::default();
        for first in rounds.first().into_iter().flatten().filter(|mutant| mutant.fate != Fate::Unviable) {
            // A mutant that a later round does not judge was let through by all before it.
            let fates = rounds.iter().map(|round| round.iter().find(|mutant| mutant.full_name == first.full_name));
            let caught_in = fates.map(|mutant| mutant.map(|one| one.fate)).position(|fate| fate == Some(Fate::Caught));
            found.viable += 1;
            found.caught_by_binding += usize::from(caught_in == Some(0));
            found.caught_by_suite += usize::from(matches!(caught_in, Some(0 | 1)));
            match caught_in {
                Some(2) => found.missed.push(first.name.clone()),
                None => found.survivors.push(first.name.clone()),
                _ => {}
            }
        }
        found
    }

    /// Adds another contract.
    pub(super) fn add(&mut self, other: Self) {
        self.viable += other.viable;
        self.caught_by_binding += other.caught_by_binding;
        self.caught_by_suite += other.caught_by_suite;
        self.missed.extend(other.missed);
        self.survivors.extend(other.survivors);
    }

    /// The names of those that nothing catches.
    pub(super) fn survivors(&self) -> &[String] {
        &self.survivors
    }

    fn caught(&self) -> usize {
        self.viable - self.survivors.len()
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (viable, by_suite, caught) = (self.viable, self.caught_by_suite, self.caught());
        let percent = |part: usize| 100.0 * part as f64 / viable.max(1) as f64;
        let binding = self.caught_by_binding;
        write!(f, "of {viable} mutants what binds catches {binding} ({:.1} %), ", percent(binding))?;
        write!(f, "with advice the suite catches {by_suite} ({:.1} %), ", percent(by_suite))?;
        write!(f, "with the reference's own tests {caught} ({:.1} %)", percent(caught))
    }
}

impl Kept {
    /// Everything that is wrong.
    pub(super) fn faults(&self, found: &Found) -> Vec<String> {
        let unlisted = found.survivors.iter().filter(|name| !self.lists(name));
        let mut faults: Vec<String> = unlisted.map(|name| format!("survives and is not listed: {name}")).collect();
        let stale = self.survivors.iter().filter(|survivor| !found.survivors.contains(&survivor.mutant));
        faults.extend(stale.map(|survivor| {
            format!("listed, but caught now or gone; take it out, or let --write do it: {}", survivor.mutant)
        }));
        let unclassified = found.missed.iter().filter(|name| !self.missed.iter().any(|one| one.mutant == **name));
        faults.extend(unclassified.map(|name| {
            format!("the suite misses it, and `missed` does not say whether it breaks what binds: {name}")
        }));
        let gone = self.missed.iter().filter(|one| !found.missed.contains(&one.mutant));
        faults.extend(gone.map(|one| {
            format!("listed as missed, but not missed now; take it out, or let --write do it: {}", one.mutant)
        }));
        let (before, now) = (self.viable - self.caught_by_suite, found.viable - found.caught_by_suite);
        if now > before {
            faults.push(format!(
                "the suite lets {now} mutants through, which were {before}: a case was lost, or is missing"
            ));
        }
        faults
    }

    /// How many mutants break what binds, and how many of these the suite catches by what binds; nothing before it was measured.
    pub(super) fn binding(&self) -> Option<(usize, usize)> {
        let missed = self.missed.iter().filter(|one| one.breaks == Behaviour::Binding).count();
        let caught = self.caught_by_binding?;
        Some((caught, caught + missed))
    }

    /// Updates the counts and removes the mutants that are caught now. None is added: each needs a reason.
    pub(super) fn renew(&mut self, found: &Found) {
        self.viable = found.viable;
        self.caught_by_binding = Some(found.caught_by_binding);
        self.missed.retain(|one| found.missed.contains(&one.mutant));
        self.caught_by_suite = found.caught_by_suite;
        self.caught = found.caught();
        self.survivors.retain(|survivor| found.survivors.contains(&survivor.mutant));
    }

    fn lists(&self, name: &str) -> bool {
        self.survivors.iter().any(|survivor| survivor.mutant == name)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::{Fate, Found, Kept, Mutant};
    use crate::shared::workspace;
    use serde_json::{from_value, json};
    use std::collections::{BTreeMap, BTreeSet};

    fn mutants(fates: &[(&str, Fate)]) -> Vec<Mutant> {
        let mutant = |(name, fate): &(&str, Fate)| Mutant {
            full_name: format!("1:1 {name}"),
            name: (*name).to_owned(),
            fate: *fate,
        };
        fates.iter().map(mutant).collect()
    }

    /// `a` breaks what binds, `e` what is advised, `b` what the reference's own tests hold it to, and `c` survives.
    fn found() -> Found {
        let binding = [
            ("a", Fate::Caught),
            ("b", Fate::Survived),
            ("c", Fate::Survived),
            ("d", Fate::Unviable),
            ("e", Fate::Survived),
        ];
        let suite = [("b", Fate::Survived), ("c", Fate::Survived), ("e", Fate::Caught)];
        let own = [("b", Fate::Caught), ("c", Fate::Survived)];
        Found::new(&[mutants(&binding), mutants(&suite), mutants(&own)])
    }

    fn kept(caught_by_suite: usize, missed: &[&str], survivors: &[&str]) -> Kept {
        let survivors: Vec<_> = survivors.iter().map(|name| json!({ "mutant": name, "reason": "…" })).collect();
        let missed = missed.iter().map(|name| json!({ "mutant": name, "breaks": "binding", "reason": "…" }));
        from_value(json!({ "viable": 4, "caught-by-suite": caught_by_suite, "caught": 3,
                           "missed": missed.collect::<Vec<_>>(), "survivors": survivors }))
        .unwrap()
    }

    #[test]
    fn the_shares_are_of_what_compiles() {
        let due = "of 4 mutants what binds catches 1 (25.0 %), with advice the suite catches 2 (50.0 %), \
                   with the reference's own tests 3 (75.0 %)";
        assert_eq!(found().to_string(), due);
    }

    #[test]
    fn what_is_listed_and_survives_is_as_it_should_be() {
        assert_eq!(kept(2, &["b"], &["c"]).faults(&found()), [""; 0]);
        assert_eq!(kept(1, &["b"], &["c"]).faults(&found()), [""; 0], "the suite may catch more");
    }

    #[test]
    fn a_survivor_that_is_not_listed_one_that_is_caught_and_a_smaller_share_are_faults() {
        let due = [
            "survives and is not listed: c",
            "listed, but caught now or gone; take it out, or let --write do it: b",
            "the suite misses it, and `missed` does not say whether it breaks what binds: b",
            "listed as missed, but not missed now; take it out, or let --write do it: c",
            "the suite lets 2 mutants through, which were 1: a case was lost, or is missing",
        ];
        assert_eq!(kept(3, &["c"], &["b"]).faults(&found()), due);
    }

    #[test]
    fn renewing_takes_out_what_is_caught_and_lists_nothing_new() {
        let mut kept = kept(3, &["b", "c"], &["b"]);
        assert_eq!(kept.binding(), None, "it was not measured");
        kept.renew(&found());
        assert_eq!(kept.faults(&found()), ["survives and is not listed: c"]);
        assert_eq!(kept.binding(), Some((1, 2)));
    }

    /// The function that a mutant stands in: the last word of its name, or what is replaced as a whole.
    fn function(name: &str) -> &str {
        let name = name.rsplit_once(" #").map_or(name, |(name, _)| name);
        let what = name.split_once(": ").unwrap().1;
        let whole =
            what.strip_prefix("replace ").and_then(|rest| rest.split_once(" -> ").or(rest.split_once(" with ()")));
        let path = match (what.rsplit_once(" in "), whole) {
            (Some((_, path)), _) => path,
            (None, Some((path, _))) => path,
            (None, None) => panic!("{name:?} names no function"),
        };
        path.rsplit("::").next().unwrap()
    }

    #[test]
    fn what_is_kept_is_of_contracts_that_there_are_and_each_survivor_stands_in_a_function_with_its_reason() {
        let root = workspace::root().unwrap();
        let text = std::fs::read_to_string(root.join(super::super::FILE)).unwrap();
        let kept: BTreeMap<String, Kept> = serde_json::from_str(&text).unwrap();
        let suite = workspace::suite().unwrap();
        let contracts: BTreeSet<&String> = suite.contracts.iter().map(|contract| &contract.contract.name).collect();
        for (contract, kept) in &kept {
            assert!(contracts.contains(contract), "{contract}");
            assert!(
                kept.caught_by_suite <= kept.caught && kept.caught + kept.survivors.len() == kept.viable,
                "{contract}"
            );
            assert!(kept.caught_by_binding.is_none_or(|caught| caught <= kept.caught_by_suite), "{contract}");
            let mut names = BTreeSet::new();
            let survivors = kept.survivors.iter().map(|one| (&one.mutant, &one.reason));
            for (name, reason) in survivors.chain(kept.missed.iter().map(|one| (&one.mutant, &one.reason))) {
                let file = name.split(": ").next().unwrap();
                assert!(file.starts_with(&format!("reference/src/{contract}/")), "{name}");
                let text = std::fs::read_to_string(root.join(file)).unwrap();
                assert!(text.contains(&format!("fn {}", function(name))), "{name}: there is no such function");
                assert!(!reason.trim().is_empty(), "{name}: which sentence speaks of it, or why does nothing tell?");
                assert!(names.insert(name), "{name} is listed twice");
            }
        }
    }
}
