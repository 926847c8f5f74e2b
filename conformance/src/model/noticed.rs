//! What transports noticed that belongs to no answer, and that no requirement speaks of.

use crate::text::plural;
use std::iter::Sum;

/// What was noticed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Noticed {
    /// How many requests were sent once more, since the server had ended the connection that it kept.
    pub reconnected: usize,
    /// How many requests were answered in time alone, and not while others were under way.
    pub crowded: usize,
    /// How many sessions were begun anew, since the server knew the one before no more.
    pub renewed: usize,
}

impl Sum for Noticed {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            reconnected: a.reconnected + b.reconnected,
            crowded: a.crowded + b.crowded,
            renewed: a.renewed + b.renewed,
        })
    }
}

impl Noticed {
    /// What a maintainer may want to know: requests that a server answers one at a time alone, and sessions that ended.
    pub fn remarks(self) -> Vec<String> {
        let crowded = (self.crowded > 0).then(|| {
            format!(
                "{} answered in time only when nothing else was asked, so fewer requests were sent at once: if the server handles one \
                 request or one connection at a time, run with --jobs 1",
                plural(self.crowded, "request")
            )
        });
        let renewed = (self.renewed > 0).then(|| {
            format!("{} ended during the run, and another was begun each time", plural(self.renewed, "session"))
        });
        crowded.into_iter().chain(renewed).collect()
    }
}
