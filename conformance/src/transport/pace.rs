//! How fast a server is asked: requests of all endpoints of a target are spaced together.

use crate::model::Rate;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When the next request may be sent; at once, where no rate is given. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Pace(Option<Arc<Spacing>>);

#[derive(Debug)]
struct Spacing {
    gap: Duration,
    next: Mutex<Instant>,
}

impl Pace {
    /// At most so often.
    pub fn of(rate: Option<Rate>) -> Self {
        Self(rate.map(|rate| Arc::new(Spacing { gap: rate.gap(), next: Mutex::new(Instant::now()) })))
    }

    /// Waits until a request may be sent. What is asked first is sent first.
    pub(super) async fn turn(&self) {
        let Some(spacing) = &self.0 else { return };
        let at = {
            let mut next = spacing.next.lock().unwrap_or_else(PoisonError::into_inner);
            let at = (*next).max(Instant::now());
            *next = at + spacing.gap;
            at
        };
        tokio::time::sleep_until(at.into()).await;
    }
}
