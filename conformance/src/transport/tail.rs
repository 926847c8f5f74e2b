//! The last words of a process, for messages.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long the words of one that ended may be on their way.
const HEARD: Duration = Duration::from_millis(500);
/// How many bytes of what it said are kept.
const KEPT: usize = 4096;

/// Listens to the streams of a process, so that it is never blocked, and keeps the end of what it says.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    said: Arc<Mutex<Said>>,
    listening: Vec<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Said {
    bytes: Vec<u8>,
    /// Whether there was more before.
    is_cut: bool,
}

impl Tail {
    /// Reads a stream to its end.
    pub(crate) fn listen(&mut self, stream: Option<impl AsyncRead + Unpin + Send + 'static>) {
        let (Some(mut stream), said) = (stream, Arc::clone(&self.said)) else { return };
        self.listening.push(tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                if let Ok(mut said) = said.lock() {
                    said.bytes.extend_from_slice(&buffer[..count]);
                    let too_many = said.bytes.len().saturating_sub(KEPT);
                    said.bytes.drain(..too_many);
                    said.is_cut |= too_many > 0;
                }
            }
        }));
    }

    /// The last lines of what a process that ended said, as the end of a message.
    pub(crate) async fn last_words(&mut self) -> String {
        // What it said may still be on its way; a child of it may hold the stream open for ever.
        let _ = timeout(HEARD, futures::future::join_all(&mut self.listening)).await;
        let text = |said: &Said| {
            // Where something is left out, a mark says so: a secret may be split there.
            let before = if said.is_cut { "…" } else { "" };
            format!("{before}{}", String::from_utf8_lossy(&said.bytes).trim_start_matches('\u{fffd}'))
        };
        let said = self.said.lock().map(|said| text(&said)).unwrap_or_default();
        let lines: Vec<&str> = said.lines().rev().take(5).collect();
        match lines.is_empty() {
            true => String::new(),
            false => format!("; it said: {}", lines.into_iter().rev().collect::<Vec<_>>().join(" / ")),
        }
    }
}
