//! The later revisions of contracts, each read when it is asked for.

use super::suite::{View, Views};
use super::{ContractSuite, LoadError, Suite, Telltale, Transports};
use crate::model::{ContractKey, KnownBy, Place, Requirement, Revision, Speaks};
use crate::text::{listed, suggest};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Why a contract cannot be judged by at a revision.
#[derive(Debug, thiserror::Error)]
pub enum ViewError<'s> {
    /// There is no contract of this name.
    #[error("unknown contract `{0}`{1}")]
    Contract(String, String),
    /// The contract has no such revision.
    #[error("{} has no revision {}; it has {known}", key.name(), key.revision())]
    Revision {
        /// What was asked for.
        key: ContractKey,
        /// The revisions that it has, with their names.
        known: String,
    },
    /// The revision is known, and the suite has nothing to judge by it.
    #[error("the suite cannot judge by {} ({name}): {why}", key.full())]
    Unsupported {
        /// What was asked for.
        key: ContractKey,
        /// What its users call the revision.
        name: String,
        /// Why not.
        why: String,
    },
    /// Its files are broken.
    #[error(transparent)]
    Broken(&'s LoadError),
}

impl Suite {
    pub(super) fn of(
        contracts: Vec<ContractSuite>,
        transports: Transports,
        revisions: Vec<(Vec<Revision>, Vec<Telltale>)>,
    ) -> Self {
        let names = || contracts.iter().map(|one| one.contract.name.clone());
        let (revisions, signs): (Vec<_>, Vec<_>) = revisions.into_iter().unzip();
        let revisions: BTreeMap<String, Vec<Revision>> = names().zip(revisions).collect();
        let signs = names().zip(signs).collect();
        let supported = revisions.iter().flat_map(|(name, all)| {
            let all = all.iter().skip(1).filter(|one| one.unsupported.is_none());
            all.map(|one| ContractKey::new(name).at(one.revision))
        });
        let later = supported.map(|key| View { key, read: OnceLock::new() }).collect();
        Self { contracts, transports, views: Views { reader: None, revisions, signs, later }, brought: None }
    }

    /// These contracts, each at the revision that it has, and no other.
    pub(crate) fn made(contracts: Vec<ContractSuite>, transports: Transports) -> Self {
        let views = Views { reader: None, revisions: BTreeMap::new(), signs: BTreeMap::new(), later: Vec::new() };
        Self { contracts, transports, views, brought: None }
    }

    /// The same, with contracts at these revisions in the place of their first ones: what speaks of `contracts` speaks of them then.
    ///
    /// # Errors
    /// When there is no such contract or revision, or it cannot be used, for people to read.
    pub fn choosing(mut self, keys: &[ContractKey]) -> Result<Self, String> {
        for key in keys {
            self.view(key).map_err(|error| error.to_string())?;
            let Some(at) = self.views.later.iter().position(|view| view.key == *key) else { continue };
            let Some(Ok(chosen)) = self.views.later[at].read.take() else { continue };
            if let Some(first) = self.contracts.iter_mut().find(|one| one.contract.name == key.name()) {
                let first = std::mem::replace(first, chosen);
                self.views.later[at] = View { key: first.contract.key(), read: OnceLock::from(Ok(first)) };
            }
        }
        Ok(self)
    }

    /// The revisions of a contract, in order; none where there is no such contract.
    pub fn revisions(&self, name: &str) -> &[Revision] {
        self.views.revisions.get(name).map_or(&[], Vec::as_slice)
    }

    /// By what the revisions of a contract are recognised.
    pub(crate) fn telltales(&self, contract: &str) -> &[Telltale] {
        self.views.signs.get(contract).map_or(&[], Vec::as_slice)
    }

    /// What a contract is at every revision that can be judged by, in order.
    pub fn keys(&self) -> impl Iterator<Item = ContractKey> + '_ {
        self.contracts.iter().flat_map(|one| {
            let first = one.contract.key();
            let later = self.views.later.iter().map(|view| &view.key).filter(|key| key.name() == one.contract.name);
            std::iter::once(first.clone()).chain(later.cloned())
        })
    }

    /// That an endpoint speaks the revision of its place, which is known in this way.
    pub(crate) fn speaks(&self, place: Place, by: KnownBy) -> Speaks {
        let (contract, all) = (&place.contract, self.revisions(place.contract.name()));
        let named = all.iter().find(|one| one.revision == contract.revision());
        let name = named.map(|one| one.name.clone()).unwrap_or_default();
        let supported = self.keys().filter(|key| key.name() == contract.name()).count();
        Speaks { place, name, by, signs: Vec::new(), why: None, supported }
    }

    /// The contract of this key; nothing where it has no such revision, or cannot be used at it, which [`view`](Self::view) explains.
    pub fn keyed(&self, key: &ContractKey) -> Option<&ContractSuite> {
        self.view(key).ok()
    }

    /// The contract of this key.
    ///
    /// # Errors
    /// When there is no such contract or revision, it is not supported, or its files are broken.
    pub fn view(&self, key: &ContractKey) -> Result<&ContractSuite, ViewError<'_>> {
        match self.position(key) {
            Some(at) => self.at(at),
            None => Err(self.unknown(key)),
        }
    }

    /// The place of a contract at a revision, for [`nth`](Self::nth).
    pub(crate) fn position(&self, key: &ContractKey) -> Option<usize> {
        let first = self.contracts.iter().position(|one| one.contract.is_at(key));
        let later = || self.views.later.iter().position(|view| view.key == *key);
        first.or_else(|| Some(self.contracts.len() + later()?))
    }

    /// The contract at a position; nothing where it cannot be read.
    pub(crate) fn nth(&self, at: usize) -> Option<&ContractSuite> {
        self.at(at).ok()
    }

    fn at(&self, at: usize) -> Result<&ContractSuite, ViewError<'_>> {
        match self.contracts.get(at) {
            Some(first) => Ok(first),
            None => {
                let view = &self.views.later[at - self.contracts.len()];
                view.read.get_or_init(|| self.read(&view.key)).as_ref().map_err(ViewError::Broken)
            }
        }
    }

    /// The contracts at every revision that was asked for so far.
    pub(crate) fn read_so_far(&self) -> impl Iterator<Item = &ContractSuite> {
        let later = self.views.later.iter().filter_map(|view| view.read.get()?.as_ref().ok());
        self.contracts.iter().chain(later)
    }

    fn unknown(&self, key: &ContractKey) -> ViewError<'_> {
        if self.contract(key.name()).is_none() {
            let known = self.contracts.iter().map(|one| one.contract.name.as_str());
            return ViewError::Contract(key.name().to_owned(), suggest::hint(key.name(), known));
        }
        let all = self.revisions(key.name());
        match all.iter().find(|one| one.revision == key.revision()) {
            Some(Revision { name, unsupported: Some(why), .. }) => {
                ViewError::Unsupported { key: key.clone(), name: name.clone(), why: why.clone() }
            }
            _ => {
                let named: Vec<String> =
                    all.iter().map(|one| format!("{}@{} ({})", key.name(), one.revision, one.name)).collect();
                ViewError::Revision { key: key.clone(), known: listed(&named, named.len()) }
            }
        }
    }

    /// Reads a contract at a later revision, and finds what is wrong with it there.
    fn read(&self, key: &ContractKey) -> Result<ContractSuite, LoadError> {
        match &self.views.reader {
            Some(reader) => reader.read(key, self.revisions(key.name()), &self.transports),
            None => Err(LoadError { problems: Vec::new(), of: None }),
        }
    }

    /// Whether a requirement has this id at some revision.
    pub fn knows(&self, id: &str) -> bool {
        self.requirement(id).is_some() || self.every(|view| view.contract.requirement(id).is_some())
    }

    /// What to say of an id that no requirement has, to be put behind a message: what it is called now, else the nearest id.
    pub fn hint(&self, id: &str) -> String {
        let called = |view: &ContractSuite| {
            let all = view.contract.requirements.iter().find(|one| one.formerly.iter().any(|old| old == id));
            all.map(|one| one.id.clone())
        };
        match self.keys().find_map(|key| called(self.keyed(&key)?)) {
            Some(now) => format!("; it is called `{now}` now"),
            None => suggest::hint(id, self.requirements().map(|requirement| requirement.id.as_str())),
        }
    }

    /// The first revision of a contract that has a requirement; nothing for those of transports.
    pub fn first_with(&self, id: &str) -> Option<ContractKey> {
        self.keys().find(|key| self.keyed(key).is_some_and(|view| view.contract.requirement(id).is_some()))
    }

    /// Whether a case has this name at some revision.
    pub(crate) fn knows_case(&self, name: &str) -> bool {
        self.every(|view| view.cases.iter().any(|case| case.name == name))
    }

    fn every(&self, is_so: impl Fn(&ContractSuite) -> bool) -> bool {
        self.keys().any(|key| self.keyed(&key).is_some_and(&is_so))
    }

    /// The requirement with this id as a contract has it at its revision, or as every contract has it of the transports.
    pub fn requirement_at(&self, key: &ContractKey, id: &str) -> Option<&Requirement> {
        let own = || self.keyed(key)?.contract.requirement(id);
        own().or_else(|| self.transports.requirements.iter().find(|one| one.id == id))
    }
}
