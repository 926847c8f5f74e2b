//! `retrieval-contracts`: the runner as a program that is installed, with the data inside.

use std::process::ExitCode;
use xtask::{Carried, Program};

/// The data as it was when this was built.
const CARRIED: Carried = include!(concat!(env!("OUT_DIR"), "/carried.rs"));

fn main() -> ExitCode {
    xtask::run(Program::carrying("retrieval-contracts", CARRIED), reference::run)
}
