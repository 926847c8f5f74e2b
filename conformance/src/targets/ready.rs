//! Whether a server is ready: nothing answers at its addresses before it is started, and it answers there afterwards.

use crate::transport::{Answering, Look, TransportError};
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a connection may take that tells whether a port is in use.
const CONNECTING: Duration = Duration::from_secs(1);
/// How long a server that was just killed may take to give its port back.
const LEAVING: Duration = Duration::from_secs(2);

/// What answers once a server is ready.
#[derive(Debug)]
pub(super) enum Ready {
    /// An address that says so: it answers 2xx.
    Says(Answering),
    /// The address of an endpoint, which answers anything but that a server behind it is not there.
    Serves(Answering),
    /// The address of an endpoint of a server with an address that says so.
    Later(Answering),
}

impl Ready {
    fn place(&self) -> &Answering {
        match self {
            Self::Says(place) | Self::Serves(place) | Self::Later(place) => place,
        }
    }

    /// Whether it is ready now; why not.
    async fn look(&self) -> Result<(), String> {
        match (self, self.place().look().await?) {
            (Self::Says(_), Look::NoHttp) => Err("it answers, and not over HTTP".to_owned()),
            (Self::Says(_), Look::Status(status)) if !matches!(status, 200..=299) => {
                Err(format!("it answers {status}"))
            }
            (Self::Serves(_), Look::Status(status @ (502 | 503))) => Err(format!("it answers {status}")),
            _ => Ok(()),
        }
    }
}

/// Done when every address says that the server is ready. `last` is why one is not.
pub(super) async fn all_answer(all: &[Ready], last: &mut String) {
    for ready in all.iter().filter(|ready| !matches!(ready, Ready::Later(_))) {
        while let Err(why) = ready.look().await {
            *last = format!("{}: {why}", ready.place().address());
            sleep(PAUSE).await;
        }
    }
}

/// Refuses to start a server where another one answers already: it would be judged in the place of ours.
pub(super) async fn unused(command: &[String], all: &[Ready]) -> Result<(), TransportError> {
    match still_answers(all).await {
        Some(address) => Err(TransportError::InUse { address, command: command.join(" ") }),
        None => Ok(()),
    }
}

/// The first address, with its port, that does not stop answering within the time that a server has for that.
pub(super) async fn still_answers(all: &[Ready]) -> Option<String> {
    let since = Instant::now();
    for address in all.iter().map(|ready| ready.place().address()) {
        let port = address.port_or_known_default().unwrap_or_default();
        let host = address.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let Ok(sockets) = (host, port).to_socket_addrs() else { continue };
        let sockets: Vec<SocketAddr> = sockets.collect();
        while in_use(&sockets).await {
            if since.elapsed() > LEAVING {
                return Some(format!("{host}:{port}"));
            }
            sleep(PAUSE).await;
        }
    }
    None
}

async fn in_use(sockets: &[SocketAddr]) -> bool {
    for socket in sockets {
        if timeout(CONNECTING, TcpStream::connect(socket)).await.is_ok_and(|connected| connected.is_ok()) {
            return true;
        }
    }
    false
}
