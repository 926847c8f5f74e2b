//! Room for evidence: all cases that run at once share what memory it may take.
//!
//! A case may take its share at any time. What needs more waits until no other case has more than its share, and never again after
//! that: so no two cases wait for each other. A case that alone takes more than all of it is not asked to its end.

use std::sync::Arc;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

/// The memory that evidence may take, in bytes.
const ALL: usize = 72 << 20;
/// This part of it is shared by the cases that run at once. The rest is for one of them at a time.
const SHARED: usize = ALL / 5;

/// The memory that the evidence of all cases may take.
#[derive(Debug)]
pub struct Budget {
    share: usize,
    rest: Arc<Semaphore>,
}

impl Budget {
    /// The budget of so many cases at once.
    pub fn of(cases: usize) -> Arc<Self> {
        Arc::new(Self { share: SHARED / cases.max(1), rest: Arc::new(Semaphore::new(1)) })
    }

    /// Room for a case, which is given back when it is dropped.
    pub fn room(self: &Arc<Self>) -> Room {
        Room { budget: Arc::clone(self), taken: Mutex::default() }
    }
}

/// The room that the evidence of one case takes.
#[derive(Debug)]
pub struct Room {
    budget: Arc<Budget>,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    bytes: usize,
    answers: usize,
    rest: Option<OwnedSemaphorePermit>,
    /// Why no more calls are made.
    full: Option<String>,
}

impl Room {
    /// Room for a case that runs by itself.
    pub fn alone() -> Self {
        Budget::of(1).room()
    }

    /// Waits until an answer of an operation can be taken, which has `received` bytes and will take `bytes` of memory.
    ///
    /// # Errors
    /// When there never will be enough room, in these words.
    pub(super) async fn take(&self, operation: &str, received: usize, bytes: usize) -> Result<(), String> {
        let mut taken = self.taken.lock().await;
        taken.answers += 1;
        let all = taken.bytes + bytes;
        if all > ALL - SHARED {
            let why = full(operation, taken.answers, received, all);
            taken.full = Some(why.clone());
            return Err(why);
        }
        taken.bytes = all;
        if all > self.budget.share && taken.rest.is_none() {
            // The semaphore is never closed.
            taken.rest = Arc::clone(&self.budget.rest).acquire_owned().await.ok();
        }
        Ok(())
    }

    /// Of what was taken for an answer, so much is enough.
    pub(super) async fn correct(&self, taken_for_it: usize, enough: usize) {
        let mut taken = self.taken.lock().await;
        taken.bytes = taken.bytes.saturating_sub(taken_for_it.saturating_sub(enough));
    }

    /// Why no more calls are made.
    pub(super) async fn full(&self) -> Option<String> {
        self.taken.lock().await.full.clone()
    }
}

fn full(operation: &str, answers: usize, received: usize, bytes: usize) -> String {
    let (needed, most) = (bytes.div_ceil(1 << 20), (ALL - SHARED) >> 20);
    format!(
        "the answers of this case take too much room: answer {answers}, to `{operation}`, has {received} bytes, and with it they \
         need about {needed} MiB, of {most} MiB for a case; let the target answer with fewer or smaller items"
    )
}
