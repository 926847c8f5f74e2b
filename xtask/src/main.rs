//! `cargo xtask`: the runner, reading the data of the checkout that it was built in.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::run(xtask::Program::of_checkout(), reference::run)
}
