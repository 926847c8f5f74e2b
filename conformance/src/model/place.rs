//! Where something happened, as reports know it.

use super::TransportKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A contract at a transport: what reports know an endpoint by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The contract.
    pub contract: String,
    /// The transport.
    pub transport: TransportKind,
}
