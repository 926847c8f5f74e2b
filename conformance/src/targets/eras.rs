//! In which eras of MCP an endpoint is judged: as the target file says, or as the server is found to speak.

use super::{Endpoint, EndpointFile, Running, SHORT_FAREWELL, Target};
use crate::model::{ContractKey, Era, Eras, KnownBy, TransportKind};
use crate::transport::{InEra, Transport, TransportError};

impl Endpoint {
    /// One that was not asked anything.
    pub(super) fn new(file: &EndpointFile, transport: Box<dyn Transport>) -> Self {
        Self {
            contract: file.contract.clone(),
            address: file.address.written(),
            known_by: if file.is_pinned { KnownBy::Pinned } else { KnownBy::Assumed },
            signs: Vec::new(),
            undecided: None,
            transport,
            results: file.results.clone(),
            arguments: file.arguments.clone(),
            names: file.names.clone(),
            eras: file.eras,
            revision: None,
            beside: false,
            alone: false,
        }
    }

    /// Whether it is another one in the other era of MCP.
    pub(crate) fn is_other_era_of(&self, one: &Self) -> bool {
        let (own, its) = (self.transport.channel(), one.transport.channel());
        self.contract == one.contract && own.kind() == its.kind() && own.era() != its.era()
    }

    /// Whether a server at its address was asked a modern question without being known to be modern.
    fn was_probed(&self) -> bool {
        self.transport.kind() == TransportKind::McpHttp && matches!(self.eras, Eras::Auto | Eras::Both)
    }

    /// The endpoints that it turns out to be.
    fn found(self, found: Vec<InEra>) -> Vec<Self> {
        if found.is_empty() {
            return vec![self];
        }
        let Self { contract, address, known_by, signs, undecided, results, arguments, names, eras, .. } = self;
        let one = |(at, InEra { transport, revision, alone }): (usize, InEra)| Self {
            contract: contract.clone(),
            address: address.clone(),
            known_by,
            signs: signs.clone(),
            undecided: undecided.clone(),
            transport,
            results: results.clone(),
            arguments: arguments.clone(),
            names: names.clone(),
            eras,
            revision,
            // The contract is judged in the newer era.
            beside: at > 0,
            alone,
        };
        found.into_iter().enumerate().map(one).collect()
    }
}

impl Target {
    /// Asks the endpoints of these contracts which eras of MCP they speak: each becomes one endpoint for every era.
    ///
    /// `running` is the server that was started for them. Some legacy servers die or hang at a modern question (2026-07-28,
    /// basic/versioning, Compatibility Matrix): such a server is started once more, and asked as a legacy one.
    pub(crate) async fn find_eras(
        &mut self,
        running: &mut Option<Running>,
        is_wanted: impl Fn(&ContractKey) -> bool,
    ) -> Result<(), TransportError> {
        let asked = self.endpoints.iter().map(|endpoint| async {
            match is_wanted(&endpoint.contract) {
                true => endpoint.transport.in_eras().await,
                false => Ok(Vec::new()),
            }
        });
        let mut found = futures::future::join_all(asked).await;
        let is_lost = |at: &usize| is_lost(&found[*at]) && self.endpoints[*at].was_probed();
        let lost: Vec<usize> = (0..found.len()).filter(is_lost).collect();
        if !lost.is_empty() && self.restarted(running).await? {
            for at in lost {
                let transport = &self.endpoints[at].transport;
                if transport.channel().era() != Some(Era::Modern) {
                    found[at] = transport.in_legacy().await;
                }
            }
        }
        for at in 0..found.len() {
            // Of two eras that are wanted, one may be missing. It is not judged, and the other one is.
            let is_one_of_both = self.endpoints[at].eras == Eras::Both;
            if let Err(TransportError::DidNotStart { reason, .. } | TransportError::NotReachable { reason, .. }) =
                &found[at]
                && is_one_of_both
                && let Some(instead) = self.endpoints[at].transport.not_spoken(reason)
                && self.other_of_both(at).is_some_and(|other| found[other].is_ok())
            {
                found[at] = Ok(vec![instead]);
            }
        }
        for (endpoint, found) in std::mem::take(&mut self.endpoints).into_iter().zip(found) {
            let found = found.map_err(|error| match (error, endpoint.eras) {
                (TransportError::DidNotStart { command, reason }, Eras::Legacy | Eras::Modern) => {
                    TransportError::NotSpoken { server: command, era: endpoint.eras.to_string(), reason }
                }
                (error, _) => error,
            });
            self.endpoints.extend(endpoint.found(found?));
        }
        Ok(())
    }

    /// Starts a server once more that was started for the target; whether it was.
    async fn restarted(&self, running: &mut Option<Running>) -> Result<bool, TransportError> {
        let Some(mut old) = running.take_if(|running| running.is_of_ours()) else { return Ok(false) };
        old.stop(SHORT_FAREWELL).await;
        self.begin(running).await?;
        Ok(true)
    }

    /// The position of the same endpoint in the other era.
    fn other_of_both(&self, at: usize) -> Option<usize> {
        let is_other = |other: &Endpoint| other.eras == Eras::Both && other.is_other_era_of(&self.endpoints[at]);
        self.endpoints.iter().position(is_other)
    }
}

/// Whether nobody answered who did before.
fn is_lost(found: &Result<Vec<InEra>, TransportError>) -> bool {
    matches!(found, Err(TransportError::DidNotStart { .. } | TransportError::NotReachable { .. }))
}
