//! MCP over standard streams: a client starts us as if we were the server, and we start the server.

use super::line::{Line, What};
use crate::shared::interrupts::interrupt;
use crate::shared::print::tell;
use anyhow::{Context, Result};
use bytes::Bytes;
use conformance::tap::Direction;
use conformance::text::inert;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::process::Command;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// How long a program may take to end after its client has left, before we ask it to end. Clients that are still there ask us before.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long it may take after it was asked to end, before it is killed. Clients kill us two seconds after they asked us, and the report
/// takes some of them.
const LAST: Duration = Duration::from_secs(1);
/// How long what a program said before it ended may be on its way. A child of it may hold the stream open for ever.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// At most this many bytes are read at once.
const PIECE: usize = 64 << 10;

/// A stream of a program, as a separate file.
#[cfg(unix)]
macro_rules! owned {
    ($stream:expr) => {
        $stream.into_owned_fd()
    };
}
#[cfg(windows)]
macro_rules! owned {
    ($stream:expr) => {
        $stream.into_owned_handle()
    };
}

/// Starts the program and passes its streams on, until it ends or its client does.
pub(super) async fn pass(words: &[String], line: Line) -> Result<()> {
    let (program, arguments) = words.split_first().context("no program is given")?;
    let signal = interrupt();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let why = format!("the program `{program}` cannot be started: {error}");
            tell!("tap: {}", inert::line(&why));
            line.always(What::NotStarted(why));
            return Ok(());
        }
    };
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let input = File::from(owned!(input.context("the program has no standard input")?)?);
    let output = File::from(owned!(output.context("the program has no standard output")?)?);
    let asking = copy(std::io::stdin(), input, Direction::ToServer, line.clone())?;
    let mut answering = copy(output, std::io::stdout(), Direction::ToClient, line.clone())?;
    tokio::pin!(signal);
    let first = tokio::select! {
        biased;
        _ = asking => First::Client,
        () = &mut signal => First::Asked,
        _ = &mut answering => First::Output,
        _ = child.wait() => First::Program,
    };
    if first != First::Asked {
        tokio::select! {
            _ = timeout(FAREWELL, child.wait()) => {}
            () = &mut signal => {}
        }
    }
    if !matches!(child.try_wait(), Ok(Some(_))) {
        ask_to_end(&child);
        if timeout(LAST, child.wait()).await.is_err() {
            let _ = child.kill().await;
        }
    }
    if first != First::Output {
        let _ = timeout(LAST_WORDS, &mut answering).await;
    }
    // Otherwise it ended as it should.
    if matches!(first, First::Output | First::Program) {
        line.always(What::ProgramEnded(match child.try_wait() {
            Ok(Some(status)) => ended(status),
            _ => "the server closed its standard output".to_owned(),
        }));
    }
    Ok(())
}

/// What ends the traffic.
#[derive(PartialEq, Eq)]
enum First {
    /// The client closed our input, and we closed the program's. What the program still says is passed on.
    Client,
    /// We were asked to end.
    Asked,
    /// The program closed its output, or the client closed ours.
    Output,
    /// The program ended. A child of it may hold its output open.
    Program,
}

/// Passes a stream on to its end, with a copy of each piece for the judge. It has a thread of its own, so that nothing delays the step
/// from reading to writing. The receiver that it returns gets a message at the end.
fn copy(
    mut from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    direction: Direction,
    line: Line,
) -> Result<oneshot::Receiver<()>> {
    let (over, is_over) = oneshot::channel();
    let pass = move || {
        let mut buffer = vec![0; PIECE];
        loop {
            let count = match from.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
                Ok(count) => count,
            };
            // The judge gets the piece first, so that it knows a question before its answer.
            if !line.take(What::Streamed(direction, Bytes::copy_from_slice(&buffer[..count]))) {
                line.always(What::Missed(direction));
            }
            if to.write_all(&buffer[..count]).and_then(|()| to.flush()).is_err() {
                break;
            }
        }
        // In this order, so that a client that ends is noticed before the program that ends with it.
        drop((over, to));
    };
    std::thread::Builder::new().spawn(pass).context("no thread can be started")?;
    Ok(is_over)
}

fn ended(status: ExitStatus) -> String {
    format!("the server ended ({status})")
}

#[cfg(unix)]
fn ask_to_end(child: &tokio::process::Child) {
    let id = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()));
    if let Some(id) = id {
        // It may have ended already, which is no error.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(_: &tokio::process::Child) {}
