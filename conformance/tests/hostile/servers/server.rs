//! A server made by hand: it hears a request and answers with whatever bytes a test gives it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

/// How long a dripping server waits before the next drop.
const DRIP: Duration = Duration::from_millis(50);

/// What a server does to a connection once it has heard a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// These bytes, then the end of the connection.
    Bytes(Vec<u8>),
    /// These bytes, then nothing, with the connection held open.
    Hang(Vec<u8>),
    /// These bytes, then those without end, as fast as they are taken.
    Flood(Vec<u8>, Vec<u8>),
    /// These bytes, then this one now and then.
    Drip(Vec<u8>, u8),
    /// These bytes, then a connection that is reset.
    Reset(Vec<u8>),
}

/// A server that listens on an address of this machine for as long as its runtime is there.
pub(crate) struct Server {
    /// As in `http://127.0.0.1:3000`.
    pub(crate) address: String,
    heads: Arc<Mutex<VecDeque<String>>>,
}

impl Server {
    /// A server that answers by what is asked for: `answer` hears the address of a request, without its origin.
    pub(crate) fn on(runtime: &Runtime, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        // Bound before anybody asks, so that no connection is refused.
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let heads = Arc::new(Mutex::new(VecDeque::new()));
        let (answer, heard) = (Arc::new(answer), Arc::clone(&heads));
        runtime.spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let (answer, heard) = (Arc::clone(&answer), Arc::clone(&heard));
                tokio::spawn(async move {
                    let head = head(&mut connection).await;
                    let asked = head.split(' ').nth(1).unwrap_or_default().to_owned();
                    heard.lock().unwrap_or_else(PoisonError::into_inner).push_back(head);
                    // The client may have left; that is for the run to tell.
                    let _ = give(connection, answer(&asked)).await;
                });
            }
        });
        Self { address, heads }
    }

    /// The heads of the requests so far: empty when no connection was ever made.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The head of a request: all of it, since no request of these tests has a body.
async fn head(connection: &mut TcpStream) -> String {
    let (mut head, mut buffer) = (Vec::new(), [0; 4096]);
    while !head.ends_with(b"\r\n\r\n") {
        match connection.read(&mut buffer).await {
            Ok(count @ 1..) => head.extend_from_slice(&buffer[..count]),
            _ => break,
        }
        // What is no HTTP, such as the greeting of TLS, is not waited for to the end.
        if !head[0].is_ascii_uppercase() {
            break;
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

async fn give(mut connection: TcpStream, answer: Answer) -> std::io::Result<()> {
    match answer {
        Answer::Bytes(bytes) => {
            connection.write_all(&bytes).await?;
            connection.shutdown().await
        }
        Answer::Hang(bytes) => {
            connection.write_all(&bytes).await?;
            // The client never sends more, so this ends when it leaves.
            connection.read_u8().await.map(|_| ())
        }
        Answer::Flood(first, then) => {
            connection.write_all(&first).await?;
            loop {
                connection.write_all(&then).await?;
            }
        }
        Answer::Drip(first, drop) => {
            connection.write_all(&first).await?;
            loop {
                connection.write_u8(drop).await?;
                tokio::time::sleep(DRIP).await;
            }
        }
        Answer::Reset(bytes) => {
            connection.write_all(&bytes).await?;
            connection.set_zero_linger()
        }
    }
}

/// An answer with this status line, these header lines, and this body at its full length.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref();
    let length = body.len();
    let mut bytes =
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    Answer::Bytes(bytes)
}

/// A good answer with this body.
pub(crate) fn ok(body: impl AsRef<[u8]>) -> Answer {
    answer("200 OK", "content-type: application/json\r\n", body)
}

/// A redirect to an address.
pub(crate) fn redirect(to: &str) -> Answer {
    answer("302 Found", &format!("location: {to}\r\n"), "")
}
