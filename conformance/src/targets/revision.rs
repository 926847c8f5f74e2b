//! Which revision of its contract an endpoint speaks, by the signs that it showed. Pure.

use super::Endpoint;
use crate::load::{Suite, Telltale};
use crate::model::{ContractKey, KnownBy, Names, Revision};
use crate::text::listed;
use serde_json::Value;

/// So many signs are told in a sentence.
const MOST_TOLD: usize = 3;

/// A sign that an endpoint showed.
#[derive(Debug, Clone)]
pub(crate) struct Sighting<'s> {
    pub(crate) telltale: &'s Telltale,
    /// What was seen, for people.
    pub(crate) about: String,
}

impl Sighting<'_> {
    /// What was seen, with the revisions that permit it.
    fn described(&self, contract: &str, all: &[Revision]) -> String {
        let since = self.telltale.since;
        let span = match self.telltale.sign.last {
            Some(last) if last == since => format!("{contract}@{since} alone"),
            Some(last) => format!("{contract}@{since} to {contract}@{last}"),
            None if all.last().is_some_and(|one| one.revision == since) => format!("{contract}@{since}"),
            None => format!("{contract}@{since} or later"),
        };
        format!("{} ({span})", self.about)
    }
}

/// The revision that a list of tools shows, and its signs: the lowest that can be judged by and permits all of them. Nothing where there
/// is no sign, or none permits them together.
pub(crate) fn shown_by_tools(suite: &Suite, contract: &str, tools: &[Value]) -> Option<(ContractKey, Vec<String>)> {
    let names = Names::default();
    let telltales = suite.telltales(contract).iter();
    let seen = telltales.filter_map(|one| Some(Sighting { telltale: one, about: one.seen_in_tools(&names, tools)? }));
    let seen: Vec<Sighting<'_>> = seen.collect();
    let permits =
        |one: &&Revision| one.unsupported.is_none() && seen.iter().all(|sign| sign.telltale.is_of(one.revision));
    let shown = suite.revisions(contract).iter().find(permits).filter(|_| !seen.is_empty())?;
    Some((ContractKey::new(contract).at(shown.revision), seen.into_iter().map(|one| one.about).collect()))
}

impl Endpoint {
    /// Takes the revision that all signs permit: the lowest that can be judged by. Without a sign it is the first one. Where there is
    /// none, it takes the nearest, and says why nothing is judged by it.
    pub(crate) fn recognise(&mut self, seen: &[Sighting<'_>], suite: &Suite) {
        if seen.is_empty() {
            return;
        }
        let name = self.contract.name();
        let all = suite.revisions(name);
        let permitted = |revision: u32| seen.iter().filter(|one| one.telltale.is_of(revision)).count();
        let is_meant = |one: &&Revision| permitted(one.revision) == seen.len();
        let supported = || all.iter().filter(|one| one.unsupported.is_none());
        if let Some(meant) = supported().find(is_meant) {
            let signs = seen.iter().map(|one| one.about.clone()).collect();
            (self.contract, self.known_by, self.signs) = (self.contract.at(meant.revision), KnownBy::Recognised, signs);
            return;
        }
        // Of equals the first is the nearest.
        let nearest = supported().rev().max_by_key(|one| permitted(one.revision));
        let nearest = nearest.map_or(self.contract.revision(), |one| one.revision);
        let told = |which: &dyn Fn(&Sighting<'_>) -> bool| {
            let told: Vec<String> = seen.iter().filter(|one| which(one)).map(|one| one.described(name, all)).collect();
            listed(&told[..told.len().min(MOST_TOLD)], told.len())
        };
        let why = match all.iter().find(is_meant) {
            Some(Revision { revision, name: called, unsupported, .. }) => {
                let why = unsupported.as_deref().unwrap_or_default();
                format!(
                    "it shows {name}@{revision} ({called}), by which the suite cannot judge: {why}; seen: {}",
                    told(&|_| true)
                )
            }
            None => format!("its signs belong to no revision together: {}", told(&|_| true)),
        };
        let key = self.contract.at(nearest);
        let besides = match permitted(nearest) {
            0 => "which permits none of that".to_owned(),
            _ => format!("but for: {}", told(&|one| !one.telltale.is_of(nearest))),
        };
        self.undecided = Some(format!(
            "{why}. The nearest is {}, {besides}. To have it judged by that, write `revision = {nearest}` at the endpoint in \
             the target file, or give --revision {}",
            key.full(),
            key.full()
        ));
        self.signs = seen.iter().map(|one| one.about.clone()).collect();
        (self.contract, self.known_by) = (key, KnownBy::Undecided);
    }
}
