//! A request as a client sent it.

use serde_json::{Value, json};
use std::io::BufRead;

/// A request, with everything in it as it was sent.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The lines before the empty one, without their ends; the bytes, if it is no HTTP.
    pub head: Vec<String>,
    /// The body, without the frames of chunks.
    pub body: Vec<u8>,
    /// The body as JSON; `null` if it is none.
    pub message: Value,
}

impl Request {
    /// Whether a line stands in the head, to the letter.
    pub fn has(&self, line: &str) -> bool {
        self.head.iter().any(|one| one == line)
    }

    /// What is asked for: the path and the query.
    pub fn target(&self) -> &str {
        self.head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default()
    }

    /// The value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.iter().skip(1).filter_map(|line| line.split_once(':'));
        let mut values = lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
        values.next()
    }

    /// The method of the JSON-RPC message, as in `tools/call`; the method of HTTP, as in `GET`, if there is no message.
    pub fn method(&self) -> &str {
        let line = self.head.first().map_or("", String::as_str);
        self.message["method"].as_str().unwrap_or_else(|| line.split(' ').next().unwrap_or_default())
    }

    /// The JSON-RPC response with a result.
    pub fn response(&self, result: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.message["id"], "result": result })
    }
}

/// Reads a request, and throws it away.
pub fn skip_request(from: &mut impl BufRead) {
    read(from);
}

/// The next request of a connection; nothing when it is over.
pub(crate) fn read(from: &mut impl BufRead) -> Option<Request> {
    let begin = from.fill_buf().ok()?;
    if !begin.first()?.is_ascii_uppercase() {
        // Not HTTP, such as the greeting of TLS, so nothing says where it ends.
        let head = vec![String::from_utf8_lossy(begin).into_owned()];
        let length = begin.len();
        from.consume(length);
        return Some(Request { head, ..Request::default() });
    }
    let mut request = Request::default();
    loop {
        match line(from)? {
            end if end.is_empty() => break,
            line => request.head.push(line),
        }
    }
    if let Some(length) = request.header("content-length") {
        request.body = vec![0; length.parse().unwrap()];
        from.read_exact(&mut request.body).ok()?;
    } else if request.header("transfer-encoding").is_some() {
        request.body = chunks(from)?;
    }
    request.message = serde_json::from_slice(&request.body).unwrap_or_default();
    Some(request)
}

fn line(from: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line).ok().filter(|count| *count > 0)?;
    Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())
}

fn chunks(from: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = usize::from_str_radix(&line(from)?, 16).unwrap();
        let mut chunk = vec![0; size];
        from.read_exact(&mut chunk).ok()?;
        body.append(&mut chunk);
        line(from)?;
        if size == 0 {
            return Some(body);
        }
    }
}
