//! The way of a case: the endpoints that its steps go to, and the values that only the target knows.

use super::{Endpoint, Target};
use crate::load::{Case, Suite, runs_at};
use crate::model::{Contract, Eras, Place, Speaks, Spoken, TransportFamily};
use serde_json::{Map, Value};

/// Why nothing is judged at an endpoint that shows signs, and of no revision.
pub(crate) const UNDECIDED: &str = "it is not known which revision of the contract is spoken";

/// Where the calls of a case go, and what is put into them.
pub struct Route<'r> {
    /// The endpoint that the case runs at.
    pub home: &'r Endpoint,
    /// The endpoints of the transports that its steps name besides.
    pub others: Vec<&'r Endpoint>,
    /// The values of arguments that the case takes from the target file.
    pub given: Map<String, Value>,
}

impl Target {
    /// Whether a case runs at an endpoint, by position.
    pub fn runs_at(&self, endpoint: usize, case: &Case, contract: &Contract) -> bool {
        runs_at(&self.places(), self.spoken_by(&self.endpoints[endpoint]).as_ref(), endpoint, case, contract)
    }

    /// What its endpoints that speak MCP were found to speak.
    pub(crate) fn spoken(&self) -> Vec<Spoken> {
        self.endpoints.iter().filter_map(|endpoint| self.spoken_by(endpoint)).collect()
    }

    fn spoken_by(&self, endpoint: &Endpoint) -> Option<Spoken> {
        endpoint.transport.channel().era()?;
        let other = self.in_the_other_era(endpoint);
        // Of two eras that are wanted, one may not be spoken. Where neither is known, nobody was asked.
        if endpoint.revision.is_none() && (endpoint.eras != Eras::Both || other.is_none()) {
            return None;
        }
        let alone = endpoint.alone && other.is_none();
        let (place, revision) = (endpoint.place(), endpoint.revision.clone());
        Some(Spoken { place, revision, beside: endpoint.beside, alone })
    }

    /// The same endpoint in the other era, where the server speaks it.
    fn in_the_other_era(&self, endpoint: &Endpoint) -> Option<&Endpoint> {
        self.endpoints.iter().find(|other| other.revision.is_some() && other.is_other_era_of(endpoint))
    }

    /// The revision of its contract that each endpoint speaks, and how that is known.
    pub(crate) fn speaks(&self, suite: &Suite) -> Vec<Speaks> {
        let speaks = self.endpoints.iter().map(|endpoint| Speaks {
            signs: endpoint.signs.clone(),
            why: endpoint.undecided.clone(),
            ..suite.speaks(endpoint.place(), endpoint.known_by)
        });
        speaks.collect()
    }

    /// The contracts of its endpoints, with their transports.
    pub fn places(&self) -> Vec<Place> {
        self.endpoints.iter().map(Endpoint::place).collect()
    }

    /// The way of a case that runs at an endpoint.
    ///
    /// # Errors
    /// What the target would have to hold, to be or to tell first, for people to read.
    pub fn route(&self, endpoint: usize, case: &Case, contract: &Contract) -> Result<Route<'_>, String> {
        let home = &self.endpoints[endpoint];
        if home.undecided.is_some() {
            return Err(UNDECIDED.to_owned());
        }
        let has_corpus = self.has_corpus || home.transport.kind().brings_corpus();
        if case.corpus_part().is_some() && !has_corpus {
            return Err("needs the corpus, which the target is not known to hold".to_owned());
        }
        let mut others = Vec::new();
        for family in case.transports().into_iter().filter(|family| !home.speaks(*family)) {
            let endpoints = || {
                let of_contract = |other: &&Endpoint| other.contract.name() == home.contract.name();
                self.endpoints.iter().filter(of_contract).filter(move |other| other.speaks(family))
            };
            match (endpoints().find(|other| other.is_comparable_with(home)), endpoints().next()) {
                (Some(other), _) => others.push(other),
                (None, Some(other)) if other.undecided.is_some() => {
                    return Err(format!("compares with {family}, and there {UNDECIDED}"));
                }
                (None, Some(other)) => {
                    let (own, its) = (home.contract.full(), other.contract.full());
                    return Err(format!("compares with {family}, which speaks {its} there, and {own} is judged here"));
                }
                (None, None) => return Err(format!("compares with {family}, and the target has no such endpoint")),
            }
        }
        if case.names_eras() {
            let other = self.in_the_other_era(home).filter(|_| home.revision.is_some());
            others.push(other.ok_or("compares both eras of MCP, and the target is not known to speak both")?);
        }
        let mut given = Map::new();
        for (operation, name) in case.given() {
            let Some(operation) = contract.operations.get(operation) else { continue };
            let of_target = home.arguments.get(name);
            if of_target.is_none() && !has_corpus && operation.given.iter().any(|own| own == name) {
                return Err(format!(
                    "needs a `{name}` of the target's own: give it by --argument or in the target file"
                ));
            }
            if let Some(value) = of_target.or(operation.example.get(name)) {
                given.insert(name.to_owned(), value.clone());
            }
        }
        Ok(Route { home, others, given })
    }
}

impl Endpoint {
    /// What reports know it by.
    pub fn place(&self) -> Place {
        Place { contract: self.contract.clone(), transport: self.transport.channel() }
    }

    /// Whether answers of both are answers to the same document.
    fn is_comparable_with(&self, other: &Self) -> bool {
        self.contract == other.contract && self.undecided.is_none()
    }

    fn speaks(&self, family: TransportFamily) -> bool {
        family.covers(self.transport.kind())
    }
}
