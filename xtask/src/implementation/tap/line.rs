//! The queue from the threads that move bytes to the one thread that judges them. It never makes the traffic wait.

use anyhow::{Context, Result};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use conformance::tap::{Direction, Ended, News, Request, Tap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// How long what waits is still judged once nothing more will pass: the report is expected within two seconds.
const LAST: Duration = Duration::from_secs(1);
/// At most this many bytes may wait to be judged.
const MOST_WAITING: usize = 64 << 20;
/// The size of a message without the bytes that it carries.
const OF_A_MESSAGE: usize = 512;

/// A copy of something that passed, with its time.
pub(super) struct Copy {
    at: DateTime<Utc>,
    what: What,
    /// How much room it takes.
    size: usize,
}

/// What passed.
pub(super) enum What {
    /// The head of a request.
    Begun(u64, Request),
    /// A piece of its body.
    Sent(u64, Bytes),
    /// The status and the headers of an answer.
    Answered(u64, u16, Vec<(String, Vec<u8>)>),
    /// A piece of its body.
    Came(u64, Bytes),
    /// A request is over.
    Ended(u64, Ended),
    /// A piece of a standard stream.
    Streamed(Direction, Bytes),
    /// A piece of a standard stream that was not copied.
    Missed(Direction),
    /// The program behind the tap ended by itself.
    ProgramEnded(String),
    /// The program behind the tap could not be started.
    NotStarted(String),
    /// A request passed that was not copied.
    Uncopied,
    /// A request was not passed on, for this reason.
    Refused(&'static str),
    /// Nothing more will pass.
    End,
}

/// Takes copies of what passes. It is cheap to clone.
#[derive(Clone)]
pub(super) struct Line {
    queue: Sender<Copy>,
    waiting: Arc<AtomicUsize>,
    numbers: Arc<AtomicU64>,
    /// When the judge stops, once that is known.
    until: Arc<OnceLock<Instant>>,
}

/// The thread that judges.
pub(super) struct Judge(JoinHandle<Tap>);

/// Starts to judge what is put into the queue.
pub(super) fn judging(tap: Tap, announce: impl FnMut(News) + Send + 'static) -> Result<(Line, Judge)> {
    let (queue, copies) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let line = Line { queue, waiting: Arc::clone(&waiting), numbers: Arc::default(), until: Arc::default() };
    let until = Arc::clone(&line.until);
    let thread = std::thread::Builder::new().name("judge".to_owned());
    let judge =
        thread.spawn(move || judge(tap, &copies, (&waiting, &until), announce)).context("no thread can be started")?;
    Ok((line, Judge(judge)))
}

impl Judge {
    /// Waits until everything that passed is judged, or counted as not judged where that takes too long.
    pub(super) fn end(self, line: &Line) -> Result<Tap> {
        line.until.get_or_init(|| Instant::now() + LAST);
        line.always(What::End);
        self.0.join().map_err(|_| anyhow::anyhow!("the thread that judges broke"))
    }
}

impl Line {
    /// A line that nobody listens to.
    #[cfg(test)]
    pub(super) fn unheard() -> Self {
        Self { queue: channel().0, waiting: Arc::default(), numbers: Arc::default(), until: Arc::default() }
    }

    /// A number for a request.
    pub(super) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes a copy if there is room for it.
    pub(super) fn take(&self, what: What) -> bool {
        let size = what.size();
        if self.waiting.fetch_add(size, Ordering::Relaxed) + size > MOST_WAITING {
            self.waiting.fetch_sub(size, Ordering::Relaxed);
            return false;
        }
        self.send(what, size);
        true
    }

    /// Takes a small message that must not be lost.
    pub(super) fn always(&self, what: What) {
        self.send(what, 0);
    }

    fn send(&self, what: What, size: usize) {
        // The judge has ended, so nothing is lost.
        let _ = self.queue.send(Copy { at: SystemTime::now().into(), what, size });
    }
}

impl What {
    /// Whether something can be judged once it was received: the end of a request, or a piece of a stream.
    fn is_an_exchange(&self) -> bool {
        matches!(self, Self::Ended(..) | Self::Streamed(Direction::ToClient, _))
    }

    fn size(&self) -> usize {
        let carried = match self {
            Self::Sent(_, piece) | Self::Came(_, piece) | Self::Streamed(_, piece) => piece.len(),
            Self::Begun(_, request) => request.target.len() + size(&request.headers),
            Self::Answered(_, _, headers) => size(headers),
            _ => 0,
        };
        carried + OF_A_MESSAGE
    }
}

fn size(headers: &[(String, Vec<u8>)]) -> usize {
    headers.iter().map(|(name, value)| name.len() + value.len()).sum()
}

fn judge(
    mut tap: Tap,
    copies: &Receiver<Copy>,
    (waiting, until): (&AtomicUsize, &OnceLock<Instant>),
    mut announce: impl FnMut(News),
) -> Tap {
    for Copy { at, what, size } in copies {
        if matches!(what, What::End) {
            break;
        }
        if until.get().is_some_and(|until| Instant::now() >= *until) {
            if what.is_an_exchange() {
                tap.not_judged(TOO_LATE);
            }
            continue;
        }
        // A fault of ours costs the message that it happened at, and nothing else.
        let news = catch_unwind(AssertUnwindSafe(|| {
            take(&mut tap, what, at);
            tap.news()
        }));
        waiting.fetch_sub(size, Ordering::Relaxed);
        match news {
            Ok(news) => news.into_iter().for_each(&mut announce),
            Err(_) => tap.not_judged("judging it broke, which is a fault of the suite"),
        }
    }
    tap
}

fn take(tap: &mut Tap, what: What, at: DateTime<Utc>) {
    match what {
        What::Begun(number, request) => tap.begun(number, request),
        What::Sent(number, piece) => tap.sent(number, &piece),
        What::Answered(number, status, headers) => tap.answered(number, status, &headers),
        What::Came(number, piece) => tap.came(number, &piece, at),
        What::Ended(number, how) => tap.ended(number, how, at),
        What::Streamed(direction, piece) => tap.streamed(direction, &piece, at),
        What::Missed(direction) => tap.missed(direction),
        What::ProgramEnded(how) => tap.program_ended(&how, at),
        What::NotStarted(why) => tap.not_started(&why),
        What::Uncopied => tap.not_judged(BEHIND),
        What::Refused(why) => tap.not_judged(&format!("the tap did not pass it on: {why}")),
        What::End => {}
    }
}

/// The reason for what waited to be judged when the tap ended.
const TOO_LATE: &str = "it waited to be judged when the tap ended";

/// The reason for what passed too fast to be judged.
pub(super) const BEHIND: &str = "the judge could not keep up, and the traffic does not wait for it";

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Ended, Instant, TOO_LATE, Tap, What, judging};
    use crate::shared::workspace;
    use conformance::model::{Header, Selection};
    use conformance::run;
    use conformance::tap::{Behind, Options};
    use std::sync::Arc;

    #[test]
    fn what_waits_when_there_is_no_more_time_is_counted() {
        let suite = Arc::new(workspace::suite().unwrap());
        let behind = Behind::Address("http://127.0.0.1:1".to_owned());
        let (line, judge) = judging(Tap::new(suite, &behind, &Options::default()), |_| ()).unwrap();
        line.until.set(Instant::now()).unwrap();
        (0..20).for_each(|number| line.always(What::Ended(number, Ended::Whole)));
        let mut header = Header::of("", run::began(), false, 0, Selection::default());
        judge.end(&line).unwrap().finish(&mut header);
        assert_eq!(header.tap.unwrap().not_judged.get(TOO_LATE), Some(&20));
    }
}
