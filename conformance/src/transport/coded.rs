//! Bodies with a `Content-Encoding` (RFC 9110, 8.4): what was coded, and with what, is read as it was before.

use async_compression::tokio::bufread::{BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use futures::FutureExt;
use std::io;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader};

/// A body that is read piece by piece.
pub(crate) type Reading = Box<dyn AsyncBufRead + Send + Sync + Unpin>;

/// Codings that are registered, and that we cannot undo. Other names that are not known are those of no coding, and change nothing.
const NOT_READ: [&str; 7] = ["aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress"];
/// So many codings, one upon the other, are undone.
const MOST: usize = 8;

/// The codings of a body, in the order in which they were applied: all lines of the header are one list, and the names have no case.
pub(crate) fn codings<'h>(lines: impl Iterator<Item = &'h [u8]>) -> Vec<String> {
    let lines = lines.map(|line| String::from_utf8_lossy(line).to_ascii_lowercase());
    let members = |line: String| -> Vec<String> { line.split(',').map(|member| member.trim().to_owned()).collect() };
    lines.flat_map(members).filter(|member| !matches!(member.as_str(), "" | "identity")).collect()
}

/// Why the codings of a body cannot be undone here, which says nothing of who sent it.
pub(crate) fn not_read(codings: &[String]) -> Option<String> {
    if codings.len() > MOST {
        return Some(format!(
            "the body has {} codings one upon the other; at most {MOST} are read here",
            codings.len()
        ));
    }
    let not_read = codings.iter().find(|coding| NOT_READ.contains(&coding.as_str()))?;
    Some(format!("the body is compressed with {not_read}, which is not read here"))
}

/// A body without its codings.
///
/// # Errors
/// When its beginning cannot be read.
pub(crate) async fn decoded(mut body: Reading, codings: &[String]) -> io::Result<Reading> {
    for coding in codings.iter().rev() {
        // A body may have nothing in it, whatever its head says.
        let Some(first) = body.fill_buf().await?.first().copied() else { return Ok(body) };
        body = match coding.as_str() {
            "gzip" | "x-gzip" => {
                let mut members = GzipDecoder::new(body);
                members.multiple_members(true);
                Box::new(BufReader::new(members))
            }
            // With the frame of zlib by the standard, which begins with the number 8, and without it by custom.
            "deflate" if first & 0x0f == 8 => Box::new(BufReader::new(ZlibDecoder::new(body))),
            "deflate" => Box::new(BufReader::new(DeflateDecoder::new(body))),
            "br" => Box::new(BufReader::new(BrotliDecoder::new(body))),
            "zstd" => {
                let mut frames = ZstdDecoder::new(body);
                frames.multiple_members(true);
                Box::new(BufReader::new(frames))
            }
            _ => body,
        };
    }
    Ok(body)
}

/// The beginning of a body that is there already, without its codings: at most so many bytes, however much there is.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn all_of(body: Vec<u8>, codings: &[String], most: usize) -> io::Result<Vec<u8>> {
    let reading = async {
        let mut all = Vec::new();
        let body = decoded(Box::new(io::Cursor::new(body)), codings).await?;
        body.take(most as u64).read_to_end(&mut all).await?;
        Ok(all)
    };
    // Nothing is waited for.
    reading.now_or_never().unwrap_or_else(|| Err(io::ErrorKind::WouldBlock.into()))
}

/// Why a body was not what its codings say.
pub(crate) fn wrong(codings: &[String], error: &io::Error) -> String {
    format!("the body is no {}: {error}", codings.join(", "))
}
