//! Bodies that came compressed, as the client asked: they pass as they are, and what the client reads is judged.

use super::passing::MOST_BYTES;
use crate::model::Failure;
use crate::transport::coded;
use futures::FutureExt;
use std::io;
use tokio::io::AsyncReadExt;

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
    match decoded(body, &codings) {
        Ok(read) if read.len() > MOST_BYTES => Err(format!("more than {MOST_BYTES} bytes")),
        Ok(read) => Ok((read, None)),
        Err(error) => Ok((Vec::new(), Some(Failure::Broken(coded::wrong(&codings, &error))))),
    }
}

fn codings(headers: &[(String, Vec<u8>)]) -> Vec<String> {
    let lines = headers.iter().filter(|(name, _)| name == "content-encoding");
    coded::codings(lines.map(|(_, value)| value.as_slice()))
}

/// All of it, but not much more than is judged, however much there is.
fn decoded(body: Vec<u8>, codings: &[String]) -> io::Result<Vec<u8>> {
    let reading = async {
        let mut all = Vec::new();
        let body = coded::decoded(Box::new(io::Cursor::new(body)), codings).await?;
        body.take(MOST_BYTES as u64 + 1).read_to_end(&mut all).await?;
        Ok(all)
    };
    // What is read is there already, so that nothing is waited for.
    reading.now_or_never().unwrap_or_else(|| Err(io::ErrorKind::WouldBlock.into()))
}
