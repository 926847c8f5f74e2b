//! Errors without secrets: people see them.

use super::Redactor;
use crate::model::{Run, TransportError};

impl TransportError {
    /// Why a target is not there, without secrets.
    pub fn redacted(mut self, by: &Redactor) -> Self {
        match &mut self {
            Self::NotThere { program: one, reason }
            | Self::DidNotStart { command: one, reason }
            | Self::NotSpoken { server: one, reason, .. }
            | Self::Ended { command: one, reason }
            | Self::NotConnected { endpoint: one, said: reason }
            | Self::InUse { command: one, address: reason }
            | Self::NotStopped { command: one, address: reason }
            | Self::NotReachable { address: one, reason }
            | Self::NoRoom { folder: one, reason } => [one, reason].into_iter().for_each(|text| by.message(text)),
            Self::NotAuthorized { address: text } | Self::WasNotThere(text) => by.message(text),
        }
        self
    }
}

impl Redactor {
    /// Takes secrets out of a message.
    pub fn message(&self, message: &mut String) {
        self.text(message, false);
    }

    /// Takes secrets out of what a run says beside its cases.
    pub(crate) fn beside_cases(&self, run: &mut Run) {
        for unproven in &mut run.unproven {
            [&mut unproven.about, &mut unproven.why].into_iter().for_each(|text| self.message(text));
        }
        run.unreachable = run.unreachable.take().map(|error| error.redacted(self));
    }
}
