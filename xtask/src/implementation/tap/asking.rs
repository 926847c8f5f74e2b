//! The direction from the client: requests, one after another.

use super::answering::Next;
use super::framing::Body;
use super::guard;
use super::head::RequestHead;
use super::line::{BEHIND, What};
use super::passing::Passing;
use super::reader::Reader;
use super::upstream::Connection;
use super::way::{Way, own};
use conformance::tap::Ended;
use reqwest::StatusCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncWriteExt, WriteHalf};
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio::time::timeout;

type ToServer = WriteHalf<Box<dyn Connection>>;

/// How a direction from a client ended.
#[derive(PartialEq, Eq)]
pub(super) enum Over {
    /// It asks nothing more, and may still read.
    Asked,
    /// It is gone.
    Gone,
}

impl Way {
    /// The next request; nothing when the client asks no more.
    ///
    /// # Errors
    /// With our own answer, if it cannot be passed on.
    pub(super) async fn request(
        &self,
        client: &mut Reader<OwnedReadHalf>,
        patience: Duration,
        open: &AtomicUsize,
    ) -> Result<Option<RequestHead>, Vec<u8>> {
        while client.is_empty() {
            match timeout(patience, client.more()).await {
                Ok(Ok(1..)) => {}
                Ok(_) => return Ok(None),
                // It waits for an answer.
                Err(_) if open.load(Ordering::Relaxed) > 0 => {}
                Err(_) => return Ok(None),
            }
        }
        let head = async {
            loop {
                match client.head(RequestHead::read) {
                    Ok(Some(head)) => return Ok(Some(head)),
                    Ok(None) => {}
                    Err(why) => {
                        return Err(own(StatusCode::BAD_REQUEST, &format!("The tap cannot read the request: {why}")));
                    }
                }
                if !matches!(client.more().await, Ok(1..)) {
                    return Ok(None);
                }
            }
        };
        let Ok(head) = timeout(self.patience.head, head).await else {
            return Err(own(StatusCode::REQUEST_TIMEOUT, "The head of the request did not come in time"));
        };
        let Some(head) = head? else { return Ok(None) };
        if let Some((status, why)) = guard::refusal(&head, self.on_loopback) {
            self.line.always(What::Refused(why));
            return Err(own(status, &format!("The tap passes nothing on: {why}")));
        }
        match head.body() {
            Ok(_) => Ok(Some(head)),
            Err(why) => {
                Err(own(StatusCode::BAD_REQUEST, &format!("The tap cannot tell where the request ends: {why}")))
            }
        }
    }

    /// Passes requests on, one after another.
    pub(super) async fn ask(
        &self,
        client: &mut Reader<OwnedReadHalf>,
        mut server: ToServer,
        first: (RequestHead, Passing),
        queue: UnboundedSender<Next>,
        open: &AtomicUsize,
    ) -> Over {
        let (mut head, mut passing) = first;
        loop {
            let (number, mut body) = (passing.number(), head.body().unwrap_or(Body::ToTheEnd));
            let (switch, is_switched) = oneshot::channel();
            let switch = head.wants_switch().then_some(switch);
            let wants_switch = switch.is_some();
            open.fetch_add(1, Ordering::Relaxed);
            // In the queue before the server can answer it.
            if queue.send(Next::Asked(passing, head.method.clone(), switch)).is_err() {
                return Over::Gone;
            }
            let is_written = server.write_all(&head.for_host(self.upstream.host())).await.is_ok();
            match self.body(client, &mut server, number, &mut body).await {
                Ok(()) => {}
                Err(Over::Gone) => return Over::Gone,
                Err(Over::Asked) => break,
            }
            if !is_written {
                return Over::Asked;
            }
            if wants_switch && is_switched.await.is_ok() {
                let _ = client.pass_all(&mut server).await;
                break;
            }
            if head.is_last() {
                // Nothing follows it. The connection ends after the answer: many servers give none to a client that seems to have left.
                return Over::Asked;
            }
            head = match self.request(client, self.patience.idle, open).await {
                Ok(Some(head)) => head,
                Ok(None) => break,
                Err(own) => {
                    let _ = queue.send(Next::Own(own));
                    break;
                }
            };
            passing = self.begun(&head);
        }
        let _ = server.shutdown().await;
        Over::Asked
    }

    /// Passes the body of a request on. An error is that the client ended within it.
    async fn body(
        &self,
        client: &mut Reader<OwnedReadHalf>,
        server: &mut ToServer,
        number: u64,
        body: &mut Body,
    ) -> Result<(), Over> {
        let unheard = |how| self.line.always(What::Ended(number, how));
        while !body.is_over() {
            if client.is_empty() {
                match timeout(self.patience.idle, client.more()).await {
                    Ok(Ok(1..)) => {}
                    Ok(Ok(_)) => {
                        unheard(Ended::ByClient);
                        return Err(Over::Asked);
                    }
                    Ok(Err(_)) | Err(_) => return Err(Over::Gone),
                }
            }
            let piece = client.piece(body);
            for content in piece.content {
                if !self.line.take(What::Sent(number, content)) {
                    unheard(Ended::Unheard(BEHIND.to_owned()));
                }
            }
            if server.write_all(&piece.bytes).await.is_err() {
                // The server does not read the rest. What it answers is passed on.
                return Err(Over::Asked);
            }
            if piece.wrong.is_some() {
                unheard(Ended::ByClient);
                return Err(Over::Asked);
            }
        }
        let _ = server.flush().await;
        Ok(())
    }
}
