//! The reference as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    reference::run(std::env::args_os())
}
