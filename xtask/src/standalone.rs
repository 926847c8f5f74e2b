//! `retrieval-contracts`: the runner as a program that is installed, with the data and the reference inside.

use std::process::ExitCode;
use xtask::{Carried, Program};

/// The data as it was when this was built.
const CARRIED: Carried = include!(concat!(env!("OUT_DIR"), "/carried.rs"));

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    // So it starts itself when it needs the reference, which is a process of its own here too.
    if words.nth(1).is_some_and(|first| first == xtask::REFERENCE) {
        return reference::run(std::iter::once(xtask::REFERENCE.into()).chain(words));
    }
    xtask::run(Program::carrying("retrieval-contracts", CARRIED))
}
