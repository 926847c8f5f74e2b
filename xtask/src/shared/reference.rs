//! The running reference, for commands that look at its answers case by case.

use crate::shared::workspace;
use anyhow::{Error, Result};
use conformance::collect::{Room, collect};
use conformance::load::{Case, ContractSuite, Suite};
use conformance::model::ContractKey;
use conformance::targets::{Running, Target};
use serde_json::Value;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The reference with its corpora, running until it is stopped.
pub(crate) struct Reference {
    pub(crate) target: Arc<Target>,
    pub(crate) runtime: Runtime,
    server: Option<Running>,
}

impl Reference {
    /// Starts it.
    pub(crate) fn start(suite: &Suite) -> Result<Self> {
        Self::at(suite, &[])
    }

    /// Starts it with contracts at these revisions.
    pub(crate) fn at(suite: &Suite, revisions: &[ContractKey]) -> Result<Self> {
        let mut target = workspace::reference_target(suite, revisions)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let server = runtime.block_on(target.start())?;
        Ok(Self { target: Arc::new(target), runtime, server })
    }

    /// Its evidence for a case at one of its endpoints, which is given by position.
    pub(crate) fn evidence(&self, endpoint: usize, case: &Case, suite: &ContractSuite) -> Result<Value> {
        let route = self.target.route(endpoint, case, &suite.contract).map_err(Error::msg)?;
        Ok(self.runtime.block_on(collect(case, &suite.contract, &suite.corpus, &route, &Room::alone()))?)
    }

    /// Stops it.
    pub(crate) fn stop(self) {
        self.runtime.block_on(self.target.stop(self.server));
    }
}
