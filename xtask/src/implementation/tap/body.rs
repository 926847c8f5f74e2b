//! Bodies that pass through, with a copy of each piece for the judge.

use super::line::{BEHIND, Line, What};
use bytes::Bytes;
use conformance::tap::Ended;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A request that passes through. Its end is reported once.
pub(super) struct Passing {
    line: Line,
    number: u64,
    is_over: bool,
}

impl Passing {
    pub(super) fn new(line: Line, number: u64) -> Self {
        Self { line, number, is_over: false }
    }

    /// Reports how it ended. Only the first call counts.
    pub(super) fn end(&mut self, how: Ended) {
        if !std::mem::replace(&mut self.is_over, true) {
            self.line.always(What::Ended(self.number, how));
        }
    }

    /// Takes a copy. If there is no room for it, the request cannot be judged.
    pub(super) fn copy(&mut self, what: What) {
        if !self.is_over && !self.line.take(what) {
            self.end(Ended::Unheard(BEHIND.to_owned()));
        }
    }
}

impl Drop for Passing {
    /// It is dropped before its end if the client went away.
    fn drop(&mut self) {
        self.end(Ended::ByClient);
    }
}

/// The body of a request.
pub(super) struct Asked {
    pub(super) body: Incoming,
    pub(super) line: Line,
    pub(super) number: u64,
}

impl Body for Asked {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(piece) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref())
            && !self.line.take(What::Sent(self.number, piece.clone()))
        {
            self.line.always(What::Ended(self.number, Ended::Unheard(BEHIND.to_owned())));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer.
pub(super) enum Answer {
    /// The server's answer.
    Passed {
        /// Its body.
        body: Incoming,
        /// The request that it answers.
        passing: Passing,
        /// Its number.
        number: u64,
    },
    /// Our own answer, if the server cannot be reached.
    Own(Option<Bytes>),
}

impl Body for Answer {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let (body, passing, number) = match self.get_mut() {
            Self::Own(text) => return Poll::Ready(text.take().map(|text| Ok(Frame::data(text)))),
            Self::Passed { body, passing, number } => (body, passing, *number),
        };
        let frame = ready!(Pin::new(&mut *body).poll_frame(context));
        match &frame {
            None => passing.end(Ended::Whole),
            Some(Err(error)) => passing.end(Ended::Broken(chain(error))),
            Some(Ok(frame)) => {
                if let Some(piece) = frame.data_ref() {
                    passing.copy(What::Came(number, piece.clone()));
                }
            }
        }
        if body.is_end_stream() {
            // It is not polled again after an error.
            passing.end(Ended::Whole);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Passed { body, .. } => body.is_end_stream(),
            Self::Own(text) => text.is_none(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Passed { body, .. } => body.size_hint(),
            Self::Own(text) => SizeHint::with_exact(text.as_ref().map_or(0, |text| text.len() as u64)),
        }
    }
}

/// An error with its causes.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let (mut message, mut cause) = (format!("the request failed: {error}"), error.source());
    while let Some(error) = cause {
        message = format!("{message}: {error}");
        cause = error.source();
    }
    message
}
