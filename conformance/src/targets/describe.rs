//! What the header of a log says of a target and its contracts.

use super::Target;
use crate::load::Suite;
use crate::model::{BroughtBy, ContractKey, Header, KnownBy};
use std::collections::BTreeSet;

impl Header {
    /// Takes over what a target says of itself.
    pub fn describe(&mut self, target: &Target, suite: &Suite) {
        self.target = target.redactor.redacted(&self.target);
        self.warnings = target.redactor.warnings();
        self.port = target.port;
        // The number of a free port is in one place, so that two runs leave the same log.
        let without_port =
            |text: String| target.port.map_or_else(|| text.clone(), |port| text.replace(&port.to_string(), "{port}"));
        self.start = target.start_command().map(without_port);
        self.calls = suite.calls();
        self.endpoints = target.places();
        let addresses = target.endpoints.iter().map(|endpoint| {
            (Self::address_key(&endpoint.place()), without_port(target.redactor.redacted(&endpoint.address)))
        });
        self.addresses = addresses.collect();
        self.speaks = target.speaks(suite);
        self.describe_contracts(suite);
        self.known_failures = target.known_failures.clone();
        self.unsupported = target.unsupported.clone();
    }

    /// Takes over by which revisions of their contracts the endpoints are judged, where nobody was asked for one: those of `pinned`, those
    /// that were recognised in what passed, else those that the suite has in its first place.
    pub fn describe_revisions(&mut self, suite: &Suite, pinned: &[ContractKey]) {
        let recognised = std::mem::take(&mut self.speaks);
        let speaks = self.endpoints.iter().map(|place| {
            if let Some(known) = recognised.iter().find(|known| known.place == *place) {
                return known.clone();
            }
            let by = if pinned.contains(&place.contract) { KnownBy::Pinned } else { KnownBy::Assumed };
            suite.speaks(place.clone(), by)
        });
        self.speaks = speaks.collect();
    }

    /// Takes over what the contracts of the endpoints say of themselves.
    pub fn describe_contracts(&mut self, suite: &Suite) {
        let contracts = self.endpoints.iter().filter_map(|place| suite.keyed(&place.contract));
        for contract in contracts.map(|one| &one.contract) {
            self.documents.insert(contract.key().to_string(), contract.document.clone());
        }
        let names = self.endpoints.iter().map(|place| place.contract.name()).filter(|name| suite.is_brought(name));
        let contracts: Vec<String> = names.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect();
        if let Some(brought) = suite.brought().filter(|_| !contracts.is_empty()) {
            self.brought = Some(BroughtBy { contracts, fingerprint: brought.fingerprint.clone() });
        }
    }
}
