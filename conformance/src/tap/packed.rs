//! Bodies that came compressed, as the client asked: they pass as they are, and what the client reads is judged.

use super::passing::MOST_BYTES;
use crate::model::Failure;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::{self, Read};

/// Whether an answer has a `Content-Encoding`.
pub(super) fn is_packed(headers: &[(String, Vec<u8>)]) -> bool {
    !encodings(headers).is_empty()
}

/// The body of an answer as its client reads it, and why it cannot; an error is why nobody can tell here.
pub(super) fn unpacked(
    headers: &[(String, Vec<u8>)],
    mut body: Vec<u8>,
    failure: Option<Failure>,
) -> Result<(Vec<u8>, Option<Failure>), String> {
    // An answer may have no body, whatever its headers say; of one that broke off the rest is missing.
    if body.is_empty() || failure.is_some() {
        return Ok((body, failure));
    }
    // They stand in the order in which they were applied (RFC 9110, 8.4).
    for encoding in encodings(headers).iter().rev() {
        let read = match encoding.as_str() {
            "gzip" | "x-gzip" => all_of(MultiGzDecoder::new(&*body)),
            // With the frame of zlib by the standard, without it by custom.
            "deflate" => all_of(ZlibDecoder::new(&*body)).or_else(|_| all_of(DeflateDecoder::new(&*body))),
            _ => return Err(format!("the body is compressed with {encoding}, which is not read here")),
        };
        match read {
            Ok(read) if read.len() > MOST_BYTES => return Err(format!("more than {MOST_BYTES} bytes")),
            Ok(read) => body = read,
            Err(error) => {
                let why = format!("the body is no {encoding}: {error}");
                return Ok((body, Some(Failure::Broken(why))));
            }
        }
    }
    Ok((body, None))
}

/// The encodings, in the order in which they were applied. They may take several lines.
fn encodings(headers: &[(String, Vec<u8>)]) -> Vec<String> {
    let lines = headers.iter().filter(|(name, _)| name == "content-encoding");
    let lines: Vec<String> = lines.map(|(_, value)| String::from_utf8_lossy(value).to_ascii_lowercase()).collect();
    let members = lines.iter().flat_map(|line| line.split(',')).map(str::trim);
    members.filter(|one| !one.is_empty() && *one != "identity").map(str::to_owned).collect()
}

/// All of it, but not much more than is judged, however much there is.
fn all_of(from: impl Read) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut all)?;
    Ok(all)
}
