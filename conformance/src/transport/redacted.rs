//! Errors without secrets.

use super::TransportError;
use crate::redact::Redactor;

impl TransportError {
    /// Why a target is not there, without secrets: a person sees it.
    pub fn redacted(mut self, by: &Redactor) -> Self {
        match &mut self {
            Self::NotThere { program: one, reason }
            | Self::DidNotStart { command: one, reason }
            | Self::NotReachable { address: one, reason }
            | Self::NoRoom { folder: one, reason } => [one, reason].into_iter().for_each(|text| by.text(text)),
            Self::NotAuthorized { address: text } | Self::WasNotThere(text) => by.text(text),
        }
        self
    }
}
