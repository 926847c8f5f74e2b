//! How a server is asked: requests of all endpoints of a target are spaced together, and only so many are under way at once.
//!
//! A server that cannot keep up is asked less: half as many at once when it asks to wait or is about to be too late, and one at a time
//! when it answers a request alone that it left without an answer beside others.

use crate::model::Rate;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many requests that came to nothing beside others are tried alone, and come to nothing again, before none is tried any more: the
/// server is too late by itself.
const MOST_IN_VAIN: usize = 3;
/// A server that takes this part of the time that an answer may take is asked less at once.
const NEARLY_LATE: u32 = 3;

/// When the next request may be sent. Clones share it.
#[derive(Debug, Clone)]
pub struct Pace(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    gap: Option<Duration>,
    next: Mutex<Instant>,
    lanes: Arc<Semaphore>,
    most: usize,
    width: Mutex<Width>,
    in_vain: AtomicUsize,
}

/// How many requests may be under way at once.
#[derive(Debug)]
struct Width {
    now: usize,
    /// So many lanes are closed as soon as they are free.
    owed: usize,
    /// How often it became narrower.
    age: usize,
}

/// A request that may be sent now; it is under way until this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    pace: Pace,
    lane: Option<OwnedSemaphorePermit>,
    /// Whether nothing is sent beside it, since it came to nothing beside others.
    pub(super) alone: bool,
    /// Whether others were under way when it began.
    began_beside: bool,
    since: Instant,
    /// How wide it was, and when.
    width: usize,
    age: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self::of(None, Semaphore::MAX_PERMITS)
    }
}

impl Pace {
    /// At most so often, and so many at once.
    pub fn of(rate: Option<Rate>, at_once: usize) -> Self {
        let at_once = at_once.clamp(1, Semaphore::MAX_PERMITS);
        Self(Arc::new(Shared {
            gap: rate.map(Rate::gap),
            next: Mutex::new(Instant::now()),
            lanes: Arc::new(Semaphore::new(at_once)),
            most: at_once,
            width: Mutex::new(Width { now: at_once, owed: 0, age: 0 }),
            in_vain: AtomicUsize::new(0),
        }))
    }

    /// Waits until a request may be sent: what is asked first is sent first. `alone`, when it came to nothing beside others.
    pub(super) async fn turn(&self, alone: bool) -> Turn {
        // The semaphore is never closed.
        let lane = Arc::clone(&self.0.lanes).acquire_owned().await.ok();
        self.gap().await;
        let (width, age) = self.width(|width| (width.now, width.age));
        let began_beside = self.under_way() > 1;
        Turn { pace: self.clone(), lane, alone, began_beside, since: Instant::now(), width, age }
    }

    fn under_way(&self) -> usize {
        self.width(|width| width.now + width.owed - self.0.lanes.available_permits())
    }

    /// Waits as long as two requests are apart.
    pub(super) async fn gap(&self) {
        let Some(gap) = self.0.gap else { return };
        let at = {
            let mut next = self.0.next.lock().unwrap_or_else(PoisonError::into_inner);
            let at = (*next).max(Instant::now());
            *next = at + gap;
            at
        };
        tokio::time::sleep_until(at.into()).await;
    }

    fn width<T>(&self, look: impl FnOnce(&mut Width) -> T) -> T {
        look(&mut self.0.width.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Turn {
    /// The server asks to wait, or will soon be too late: from now on, half as many requests are under way at once.
    pub(super) fn was_slow(&self) {
        self.narrow_to(self.width.div_ceil(2));
    }

    /// An answer came, of which at most `time` was waited.
    pub(super) fn was_answered(&self, time: Duration) {
        if self.since.elapsed() > time / NEARLY_LATE {
            self.was_slow();
        }
    }

    /// No answer came in time. Whether the request is to be sent once more, alone: others were under way with it, and may be to blame.
    pub(super) fn was_late(&self) -> bool {
        let in_vain = &self.pace.0.in_vain;
        if self.alone {
            in_vain.fetch_add(1, Ordering::Relaxed);
            self.widen();
            return false;
        }
        let is_beside = self.began_beside || self.pace.under_way() > 1;
        let may_help = is_beside && in_vain.load(Ordering::Relaxed) < MOST_IN_VAIN;
        if may_help {
            self.narrow_to(1);
        }
        may_help
    }

    /// What was sent before it last became narrower says nothing new.
    fn narrow_to(&self, wanted: usize) {
        let Shared { lanes, .. } = &*self.pace.0;
        self.pace.width(|width| {
            if width.age != self.age || wanted >= width.now {
                return;
            }
            let closed = width.now - wanted;
            width.owed += closed - lanes.forget_permits(closed);
            (width.now, width.age) = (wanted, width.age + 1);
        });
    }

    /// The others were not to blame: twice as many may be under way again.
    fn widen(&self) {
        let Shared { lanes, most, .. } = &*self.pace.0;
        self.pace.width(|width| {
            let opened = width.now.min(most - width.now);
            width.now += opened;
            let kept = opened.min(width.owed);
            width.owed -= kept;
            lanes.add_permits(opened - kept);
        });
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(lane) = self.lane.take() else { return };
        self.pace.width(|width| {
            if width.owed > 0 {
                width.owed -= 1;
                lane.forget();
            }
        });
    }
}
