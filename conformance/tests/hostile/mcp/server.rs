//! Servers at an address, made by hand: a good one, of which a test replaces what it wants to be bad.

use super::talk::{Talk, found, initialize, runtime, tools};
use conformance::transport::Limits;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

/// What a server does to a connection once it has heard a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// These bytes; then the next request is heard.
    Bytes(Vec<u8>),
    /// These bytes, then the end of the connection.
    End(Vec<u8>),
    /// These bytes, then nothing, with the connection held open.
    Hang(Vec<u8>),
    /// These bytes, then those without end, as fast as they are taken.
    Flood(Vec<u8>, Vec<u8>),
    /// These bytes one by one, then the end of the connection.
    Pieces(Vec<u8>),
}

/// A request that a server heard.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// The request line and the headers, in lower case.
    pub(crate) head: String,
    /// The message; `null` when it is none.
    pub(crate) message: Value,
}

impl Request {
    /// The method of the message, as in `tools/call`; that of HTTP, in lower case, when there is no message.
    pub(crate) fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or_else(|| self.head.split(' ').next().unwrap())
    }

    /// A header, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The response with a result.
    pub(crate) fn response(&self, result: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.message["id"], "result": result })
    }
}

/// A server that listens on an address of this machine for as long as its runtime is there.
pub(crate) struct Server {
    /// As in `http://127.0.0.1:3000/mcp`.
    pub(crate) address: String,
    heard: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// A good server but for what `answer` answers.
    pub(crate) fn on(runtime: &Runtime, answer: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static) -> Self {
        // Bound before anybody asks, so that no connection is refused.
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = format!("http://{}/mcp", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (answer, noted) = (Arc::new(answer), Arc::clone(&heard));
        runtime.spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let (answer, noted) = (Arc::clone(&answer), Arc::clone(&noted));
                connection.set_nodelay(true).unwrap();
                tokio::spawn(async move {
                    while let Some(request) = request(&mut connection).await {
                        let given = answer(&request).unwrap_or_else(|| good(&request));
                        noted.lock().unwrap().push(request);
                        // The client may have left; that is for the call to tell.
                        if !matches!(give(&mut connection, given).await, Ok(true)) {
                            break;
                        }
                    }
                });
            }
        });
        Self { address, heard }
    }

    /// The requests so far.
    pub(crate) fn heard(&self) -> Vec<Request> {
        self.heard.lock().unwrap().clone()
    }

    /// The methods of the requests so far.
    pub(crate) fn methods(&self) -> Vec<String> {
        self.heard().iter().map(|request| request.method().to_owned()).collect()
    }
}

/// A conversation with a good server but for what it answers.
pub(crate) fn talk(
    limits: Limits,
    answer: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static,
) -> (Talk, Server) {
    let runtime = runtime();
    let server = Server::on(&runtime, answer);
    (Talk::at(runtime, &server.address, limits), server)
}

/// A conversation with a good server but for what it answers to calls of a tool.
pub(crate) fn calls(limits: Limits, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> (Talk, Server) {
    talk(limits, move |request| (request.method() == "tools/call").then(|| answer(request)))
}

/// What a good server answers.
fn good(request: &Request) -> Answer {
    match request.method() {
        "initialize" => json(&request.response(&initialize())),
        "tools/list" => json(&request.response(&tools())),
        "tools/call" => json(&request.response(&found(json!([{ "n": 1 }])))),
        "get" | "delete" => answer("405 Method Not Allowed", "", ""),
        _ => answer("202 Accepted", "", ""),
    }
}

/// The next request of a connection.
async fn request(connection: &mut TcpStream) -> Option<Request> {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 65536]);
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some(Request { head, message: serde_json::from_str(body).unwrap_or_default() });
            }
        }
        match connection.read(&mut buffer).await {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
}

/// Answers; whether the connection is still of use.
async fn give(connection: &mut TcpStream, answer: Answer) -> std::io::Result<bool> {
    match answer {
        Answer::Bytes(bytes) => connection.write_all(&bytes).await.map(|()| true),
        Answer::End(bytes) => {
            connection.write_all(&bytes).await?;
            connection.shutdown().await.map(|()| false)
        }
        Answer::Hang(bytes) => {
            connection.write_all(&bytes).await?;
            // The client never sends more, so this ends when it leaves.
            connection.read_u8().await.map(|_| false)
        }
        Answer::Flood(first, then) => {
            connection.write_all(&first).await?;
            loop {
                connection.write_all(&then).await?;
            }
        }
        Answer::Pieces(bytes) => {
            for byte in bytes {
                connection.write_u8(byte).await?;
                tokio::task::yield_now().await;
            }
            connection.shutdown().await.map(|()| false)
        }
    }
}

/// An answer with this status line, these header lines, and this body at its full length.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref();
    let length = body.len();
    let mut bytes = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    Answer::Bytes(bytes)
}

/// A message as JSON.
pub(crate) fn json(message: &Value) -> Answer {
    text(message.to_string())
}

/// A body that says it is JSON.
pub(crate) fn text(body: impl AsRef<[u8]>) -> Answer {
    answer("200 OK", "content-type: application/json\r\n", body)
}

/// The bytes of a stream of events, which is not over before the connection is.
pub(crate) fn events(events: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{events}").into_bytes()
}
