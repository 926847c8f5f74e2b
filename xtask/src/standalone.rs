//! `retrieval-contracts`: the installed program, with the data inside.

use std::process::ExitCode;
use xtask::{Carried, Program};

/// The data at the time of the build.
const CARRIED: Carried = include!(concat!(env!("OUT_DIR"), "/carried.rs"));

fn main() -> ExitCode {
    xtask::run(Program::carrying("retrieval-contracts", CARRIED), reference::run)
}
