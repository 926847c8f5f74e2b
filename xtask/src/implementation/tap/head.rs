//! Heads of requests and responses: what they say, and their bytes, of which as few as possible are changed.

use super::framing::{Body, Fields, codings};
use bytes::Bytes;

/// The largest head that is read.
pub(super) const MOST_OF_A_HEAD: usize = 256 << 10;
/// The most lines of a head.
const MOST_LINES: usize = 1000;

/// The head of a request.
#[derive(Debug)]
pub(super) struct RequestHead {
    pub(super) method: String,
    /// The path and the query.
    pub(super) target: String,
    /// The host that the request line names, in the form that is meant for proxies.
    pub(super) authority: Option<String>,
    /// The headers, their names in lower case.
    pub(super) fields: Vec<(String, Vec<u8>)>,
    is_old: bool,
    bytes: Bytes,
}

/// The head of a response.
#[derive(Debug)]
pub(super) struct ResponseHead {
    pub(super) status: u16,
    /// The headers, their names in lower case.
    pub(super) fields: Vec<(String, Vec<u8>)>,
    is_old: bool,
    bytes: Bytes,
}

/// What the first bytes of a connection are.
pub(super) enum Read<H> {
    /// A head, and its length in bytes.
    Head(H, usize),
    /// The beginning of one.
    Part,
    /// No head, for this reason.
    Wrong(String),
}

impl RequestHead {
    pub(super) fn read(bytes: &[u8]) -> Read<Self> {
        let mut room = vec![httparse::EMPTY_HEADER; MOST_LINES];
        let mut request = httparse::Request::new(&mut room);
        let length = match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() < MOST_OF_A_HEAD => return Read::Part,
            Ok(httparse::Status::Partial) => return Read::Wrong("the head is too large".to_owned()),
            Err(error) => return Read::Wrong(error.to_string()),
        };
        let (authority, target) = parts(request.path.unwrap_or_default());
        let head = Self {
            method: request.method.unwrap_or_default().to_owned(),
            target,
            authority,
            fields: fields(request.headers),
            is_old: request.version == Some(0),
            bytes: Bytes::copy_from_slice(&bytes[..length]),
        };
        Read::Head(head, length)
    }

    /// Whether it asks to switch to another protocol.
    pub(super) fn wants_switch(&self) -> bool {
        self.fields.iter().any(|(name, _)| name == "upgrade")
    }

    /// Whether its connection ends with it, since others may find its end elsewhere: it has two lengths, of which one goes (RFC 9112, 6.3),
    /// or chunks in a version without them (6.1).
    pub(super) fn is_last(&self) -> bool {
        has_two_lengths(&self.fields) || self.is_old && !codings(&self.fields).is_empty()
    }

    /// How long its body is.
    pub(super) fn body(&self) -> Result<Body, &'static str> {
        Body::of_request(&self.fields)
    }

    /// Its bytes for a server under another name.
    pub(super) fn for_host(&self, host: &str) -> Vec<u8> {
        let two = has_two_lengths(&self.fields);
        // Only a proxy is asked for a whole address.
        let first = self.authority.as_ref().map(|_| format!("{} {} HTTP/1.1\r\n", self.method, self.target));
        changed(&self.bytes, first, |name| match name {
            "host" => Change::To(host),
            "content-length" if two => Change::Away,
            _ => Change::Nothing,
        })
    }
}

impl ResponseHead {
    pub(super) fn read(bytes: &[u8]) -> Read<Self> {
        let mut room = vec![httparse::EMPTY_HEADER; MOST_LINES];
        let mut response = httparse::Response::new(&mut room);
        let mut config = httparse::ParserConfig::default();
        config.allow_obsolete_multiline_headers_in_responses(true);
        config.allow_spaces_after_header_name_in_responses(true);
        let length = match config.parse_response(&mut response, bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() < MOST_OF_A_HEAD => return Read::Part,
            Ok(httparse::Status::Partial) => return Read::Wrong("its head is too large".to_owned()),
            Err(error) => return Read::Wrong(error.to_string()),
        };
        let (status, fields) = (response.code.unwrap_or_default(), fields(response.headers));
        let is_old = response.version == Some(0);
        Read::Head(Self { status, fields, is_old, bytes: Bytes::copy_from_slice(&bytes[..length]) }, length)
    }

    /// Its bytes, without a length that does not count (RFC 9112, 6.3).
    pub(super) fn bytes(&self) -> Bytes {
        if !has_two_lengths(&self.fields) {
            return self.bytes.clone();
        }
        let is_length = |name: &str| if name == "content-length" { Change::Away } else { Change::Nothing };
        changed(&self.bytes, None, is_length).into()
    }

    /// Whether its connection ends with it: it has chunks in a version without them (RFC 9112, 6.1).
    pub(super) fn is_last(&self) -> bool {
        self.is_old && !codings(&self.fields).is_empty()
    }

    /// The headers for the judge, which sees the body without the frames of chunks: what else a body was coded with in transfer, it is
    /// as if it were coded for good.
    pub(super) fn told(&self) -> Vec<(String, Vec<u8>)> {
        let mut told = self.fields.clone();
        let coded = codings(&self.fields).into_iter().filter(|coding| coding != "chunked");
        told.extend(coded.map(|coding| ("content-encoding".to_owned(), coding.into_bytes())));
        told
    }
}

/// The authority that a target names in the form for proxies, and its path with its query.
fn parts(target: &str) -> (Option<String>, String) {
    let scheme =
        target.find("://").filter(|end| ["http", "https"].iter().any(|one| target[..*end].eq_ignore_ascii_case(one)));
    let Some(rest) = scheme.map(|end| &target[end + 3..]) else { return (None, target.to_owned()) };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let slash = if path.starts_with('/') { "" } else { "/" };
    (Some(authority.to_owned()), format!("{slash}{path}"))
}

fn fields(headers: &[httparse::Header<'_>]) -> Vec<(String, Vec<u8>)> {
    headers.iter().map(|header| (header.name.to_ascii_lowercase(), header.value.to_vec())).collect()
}

fn has_two_lengths(fields: &Fields) -> bool {
    let has = |name: &str| fields.iter().any(|(known, _)| known == name);
    has("transfer-encoding") && has("content-length")
}

/// What becomes of a header line.
enum Change<'c> {
    Nothing,
    To(&'c str),
    Away,
}

/// The bytes of a head with some of its lines changed; every other byte is as it was.
fn changed<'c>(head: &[u8], first: Option<String>, change: impl Fn(&str) -> Change<'c>) -> Vec<u8> {
    let mut lines = head.split_inclusive(|byte| *byte == b'\n');
    let mut made = Vec::with_capacity(head.len() + 64);
    // Empty lines before the first one say nothing.
    let was_first = lines.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    made.extend_from_slice(first.as_ref().map_or(was_first, String::as_bytes));
    let mut is_kept = true;
    for line in lines {
        let is_continued = matches!(line.first(), Some(b' ' | b'\t'));
        let name = line.iter().position(|byte| *byte == b':').filter(|_| !is_continued).map(|end| &line[..end]);
        let Some(name) = name else {
            if is_kept || !is_continued {
                made.extend_from_slice(line);
            }
            continue;
        };
        let change = change(&String::from_utf8_lossy(name).trim().to_ascii_lowercase());
        is_kept = matches!(change, Change::Nothing);
        match change {
            Change::Nothing => made.extend_from_slice(line),
            Change::To(value) => {
                made.extend([name, b": ", value.as_bytes(), b"\r\n"].concat());
            }
            Change::Away => {}
        }
    }
    made
}
