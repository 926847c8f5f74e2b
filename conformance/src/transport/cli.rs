//! A command line: one process for each call, in a fresh copy of the corpus for each case.

use super::broken::{lacking, reason};
use super::sending::{Sending, in_environment, plain};
use super::{Group, LAST_WORDS, Limits, Session, Transport, TransportError, command};
use crate::model::{Body, CliBinding, Failure, KEPT_OF_STDERR, Operation, RawReply, Received, TransportKind};
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;
use walkdir::WalkDir;

/// A program that is called anew for each call.
#[derive(Debug, Clone)]
pub struct Cli(Arc<Program>);

#[derive(Debug)]
struct Program {
    command: Vec<String>,
    environment: BTreeMap<String, String>,
    limits: Limits,
}

impl Cli {
    /// A program with its leading arguments and additions to its environment. `folder` is the one that relative names are seen from;
    /// the current one when it is left out.
    ///
    /// # Errors
    /// When the program does not exist: its name stands in the message.
    pub fn new(
        command: &[String],
        folder: Option<&Path>,
        environment: BTreeMap<String, String>,
        limits: Limits,
    ) -> Result<Self, TransportError> {
        let (program, arguments) = command.split_first().ok_or_else(|| not_there("", "no program is given"))?;
        // Calls run in another folder, so relative paths are made absolute here.
        let folder = folder.unwrap_or(Path::new(""));
        let program = match absolute(program, folder).filter(|_| program.contains('/')) {
            Some(program) => program,
            None => {
                let found = which::which(program).map_err(|error| not_there(program, error))?;
                std::path::absolute(&found).unwrap_or(found).to_string_lossy().into_owned()
            }
        };
        let arguments = arguments.iter().map(|word| argument(word, folder));
        let command = std::iter::once(program).chain(arguments).collect();
        Ok(Self(Arc::new(Program { command, environment, limits })))
    }
}

/// An argument that names a file of a folder, or gives one to an option, with the absolute path in its place.
fn argument(word: &str, folder: &Path) -> String {
    let option = word.split_once('=').filter(|(option, _)| option.starts_with('-'));
    let (before, name) = option.map_or(("", word), |(option, name)| (&word[..=option.len()], name));
    // A plain word that is the name of a file too is a word.
    let is_name = name.contains('/') || Path::new(name).extension().is_some();
    let path = Some(name).filter(|_| is_name).and_then(|name| absolute(name, folder));
    path.map_or_else(|| word.to_owned(), |path| format!("{before}{path}"))
}

/// The absolute path of a file by its name in a folder, if it is there.
fn absolute(name: &str, folder: &Path) -> Option<String> {
    let path = folder.join(name);
    let is_named = Path::new(name).is_relative() && path.is_file();
    std::path::absolute(path).ok().filter(|_| is_named)?.into_os_string().into_string().ok()
}

fn not_there(program: &str, reason: impl ToString) -> TransportError {
    TransportError::NotThere { program: program.to_owned(), reason: reason.to_string() }
}

impl Transport for Cli {
    fn kind(&self) -> TransportKind {
        TransportKind::Cli
    }

    fn open(&self, corpus: Option<&Path>) -> Result<Box<dyn Session>, TransportError> {
        let no_room = |reason: String| TransportError::NoRoom {
            folder: corpus.map_or_else(|| "nothing".to_owned(), |corpus| corpus.display().to_string()),
            reason,
        };
        let folder = tempfile::tempdir().map_err(|error| no_room(reason(&error)))?;
        if let Some(corpus) = corpus {
            copy(corpus, folder.path()).map_err(no_room)?;
        }
        Ok(Box::new(CliSession { program: Arc::clone(&self.0), corpus: corpus.map(Path::to_owned), folder }))
    }
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    for entry in WalkDir::new(from).min_depth(1) {
        let entry = entry.map_err(|error| error.io_error().map_or_else(|| error.to_string(), reason))?;
        let target = to.join(entry.path().strip_prefix(from).map_err(|error| error.to_string())?);
        let done = match entry.file_type().is_dir() {
            true => std::fs::create_dir(&target),
            false => std::fs::copy(entry.path(), &target).map(|_| ()),
        };
        done.map_err(|error| format!("{}: {}", target.display(), reason(&error)))?;
    }
    Ok(())
}

struct CliSession {
    program: Arc<Program>,
    corpus: Option<PathBuf>,
    folder: TempDir,
}

impl Session for CliSession {
    fn call<'s>(
        &'s self,
        operation: &'s Operation,
        with: &'s Map<String, Value>,
    ) -> BoxFuture<'s, Result<RawReply, TransportError>> {
        Box::pin(self.run(operation, with))
    }
}

impl CliSession {
    async fn run(&self, operation: &Operation, with: &Map<String, Value>) -> Result<RawReply, TransportError> {
        let empty = CliBinding {
            argv: Vec::new(),
            positional: Vec::new(),
            flags: BTreeMap::new(),
            switches: BTreeMap::new(),
            folder: None,
        };
        let binding = operation.cli.as_ref().unwrap_or(&empty);
        let arguments = arguments(binding, with);
        let folder = binding.folder.as_ref().and_then(|name| with.get(name)?.as_str()).unwrap_or("");
        let argv: Vec<&str> = self.program.command.iter().chain(&arguments).map(String::as_str).collect();
        let sent = json!({ "argv": argv, "folder": folder, "corpus": self.corpus });
        let sent = in_environment(sent, &self.program.environment);
        let mut command = command(argv[0], &argv[1..], &self.program.environment);
        command
            .current_dir(self.folder.path().join(folder))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let sending = Sending::now();
        let mut running = match Group::spawn(&mut command) {
            Ok(running) => running,
            Err(error) => {
                let here = self.folder.path();
                return match not_started(&error, &argv, here, &here.join(folder)) {
                    Some(failure) => Ok(sending.failed(sent, failure)),
                    None => Err(not_there(argv[0], error)),
                };
            }
        };
        let Ended { stdout, stderr, status, failure } = end(&mut running, self.program.limits).await;
        let (exit, signal) = (status.and_then(|status| status.code()), status.and_then(signal));
        let received = Received::Process { exit, signal, stdout: Body(stdout), stderr: Body(stderr) };
        Ok(sending.reply(sent, received).broken_off(failure))
    }
}

/// Why a program was not started that is there: what was picked for it, what an earlier call did to its folder, or this machine.
fn not_started(error: &std::io::Error, argv: &[&str], here: &Path, folder: &Path) -> Option<Failure> {
    if let Some(argument) = argv.iter().find(|argument| argument.contains('\0')) {
        let shown = argument.replace('\0', "\u{2400}");
        return Some(Failure::NotAsked(format!(
            "no program can be given an argument with a NUL byte, as in `{shown}`"
        )));
    }
    if !here.is_dir() {
        return Some(Failure::NotAsked(
            "the folder of this case is gone: an earlier call of the program deleted it".to_owned(),
        ));
    }
    if !folder.is_dir() {
        let name = folder.strip_prefix(here).unwrap_or(folder).display();
        return Some(Failure::NotAsked(format!(
            "there is no folder `{name}` in the corpus of this case to call the program in"
        )));
    }
    if error.kind() == std::io::ErrorKind::ArgumentListTooLong {
        return Some(Failure::NotAsked("the arguments are longer than this system can give to a program".to_owned()));
    }
    lacking(error).map(|lacking| Failure::Hindered(format!("this machine {lacking}: {error}")))
}

/// The arguments of a call: `argv`, positional ones, flags, switches.
fn arguments(binding: &CliBinding, with: &Map<String, Value>) -> Vec<String> {
    let mut arguments = binding.argv.clone();
    for name in &binding.positional {
        arguments.extend(with.get(name).map(plain));
    }
    for (name, value) in with {
        if let Some(flag) = binding.flags.get(name) {
            let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for value in values {
                arguments.extend([flag.clone(), plain(value)]);
            }
        } else if let Some(switch) = binding.switches.get(name).filter(|_| *value == Value::Bool(true)) {
            arguments.push(switch.clone());
        }
    }
    arguments
}

/// What is known of a process that ended, or was ended.
struct Ended {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    status: Option<ExitStatus>,
    failure: Option<Failure>,
}

/// Waits for the end of a process, within the limits.
async fn end(running: &mut Group, limits: Limits) -> Ended {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let (out, err) = (running.child.stdout.take(), running.child.stderr.take());
    let everything = async {
        let outputs = async {
            tokio::try_join!(read(out, &mut stdout, limits.bytes), async {
                drain(err, &mut stderr).await.map_err(broken)
            })
        };
        tokio::pin!(outputs);
        let ended = timeout(limits.time, async {
            tokio::select! {
                biased;
                read = &mut outputs => {
                    read?;
                    Ok((running.child.wait().await, true))
                }
                status = running.child.wait() => Ok((status, false)),
            }
        });
        let (status, is_read) = ended.await.map_err(|_| Failure::TimedOut(limits.time.as_secs()))??;
        if !is_read {
            // What is not there by then is not of this program.
            timeout(LAST_WORDS, outputs).await.unwrap_or(Ok(((), ())))?;
        }
        status.map_err(broken)
    };
    let (status, failure) = match everything.await {
        Ok(status) => (Some(status), None),
        Err(failure) => (None, Some(failure)),
    };
    Ended { stdout, stderr, status, failure }
}

fn broken(error: std::io::Error) -> Failure {
    Failure::Broken(error.to_string())
}

/// Reads up to `limit` bytes; more is a failure.
async fn read(from: Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>, limit: usize) -> Result<(), Failure> {
    let Some(mut from) = from else { return Ok(()) };
    (&mut from).take(limit as u64 + 1).read_to_end(into).await.map_err(broken)?;
    match into.len() > limit {
        true => Err(Failure::TooLarge(limit)),
        false => Ok(()),
    }
}

/// Reads to the end and keeps the beginning.
async fn drain(from: Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) -> std::io::Result<()> {
    let Some(mut from) = from else { return Ok(()) };
    (&mut from).take(KEPT_OF_STDERR as u64).read_to_end(into).await?;
    tokio::io::copy(&mut from, &mut tokio::io::sink()).await.map(|_| ())
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}
