//! MCP over the standard streams of a program: one message a line, many requests at once.

use super::rpc::{self, Came, Message};
use crate::model::{Failure, Problem};
use crate::transport::tail::Tail;
use crate::transport::{Group, Limits, TransportError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio as Streams;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a program may take to end once its input is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// How a program is started.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) command: Vec<String>,
    pub(super) environment: BTreeMap<String, String>,
    pub(super) folder: Option<std::path::PathBuf>,
}

/// A program that runs. It is killed with everything that it started when this value is dropped.
#[derive(Debug)]
pub(super) struct Stdio {
    input: Arc<tokio::sync::Mutex<Option<ChildStdin>>>,
    state: Arc<Mutex<State>>,
    reading: tokio::sync::Mutex<JoinHandle<()>>,
}

/// What the reader and the callers share.
#[derive(Debug, Default)]
struct State {
    waiting: BTreeMap<u64, oneshot::Sender<Came>>,
    /// Noticed between responses; the next response takes it along.
    stray: Vec<Problem>,
    /// Requests that nobody waits for any more.
    given_up: Vec<u64>,
    /// Why the program is gone.
    gone: Option<String>,
}

impl Stdio {
    /// Starts the program.
    pub(super) fn start(program: &Program, limits: Limits) -> Result<Self, TransportError> {
        let not_there = |reason: String| TransportError::NotThere { program: program.command.join(" "), reason };
        let (name, arguments) =
            program.command.split_first().ok_or_else(|| not_there("no program is given".to_owned()))?;
        let mut command = Command::new(name);
        command.args(arguments).envs(&program.environment);
        command.stdin(Streams::piped()).stdout(Streams::piped()).stderr(Streams::piped());
        if let Some(folder) = program.folder.as_deref().filter(|folder| *folder != Path::new("")) {
            command.current_dir(folder);
        }
        let mut group = Group::spawn(&mut command).map_err(|error| not_there(error.to_string()))?;
        let mut tail = Tail::default();
        tail.listen(group.child.stderr.take());
        let (input, output) = (group.child.stdin.take(), group.child.stdout.take());
        let output = output.ok_or_else(|| not_there("its standard output cannot be read".to_owned()))?;
        let input = Arc::new(tokio::sync::Mutex::new(input));
        let state = Arc::new(Mutex::new(State::default()));
        let reader = Reader { state: Arc::clone(&state), input: Arc::clone(&input), limit: limits.bytes };
        let reading = tokio::sync::Mutex::new(tokio::spawn(async move {
            let why = reader.read(output).await;
            let mut group = group;
            let ended = timeout(FAREWELL, group.child.wait()).await;
            let how = match (why, ended) {
                (Some(why), _) => why,
                (None, Ok(Ok(status))) => format!("the server ended ({status}){}", tail.last_words().await),
                (None, _) => format!("the server closed its standard output{}", tail.last_words().await),
            };
            reader.over(&how);
        }));
        Ok(Self { input, state, reading })
    }

    /// Sends a request and waits for its response.
    pub(super) async fn ask(&self, id: u64, message: &Value, time: Duration) -> Came {
        let (answered, answer) = oneshot::channel();
        {
            let mut state = lock(&self.state);
            if let Some(why) = &state.gone {
                return Came::gone(why);
            }
            state.waiting.insert(id, answered);
        }
        let exchange = async {
            // What cannot be written because the program is gone is told by the reader.
            self.write(message).await;
            answer.await.unwrap_or_else(|_| Came::gone("the server is gone"))
        };
        match timeout(time, exchange).await {
            Ok(came) => came,
            Err(_) => {
                let mut state = lock(&self.state);
                state.waiting.remove(&id);
                state.given_up.push(id);
                Came::failed(Failure::TimedOut(time.as_secs()))
            }
        }
    }

    /// Sends what wants no answer.
    pub(super) async fn tell(&self, message: &Value, time: Duration) {
        let _ = timeout(time, self.write(message)).await;
    }

    async fn write(&self, message: &Value) {
        write(&self.input, message).await;
    }

    /// Closes the input, upon which a server ends by itself, and waits a moment for it.
    pub(super) async fn close(&self) {
        let _ = timeout(FAREWELL, async { self.input.lock().await.take() }).await;
        let _ = timeout(FAREWELL, &mut *self.reading.lock().await).await;
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        // The task owns the process group, which ends with it.
        self.reading.get_mut().abort();
    }
}

async fn write(input: &tokio::sync::Mutex<Option<ChildStdin>>, message: &Value) {
    let mut line = message.to_string();
    line.push('\n');
    if let Some(input) = input.lock().await.as_mut()
        && input.write_all(line.as_bytes()).await.is_ok()
    {
        let _ = input.flush().await;
    }
}

/// Reads what the program writes and hands it to who waits for it.
struct Reader {
    state: Arc<Mutex<State>>,
    input: Arc<tokio::sync::Mutex<Option<ChildStdin>>>,
    limit: usize,
}

impl Reader {
    /// Reads to the end; why it stopped before.
    async fn read(&self, output: ChildStdout) -> Option<String> {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            line.clear();
            match (&mut output).take(self.limit as u64 + 1).read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => return None,
                Ok(count) if count > self.limit => {
                    return Some(format!("the server wrote a line of more than {} bytes", self.limit));
                }
                Ok(_) => self.line(&line),
            }
        }
    }

    fn line(&self, line: &[u8]) {
        let not_utf8_at = std::str::from_utf8(line).err().map(|error| error.valid_up_to());
        let text = String::from_utf8_lossy(line);
        if text.trim().is_empty() {
            return;
        }
        let (messages, mut problems) = rpc::read(&text);
        for message in messages {
            match message {
                Message::Response(response) => self.response(response, &mut problems, line.len(), not_utf8_at),
                Message::Notification => {}
                Message::Noise(what) => problems.push(rpc::noise(&what)),
                Message::Request(id, method) => {
                    let (input, answer) = (Arc::clone(&self.input), rpc::answer(&id, &method));
                    tokio::spawn(async move { write(&input, &answer).await });
                }
            }
        }
        lock(&self.state).stray.extend(problems);
    }

    fn response(&self, response: Value, problems: &mut Vec<Problem>, bytes: usize, not_utf8_at: Option<usize>) {
        let mut state = lock(&self.state);
        // An error without an id belongs to the request that waits, when there is only one.
        let only = state.waiting.keys().next().copied().filter(|_| state.waiting.len() == 1);
        let id = rpc::id_of(&response).or(only.filter(|_| response["id"].is_null()));
        let Some(id) = id else {
            problems.push(rpc::problem("id", format!("a response has the id {}, which nobody sent", response["id"])));
            return;
        };
        let Some(waiting) = state.waiting.remove(&id) else {
            if !state.given_up.contains(&id) {
                problems.push(rpc::problem("id", format!("a response to {id} came that nobody waits for")));
            }
            return;
        };
        let mut all = std::mem::take(&mut state.stray);
        all.append(problems);
        all.extend(rpc::envelope(&response, id));
        // Who gave up in this moment needs no answer.
        let _ = waiting.send(Came { response, problems: all, bytes, not_utf8_at, ..Came::default() });
    }

    /// Nothing more will come.
    fn over(&self, why: &str) {
        let mut state = lock(&self.state);
        state.gone = Some(why.to_owned());
        for (_, waiting) in std::mem::take(&mut state.waiting) {
            let _ = waiting.send(Came::gone(why));
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // A state that a panic left behind is still a list of who waits.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
