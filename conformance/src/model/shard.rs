//! A part of all cases that is run for itself: so many machines share a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// More shards than this are no help to anybody.
const MOST: u16 = 1000;

/// One of several shards, as in `2/5`.
///
/// Which cases are in it follows from the names of all cases alone, so that every machine with the same suite says the same,
/// whatever it runs, in whatever order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub struct Shard {
    number: u16,
    of: u16,
}

/// Why a text names no shard.
#[derive(Debug, thiserror::Error)]
pub enum NoShard {
    /// It is not of the form.
    #[error("a shard is NUMBER/ALL, as in 2/5: a number from 1, of at most {MOST}")]
    Form,
    /// There are fewer.
    #[error("there {}; {number} is not one of them, and the first is 1", if *.of == 1 { "is 1 shard".to_owned() } else { format!("are {of} shards") })]
    Number {
        /// The number that was given.
        number: u16,
        /// How many there are.
        of: u16,
    },
}

impl Shard {
    /// Which one it is, from 1.
    pub fn number(self) -> u16 {
        self.number
    }

    /// How many there are.
    pub fn of(self) -> u16 {
        self.of
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, of) = text.split_once('/').ok_or(NoShard::Form)?;
        let (number, of) = (number.parse().map_err(|_| NoShard::Form)?, of.parse().map_err(|_| NoShard::Form)?);
        if !(1..=MOST).contains(&of) {
            return Err(NoShard::Form);
        }
        if number < 1 || number > of {
            return Err(NoShard::Number { number, of });
        }
        Ok(Self { number, of })
    }
}

impl TryFrom<String> for Shard {
    type Error = NoShard;

    fn try_from(text: String) -> Result<Self, NoShard> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
