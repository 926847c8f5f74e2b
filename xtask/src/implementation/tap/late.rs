//! What to do when a report takes long: a client that ends may kill its server after some seconds, and us with it.

use crate::shared::print::tell;
use crate::shared::program;
use conformance::text::{inert, shell};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long a report may take before this is said.
const LONG: Duration = Duration::from_secs(1);

/// Says how the report can be made from the log, unless it is there in time: before what is returned is dropped.
pub(super) fn tell_later(log: Option<&Path>) -> Sender<()> {
    let (in_time, is_in_time) = channel();
    let how = match log {
        Some(log) => format!("`{} judge {}` makes it too", program::name(), shell::path(log)),
        None => "--log keeps what it needs".to_owned(),
    };
    std::thread::spawn(move || {
        if is_in_time.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
            tell!("tap: the report takes a moment; if this is ended before, {}", inert::line(&how));
        }
    });
    in_time
}
