//! The way of a case: the endpoints that its steps go to, and the values that only the target knows.

use super::{Endpoint, Target};
use crate::collect::Redactor;
use crate::load::Case;
use crate::model::{Contract, TransportFamily, TransportKind};
use crate::transport::Transport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where the calls of a case go, and what is put into them.
pub struct Route<'r> {
    /// The endpoint that the case runs at.
    pub home: &'r dyn Transport,
    /// The endpoints of the transports that its steps name besides.
    pub others: Vec<&'r dyn Transport>,
    /// The values of arguments that the case takes from the target file.
    pub given: Map<String, Value>,
    /// Takes secrets out of evidence.
    pub redactor: &'r Redactor,
}

/// A contract at a transport: what reports know an endpoint by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The contract.
    pub contract: String,
    /// The transport.
    pub transport: TransportKind,
}

/// Whether a case runs at an endpoint, by position: a case whose steps name transports runs once, at the first endpoint
/// of one of them; any other case wherever all that it calls is spoken.
pub(crate) fn runs_at(endpoints: &[Place], at: usize, case: &Case, contract: &Contract) -> bool {
    let home = &endpoints[at];
    let named = case.transports();
    let is_named = |place: &Place| named.iter().any(|family| place.transport.families().contains(family));
    let mut earlier = endpoints[..at].iter().filter(|other| other.contract == home.contract);
    let is_first = named.is_empty() || is_named(home) && !earlier.any(is_named);
    is_first && case.is_spoken_over(contract, home.transport)
}

impl Target {
    /// Whether a case runs at an endpoint, by position.
    pub fn runs_at(&self, endpoint: usize, case: &Case, contract: &Contract) -> bool {
        runs_at(&self.places(), endpoint, case, contract)
    }

    /// The contracts of its endpoints, with their transports.
    pub fn places(&self) -> Vec<Place> {
        let place =
            |endpoint: &Endpoint| Place { contract: endpoint.contract.clone(), transport: endpoint.transport.kind() };
        self.endpoints.iter().map(place).collect()
    }

    /// The way of a case that runs at an endpoint.
    ///
    /// # Errors
    /// What the target would have to hold, to be or to tell first, for people to read.
    pub fn route(&self, endpoint: usize, case: &Case, contract: &Contract) -> Result<Route<'_>, String> {
        let home = &self.endpoints[endpoint];
        let has_corpus = self.has_corpus || home.transport.brings_corpus();
        if case.corpus_part().is_some() && !has_corpus {
            return Err("needs the corpus, which the target is not said to hold".to_owned());
        }
        let mut others = Vec::new();
        for family in case.transports().into_iter().filter(|family| !home.speaks(*family)) {
            let mut endpoints = self.endpoints.iter().filter(|other| other.contract == home.contract);
            match endpoints.find(|other| other.speaks(family)) {
                Some(other) => others.push(other.transport.as_ref()),
                None => return Err(format!("compares with {family}, and the target has no such endpoint")),
            }
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
        Ok(Route { home: home.transport.as_ref(), others, given, redactor: &self.redactor })
    }
}

impl Endpoint {
    fn speaks(&self, family: TransportFamily) -> bool {
        self.transport.kind().families().contains(&family)
    }
}
