//! How much of a contract a run looked at.

use super::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How much of what binds at an endpoint was exercised, whether it passed or failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exercised {
    /// The endpoint.
    pub place: Place,
    /// How many of the binding requirements were exercised.
    pub exercised: usize,
    /// How many requirements of the contract bind here. Those that the target declares unsupported are counted.
    pub binding: usize,
}

impl Exercised {
    /// The share in percent, rounded down, so that only everything is 100 %.
    pub fn percent(&self) -> usize {
        (100 * self.exercised).checked_div(self.binding).unwrap_or(100)
    }
}

impl fmt::Display for Exercised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}, {} %", self.exercised, self.binding, self.percent())
    }
}

/// What the answers of a case showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// How many answers of operations that list something were accepted.
    pub answers: usize,
    /// How many of them hold an item that can be read.
    pub with_items: usize,
}

impl std::ops::AddAssign for Shown {
    fn add_assign(&mut self, other: Self) {
        self.answers += other.answers;
        self.with_items += other.with_items;
    }
}
