//! The runner: one file a command. Two programs are made of it.
//!
//! `cargo xtask` reads the data of its checkout; `retrieval-contracts` carries it and runs anywhere, without the commands for this
//! repository. They differ in [`Program`] and in that folder; both have the reference inside.
//!
//! # Layers
//!
//! A module imports only modules above it in this list, a group of commands no other group, and no two files import each other.
//! `conformance/tests/layers` holds it, and that contracts are named in the examples of help alone.
//!
//! 1. `shared`: what several commands need: where the data is, the reference, a run, what is printed and written.
//! 2. `implementation`: commands for whoever has an implementation.
//! 3. `author`: commands for the author of a contract.
//! 4. `dev`: commands for this repository.
//! 5. `cli`: the command line, made of the groups.

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod author;
mod cli;
#[cfg(feature = "checkout")]
#[expect(clippy::print_stderr, reason = "what it prints is of this repository")]
mod dev;
mod implementation;
mod shared;

/// The system's allocator took a third of a run's time: evidence is many small values, made on one thread and dropped on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub use shared::carried::Carried;
pub use shared::program::Program;

#[cfg(unix)]
use shared::guard;
use shared::{carried, program};
use std::ffi::OsString;
use std::process::ExitCode;

/// Does what the command line asks for.
///
/// `reference` is the reference as a program: it takes the words of its command line, its name first. This program starts itself as the
/// reference, so that the reference is a separate process.
#[must_use]
pub fn run(program: Program, reference: impl FnOnce(Vec<OsString>) -> ExitCode) -> ExitCode {
    program::is(program);
    let name = OsString::from(format!("{} {}", program::name(), program::REFERENCE));
    let named = |words: Vec<OsString>| reference(std::iter::once(name).chain(words).collect());
    let mut words = std::env::args_os();
    let program: Vec<OsString> = words.by_ref().take(1).collect();
    let mut words = words.peekable();
    let mut is_guarded = false;
    match words.peek().and_then(|first| first.to_str()) {
        // A command line is started for every call, so this path does not even build our own command line.
        Some(program::REFERENCE) => return named(words.skip(1).collect()),
        #[cfg(unix)]
        Some(program::GUARD) => return guard::run(words.skip(1).collect()),
        #[cfg(unix)]
        Some(program::GUARDED) => {
            words.next();
            guard::guarded(&mut words);
            is_guarded = true;
        }
        _ => {}
    }
    let code = cli::run(&program.into_iter().chain(words).collect::<Vec<_>>(), is_guarded, named);
    carried::leave();
    code
}
