//! Counts what belongs to no answer, and what no requirement speaks of.

use crate::model::Noticed;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The requests of one client.
#[derive(Debug, Default)]
pub(super) struct Counts {
    reconnected: AtomicUsize,
    crowded: AtomicUsize,
    renewed: AtomicUsize,
}

impl Counts {
    /// A request is sent once more.
    pub(super) fn reconnect(&self) {
        self.reconnected.fetch_add(1, Ordering::Relaxed);
    }

    /// A request was answered alone, and not beside others.
    pub(super) fn crowd(&self) {
        self.crowded.fetch_add(1, Ordering::Relaxed);
    }

    /// A session was begun anew.
    pub(super) fn renew(&self) {
        self.renewed.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn noticed(&self) -> Noticed {
        let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        Noticed { reconnected: count(&self.reconnected), crowded: count(&self.crowded), renewed: count(&self.renewed) }
    }
}
