//! One direction of a connection: what was received of it and not passed on yet.

use super::framing::Body;
use super::head::Read;
use bytes::{Bytes, BytesMut};
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// So much room is made for what is read.
const PIECE: usize = 64 << 10;
/// And again when less than this is left of it, so that small pieces share it: copies of each may wait for the judge.
const LEAST: usize = 8 << 10;

/// Reads from a connection.
pub(super) struct Reader<R> {
    from: R,
    buffer: BytesMut,
}

/// A piece of a body that passed.
pub(super) struct Piece {
    /// As it was received.
    pub(super) bytes: Bytes,
    /// What of it is content.
    pub(super) content: Vec<Bytes>,
    /// What is wrong with what follows it.
    pub(super) wrong: Option<&'static str>,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, buffer: BytesMut::new() }
    }

    /// Whether there is nothing that was received and not passed on.
    pub(super) fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Reads more; nothing is lost when that is given up. Returns how much, which is nothing at the end.
    pub(super) async fn more(&mut self) -> io::Result<usize> {
        if self.buffer.capacity() - self.buffer.len() < LEAST {
            self.buffer.reserve(PIECE);
        }
        self.from.read_buf(&mut self.buffer).await
    }

    /// The head that begins with what was received; nothing when the rest of it is missing.
    ///
    /// # Errors
    /// When it is no head, with the reason.
    pub(super) fn head<H>(&mut self, read: impl Fn(&[u8]) -> Read<H>) -> Result<Option<H>, String> {
        match read(&self.buffer) {
            Read::Head(head, length) => {
                let _ = self.buffer.split_to(length);
                Ok(Some(head))
            }
            Read::Part => Ok(None),
            Read::Wrong(why) => Err(why),
        }
    }

    /// What was received of a body.
    pub(super) fn piece(&mut self, body: &mut Body) -> Piece {
        let mut stretches = Vec::new();
        let (count, wrong) = match body.take(&self.buffer, &mut stretches) {
            Ok(count) => (count, None),
            Err(why) => (self.buffer.len(), Some(why)),
        };
        let bytes = self.buffer.split_to(count).freeze();
        let content = stretches.into_iter().filter(|one| !one.is_empty()).map(|one| bytes.slice(one)).collect();
        Piece { bytes, content, wrong }
    }

    /// Passes everything on, whatever it is, until the end.
    pub(super) async fn pass_all(&mut self, to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        loop {
            to.write_all_buf(&mut self.buffer).await?;
            to.flush().await?;
            if self.more().await? == 0 {
                return Ok(());
            }
        }
    }

    /// Reads to the end, and throws it away.
    pub(super) async fn discard(&mut self) {
        self.buffer.clear();
        while matches!(self.more().await, Ok(1..)) {
            self.buffer.clear();
        }
    }
}
