//! A server that answers with bytes that a test gives it, and keeps what it was asked.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// Its lines up to the empty one.
    pub(crate) head: Vec<String>,
    /// Its body, without the frames of chunks.
    pub(crate) body: Vec<u8>,
}

impl Asked {
    pub(crate) fn has(&self, line: &str) -> bool {
        self.head.iter().any(|one| one == line)
    }
}

/// A server on loopback. Its threads end with the test.
pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// One that answers each request with the bytes that this makes of it, and closes the connection.
    pub(crate) fn answering(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::serving(move |asked, stream| {
            // A client may be gone.
            let _ = stream.write_all(&answer(asked));
        })
    }

    /// One that does this with each request and its connection.
    pub(crate) fn serving(serve: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (asked, serve) = (Arc::new(Mutex::new(Vec::new())), Arc::new(serve));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, serve, kept) = (stream.unwrap(), Arc::clone(&serve), Arc::clone(&kept));
                std::thread::spawn(move || {
                    if let Some(asked) = read(&mut BufReader::new(stream.try_clone().unwrap())) {
                        kept.lock().unwrap().push(asked.clone());
                        serve(&asked, &mut stream);
                    }
                });
            }
        });
        Self { url, asked }
    }

    /// One that answers each request with JSON.
    pub(crate) fn json(answer: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Self {
        Self::answering(move |asked| json(&answer(asked)))
    }

    /// What it was asked.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// An answer with JSON.
pub(crate) fn json(body: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    format!("{head}connection: close\r\n\r\n{body}").into_bytes()
}

fn line(from: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line).ok().filter(|count| *count > 0)?;
    Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())
}

fn read(from: &mut impl BufRead) -> Option<Asked> {
    let mut asked = Asked::default();
    loop {
        match line(from)? {
            end if end.is_empty() => break,
            line => asked.head.push(line),
        }
    }
    let value = |name: &str| {
        let named = |line: &String| {
            let (known, value) = line.split_once(':')?;
            known.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        asked.head.iter().find_map(named)
    };
    if let Some(length) = value("content-length") {
        asked.body = vec![0; length.parse().unwrap()];
        from.read_exact(&mut asked.body).ok()?;
    } else if value("transfer-encoding").is_some() {
        loop {
            let size = usize::from_str_radix(&line(from)?, 16).unwrap();
            let mut chunk = vec![0; size];
            from.read_exact(&mut chunk).ok()?;
            asked.body.append(&mut chunk);
            line(from)?;
            if size == 0 {
                break;
            }
        }
    }
    Some(asked)
}
