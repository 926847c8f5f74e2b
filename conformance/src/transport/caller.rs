//! How a request gets to a server: once more on a new connection where a kept one had ended, again after a pause as far as the
//! limits allow, and on to where a redirect on the server's own origin leads.

use super::arriving::Arriving;
use super::broken::{causes, chain};
use super::counts::Counts;
use super::kept::Kept;
use super::pace::Turn;
use super::waits::Waits;
use super::{Limits, Pace};
use crate::model::Noticed;
use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Url, header};
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};
use std::time::Duration;

/// Redirects that are followed, all of them on the target's own origin.
const MOST_REDIRECTS: usize = 5;
/// How long the first pause before a request is sent again is; each is twice the one before, up to the longest.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// After so many requests in a row that waited in vain for a server that asks to wait, none waits any more.
const MOST_WAITED_IN_VAIN: usize = 3;

/// Sends requests to one server.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    clients: Arc<Clients>,
    /// Whether each request opens a connection.
    afresh: bool,
}

/// A client that is made when it is needed.
type Later = LazyLock<Option<Client>, Box<dyn FnOnce() -> Option<Client> + Send>>;

#[derive(Debug)]
struct Clients {
    /// Keeps its connections.
    keeping: RwLock<Client>,
    /// What is known of the connections that are kept.
    kept: Arc<Kept>,
    /// Keeps one connection. It takes the place of the other where a server was late beside others: one that serves a connection to its
    /// end would be waited for in vain as long as another one is kept.
    sparing: Later,
    /// Opens a new connection for each request. It is made when it is needed for the first time, as that takes its time.
    fresh: Later,
    /// Whether there was an answer, so that a connection may have been kept.
    had_answer: AtomicBool,
    /// So many requests in a row were still asked to wait when they had waited as often as they may.
    waited_in_vain: AtomicUsize,
    /// How the server is asked.
    pace: OnceLock<Pace>,
    counts: Counts,
}

impl Caller {
    /// With the clients that these options make.
    pub(super) fn new(options: impl Fn() -> ClientBuilder + Send + Sync + 'static) -> reqwest::Result<Self> {
        let jar = Arc::new(reqwest::cookie::Jar::default());
        let client = Arc::new(move |idle| {
            let client = options().pool_max_idle_per_host(idle).cookie_provider(Arc::clone(&jar));
            if idle == 0 { client } else { Kept::sparing(client) }.build()
        });
        let keeping = RwLock::new(client(usize::MAX)?);
        let later = |idle| -> Later {
            let client = Arc::clone(&client);
            LazyLock::new(Box::new(move || client(idle).ok()))
        };
        let clients = Clients {
            keeping,
            kept: Arc::default(),
            sparing: later(1),
            fresh: later(0),
            had_answer: AtomicBool::new(false),
            waited_in_vain: AtomicUsize::new(0),
            pace: OnceLock::new(),
            counts: Counts::default(),
        };
        Ok(Self { clients: Arc::new(clients), afresh: false })
    }

    /// The same, which opens a connection for each request.
    pub(super) fn elsewhere(&self) -> Self {
        Self { afresh: true, ..self.clone() }
    }

    /// Asks at a pace that others share. Only the first one counts.
    pub(super) fn keep_to(&self, pace: &Pace) {
        let _ = self.clients.pace.set(pace.clone());
    }

    /// Waits until a request may be sent, which is no part of the time that its answer takes. It is under way until what is returned is
    /// dropped.
    pub(super) async fn turn(&self, alone: bool) -> Turn {
        self.clients.pace.get_or_init(Pace::default).turn(alone).await
    }

    /// Waits until what wants no answer may be sent. A server may take its time over it, and nothing waits for that.
    pub(super) async fn gap(&self) {
        self.clients.pace.get_or_init(Pace::default).gap().await;
    }

    /// An answer came in time, or none did. Whether the request is to be sent once more, alone.
    pub(super) fn is_again(&self, turn: &Turn, in_time: bool, time: Duration) -> bool {
        if !in_time {
            let again = turn.was_late();
            if let Some(sparing) = self.clients.sparing.as_ref().filter(|_| again) {
                *self.clients.keeping.write().unwrap_or_else(PoisonError::into_inner) = sparing.clone();
                self.clients.kept.forget();
            }
            return again;
        }
        if turn.alone {
            self.clients.counts.crowd();
        }
        turn.was_answered(time);
        false
    }

    /// How long to wait before a request is sent again, by what an answer says. A server that asks every request to wait, however long it
    /// waited, is waited for a few times only.
    pub(super) fn pause(&self, waits: &mut Waits, status: u16, retry_after: Option<&str>) -> Option<Duration> {
        let waited_in_vain = &self.clients.waited_in_vain;
        if !matches!(status, 429 | 503) {
            waited_in_vain.store(0, Ordering::Relaxed);
            return None;
        }
        if waited_in_vain.load(Ordering::Relaxed) >= MOST_WAITED_IN_VAIN {
            return None;
        }
        let pause = waits.next(status, retry_after);
        if pause.is_none() && waits.were_in_vain() {
            waited_in_vain.fetch_add(1, Ordering::Relaxed);
        }
        pause
    }

    /// Counts that a session was begun anew.
    pub(super) fn renewed(&self) {
        self.clients.counts.renew();
    }

    /// What was noticed so far.
    pub(super) fn noticed(&self) -> Noticed {
        self.clients.counts.noticed()
    }

    /// Sends a request, again and again as far as the limits allow while nothing came of it; `retried` takes why.
    ///
    /// A server may end a connection that it kept open at any moment, also when the next request is on its way (RFC 9112, 9.3.1).
    /// That is no fault of it, so the request is sent once more on a new connection.
    pub(super) async fn send(
        &self,
        method: &Method,
        address: &Url,
        with: impl Fn(RequestBuilder) -> RequestBuilder,
        limits: Limits,
        retried: &mut Vec<String>,
    ) -> reqwest::Result<Arriving> {
        let mut pause = PAUSE;
        loop {
            match self.once(method, address, &with).await {
                Err(error) if retried.len() < limits.retries as usize && came_to_nothing(&error) => {
                    retried.push(chain(&error));
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                sent => return sent,
            }
        }
    }

    /// Sends a request without trying again.
    pub(super) async fn once(
        &self,
        method: &Method,
        address: &Url,
        with: impl Fn(RequestBuilder) -> RequestBuilder,
    ) -> reqwest::Result<Arriving> {
        let mut to = address.clone();
        for _ in 0..MOST_REDIRECTS {
            let response = self.on_a_connection(method, &to, &with).await?;
            match leads_to(&response, &to, method).filter(|next| next.origin() == address.origin()) {
                Some(next) => to = next,
                None => return Ok(response),
            }
        }
        self.on_a_connection(method, &to, &with).await
    }

    async fn on_a_connection(
        &self,
        method: &Method,
        to: &Url,
        with: &impl Fn(RequestBuilder) -> RequestBuilder,
    ) -> reqwest::Result<Arriving> {
        let send = |client: &Client| with(client.request(method.clone(), to.clone())).send();
        let may_be_kept = self.clients.had_answer.load(Ordering::Relaxed);
        let anew = async |client: &Client| Ok(Arriving::new(send(client).await?, None));
        let first = match self.afresh.then(|| self.clients.fresh.as_ref()).flatten() {
            Some(fresh) => anew(fresh).await,
            None => {
                let keeping = self.clients.keeping.read().unwrap_or_else(PoisonError::into_inner).clone();
                let kept = &self.clients.kept;
                kept.asking(send(&keeping)).await.map(|response| Arriving::new(response, Some(kept)))
            }
        };
        let sent = match first {
            Err(error) if may_be_kept && ended_before_an_answer(&error) => match &*self.clients.fresh {
                Some(fresh) => {
                    self.clients.counts.reconnect();
                    anew(fresh).await
                }
                None => Err(error),
            },
            sent => sent,
        };
        self.clients.had_answer.fetch_or(sent.is_ok(), Ordering::Relaxed);
        sent
    }
}

/// Where a redirect leads that asks for the same request elsewhere. One that makes another request of a POST is the answer.
fn leads_to(response: &Arriving, address: &Url, method: &Method) -> Option<Url> {
    let keeps_the_request = match response.status().as_u16() {
        307 | 308 => true,
        301..=303 => matches!(*method, Method::GET | Method::HEAD),
        _ => false,
    };
    let location = response.headers().get(header::LOCATION).filter(|_| keeps_the_request)?;
    address.join(location.to_str().ok()?).ok()
}

/// Whether a connection ended before any of the answer had come.
fn ended_before_an_answer(error: &reqwest::Error) -> bool {
    let is_incomplete = |error: &(dyn std::error::Error + 'static)| {
        error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message)
    };
    !error.is_connect() && (causes(error).any(is_incomplete) || came_to_nothing(error))
}

/// Whether a request was not taken, or its connection broke before any answer. What is no HTTP is an answer, and a bad one.
fn came_to_nothing(error: &reqwest::Error) -> bool {
    let first = causes(error).find_map(|error| error.downcast_ref::<io::Error>());
    first.is_some_and(|error| {
        matches!(
            error.kind(),
            ErrorKind::ConnectionRefused
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
        )
    })
}
