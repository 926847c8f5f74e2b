//! Connections that a server keeps open: a request takes one that is about to be free rather than open another one.
//!
//! A connection is free a moment after an answer was read to its end. A client that asks again within that moment would open a second
//! one, and a server that serves one connection to its end before it takes the next would never answer there.

use futures::future::BoxFuture;
use reqwest::ClientBuilder;
use std::future::{Future, poll_fn};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};
use tower::util::MapFutureLayer;

/// How long a connection is waited for that is about to be free.
const MOMENT: Duration = Duration::from_millis(500);
/// After so many that were waited for in vain, one after another, none is any more: the server ends them without saying so.
const MOST_IN_VAIN: usize = 3;

type Error = Box<dyn std::error::Error + Send + Sync>;

tokio::task_local! {
    /// The request of this task. A connection that was begun for it and is needed no more goes on in another task.
    static REQUEST: Arc<Request>;
}

/// A request that is sent.
#[derive(Debug)]
struct Request {
    /// Until when it waits for a connection that is about to be free.
    until: Option<Instant>,
    /// Whether a connection was opened for it.
    opened: AtomicBool,
}

/// The connections of a client that a server keeps open.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// When each that no request has taken became free, the last one last.
    free: Mutex<Vec<Instant>>,
    /// So many in a row were waited for in vain.
    in_vain: AtomicUsize,
}

impl Kept {
    /// A client that asks through [`Self::asking`], and opens connections only once none is about to be free.
    pub(super) fn sparing(client: ClientBuilder) -> ClientBuilder {
        client.connector_layer(MapFutureLayer::new(opened))
    }

    /// An answer was read to its end, and its connection is kept.
    pub(super) fn is_free(&self) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(Instant::now());
    }

    /// Asks on a connection that is free, or about to be, or else on a new one.
    pub(super) async fn asking<T>(&self, asking: impl Future<Output = T>) -> T {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let is_of_use = self.in_vain.load(Ordering::Relaxed) < MOST_IN_VAIN;
        let until = free.map(|since| since + MOMENT).filter(|until| is_of_use && *until > Instant::now());
        let request = Arc::new(Request { until, opened: AtomicBool::new(false) });
        let asked = REQUEST.scope(Arc::clone(&request), asking).await;
        match request.opened.load(Ordering::Relaxed) {
            true if until.is_some() => drop(self.in_vain.fetch_add(1, Ordering::Relaxed)),
            true => {}
            false => self.in_vain.store(0, Ordering::Relaxed),
        }
        asked
    }

    /// Other connections take the place of these.
    pub(super) fn forget(&self) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Opens a connection, unless one becomes free before, or meanwhile.
fn opened<C: Send + 'static>(connecting: BoxFuture<'static, Result<C, Error>>) -> BoxFuture<'static, Result<C, Error>> {
    Box::pin(async move {
        let opening = async {
            if let Ok(request) = REQUEST.try_with(Arc::clone) {
                if let Some(until) = request.until {
                    tokio::time::sleep_until(until.into()).await;
                }
                request.opened.store(true, Ordering::Relaxed);
            }
            connecting.await
        };
        tokio::pin!(opening);
        poll_fn(|context| match REQUEST.try_with(|_| ()) {
            Ok(()) => opening.as_mut().poll(context),
            Err(_) => Poll::Ready(Err("another connection was free".into())),
        })
        .await
    })
}
