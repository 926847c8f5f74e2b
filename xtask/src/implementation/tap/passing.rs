//! A request on its way, as the judge knows it.

use super::line::{BEHIND, Line, What};
use conformance::tap::Ended;

/// A request that passes through. Its end is reported once.
pub(super) struct Passing {
    line: Line,
    number: u64,
    is_over: bool,
}

impl Passing {
    pub(super) fn new(line: Line, number: u64) -> Self {
        Self { line, number, is_over: false }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Reports how it ended. Only the first call counts.
    pub(super) fn end(&mut self, how: Ended) {
        if !std::mem::replace(&mut self.is_over, true) {
            self.line.always(What::Ended(self.number, how));
        }
    }

    /// Takes a copy. If there is no room for it, the request cannot be judged.
    pub(super) fn copy(&mut self, what: What) {
        if !self.is_over && !self.line.take(what) {
            self.end(Ended::Unheard(BEHIND.to_owned()));
        }
    }
}

impl Drop for Passing {
    /// It is dropped before its end if the client went away.
    fn drop(&mut self) {
        self.end(Ended::ByClient);
    }
}
