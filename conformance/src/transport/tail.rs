//! The last words of a process, for messages.

use super::LAST_WORDS;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How many bytes of what it said are kept.
const KEPT: usize = 4096;
/// So many lines are shown where it ended, and where it is one of several reasons.
const LAST: usize = 5;
const LAST_OF_ERRORS: usize = 12;

/// Listens to the streams of a process, so that it is never blocked, and keeps the end of what it says.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    all: Heard,
    errors: Heard,
    listening: Vec<JoinHandle<()>>,
}

/// The end of what streams said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Said>>);

#[derive(Debug, Default)]
struct Said {
    bytes: Vec<u8>,
    /// Whether there was more before.
    is_cut: bool,
}

impl Tail {
    /// One that keeps errors where others do too.
    pub(crate) fn with_errors(errors: Heard) -> Self {
        Self { errors, ..Self::default() }
    }

    /// Reads a stream to its end.
    pub(crate) fn listen(&mut self, stream: Option<impl AsyncRead + Unpin + Send + 'static>) {
        self.hear(stream, vec![self.all.clone()]);
    }

    /// The same of standard error.
    pub(crate) fn listen_to_errors(&mut self, stream: Option<impl AsyncRead + Unpin + Send + 'static>) {
        self.hear(stream, vec![self.all.clone(), self.errors.clone()]);
    }

    fn hear(&mut self, stream: Option<impl AsyncRead + Unpin + Send + 'static>, by: Vec<Heard>) {
        let Some(mut stream) = stream else { return };
        self.listening.push(tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                by.iter().for_each(|heard| heard.add(&buffer[..count]));
            }
        }));
    }

    /// What standard error said until now.
    pub(crate) fn errors(&self) -> &Heard {
        &self.errors
    }

    /// The last lines of what a process that ended said, as the end of a message.
    pub(crate) async fn last_words(&mut self) -> String {
        let _ = timeout(LAST_WORDS, futures::future::join_all(&mut self.listening)).await;
        match self.all.last(LAST) {
            lines if lines.is_empty() => String::new(),
            lines => format!("; it said: {}", lines.join(" / ")),
        }
    }
}

impl Heard {
    fn add(&self, bytes: &[u8]) {
        if let Ok(mut said) = self.0.lock() {
            said.bytes.extend_from_slice(bytes);
            let too_many = said.bytes.len().saturating_sub(KEPT);
            said.bytes.drain(..too_many);
            said.is_cut |= too_many > 0;
        }
    }

    /// The last lines, for a report.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.last(LAST_OF_ERRORS)
    }

    fn last(&self, count: usize) -> Vec<String> {
        let text = |said: &Said| {
            // Where something is left out, a mark says so: a secret may be split there.
            let before = if said.is_cut { "…" } else { "" };
            format!("{before}{}", String::from_utf8_lossy(&said.bytes).trim_start_matches('\u{fffd}'))
        };
        let said = self.0.lock().map(|said| text(&said)).unwrap_or_default();
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(count)..].iter().map(|line| (*line).to_owned()).collect()
    }
}
