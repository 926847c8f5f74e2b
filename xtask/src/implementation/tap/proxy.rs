//! Listens, and passes on what each connection brings.

use super::exchange::serve;
use super::line::Line;
use super::upstream::Upstream;
use super::way::{Patience, Way};
use crate::shared::interrupts::interrupt;
use crate::shared::print::tell;
use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;

/// How long clients are waited for, as servers do.
const PATIENCE: Patience = Patience { head: Duration::from_secs(30), idle: Duration::from_secs(300) };
/// How long to wait before the next connection is accepted where there is no room for one.
const PAUSE: Duration = Duration::from_millis(50);

/// Listens and passes everything on until it is asked to end.
pub(super) async fn pass(listen: SocketAddr, upstream: Upstream, line: Line) -> Result<()> {
    let listener = TcpListener::bind(listen).await.with_context(|| format!("nothing can listen at {listen}"))?;
    let address = listener.local_addr()?;
    let on_loopback = address.ip().is_loopback();
    // Before we say that we listen.
    let over = interrupt();
    tell!("tap: http://{address} passes everything on until Ctrl-C");
    if !on_loopback {
        tell!("tap: warning: {} can be reached from other machines, and the server behind it with it", address.ip());
    }
    tokio::pin!(over);
    let way = Way { upstream, line, on_loopback, patience: PATIENCE };
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(tokio::spawn(serve(stream, way.clone()))),
                // A connection that broke before it began, or too many connections at the moment.
                Err(_) => tokio::time::sleep(PAUSE).await,
            },
            () = &mut over => return Ok(()),
        }
    }
}
