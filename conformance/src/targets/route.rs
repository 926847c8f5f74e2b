//! The way of a case: the endpoints that its steps go to, and the values that only the target knows.

use super::{Endpoint, Target};
use crate::load::{Case, runs_at};
use crate::model::{Channel, Contract, Eras, Place, Spoken, TransportFamily};
use serde_json::{Map, Value};

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
        runs_at(&self.places(), self.endpoints[endpoint].beside, endpoint, case, contract)
    }

    /// What its endpoints that speak MCP were found to speak.
    pub(crate) fn spoken(&self) -> Vec<Spoken> {
        let of_mcp = self.endpoints.iter().filter(|endpoint| endpoint.transport.channel().era().is_some());
        let spoken = of_mcp.map(|endpoint| Spoken {
            place: endpoint.place(),
            revision: endpoint.revision.clone(),
            beside: endpoint.beside,
        });
        spoken.collect()
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
        let has_corpus = self.has_corpus || home.transport.kind().brings_corpus();
        if case.corpus_part().is_some() && !has_corpus {
            return Err("needs the corpus, which the target is not said to hold".to_owned());
        }
        let mut others = Vec::new();
        let siblings = || self.endpoints.iter().filter(|other| other.contract == home.contract);
        for family in case.transports().into_iter().filter(|family| !home.speaks(*family)) {
            match siblings().find(|other| other.speaks(family)) {
                Some(other) => others.push(other),
                None => return Err(format!("compares with {family}, and the target has no such endpoint")),
            }
        }
        let own = home.transport.channel();
        let in_the_other_era = || {
            let is_other = |channel: Channel| channel.kind() == own.kind() && channel.era() != own.era();
            siblings().find(|other| is_other(other.transport.channel()) && other.revision.is_some())
        };
        if case.names_eras() {
            let why = "compares both eras of MCP, and the target is not known to speak the other one";
            others.push(in_the_other_era().ok_or(why)?);
        }
        if case.alone && (home.eras == Eras::Modern || in_the_other_era().is_some()) {
            return Err("is due only from servers that are known to speak no earlier revision".to_owned());
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

    fn speaks(&self, family: TransportFamily) -> bool {
        family.covers(self.transport.kind())
    }
}
