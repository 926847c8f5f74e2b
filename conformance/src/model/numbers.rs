//! What a target takes and costs: how long its answers took, and what they cost a model that reads them. Facts, never findings.

use super::{Channel, ContractKey, Place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The numbers of one operation at an endpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Numbers {
    /// The contract.
    pub contract: ContractKey,
    /// The transport.
    #[serde(flatten)]
    pub transport: Channel,
    /// The operation; `tools` lists the tools of an MCP server.
    pub operation: String,
    /// How many answers came, accepted or refused. A request that failed has none.
    pub answers: usize,
    /// How long they took.
    pub elapsed: Elapsed,
    /// An accepted answer of about median size; nothing where none was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<Cost>,
    /// The largest accepted answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<Cost>,
}

impl Numbers {
    /// The operation that lists the tools of an MCP server.
    pub const TOOLS: &str = "tools";

    /// The endpoint.
    pub fn place(&self) -> Place {
        Place { contract: self.contract.clone(), transport: self.transport }
    }
}

/// How long answers took, in seconds. So many percent of them took at most as long.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Elapsed {
    /// 50 percent.
    pub p50: f64,
    /// 95 percent.
    pub p95: f64,
    /// All of them.
    pub max: f64,
}

impl Elapsed {
    /// Of times in any order, by the nearest rank; nothing of no times.
    pub(crate) fn of(mut seconds: Vec<f64>) -> Option<Self> {
        seconds.sort_by(f64::total_cmp);
        let max = *seconds.last()?;
        let rank = |percent: usize| seconds[(seconds.len() * percent).div_ceil(100).max(1) - 1];
        Some(Self { p50: rank(50), p95: rank(95), max })
    }
}

/// What an answer costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Its size as it was received, in bytes.
    pub bytes: usize,
    /// How many tokens of the o200k_base vocabulary a model reads in it; nothing where they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// Whether the tokens are an estimate, since the text was too long to count all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub about: bool,
}

#[cfg(test)]
mod tests {
    use super::Elapsed;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        assert_eq!(Elapsed::of(Vec::new()), None);
        assert_eq!(Elapsed::of(vec![0.5]), Some(Elapsed { p50: 0.5, p95: 0.5, max: 0.5 }));
        let hundred = (1..=100).rev().map(f64::from).collect();
        assert_eq!(Elapsed::of(hundred), Some(Elapsed { p50: 50.0, p95: 95.0, max: 100.0 }));
    }
}
