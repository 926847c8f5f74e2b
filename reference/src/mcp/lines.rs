//! Standard input and output as the SDK reads and writes them: a message on a line, behind the gate.

use super::era::Era;
use super::gate::{Admitted, admit};
use super::message::Refusal;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use std::collections::HashSet;
use std::io::{Error, ErrorKind};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Stdin, stdin, stdout};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// The largest message, in bytes.
const LARGEST_MESSAGE: usize = 4 << 20;
/// How many answers may wait for a client that does not read.
const WAITING: usize = 16;
/// How long a request may still take after the input has ended.
const PATIENCE: Duration = Duration::from_secs(10);

/// The streams of this process.
pub(super) struct Lines {
    era: Era,
    /// Whether a handshake came.
    begun: bool,
    input: BufReader<Stdin>,
    /// The line as far as it was read. The SDK may stop waiting for a line and wait anew.
    line: Vec<u8>,
    /// Whether the rest of a line is to be left out.
    is_too_long: bool,
    /// A refusal that is not yet written.
    refusal: Option<String>,
    output: Option<mpsc::Sender<String>>,
    writer: JoinHandle<Result<(), Error>>,
    /// Dropped at the end of the input.
    open: Option<watch::Sender<()>>,
    /// When to stop waiting for the answers that are due; nothing before the end of the input.
    patience: Option<Instant>,
    /// The requests that the SDK has not answered yet.
    unanswered: HashSet<RequestId>,
}

impl Lines {
    /// Takes the streams; `open` is dropped when the client has closed its side.
    pub(super) fn new(era: Era, open: watch::Sender<()>) -> Self {
        let (output, mut lines) = mpsc::channel::<String>(WAITING);
        let writer = tokio::spawn(async move {
            let mut output = stdout();
            while let Some(line) = lines.recv().await {
                output.write_all(line.as_bytes()).await?;
                output.flush().await?;
            }
            Ok(())
        });
        Self {
            era,
            begun: false,
            input: BufReader::new(stdin()),
            line: Vec::new(),
            is_too_long: false,
            refusal: None,
            output: Some(output),
            writer,
            open: Some(open),
            patience: None,
            unanswered: HashSet::new(),
        }
    }

    /// The next line, without those that are too long; nothing at the end. What was read is kept where this is stopped.
    async fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            let room = LARGEST_MESSAGE - self.line.len();
            let mut input = (&mut self.input).take(room as u64);
            let read = input.read_until(b'\n', &mut self.line).await.ok()?;
            let is_whole = self.line.ends_with(b"\n") || read == 0 && room > 0;
            if is_whole {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.is_too_long) {
                    return (read > 0 || !line.is_empty()).then_some(line);
                }
                if read == 0 {
                    return None;
                }
            } else if self.line.len() == LARGEST_MESSAGE {
                self.line.clear();
                self.is_too_long = true;
                self.refuse(Refusal::no_message(None, "the message is too long"));
                return Some(Vec::new());
            }
        }
    }

    /// Has a refusal written before the next line is read.
    fn refuse(&mut self, refusal: Refusal) {
        self.refusal = Some(line(&TxJsonRpcMessage::<RoleServer>::Error(*refusal.answer)));
    }

    /// The message of a line, unless it is refused. Nothing where it asks for nothing and cannot be read.
    fn admitted(&mut self, line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
        let message: Value = serde_json::from_slice(line).map_err(|_| Refusal::unreadable())?;
        let Admitted { message, is_request, .. } = admit(message, None, self.era, self.begun)?;
        let id = message.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
        let message = match serde_json::from_value(message) {
            Ok(message) => message,
            Err(_) if is_request => return Err(Refusal::no_message(id, "the message cannot be read as one of MCP")),
            Err(_) => return Ok(None),
        };
        match &message {
            JsonRpcMessage::Request(request) => {
                self.begun |= matches!(request.request, ClientRequest::InitializeRequest(_));
                self.unanswered.insert(request.id.clone());
            }
            JsonRpcMessage::Notification(note) => {
                if let ClientNotification::CancelledNotification(cancelled) = &note.notification {
                    self.settle(cancelled.params.request_id.as_ref());
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        Ok(Some(message))
    }

    /// Waits no longer for the answer to a request.
    fn settle(&mut self, id: Option<&RequestId>) {
        if let Some(id) = id {
            self.unanswered.remove(id);
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Error>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(answer) => self.settle(Some(&answer.id)),
            JsonRpcMessage::Error(answer) => self.settle(answer.id.as_ref()),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        let output = self.output.clone();
        async move {
            let closed = || Error::new(ErrorKind::BrokenPipe, "the output is closed");
            output.ok_or_else(closed)?.send(line(&message)).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.refusal.is_some() {
                let room = self.output.as_ref()?.reserve().await.ok()?;
                if let Some(line) = self.refusal.take() {
                    room.send(line);
                }
            }
            if let Some(patience) = self.patience {
                // The SDK stops to listen to its own handlers as soon as it knows the end. It asks anew after each answer.
                if !self.unanswered.is_empty() {
                    sleep_until(patience).await;
                }
                return None;
            }
            let Some(line) = self.next_line().await else {
                self.open = None;
                self.patience = Some(Instant::now() + PATIENCE);
                continue;
            };
            if line.trim_ascii().is_empty() {
                continue;
            }
            match self.admitted(&line) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refusal) => self.refuse(refusal),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Error> {
        self.output = None;
        (&mut self.writer).await.map_err(Error::other)?
    }
}

/// A message as one line.
fn line(message: &TxJsonRpcMessage<RoleServer>) -> String {
    let mut line = serde_json::to_string(message).expect("messages have no map with keys that are no strings");
    line.push('\n');
    line
}
