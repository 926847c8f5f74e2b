//! MCP over the standard streams of a program: one message a line, many requests at once.

use super::rpc::{self, Came, Message};
use crate::format::declared::Declared;
use crate::model::{Body, Era, Failure, Problem};
use crate::text::{inert, plural};
use crate::transport::broken::reason;
use crate::transport::tail::{Heard, Tail};
use crate::transport::{Group, LAST_WORDS, Limits, TransportError, command};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio as Streams;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::oneshot::error::RecvError;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How long a program may take to end once its input is closed, and again once it is asked to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long a first answer is waited for after the program has shown that it does not write one message a line.
const LAST_HOPE: Duration = Duration::from_secs(1);

/// So many lines may wait for a program to listen.
const MOST_UNHEARD: usize = 4096;

/// How a program is started.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) command: Vec<String>,
    pub(super) environment: BTreeMap<String, String>,
    pub(super) folder: Option<std::path::PathBuf>,
    /// What it says on standard error, each time that it is started.
    pub(super) errors: Heard,
}

/// A program that runs. It is killed with everything that it started when this value is dropped.
#[derive(Debug)]
pub(super) struct Stdio {
    state: Arc<Mutex<State>>,
    lines: Lines,
    writing: JoinHandle<()>,
    reading: tokio::sync::Mutex<JoinHandle<()>>,
    end: Arc<Notify>,
    framing: watch::Sender<Framing>,
    errors: Heard,
}

/// What is wrong with how the program divides its messages, as long as it has not answered anything.
type Framing = Option<&'static str>;

/// What the reader and the callers share.
#[derive(Debug, Default)]
struct State {
    waiting: BTreeMap<u64, oneshot::Sender<Came>>,
    /// Noticed between responses; the next one that hears anything takes it along.
    stray: Vec<Problem>,
    /// Requests that nobody waits for any more.
    given_up: Vec<u64>,
    /// Whether its process has ended. What it wrote may still be on its way.
    has_ended: bool,
    /// Why the program is gone.
    gone: Option<Failure>,
    /// Whether it ever answered.
    has_answered: bool,
    /// What began a line that has not ended, as long as it has not answered.
    part: Option<String>,
    /// The revision of the protocol that was agreed on.
    revision: Option<String>,
}

impl Stdio {
    /// Starts the program.
    pub(super) fn start(program: &Program, era: Era, limits: Limits) -> Result<Self, TransportError> {
        let not_there = |reason: String| TransportError::NotThere { program: program.command.join(" "), reason };
        let (name, arguments) =
            program.command.split_first().ok_or_else(|| not_there("no program is given".to_owned()))?;
        let mut command = command(name, arguments, &program.environment);
        command.stdin(Streams::piped()).stdout(Streams::piped()).stderr(Streams::piped());
        if let Some(folder) = program.folder.as_deref().filter(|folder| *folder != Path::new("")) {
            command.current_dir(folder);
        }
        let mut group = Group::spawn(&mut command).map_err(|error| not_there(reason(&error)))?;
        let mut tail = Tail::with_errors(program.errors.clone());
        tail.listen_to_errors(group.child.stderr.take());
        let (Some(input), Some(output)) = (group.child.stdin.take(), group.child.stdout.take()) else {
            return Err(not_there("its standard streams cannot be used".to_owned()));
        };
        let (lines, queue) = mpsc::channel(MOST_UNHEARD);
        let (lines, state, end) = (Lines(lines), Arc::default(), Arc::new(Notify::new()));
        let framing = watch::Sender::new(None);
        let reader = Reader {
            state: Arc::clone(&state),
            lines: lines.clone(),
            era,
            limit: limits.bytes,
            framing: framing.clone(),
        };
        let asked = Arc::clone(&end);
        let reading = tokio::sync::Mutex::new(tokio::spawn(async move {
            let mut group = group;
            let reading = reader.read(output);
            tokio::pin!(reading);
            let failure = tokio::select! {
                biased;
                failure = &mut reading => failure,
                _ = group.child.wait() => {
                    lock(&reader.state).has_ended = true;
                    timeout(LAST_WORDS, reading).await.unwrap_or(None)
                }
                () = asked.notified() => {
                    group.ask_to_end();
                    None
                }
            };
            let failure = match failure {
                Some(failure) => failure,
                None => {
                    let how = match timeout(FAREWELL, group.child.wait()).await {
                        Ok(Ok(status)) => format!("the server ended ({status})"),
                        _ => "the server closed its standard output".to_owned(),
                    };
                    Failure::Broken(format!("{how}{}", tail.last_words().await))
                }
            };
            // First, so that nothing of it is in the way of one that is started anew.
            drop(group);
            reader.over(&failure);
        }));
        let errors = program.errors.clone();
        Ok(Self { state, lines, writing: tokio::spawn(write(queue, input)), reading, end, framing, errors })
    }

    /// Remembers what was agreed on.
    pub(super) fn agree(&self, revision: &str) {
        lock(&self.state).revision = Some(revision.to_owned());
    }

    /// Sends a request and waits for its response.
    pub(super) async fn ask(&self, id: u64, message: &Value, time: Duration) -> Came {
        let (answered, mut answer) = oneshot::channel();
        {
            let mut state = lock(&self.state);
            if let Some(why) = state.gone.clone() {
                return Came { problems: std::mem::take(&mut state.stray), ..Came::gone(why) };
            }
            state.waiting.insert(id, answered);
        }
        self.tell(message);
        let why = tokio::select! {
            biased;
            answer = self.answered(&mut answer, time) => match answer {
                Some(Ok(came)) => return came,
                Some(Err(_)) => return Came::gone(Failure::Broken("the server is gone".to_owned())),
                None => Failure::TimedOut(time.as_secs()),
            },
            why = self.hopeless() => Failure::Broken(why.to_owned()),
        };
        let mut state = lock(&self.state);
        state.waiting.remove(&id);
        state.given_up.push(id);
        let mut problems = std::mem::take(&mut state.stray);
        if !state.has_answered {
            problems.extend(self.instead(&state, problems.is_empty()));
        }
        Came { problems, ..Came::failed(why) }
    }

    /// What came for a request, unless it did not come in time. Of a program that ended in time, the reader tells soon what came.
    async fn answered<A>(&self, answer: &mut oneshot::Receiver<A>, time: Duration) -> Option<Result<A, RecvError>> {
        match timeout(time, &mut *answer).await {
            Ok(answer) => Some(answer),
            Err(_) if lock(&self.state).has_ended => Some(answer.await),
            Err(_) => None,
        }
    }

    /// What a program wrote that has not answered anything, where it was no line, or not on standard output.
    fn instead(&self, state: &State, wrote_no_line: bool) -> Option<Problem> {
        let on_errors = || {
            let said = self.errors.lines();
            (wrote_no_line && !said.is_empty())
                .then(|| format!("nothing came on standard output, and on standard error: {}", said.join(" / ")))
        };
        state.part.clone().or_else(on_errors).map(|what| rpc::problem("noise", what))
    }

    /// Why no answer can be expected, once the program has shown it and had its last chance.
    async fn hopeless(&self) -> &'static str {
        let mut framing = self.framing.subscribe();
        let shown = framing.wait_for(Option::is_some).await.ok().and_then(|framing| *framing);
        let Some(why) = shown else { return std::future::pending().await };
        sleep(LAST_HOPE).await;
        why
    }

    /// Sends what wants no answer.
    pub(super) fn tell(&self, message: &Value) {
        self.lines.send(message);
    }

    /// Closes the input, upon which a server ends by itself; asks one that does not to end. Who does not even then is
    /// killed with this value.
    pub(super) async fn close(&self) {
        self.writing.abort();
        let mut reading = self.reading.lock().await;
        if timeout(FAREWELL, &mut *reading).await.is_err() {
            self.end.notify_one();
            let _ = timeout(FAREWELL, &mut *reading).await;
        }
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.writing.abort();
        // This task owns the process group, which ends with it.
        self.reading.get_mut().abort();
    }
}

/// The lines that go to the program, whole and in order, whoever sends them and however long they wait.
#[derive(Debug, Clone)]
struct Lines(mpsc::Sender<String>);

impl Lines {
    fn send(&self, message: &Value) {
        // That a program hears nothing any more is told by the reader; one that listens to nothing will not miss it.
        let _ = self.0.try_send(format!("{message}\n"));
    }
}

async fn write(mut queue: mpsc::Receiver<String>, mut input: ChildStdin) {
    while let Some(line) = queue.recv().await {
        if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
            break;
        }
    }
}

/// Reads what the program writes and hands it to who waits for it.
struct Reader {
    state: Arc<Mutex<State>>,
    lines: Lines,
    era: Era,
    limit: usize,
    framing: watch::Sender<Framing>,
}

impl Reader {
    /// Reads to the end; why it stopped before.
    async fn read(&self, output: ChildStdout) -> Option<Failure> {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            let Ok(piece @ [_, ..]) = output.fill_buf().await else {
                if !line.is_empty() {
                    self.line(&line);
                }
                return None;
            };
            let end = piece.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(piece.len(), |end| end + 1);
            line.extend_from_slice(&piece[..count]);
            output.consume(count);
            if line.len() > self.limit {
                return Some(Failure::TooLarge(self.limit));
            }
            match end {
                Some(_) => {
                    self.line(&line);
                    line.clear();
                }
                None => self.part(&line),
            }
        }
    }

    /// A line has begun that may never end.
    fn part(&self, line: &[u8]) {
        let mut state = lock(&self.state);
        if !state.has_answered {
            let start = inert::short(&String::from_utf8_lossy(&line[..line.len().min(80)]), 80);
            state.part = Some(format!("{} came without the end of a line: {start:?}", plural(line.len(), "byte")));
        }
    }

    fn line(&self, line: &[u8]) {
        let (messages, mut problems) = rpc::read(line);
        let declared = Declared::nothing(self.era).agreed(lock(&self.state).revision.as_deref());
        for message in messages {
            match message {
                Message::Response(response, message) => self.response(response, message, &mut problems),
                Message::Notification(method) => problems.extend(declared.told(&method)),
                Message::Request(id, method) => {
                    problems.extend(declared.asked(&method));
                    // A modern client sends no responses.
                    if self.era == Era::Legacy {
                        self.lines.send(&rpc::answer(&id, &method));
                    }
                }
                Message::Noise(what) => {
                    problems.push(rpc::noise(&what));
                    if let Some(why) = rpc::other_framing(line).filter(|_| !lock(&self.state).has_answered) {
                        self.framing.send_replace(Some(why));
                    }
                    self.broken(line, Failure::Broken(what), &mut problems);
                }
                Message::Batch => problems.extend(declared.batched()),
                Message::Unread(why) => self.broken(line, why, &mut problems),
            }
        }
        rpc::note(&mut lock(&self.state).stray, problems);
    }

    fn response(&self, response: Value, message: Body, problems: &mut Vec<Problem>) {
        let mut state = lock(&self.state);
        state.has_answered = true;
        self.framing.send_replace(None);
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
        all.extend(rpc::envelope(&response, &id.into()));
        // Who gave up in this moment needs no answer.
        let _ = waiting.send(Came { response, message: Some(message), problems: all, ..Came::default() });
    }

    /// A response that cannot be read answers its request all the same, so that nobody waits in vain.
    fn broken(&self, line: &[u8], why: Failure, problems: &mut Vec<Problem>) {
        let mut state = lock(&self.state);
        if let Some(waiting) = rpc::id_in(line).and_then(|id| state.waiting.remove(&id)) {
            let mut all = std::mem::take(&mut state.stray);
            all.append(problems);
            let _ = waiting.send(Came { problems: all, read: Some(line.len()), ..Came::failed(why) });
        }
    }

    /// Nothing more will come.
    fn over(&self, why: &Failure) {
        let mut state = lock(&self.state);
        state.gone = Some(why.clone());
        for (_, waiting) in std::mem::take(&mut state.waiting) {
            let problems = std::mem::take(&mut state.stray);
            let _ = waiting.send(Came { problems, ..Came::gone(why.clone()) });
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // A state that a panic left behind is still a list of who waits.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
