//! The direction from the server: answers, one after another.

use super::framing::Body;
use super::head::ResponseHead;
use super::line::What;
use super::passing::Passing;
use super::reader::Reader;
use super::upstream::Connection;
use super::way::own;
use conformance::tap::Ended;
use reqwest::StatusCode;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt, ReadHalf};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tokio::time::timeout;

type FromServer = Reader<ReadHalf<Box<dyn Connection>>>;

/// What is answered next.
pub(super) enum Next {
    /// A request that the server answers: its method, and whoever waits to hear whether the protocol is switched.
    Asked(Passing, String, Option<oneshot::Sender<()>>),
    /// Our own answer, after which the connection ends.
    Own(Vec<u8>),
}

/// Passes answers back, one after another. A client may take as long as `patience` to read the next piece.
pub(super) async fn answer(
    mut server: FromServer,
    client: &mut OwnedWriteHalf,
    mut answers: UnboundedReceiver<Next>,
    open: &AtomicUsize,
    patience: Duration,
) -> io::Result<()> {
    // The server may end a connection at any moment between two requests, also when the next one is on its way (RFC 9112, 9.3.1).
    let mut is_kept = false;
    loop {
        let next = tokio::select! {
            biased;
            next = answers.recv() => next,
            // What nobody asked for, as from a server that says why it ends a connection.
            more = server.more() => match more? {
                0 => return Ok(()),
                _ => return server.pass_all(client).await,
            },
        };
        let (mut passing, method, switch) = match next {
            None => return Ok(()),
            Some(Next::Own(own)) => return client.write_all(&own).await,
            Some(Next::Asked(passing, method, switch)) => (passing, method, switch),
        };
        let head = match head(&mut server, client).await? {
            Ok(head) => head,
            Err(None) if is_kept => {
                passing.end(Ended::Unheard("the server ended the connection that it had kept open".to_owned()));
                return Ok(());
            }
            Err(None) => {
                passing.end(Ended::Broken("the request failed: the connection ended before the answer".to_owned()));
                return Ok(());
            }
            Err(Some(why)) => {
                passing.end(Ended::Broken(format!("the request failed: the answer is no HTTP: {why}")));
                return server.pass_all(client).await;
            }
        };
        passing.copy(What::Answered(passing.number(), head.status, head.told()));
        let mut body = match Body::of_response(&method, head.status, &head.fields) {
            Ok(body) => body,
            Err(why) => {
                // A client may take another end of it for the right one (RFC 9112, 6.3).
                let own = own(StatusCode::BAD_GATEWAY, &format!("The tap cannot tell where the answer ends: {why}"));
                passing.end(Ended::Broken(format!("nobody can tell where the answer ends: {why}")));
                return client.write_all(&own).await;
            }
        };
        if body == Body::Exact(0) {
            passing.end(Ended::Whole);
        }
        give(client, &head.bytes(), patience).await?;
        if head.status == 101 {
            if let Some(switch) = switch {
                // Nobody waits for it any more if the client is gone.
                let _ = switch.send(());
            }
            return server.pass_all(client).await;
        }
        drop(switch);
        back(&mut server, client, (&mut passing, &mut body), patience).await?;
        if head.is_last() {
            return Ok(());
        }
        is_kept = true;
        open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The head of an answer; those that only say that one is to come pass at once. An error is why there is none, if anything was received.
async fn head(
    server: &mut FromServer,
    client: &mut (impl AsyncWrite + Unpin),
) -> io::Result<Result<ResponseHead, Option<String>>> {
    loop {
        match server.head(ResponseHead::read) {
            Ok(Some(head)) if matches!(head.status, 100 | 102..=199) => client.write_all(&head.bytes()).await?,
            Ok(Some(head)) => return Ok(Ok(head)),
            Err(why) => return Ok(Err(Some(why))),
            Ok(None) => {
                let had_some = !server.is_empty();
                if !matches!(server.more().await, Ok(1..)) {
                    return Ok(Err(had_some.then(|| "the connection ended within its head".to_owned())));
                }
            }
        }
    }
}

/// Passes the body of an answer back.
async fn back(
    server: &mut FromServer,
    client: &mut OwnedWriteHalf,
    (passing, body): (&mut Passing, &mut Body),
    patience: Duration,
) -> io::Result<()> {
    while !body.is_over() {
        if server.is_empty() {
            let broken = match server.more().await {
                Ok(1..) => None,
                Ok(_) if *body == Body::ToTheEnd => {
                    passing.end(Ended::Whole);
                    return Err(io::ErrorKind::ConnectionReset.into());
                }
                Ok(_) => Some("the connection ended before the end of the body".to_owned()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(broken) = broken {
                passing.end(Ended::Broken(format!("the request failed: {broken}")));
                return Err(io::ErrorKind::ConnectionReset.into());
            }
        }
        let piece = server.piece(body);
        for content in piece.content {
            passing.copy(What::Came(passing.number(), content));
        }
        if let Some(why) = piece.wrong {
            passing.end(Ended::Broken(format!("the request failed: {why}")));
        } else if body.is_over() {
            passing.end(Ended::Whole);
        }
        give(client, &piece.bytes, patience).await?;
        if piece.wrong.is_some() {
            server.pass_all(client).await?;
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    Ok(())
}

/// Writes to a client that reads.
async fn give(client: &mut OwnedWriteHalf, bytes: &[u8], patience: Duration) -> io::Result<()> {
    timeout(patience, client.write_all(bytes)).await?
}
