//! Printing: what people read is made inert, what programs read is left as it is.

use anyhow::{Context, Result};
use conformance::text::inert;
use serde_json::Value;
use std::fmt;
use std::io::{self, Write};

/// The columns of a page: those of the terminal, from 40 to 200; 100 where there is none.
pub(crate) fn width() -> usize {
    console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns)).clamp(40, 200)
}

/// Prints a text for people to standard output.
pub(crate) fn show(text: &str) -> Result<()> {
    print(&inert::page(text))
}

/// Prints a value for programs to standard output, a line for each field.
pub(crate) fn print_json(value: &Value) -> Result<()> {
    print(&format!("{}\n", inert::json(&format!("{value:#}"))))
}

/// Prints to standard output what a program reads: every byte as it is.
pub(crate) fn print(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        // A reader that closes the pipe has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("the report cannot be printed"),
        _ => Ok(()),
    }
}

/// Prints a line for people to standard output. A reader that closes the pipe has read enough.
macro_rules! say {
    ($($line:tt)*) => { $crate::shared::print::line(format_args!($($line)*)) };
}
pub(crate) use say;

/// Prints a line for people to standard error. Nothing is lost when it is closed.
macro_rules! tell {
    ($($line:tt)*) => { $crate::shared::print::told(format_args!($($line)*)) };
}
pub(crate) use tell;

/// Prints a value for programs to standard output, on one line.
pub(crate) fn say_json(value: &Value) {
    write_line(&inert::json(&value.to_string()));
}

/// Prints a line, for `say!`.
pub(crate) fn line(line: fmt::Arguments<'_>) {
    write_line(&inert::page(&line.to_string()));
}

fn write_line(line: &str) {
    if let Err(error) = writeln!(io::stdout(), "{line}")
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        tell!("error: standard output cannot be written: {error}");
        std::process::exit(2);
    }
}

/// Prints a line, for `tell!`.
pub(crate) fn told(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", inert::page(&line.to_string()));
}
