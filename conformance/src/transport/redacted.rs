//! Replies and errors without secrets.

use super::{Reply, TransportError};
use crate::model::Failure;
use crate::redact::Redactor;

impl Reply {
    /// Takes secrets out of everything that a person may see.
    pub(crate) fn redact(&mut self, by: &Redactor) {
        if by.is_idle() {
            return;
        }
        self.text.iter_mut().for_each(|text| by.text(text));
        by.value(&mut self.sent);
        by.value(&mut self.answer);
        self.items.iter_mut().for_each(|items| by.value(items));
        self.problems.iter_mut().for_each(|problem| by.text(&mut problem.message));
        if let Some(Failure::Broken(why) | Failure::NotAsked(why)) = &mut self.raw.failure {
            by.text(why);
        }
    }
}

impl TransportError {
    /// The same for why a target is not there, which a person sees too.
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
