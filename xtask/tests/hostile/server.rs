//! Servers made by hand, on threads of the test: they hear a request and answer with whatever bytes a test gives them.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

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
}

/// A request that a server heard.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// The JSON in its body; `null` when there is none.
    pub(crate) message: Value,
    /// A server that nobody should ask, as in `127.0.0.1:3000`.
    pub(crate) bystander: String,
}

impl Request {
    /// The method of a JSON-RPC message, as in `tools/call`; nothing when the body is none.
    pub(crate) fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or_default()
    }

    /// The response with a result.
    pub(crate) fn response(&self, result: &Value) -> Answer {
        ok(serde_json::json!({ "jsonrpc": "2.0", "id": self.message["id"], "result": result }).to_string())
    }
}

/// A server at an address, with a bystander that only listens.
pub(crate) struct Server {
    /// As in `http://127.0.0.1:3000`.
    pub(crate) address: String,
    heard: Arc<Mutex<Vec<String>>>,
    bystander: Option<Box<Server>>,
}

impl Server {
    /// A server that answers whatever it is asked.
    pub(crate) fn new(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let bystander = Box::new(Self::alone(String::new(), |_| ok("{}")));
        let named = bystander.address.trim_start_matches("http://").to_owned();
        Self { bystander: Some(bystander), ..Self::alone(named, answer) }
    }

    fn alone(bystander: String, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        // Bound before anybody asks, so that no connection is refused.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let (answer, noted) = (Arc::new(answer), Arc::clone(&heard));
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (Ok(mut connection), bystander) = (connection, bystander.clone()) else { break };
                let (answer, noted) = (Arc::clone(&answer), Arc::clone(&noted));
                thread::spawn(move || {
                    let (head, message) = request(&mut connection);
                    noted.lock().unwrap().push(head);
                    // The client may have left; that is for the run to tell.
                    let _ = give(connection, answer(&Request { message, bystander }));
                });
            }
        });
        Self { address, heard, bystander: None }
    }

    /// The heads of the requests so far.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// Nobody but the target was asked.
    pub(crate) fn assert_nobody_else_was_asked(&self) {
        let heard = self.bystander.as_ref().unwrap().heard();
        assert!(heard.is_empty(), "another server was asked: {heard:?}");
    }
}

/// The head and the body of a request.
fn request(connection: &mut TcpStream) -> (String, Value) {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 65536]);
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return (head, serde_json::from_str(body).unwrap_or_default());
            }
        }
        match connection.read(&mut buffer) {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => return (text.into_owned(), Value::Null),
        }
    }
}

fn give(mut connection: TcpStream, answer: Answer) -> std::io::Result<()> {
    match answer {
        Answer::Bytes(bytes) => {
            connection.write_all(&bytes)?;
            connection.shutdown(Shutdown::Write)?;
            // Until the client has read all of it and leaves.
            connection.read_to_end(&mut Vec::new()).map(|_| ())
        }
        Answer::Hang(bytes) => {
            connection.write_all(&bytes)?;
            // The client never sends more, so this ends when it leaves.
            connection.read(&mut [0]).map(|_| ())
        }
        Answer::Flood(first, then) => {
            connection.write_all(&first)?;
            loop {
                connection.write_all(&then)?;
            }
        }
        Answer::Drip(first, drop) => {
            connection.write_all(&first)?;
            loop {
                connection.write_all(&[drop])?;
                thread::sleep(DRIP);
            }
        }
    }
}

/// The head of a good answer, with these header lines.
pub(crate) fn head(headers: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\n{headers}\r\n\r\n").into_bytes()
}

/// The head of a good answer with this header line, and the bytes after it.
pub(crate) fn begun(header: &str, then: impl AsRef<[u8]>) -> Vec<u8> {
    [&head(header)[..], then.as_ref()].concat()
}

/// An answer with this status line, these header lines, and this body at its full length.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref();
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n");
    Answer::Bytes([head.as_bytes(), body].concat())
}

/// A good answer with this body.
pub(crate) fn ok(body: impl AsRef<[u8]>) -> Answer {
    answer("200 OK", "content-type: application/json\r\n", body)
}

/// A redirect to an address.
pub(crate) fn redirect(to: &str) -> Answer {
    answer("302 Found", &format!("location: {to}\r\n"), "")
}
