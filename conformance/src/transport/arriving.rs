//! An answer over HTTP whose body is still arriving.

use super::broken::failure;
use super::coded::{self, Reading};
use super::kept::Kept;
use crate::model::Failure;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use reqwest::header::{self, HeaderMap};
use reqwest::{Response, StatusCode, Version};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::AsyncBufReadExt;
use tokio_util::io::StreamReader;

/// An answer with its head, and a body to be read piece by piece, without its codings.
pub(super) struct Arriving {
    status: StatusCode,
    headers: HeaderMap,
    codings: Vec<String>,
    raw: Raw,
    body: Option<Reading>,
}

/// A body as it is received; clones share it.
#[derive(Clone)]
struct Raw(Arc<Mutex<State>>);

struct State {
    stream: BoxStream<'static, reqwest::Result<Bytes>>,
    /// Notes the end, once, where the connection is kept.
    kept: Option<Arc<Kept>>,
}

impl State {
    fn end(&mut self) {
        if let Some(kept) = self.kept.take() {
            kept.is_free();
        }
    }
}

impl Stream for Raw {
    type Item = io::Result<Bytes>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let piece = state.stream.poll_next_unpin(context);
        if let Poll::Ready(None) = piece {
            state.end();
        }
        piece.map_err(io::Error::other)
    }
}

impl Arriving {
    /// The answer to a request of a client with these connections.
    pub(super) fn new(response: Response, kept: Option<&Arc<Kept>>) -> Self {
        let (status, mut headers) = (response.status(), response.headers().clone());
        let codings = coded::codings(headers.get_all(header::CONTENT_ENCODING).iter().map(|line| line.as_bytes()));
        if !codings.is_empty() && coded::not_read(&codings).is_none() {
            // They are those of what was received, and not of what is read.
            headers.remove(header::CONTENT_ENCODING);
            headers.remove(header::CONTENT_LENGTH);
        }
        let ends = headers.get_all(header::CONNECTION).iter().any(|line| {
            let line = String::from_utf8_lossy(line.as_bytes()).to_ascii_lowercase();
            line.split(',').any(|option| option.trim() == "close")
        });
        let is_kept = response.version() == Version::HTTP_11 && !ends;
        let is_empty = response.content_length() == Some(0);
        let mut state = State { stream: response.bytes_stream().boxed(), kept: kept.filter(|_| is_kept).cloned() };
        if is_empty {
            state.end();
        }
        Self { status, headers, codings, raw: Raw(Arc::new(Mutex::new(state))), body: None }
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The next piece of the body; nothing at its end.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, Failure> {
        if self.codings.is_empty() {
            return self.raw.next().await.transpose().map_err(|error| self.failed(&error));
        }
        if let Some(why) = coded::not_read(&self.codings) {
            return Err(Failure::Hindered(why));
        }
        let read = match self.read().await {
            Ok(piece) => piece,
            Err(error) => return Err(self.failed(&error)),
        };
        if read.is_none() {
            // A coding may end before the body does, which must be read to its end for the connection to be kept.
            while let Some(Ok(_)) = self.raw.next().await {}
        }
        Ok(read)
    }

    async fn read(&mut self) -> io::Result<Option<Bytes>> {
        let body = match &mut self.body {
            Some(body) => body,
            none => {
                let raw = Box::new(StreamReader::new(self.raw.clone()));
                none.insert(coded::decoded(raw, &self.codings).await?)
            }
        };
        let piece = Bytes::copy_from_slice(body.fill_buf().await?);
        body.consume(piece.len());
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match error.get_ref().and_then(|cause| cause.downcast_ref::<reqwest::Error>()) {
            Some(cause) => failure(cause),
            None => Failure::Broken(coded::wrong(&self.codings, error)),
        }
    }
}
