//! Counts what belongs to no answer, and what no requirement speaks of.

use crate::model::Noticed;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The requests of one client.
#[derive(Debug, Default)]
pub(super) struct Counts {
    reconnected: AtomicUsize,
    timed_out: AtomicUsize,
    renewed: AtomicUsize,
    under_way: AtomicUsize,
    most_at_once: AtomicUsize,
}

/// A request that is under way.
#[derive(Debug)]
pub(super) struct UnderWay<'c>(&'c Counts);

impl Counts {
    /// A request begins.
    pub(super) fn begin(&self) -> UnderWay<'_> {
        let at_once = self.under_way.fetch_add(1, Ordering::Relaxed) + 1;
        self.most_at_once.fetch_max(at_once, Ordering::Relaxed);
        UnderWay(self)
    }

    /// A request is sent once more.
    pub(super) fn reconnect(&self) {
        self.reconnected.fetch_add(1, Ordering::Relaxed);
    }

    /// A request was not answered in time.
    pub(super) fn time_out(&self) {
        self.timed_out.fetch_add(1, Ordering::Relaxed);
    }

    /// A session was begun anew.
    pub(super) fn renew(&self) {
        self.renewed.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn noticed(&self) -> Noticed {
        let were_alone = self.most_at_once.load(Ordering::Relaxed) < 2;
        let crowded = if were_alone { 0 } else { self.timed_out.load(Ordering::Relaxed) };
        let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        Noticed { reconnected: count(&self.reconnected), crowded, renewed: count(&self.renewed) }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}
