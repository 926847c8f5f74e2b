//! Bodies that came compressed, as the client asked: they pass as they are, and what the client reads is judged.

use super::passing::MOST_BYTES;
use crate::model::Failure;
use crate::transport::coded;

/// Whether an answer has a `Content-Encoding`.
pub(super) fn is_packed(headers: &[(String, Vec<u8>)]) -> bool {
    !codings(headers).is_empty()
}

/// The body of an answer as its client reads it, and why it cannot; an error is why nobody can tell here.
pub(super) fn unpacked(
    headers: &[(String, Vec<u8>)],
    body: Vec<u8>,
    failure: Option<Failure>,
) -> Result<(Vec<u8>, Option<Failure>), String> {
    let codings = codings(headers);
    // An answer may have no body, whatever its headers say; of one that broke off the rest is missing.
    if body.is_empty() || failure.is_some() || codings.is_empty() {
        return Ok((body, failure));
    }
    if let Some(why) = coded::not_read(&codings) {
        return Err(why);
    }
    match coded::all_of(body, &codings, MOST_BYTES + 1) {
        Ok(read) if read.len() > MOST_BYTES => Err(format!("more than {MOST_BYTES} bytes")),
        Ok(read) => Ok((read, None)),
        Err(error) => Ok((Vec::new(), Some(Failure::Broken(coded::wrong(&codings, &error))))),
    }
}

fn codings(headers: &[(String, Vec<u8>)]) -> Vec<String> {
    let lines = headers.iter().filter(|(name, _)| name == "content-encoding");
    coded::codings(lines.map(|(_, value)| value.as_slice()))
}
