//! Room for evidence: all cases that run at once share what memory it may take, and what works on it.
//!
//! A case may take its share at any time. What needs more waits until no other case has more than its share, and never again after
//! that: so no two cases wait for each other. A case that alone takes more than all of it is not asked to its end.

use crate::model::size::MOST_OF_A_CASE;
use std::collections::BTreeMap;
use std::future::pending;
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread::available_parallelism;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, Notify, OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

/// The memory that the cases which run at once share, in bytes. Beside it there is as much as one case may take, for one at a time.
const SHARED: usize = 14 << 20;
/// So many answers of a case are waited for at once, if they are small, and as long as nobody knows. How many of them are under way is what
/// the target's jobs say.
pub(super) const MOST_AT_ONCE: usize = 64;
const UNKNOWN: usize = 2;

/// The memory that the evidence of all cases may take.
#[derive(Debug)]
pub struct Budget {
    share: usize,
    rest: Arc<Semaphore>,
    /// How much memory the largest answer of each operation took so far.
    largest: std::sync::Mutex<BTreeMap<String, usize>>,
    /// For each thread that reads answers or judges them, which takes memory beside the evidence.
    hands: Arc<Semaphore>,
}

impl Budget {
    /// The budget of so many cases at once.
    pub fn of(cases: usize) -> Arc<Self> {
        let hands = available_parallelism().map_or(1, usize::from);
        let (rest, hands) = (Arc::new(Semaphore::new(1)), Arc::new(Semaphore::new(hands)));
        Arc::new(Self { share: SHARED / cases.max(1), rest, largest: std::sync::Mutex::default(), hands })
    }

    /// How many answers of an operation a case may wait for at once: what was received waits for room, and takes some meanwhile.
    fn at_once(&self, operation: &str) -> usize {
        let largest = self.largest.lock().unwrap_or_else(PoisonError::into_inner);
        largest.get(operation).map_or(UNKNOWN, |bytes| (self.share / bytes).clamp(1, MOST_AT_ONCE))
    }

    fn note(&self, operation: &str, bytes: usize) {
        let mut largest = self.largest.lock().unwrap_or_else(PoisonError::into_inner);
        let known = largest.entry(operation.to_owned()).or_insert(1);
        *known = bytes.max(*known);
    }

    /// Room for a case, which is given back when it is dropped.
    pub fn room(self: &Arc<Self>) -> Room {
        let (asked, answered) = (std::sync::Mutex::default(), Notify::new());
        Room { budget: Arc::clone(self), taken: Mutex::default(), full: OnceLock::new(), asked, answered }
    }
}

/// The room that the evidence of one case takes.
#[derive(Debug)]
pub struct Room {
    budget: Arc<Budget>,
    taken: Mutex<Taken>,
    /// Why no more calls are made. Whoever looks must not wait for a call of its own case that waits for room.
    full: OnceLock<String>,
    /// How many answers are waited for, from the request until there is room for them.
    asked: std::sync::Mutex<usize>,
    answered: Notify,
}

/// An answer that is waited for, until this is dropped.
#[derive(Debug)]
pub(super) struct Asked<'r>(&'r Room);

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        *self.0.asked.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.answered.notify_waiters();
    }
}

#[derive(Debug, Default)]
struct Taken {
    bytes: usize,
    answers: usize,
    rest: Option<OwnedSemaphorePermit>,
}

impl Room {
    /// Room for a case that runs by itself.
    pub fn alone() -> Self {
        Budget::of(1).room()
    }

    /// Does what takes its time on a thread of its own, so that clocks and other cases go on meanwhile. When the future is dropped,
    /// the work goes on by itself, and what it comes to is lost.
    pub(crate) async fn aside<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        // The semaphore is never closed.
        let hand = Arc::clone(&self.budget.hands).acquire_owned().await.ok();
        let runtime = Handle::current();
        let working = spawn_blocking(move || {
            let done = runtime.block_on(work);
            drop(hand);
            done
        });
        match working.await.map_err(JoinError::try_into_panic) {
            Ok(done) => done,
            Err(Ok(panic)) => resume_unwind(panic),
            // It never began, since the program ends.
            Err(Err(_)) => pending().await,
        }
    }

    /// Waits until the case may ask for another answer of an operation.
    pub(super) async fn ask(&self, operation: &str) -> Asked<'_> {
        loop {
            let answered = self.answered.notified();
            {
                let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
                if *asked < self.budget.at_once(operation) {
                    *asked += 1;
                    return Asked(self);
                }
            }
            answered.await;
        }
    }

    /// Waits until an answer of an operation can be taken, which has `received` bytes and will take `bytes` of memory.
    ///
    /// # Errors
    /// When there never will be enough room, in these words.
    pub(super) async fn take(&self, operation: &str, received: usize, bytes: usize) -> Result<(), String> {
        self.budget.note(operation, bytes);
        let mut taken = self.taken.lock().await;
        taken.answers += 1;
        let all = taken.bytes + bytes;
        if all > MOST_OF_A_CASE {
            let why = full(operation, taken.answers, received, all);
            return Err(self.full.get_or_init(|| why).clone());
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
    pub(super) fn full(&self) -> Option<&str> {
        self.full.get().map(String::as_str)
    }
}

fn full(operation: &str, answers: usize, received: usize, bytes: usize) -> String {
    let (needed, most) = (bytes.div_ceil(1 << 20), MOST_OF_A_CASE >> 20);
    format!(
        "the answers of this case take too much room: answer {answers}, to `{operation}`, has {received} bytes, and with it they \
         need about {needed} MiB, of {most} MiB for a case; let the target answer with fewer or smaller items"
    )
}

#[cfg(test)]
mod tests {
    use super::Room;
    use std::sync::mpsc::channel;

    #[test]
    fn a_clock_goes_on_while_something_is_read_or_judged() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let (end, waiting) = channel::<()>();
        let is_in_time = runtime.block_on(async {
            let room = Room::alone();
            tokio::select! {
                _ = room.aside(async move { waiting.recv() }) => false,
                () = tokio::time::sleep(std::time::Duration::from_millis(1)) => true,
            }
        });
        assert!(is_in_time, "the work ended, which it does only after this");
        drop(end);
    }
}
