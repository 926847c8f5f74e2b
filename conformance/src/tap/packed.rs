//! Bodies that came compressed, as the client asked: they pass as they are, and what the client reads is judged.

use super::passing::MOST_BYTES;
use crate::model::Failure;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::{self, Read};

/// Whether an answer has a `Content-Encoding`.
pub(super) fn is_packed(headers: &[(String, Vec<u8>)]) -> bool {
    !encoding(headers).is_empty()
}

/// The body of an answer as its client reads it, and why it cannot; an error is why nobody can tell here.
pub(super) fn unpacked(
    headers: &[(String, Vec<u8>)],
    body: Vec<u8>,
    failure: Option<Failure>,
) -> Result<(Vec<u8>, Option<Failure>), String> {
    // An answer may have no body, whatever its headers say; of one that broke off the rest is missing.
    if body.is_empty() || failure.is_some() {
        return Ok((body, failure));
    }
    let encoding = encoding(headers);
    let read = match encoding.as_str() {
        "" => return Ok((body, None)),
        "gzip" | "x-gzip" => all_of(MultiGzDecoder::new(&*body)),
        // With the frame of zlib by the standard, without it by custom.
        "deflate" => all_of(ZlibDecoder::new(&*body)).or_else(|_| all_of(DeflateDecoder::new(&*body))),
        _ => return Err(format!("the body is compressed with {encoding}, which is not read here")),
    };
    match read {
        Ok(body) if body.len() > MOST_BYTES => Err(format!("more than {MOST_BYTES} bytes")),
        Ok(body) => Ok((body, None)),
        Err(error) => Ok((body, Some(Failure::Broken(format!("the body is no {encoding}: {error}"))))),
    }
}

fn encoding(headers: &[(String, Vec<u8>)]) -> String {
    let value = headers.iter().find(|(name, _)| name == "content-encoding").map_or(&b""[..], |(_, value)| value);
    let value = String::from_utf8_lossy(value).trim().to_ascii_lowercase();
    if value == "identity" { String::new() } else { value }
}

/// All of it, but not much more than is judged, however much there is.
fn all_of(from: impl Read) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut all)?;
    Ok(all)
}
