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
    /// How many of them the suite catches.
    caught_by_suite: usize,
    /// How many of them the suite or the reference's own tests catch.
    caught: usize,
    /// Those that nothing catches. They count as not caught.
    survivors: Vec<Survivor>,
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
    caught_by_suite: usize,
    survivors: Vec<String>,
}

impl Found {
    /// From the verdicts of the suite on all mutants, and of the reference's own tests on those that the suite let through.
    pub(super) fn new(by_suite: &[Mutant], by_tests: &[Mutant]) -> Self {
        let count = |fate| by_suite.iter().filter(|mutant| mutant.fate == fate).count();
        let caught_by_suite = count(Fate::Caught);
        let let_through = by_suite.iter().filter(|mutant| mutant.fate == Fate::Survived);
        let survived = let_through.filter(|mutant| {
            let again = by_tests.iter().find(|tested| tested.full_name == mutant.full_name);
            again.is_none_or(|tested| tested.fate == Fate::Survived)
        });
        Self {
            viable: caught_by_suite + count(Fate::Survived),
            caught_by_suite,
            survivors: survived.map(|mutant| mutant.name.clone()).collect(),
        }
    }

    /// Adds another contract.
    pub(super) fn add(&mut self, other: Self) {
        self.viable += other.viable;
        self.caught_by_suite += other.caught_by_suite;
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
        write!(f, "of {viable} mutants the suite catches {by_suite} ({:.1} %), ", percent(by_suite))?;
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
        let (before, now) = (self.viable - self.caught_by_suite, found.viable - found.caught_by_suite);
        if now > before {
            faults.push(format!(
                "the suite lets {now} mutants through, which were {before}: a case was lost, or is missing"
            ));
        }
        faults
    }

    /// Updates the counts and removes the mutants that are caught now. Survivors are never added: each needs a reason.
    pub(super) fn renew(&mut self, found: &Found) {
        self.viable = found.viable;
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

    /// `c` survives both.
    fn found() -> Found {
        let by_suite = [
            ("a", Fate::Caught),
            ("b", Fate::Survived),
            ("c", Fate::Survived),
            ("d", Fate::Unviable),
            ("e", Fate::Caught),
        ];
        Found::new(&mutants(&by_suite), &mutants(&[("b", Fate::Caught), ("c", Fate::Survived)]))
    }

    fn kept(caught_by_suite: usize, survivors: &[&str]) -> Kept {
        let survivors: Vec<_> = survivors.iter().map(|name| json!({ "mutant": name, "reason": "…" })).collect();
        from_value(json!({ "viable": 4, "caught-by-suite": caught_by_suite, "caught": 3, "survivors": survivors }))
            .unwrap()
    }

    #[test]
    fn the_shares_are_of_what_compiles() {
        let due = "of 4 mutants the suite catches 2 (50.0 %), with the reference's own tests 3 (75.0 %)";
        assert_eq!(found().to_string(), due);
    }

    #[test]
    fn what_is_listed_and_survives_is_as_it_should_be() {
        assert_eq!(kept(2, &["c"]).faults(&found()), [""; 0]);
        assert_eq!(kept(1, &["c"]).faults(&found()), [""; 0], "the suite may catch more");
    }

    #[test]
    fn a_survivor_that_is_not_listed_one_that_is_caught_and_a_smaller_share_are_faults() {
        let due = [
            "survives and is not listed: c",
            "listed, but caught now or gone; take it out, or let --write do it: b",
            "the suite lets 2 mutants through, which were 1: a case was lost, or is missing",
        ];
        assert_eq!(kept(3, &["b"]).faults(&found()), due);
    }

    #[test]
    fn renewing_takes_out_what_is_caught_and_lists_nothing_new() {
        let mut kept = kept(3, &["b"]);
        kept.renew(&found());
        assert_eq!(kept.faults(&found()), ["survives and is not listed: c"]);
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
            let mut names = BTreeSet::new();
            for survivor in &kept.survivors {
                let name = &survivor.mutant;
                let file = name.split(": ").next().unwrap();
                assert!(file.starts_with(&format!("reference/src/{contract}/")), "{name}");
                let text = std::fs::read_to_string(root.join(file)).unwrap();
                assert!(text.contains(&format!("fn {}", function(name))), "{name}: there is no such function");
                assert!(!survivor.reason.trim().is_empty(), "{name}: why can nobody tell?");
                assert!(names.insert(name), "{name} is listed twice");
            }
        }
    }
}
