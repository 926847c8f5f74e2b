//! `cargo xtask`: the runner of a checkout, which reads the data of that checkout.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::run(xtask::Program::of_checkout(), reference::run)
}
