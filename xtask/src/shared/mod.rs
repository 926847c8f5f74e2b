//! What several commands need: which program runs, where its data is, the signals that end it, the guard of what it starts, the
//! reference, a run, a log, what is printed, and the files that are written.
//!
//! Nothing here knows a command.

pub(crate) mod address;
pub(crate) mod annotations;
pub(crate) mod carried;
pub(crate) mod exploring;
pub(crate) mod files;
#[cfg(unix)]
pub(crate) mod guard;
pub(crate) mod history;
pub(crate) mod interrupts;
pub(crate) mod known;
pub(crate) mod last_failed;
pub(crate) mod logs;
pub(crate) mod output;
pub(crate) mod own;
pub(crate) mod print;
pub(crate) mod program;
pub(crate) mod reference;
pub(crate) mod reports;
pub(crate) mod revisions;
pub(crate) mod running;
pub(crate) mod selecting;
pub(crate) mod workspace;
