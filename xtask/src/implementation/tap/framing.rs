//! How long a body is (RFC 9112, 6.3), and where its chunks end (7.1).

use std::ops::Range;

/// The headers of a message, their names in lower case.
pub(super) type Fields = [(String, Vec<u8>)];

/// What is still to come of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// So many bytes.
    Exact(u64),
    /// Chunks, and trailers.
    Chunked(Chunks),
    /// Everything until the connection ends.
    ToTheEnd,
}

impl Body {
    /// The body of a request.
    ///
    /// # Errors
    /// When nothing says for sure where it ends.
    pub(super) fn of_request(fields: &Fields) -> Result<Self, &'static str> {
        match codings(fields).last() {
            Some(last) if last == "chunked" => Ok(Self::Chunked(Chunks::default())),
            Some(_) => Err("its last Transfer-Encoding is not chunked"),
            None => Ok(Self::Exact(length(fields)?.unwrap_or(0))),
        }
    }

    /// The body of a response to a request with this method.
    ///
    /// # Errors
    /// When nothing says for sure where it ends.
    pub(super) fn of_response(method: &str, status: u16, fields: &Fields) -> Result<Self, &'static str> {
        if method == "HEAD" || matches!(status, 100..=199 | 204 | 304) {
            return Ok(Self::Exact(0));
        }
        match codings(fields).last() {
            Some(last) if last == "chunked" => Ok(Self::Chunked(Chunks::default())),
            Some(_) => Ok(Self::ToTheEnd),
            None => Ok(length(fields)?.map_or(Self::ToTheEnd, Self::Exact)),
        }
    }

    /// Whether all of it has passed.
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Self::Exact(0) | Self::Chunked(Chunks(At::End)))
    }

    /// How much of a piece belongs to the body, from its beginning. `content` takes the stretches without the frames of chunks.
    ///
    /// # Errors
    /// When it is not framed as a chunk is.
    pub(super) fn take(&mut self, piece: &[u8], content: &mut Vec<Range<usize>>) -> Result<usize, &'static str> {
        match self {
            Self::ToTheEnd => {
                content.push(0..piece.len());
                Ok(piece.len())
            }
            Self::Exact(left) => {
                let count = usize::try_from(*left).unwrap_or(usize::MAX).min(piece.len());
                *left -= count as u64;
                content.push(0..count);
                Ok(count)
            }
            Self::Chunked(chunks) => chunks.take(piece, content),
        }
    }
}

/// The transfer codings, in the order in which they were applied, in lower case.
pub(super) fn codings(fields: &Fields) -> Vec<String> {
    list(fields, "transfer-encoding")
}

/// The members of a list that may take several lines, in lower case.
pub(super) fn list(fields: &Fields, name: &str) -> Vec<String> {
    let lines = fields.iter().filter(|(known, _)| known == name).map(|(_, value)| String::from_utf8_lossy(value));
    let members = |line: std::borrow::Cow<'_, str>| -> Vec<String> {
        line.split(',').map(|member| member.trim().to_ascii_lowercase()).filter(|member| !member.is_empty()).collect()
    };
    lines.flat_map(members).collect()
}

/// The Content-Length. The same one may be given several times.
fn length(fields: &Fields) -> Result<Option<u64>, &'static str> {
    let mut lengths = list(fields, "content-length");
    lengths.dedup();
    match &lengths[..] {
        [] if fields.iter().any(|(name, _)| name == "content-length") => Err("its Content-Length is empty"),
        [] => Ok(None),
        [one] if one.bytes().all(|byte| byte.is_ascii_digit()) => {
            one.parse().map(Some).map_err(|_| "its Content-Length is too large")
        }
        [_] => Err("its Content-Length is not a number"),
        _ => Err("it has several values of Content-Length"),
    }
}

/// Where a body of chunks is at.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Chunks(At);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// In the size, so far, and how many digits it has.
    Size(u64, u8),
    /// Behind the size: an extension, up to the end of the line.
    Extension(u64),
    /// In the content: so many bytes are left.
    Content(u64),
    /// At the end of the line that ends the content.
    Behind,
    /// In the trailers; whether the line has anything in it so far.
    Trailers(bool),
    /// At the end.
    End,
}

impl Default for At {
    fn default() -> Self {
        Self::Size(0, 0)
    }
}

impl Chunks {
    fn take(&mut self, piece: &[u8], content: &mut Vec<Range<usize>>) -> Result<usize, &'static str> {
        let mut at = 0;
        while let Some(byte) = piece.get(at).filter(|_| self.0 != At::End) {
            if let At::Content(left) = self.0 {
                let count = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len() - at);
                content.push(at..at + count);
                at += count;
                self.0 = match left - count as u64 {
                    0 => At::Behind,
                    left => At::Content(left),
                };
                continue;
            }
            self.0 = self.0.after(*byte)?;
            at += 1;
        }
        Ok(at)
    }
}

impl At {
    /// The place after one byte of a frame.
    fn after(self, byte: u8) -> Result<Self, &'static str> {
        let begun = |size| if size == 0 { Self::Trailers(false) } else { Self::Content(size) };
        Ok(match (self, byte) {
            (Self::Size(_, 16), byte) if byte.is_ascii_hexdigit() => return Err("the size of a chunk is too large"),
            (Self::Size(size, digits), byte) if byte.is_ascii_hexdigit() => {
                let digit = char::from(byte).to_digit(16).unwrap_or_default();
                Self::Size(size << 4 | u64::from(digit), digits + 1)
            }
            (Self::Size(_, 0), _) => return Err("a chunk has no size"),
            (Self::Size(size, _) | Self::Extension(size), b'\n') => begun(size),
            (Self::Size(size, _), b';' | b' ' | b'\t' | b'\r') | (Self::Extension(size), _) => Self::Extension(size),
            (Self::Size(..), _) => return Err("the size of a chunk is not a number"),
            (Self::Behind, b'\r') => Self::Behind,
            (Self::Behind, b'\n') => Self::default(),
            (Self::Behind, _) => return Err("a chunk is longer than its size"),
            (Self::Trailers(false), b'\n') => Self::End,
            (Self::Trailers(true), b'\n') => Self::Trailers(false),
            (Self::Trailers(any), b'\r') => Self::Trailers(any),
            (Self::Trailers(_), _) => Self::Trailers(true),
            (Self::Content(_) | Self::End, _) => self,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Body;
    use rstest::rstest;

    fn fields(lines: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
        lines.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect()
    }

    #[rstest]
    #[case::nothing(&[], "Ok(Exact(0))", "Ok(ToTheEnd)")]
    #[case::length(&[("content-length", "5")], "Ok(Exact(5))", "Ok(Exact(5))")]
    #[case::twice(&[("content-length", "5"), ("content-length", "5, 5")], "Ok(Exact(5))", "Ok(Exact(5))")]
    #[case::two_lengths(&[("content-length", "5"), ("content-length", "6")], "Err", "Err")]
    #[case::no_number(&[("content-length", "+5")], "Err", "Err")]
    #[case::empty(&[("content-length", "")], "Err", "Err")]
    #[case::chunked_wins(&[("content-length", "5"), ("transfer-encoding", "Chunked")], "Ok(Chunked", "Ok(Chunked")]
    #[case::chunked_last(&[("transfer-encoding", "gzip"), ("transfer-encoding", "chunked")], "Ok(Chunked", "Ok(Chunked")]
    #[case::chunked_first(&[("transfer-encoding", "chunked, gzip")], "Err", "Ok(ToTheEnd)")]
    fn the_length_follows_from_the_head(#[case] lines: &[(&str, &str)], #[case] asked: &str, #[case] answered: &str) {
        let fields = fields(lines);
        assert!(format!("{:?}", Body::of_request(&fields)).starts_with(asked));
        assert!(format!("{:?}", Body::of_response("GET", 200, &fields)).starts_with(answered));
        for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304), ("GET", 103)] {
            assert_eq!(Body::of_response(method, status, &fields), Ok(Body::Exact(0)));
        }
    }

    #[rstest]
    #[case::plain("3\r\nabc\r\n0\r\n\r\n", "abc")]
    #[case::extensions("3 ;a=\"0\"\r\nabc\r\n1;b\r\nd\r\n0;c\r\n\r\n", "abcd")]
    #[case::trailers("3\r\nabc\r\n0\r\nX-Sum: 1\r\nX-B: 2\r\n\r\n", "abc")]
    #[case::bare_line_ends("3\nabc\n0\n\n", "abc")]
    #[case::content_like_frames("7\r\n0\r\n\r\n0\r\r\n0\r\n\r\n", "0\r\n\r\n0\r")]
    fn chunks_are_read_in_pieces_of_any_size(#[case] chunks: &str, #[case] content: &str) {
        for size in 1..=chunks.len() {
            let (mut body, mut read) =
                (Body::of_request(&fields(&[("transfer-encoding", "chunked")])).unwrap(), vec![]);
            let mut rest = &[chunks.as_bytes(), b"NEXT"].concat()[..];
            while !body.is_over() {
                let piece = &rest[..size.min(rest.len())];
                let mut stretches = Vec::new();
                let count = body.take(piece, &mut stretches).unwrap();
                stretches.into_iter().for_each(|stretch| read.extend_from_slice(&piece[stretch]));
                rest = &rest[count..];
            }
            assert_eq!((read, rest), (content.as_bytes().to_vec(), &b"NEXT"[..]), "{size}");
        }
    }

    #[rstest]
    #[case::no_size("\r\n")]
    #[case::no_number("3x\r\nabc\r\n")]
    #[case::too_large("11111111111111111\r\n")]
    #[case::too_long("3\r\nabcd")]
    fn what_is_no_chunk_is_noticed(#[case] chunks: &str) {
        let mut body = Body::of_request(&fields(&[("transfer-encoding", "chunked")])).unwrap();
        assert!(body.take(chunks.as_bytes(), &mut Vec::new()).is_err());
    }
}
