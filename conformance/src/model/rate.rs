//! How often a server may be asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// So many requests in a second, a minute or an hour, as in `5/s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Rate {
    number: NonZeroU32,
    unit: char,
}

/// The units, with their seconds.
const UNITS: [(char, u64); 3] = [('s', 1), ('m', 60), ('h', 3600)];

impl Rate {
    /// How much time lies between two requests.
    pub fn gap(self) -> Duration {
        let seconds = UNITS.iter().find(|(unit, _)| *unit == self.unit).map_or(1, |(_, seconds)| *seconds);
        Duration::from_secs(seconds) / self.number.get()
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (number, unit) = text.split_once('/')?;
            let (unit, _) = UNITS.iter().find(|(known, _)| unit.parse() == Ok(*known))?;
            Some(Self { number: number.trim().parse().ok()?, unit: *unit })
        };
        read().ok_or_else(|| format!("`{text}` is no rate, as in 5/s, 100/m or 1000/h"))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.unit)
    }
}

impl TryFrom<String> for Rate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> Self {
        rate.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;
    use std::time::Duration;

    #[test]
    fn a_rate_is_a_number_in_a_time() {
        let gap = |text: &str| text.parse::<Rate>().map(Rate::gap).ok();
        assert_eq!(gap("5/s"), Some(Duration::from_millis(200)));
        assert_eq!(gap("120/m"), Some(Duration::from_millis(500)));
        assert_eq!(gap("3600/h"), Some(Duration::from_secs(1)));
        for wrong in ["", "5", "0/s", "-1/s", "5/", "5/d", "5/ss", "1.5/s"] {
            assert_eq!(gap(wrong), None, "{wrong}");
        }
    }
}
