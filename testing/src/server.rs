//! A server made by hand, on threads of its own: it receives a request and answers with whatever bytes a test gives it.

use crate::request::{self, Request};
use socket2::{Domain, Socket, Type};
use std::io::{BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How long a dripping server waits for its client to leave before the next drop.
const DRIP: Duration = Duration::from_millis(50);

/// How often a server that does not listen yet looks whether it should.
const LOOK: Duration = Duration::from_millis(1);
/// So many connections may wait for a server.
const BACKLOG: i32 = 1024;

/// What a server does to a connection after a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Sends these bytes, and reads the next request.
    Bytes(Vec<u8>),
    /// Sends these bytes, and ends the connection.
    End(Vec<u8>),
    /// Sends these bytes one by one, and ends the connection.
    Pieces(Vec<u8>),
    /// Sends these bytes, and then nothing until the client leaves.
    Hang(Vec<u8>),
    /// Sends these bytes, and then the second ones again and again, as fast as they are read.
    Flood(Vec<u8>, Vec<u8>),
    /// Sends these bytes, and then one byte from time to time.
    Drip(Vec<u8>, u8),
    /// Sends these bytes, and resets the connection.
    Reset(Vec<u8>),
}

/// A server on a free port of this machine. It takes no more connections when it is dropped.
#[derive(Debug)]
pub struct Server {
    /// As in `http://127.0.0.1:3000`.
    pub address: String,
    socket: SocketAddr,
    seen: Arc<Seen>,
}

/// What a server has seen so far.
#[derive(Debug, Default)]
struct Seen {
    connections: AtomicUsize,
    requests: Mutex<Vec<Request>>,
    is_over: AtomicBool,
}

impl Server {
    /// Answers each request.
    pub fn new(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::looping(move |request, connection| give(connection, answer(request)))
    }

    /// Answers each request at this port of this machine.
    pub fn at(port: u16, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let seen = Arc::default();
        let serve = reading(&seen, move |request, connection| give(connection, answer(request)));
        Self::bound(port, seen, || true, serve)
    }

    /// Answers each request once something is so: until then, nothing listens at its address.
    pub fn once(
        is_so: impl Fn() -> bool + Send + 'static,
        answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let seen = Arc::default();
        let serve = reading(&seen, move |request, connection| give(connection, answer(request)));
        Self::bound(0, seen, is_so, serve)
    }

    /// Hands over the connection after its first request, which is its only one.
    pub fn serving(serve: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        Self::looping(move |request, connection| {
            serve(request, connection);
            Ok(false)
        })
    }

    /// Hands over each connection with its number, which begins with 0, before anything is read.
    pub fn accepting(serve: impl Fn(usize, TcpStream) + Send + Sync + 'static) -> Self {
        Self::bound(0, Arc::default(), || true, serve)
    }

    fn looping(serve: impl Fn(&Request, &mut TcpStream) -> std::io::Result<bool> + Send + Sync + 'static) -> Self {
        let seen = Arc::default();
        let serve = reading(&seen, serve);
        Self::bound(0, seen, || true, serve)
    }

    /// At this port, or at a free one if it is 0.
    fn bound(
        port: u16,
        seen: Arc<Seen>,
        is_so: impl Fn() -> bool + Send + 'static,
        serve: impl Fn(usize, TcpStream) + Send + Sync + 'static,
    ) -> Self {
        // Bound before it is named to anybody, so that nobody else takes the address.
        let listener = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        // A server that is started once more finds connections of the one before it that are not forgotten yet.
        listener.set_reuse_address(port != 0).unwrap();
        listener.bind(&SocketAddr::from(([127, 0, 0, 1], port)).into()).unwrap();
        let socket = listener.local_addr().unwrap().as_socket().unwrap();
        let listens = is_so();
        if listens {
            listener.listen(BACKLOG).unwrap();
        }
        let (serve, noted) = (Arc::new(serve), Arc::clone(&seen));
        thread::spawn(move || {
            while !listens && !is_so() {
                if noted.is_over.load(Ordering::Relaxed) {
                    return;
                }
                thread::sleep(LOOK);
            }
            if !listens {
                listener.listen(BACKLOG).unwrap();
            }
            for connection in TcpListener::from(listener).incoming().flatten() {
                if noted.is_over.load(Ordering::Relaxed) {
                    break;
                }
                let number = noted.connections.fetch_add(1, Ordering::Relaxed);
                connection.set_nodelay(true).unwrap();
                let serve = Arc::clone(&serve);
                thread::spawn(move || serve(number, connection));
            }
        });
        Self { address: format!("http://{socket}"), socket, seen }
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.seen.requests.lock().unwrap().clone()
    }

    /// How many connections were made, with a request or without.
    pub fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::Relaxed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.seen.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for the next connection.
        let _ = TcpStream::connect(self.socket);
    }
}

/// Reads requests for as long as the connection is said to be of use.
fn reading(
    seen: &Arc<Seen>,
    serve: impl Fn(&Request, &mut TcpStream) -> std::io::Result<bool> + Send + Sync + 'static,
) -> impl Fn(usize, TcpStream) + Send + Sync + 'static {
    let noted = Arc::clone(seen);
    move |_, mut connection| {
        let mut reader = BufReader::new(connection.try_clone().unwrap());
        while let Some(request) = request::read(&mut reader) {
            noted.requests.lock().unwrap().push(request.clone());
            // The client may have left, which is for the test to notice.
            if !matches!(serve(&request, &mut connection), Ok(true)) {
                break;
            }
        }
    }
}

/// An address of this machine where nothing listens, as in `http://127.0.0.1:3000`.
pub fn unused_address() -> String {
    format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

/// Answers; whether the connection is still of use.
fn give(connection: &mut TcpStream, answer: Answer) -> std::io::Result<bool> {
    match answer {
        Answer::Bytes(bytes) => connection.write_all(&bytes).map(|()| true),
        Answer::End(bytes) => {
            connection.write_all(&bytes)?;
            end(connection)
        }
        Answer::Pieces(bytes) => {
            for byte in bytes {
                connection.write_all(&[byte])?;
                thread::yield_now();
            }
            end(connection)
        }
        Answer::Hang(bytes) => {
            connection.write_all(&bytes)?;
            // The client sends nothing more, so this ends when it leaves.
            connection.read(&mut [0]).map(|_| false)
        }
        Answer::Flood(first, then) => {
            connection.write_all(&first)?;
            loop {
                connection.write_all(&then)?;
            }
        }
        Answer::Drip(first, drop) => {
            connection.write_all(&first)?;
            connection.set_read_timeout(Some(DRIP))?;
            while connection.read(&mut [0]).is_err() {
                connection.write_all(&[drop])?;
            }
            Ok(false)
        }
        Answer::Reset(bytes) => {
            connection.write_all(&bytes)?;
            socket2::SockRef::from(&*connection).set_linger(Some(Duration::ZERO))?;
            Ok(false)
        }
    }
}

/// Ends a connection after what was sent, and waits until the client has read it and leaves.
fn end(connection: &mut TcpStream) -> std::io::Result<bool> {
    connection.shutdown(Shutdown::Write)?;
    connection.read_to_end(&mut Vec::new()).map(|_| false)
}

/// The head of a good answer with these header lines, whose length is not told.
pub fn head(headers: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\n{headers}\r\n\r\n").into_bytes()
}

/// The bytes of an answer with this status line, these header lines, and this body at its full length.
pub fn whole(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// The same, after which the connection ends.
pub fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    Answer::End(whole(status, &format!("connection: close\r\n{headers}"), body))
}

/// A good answer with this body, which is said to be JSON.
pub fn ok(body: impl AsRef<[u8]>) -> Answer {
    answer("200 OK", "content-type: application/json\r\n", body)
}

/// A redirect to an address.
pub fn redirect(to: &str) -> Answer {
    answer("302 Found", &format!("location: {to}\r\n"), "")
}
