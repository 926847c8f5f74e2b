//! Room for evidence: all cases that run at once share what memory it may take, and what works on it.
//!
//! A case may take its share at any time. What needs more waits until no other case has more than its share, and never again after
//! that: so no two cases wait for each other. A case that alone takes more than all of it is not asked to its end.

use crate::model::size::MOST_OF_A_CASE;
use std::collections::BTreeMap;
use std::future::pending;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread::available_parallelism;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, Notify, OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

/// The memory that the cases which run at once share, in bytes. Beside it there is as much as one case may take, for one at a time.
const SHARED: usize = 14 << 20;
/// What the answer of an operation is taken to need before one came, in bytes.
const UNKNOWN: usize = 1 << 20;

/// The answers of all cases that are waited for, from the request until there is room for them: what was received waits, and takes memory
/// meanwhile.
#[derive(Debug, Default)]
struct WaitedFor {
    /// What they may need.
    bytes: usize,
    /// How many answers of each operation came so far, and what they needed all in all.
    came: BTreeMap<String, (usize, usize)>,
}

/// The memory that the evidence of all cases may take.
#[derive(Debug)]
pub struct Budget {
    share: usize,
    rest: Arc<Semaphore>,
    waited_for: std::sync::Mutex<WaitedFor>,
    /// Says that an answer is waited for no more.
    taken: Notify,
    /// For each thread that reads answers or judges them, which takes memory beside the evidence.
    hands: Arc<Semaphore>,
}

impl Budget {
    /// The budget of so many cases at once.
    pub fn of(cases: usize) -> Arc<Self> {
        let hands = available_parallelism().map_or(1, usize::from);
        let (rest, hands) = (Arc::new(Semaphore::new(1)), Arc::new(Semaphore::new(hands)));
        let (waited_for, taken) = (std::sync::Mutex::default(), Notify::new());
        Arc::new(Self { share: SHARED / cases.max(1), rest, waited_for, taken, hands })
    }

    fn waited_for<T>(&self, look: impl FnOnce(&mut WaitedFor) -> T) -> T {
        look(&mut self.waited_for.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Room for a case, which is given back when it is dropped.
    pub fn room(self: &Arc<Self>) -> Room {
        let (taken, full, asked) = (Mutex::default(), OnceLock::new(), AtomicUsize::new(0));
        Room { budget: Arc::clone(self), taken, full, asked }
    }
}

/// The room that the evidence of one case takes.
#[derive(Debug)]
pub struct Room {
    budget: Arc<Budget>,
    taken: Mutex<Taken>,
    /// Why no more calls are made. Whoever looks must not wait for a call of its own case that waits for room.
    full: OnceLock<String>,
    /// How many answers it waits for.
    asked: AtomicUsize,
}

/// An answer that is waited for until this is dropped, and what it may need.
#[derive(Debug)]
pub(super) struct Asked<'r>(&'r Room, usize);

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        let Self(room, bytes) = self;
        room.budget.waited_for(|waited_for| {
            waited_for.bytes -= *bytes;
            room.asked.fetch_sub(1, Ordering::Relaxed);
        });
        room.budget.taken.notify_waiters();
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

    /// Waits until the case may ask for another answer of an operation. For one it may always ask, so that no case waits for another.
    pub(super) async fn ask(&self, operation: &str) -> Asked<'_> {
        loop {
            let taken = self.budget.taken.notified();
            let asked = self.budget.waited_for(|waited_for| {
                let bytes = waited_for.came.get(operation).map_or(UNKNOWN, |(count, bytes)| bytes / count);
                let may_ask = self.asked.load(Ordering::Relaxed) == 0 || waited_for.bytes + bytes <= SHARED;
                may_ask.then(|| {
                    waited_for.bytes += bytes;
                    self.asked.fetch_add(1, Ordering::Relaxed);
                    Asked(self, bytes)
                })
            });
            match asked {
                Some(asked) => return asked,
                None => taken.await,
            }
        }
    }

    /// Waits until an answer of an operation can be taken, which has `received` bytes and will take `bytes` of memory.
    ///
    /// # Errors
    /// When there never will be enough room, in these words.
    pub(super) async fn take(&self, operation: &str, received: usize, bytes: usize) -> Result<(), String> {
        self.budget.waited_for(|waited_for| {
            let (count, all) = waited_for.came.entry(operation.to_owned()).or_default();
            (*count, *all) = (*count + 1, *all + bytes);
        });
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
