//! The signals that end a run: Ctrl-C, and on Unix SIGTERM and SIGHUP.
//!
//! The first one ends what runs as it ends by Ctrl-C, with its report. The second one ends the program at once, and so does the first
//! where nothing expects it.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The exit code of what was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;
/// The exit code of a program that cannot do its work.
pub(crate) const WRONG_USAGE: u8 = 2;

/// Signals within this time are one: `timeout` sends its signal to a process and to its group, and a supervisor to each process.
const SAME: Duration = Duration::from_millis(250);

/// Whether a signal was received.
static RECEIVED: LazyLock<watch::Sender<bool>> = LazyLock::new(|| watch::Sender::new(false));
/// By how many a signal is expected, so that a report follows it.
static EXPECTED: AtomicUsize = AtomicUsize::new(0);

/// Notes from now on each signal that asks us to end.
pub(crate) fn note() {
    let Ok(mut signals) = Signals::new() else { return };
    std::thread::spawn(move || {
        let mut first: Option<Instant> = None;
        signals.each(|_| {
            let is_second = first.is_some_and(|first| first.elapsed() > SAME);
            if is_second || EXPECTED.load(Ordering::SeqCst) == 0 {
                std::process::exit(i32::from(INTERRUPTED));
            }
            first.get_or_insert_with(Instant::now);
            RECEIVED.send_replace(true);
        });
    });
}

/// While there is one, the first signal ends what runs and not the program: a report follows.
pub(crate) struct Expected(());

impl Expected {
    pub(crate) fn new() -> Self {
        EXPECTED.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        EXPECTED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends once a signal has asked us to end. From this call on, one is expected.
pub(crate) fn interrupt() -> impl Future<Output = ()> + Send + 'static {
    let expected = Expected::new();
    let mut received = RECEIVED.subscribe();
    async move {
        let _expected = expected;
        if received.wait_for(|received| *received).await.is_err() {
            // The sender is static, so this does not happen.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
pub(crate) use unix::{Signals, possible};

#[cfg(not(unix))]
pub(crate) use other::Signals;

#[cfg(unix)]
mod unix {
    use rustix::process::Signal;
    use std::io;
    use std::os::unix::net::UnixStream;
    use std::task::Poll;
    use tokio::runtime::{Builder, Runtime};
    use tokio::signal::unix::{self, SignalKind};

    /// The signals that ask a process to end, as they are received.
    pub(crate) struct Signals {
        runtime: Runtime,
        streams: Vec<(Signal, unix::Signal)>,
    }

    impl Signals {
        /// Those that are received from now on.
        pub(crate) fn new() -> io::Result<Self> {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            let mut streams = Vec::new();
            {
                let _inside = runtime.enter();
                // What starts us may ignore it, and then we are not told how a process ended. A handler is set, and stays.
                drop(unix::signal(SignalKind::child())?);
                streams.push((Signal::INT, unix::signal(SignalKind::interrupt())?));
                streams.push((Signal::TERM, unix::signal(SignalKind::terminate())?));
                // `nohup` starts a program so that it does not hear the end of its terminal.
                if !is_hangup_ignored() {
                    streams.push((Signal::HUP, unix::signal(SignalKind::hangup())?));
                }
            }
            Ok(Self { runtime, streams })
        }

        /// Also what a worker asks of its guard.
        pub(crate) fn with_requests(mut self) -> io::Result<Self> {
            let requests = {
                let _inside = self.runtime.enter();
                unix::signal(SignalKind::user_defined1())?
            };
            self.streams.push((Signal::USR1, requests));
            Ok(self)
        }

        /// Hands over each signal, for ever.
        pub(crate) fn each(&mut self, act: impl FnMut(Signal)) {
            self.until(std::future::pending(), act);
        }

        /// Hands over each signal until something has happened.
        pub(crate) fn until(&mut self, end: impl Future<Output = ()>, mut act: impl FnMut(Signal)) {
            let streams = &mut self.streams;
            self.runtime.block_on(async {
                tokio::pin!(end);
                loop {
                    let next = std::future::poll_fn(|context| {
                        let received = streams
                            .iter_mut()
                            .find_map(|(signal, stream)| stream.poll_recv(context).is_ready().then_some(*signal));
                        received.map_or(Poll::Pending, Poll::Ready)
                    });
                    tokio::select! {
                        signal = next => act(signal),
                        () = &mut end => return,
                    }
                }
            });
        }
    }

    /// That there are enough file handles to wait for signals: tokio panics where there are not.
    pub(crate) fn possible() -> io::Result<()> {
        // It takes five at once: two for what is waited for, a pair that signals are passed through, and a copy of one end.
        (0..3).map(|_| UnixStream::pair()).collect::<io::Result<Vec<_>>>().map(drop)
    }

    /// Whether this process was started so that it ignores SIGHUP. Linux alone says so.
    fn is_hangup_ignored() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask & 1 == 1)
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;
    use tokio::runtime::{Builder, Runtime};

    /// Ctrl-C, each time.
    pub(crate) struct Signals(Runtime);

    impl Signals {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self(Builder::new_current_thread().enable_all().build()?))
        }

        pub(crate) fn each(&mut self, mut act: impl FnMut(())) {
            while self.0.block_on(tokio::signal::ctrl_c()).is_ok() {
                act(());
            }
        }
    }
}
