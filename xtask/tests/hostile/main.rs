//! Targets that do their worst, against the real runner: it ends, within its memory, with the right outcome, asks nobody
//! else, leaves no process behind, and every report of it is whole and says nothing that could act.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod bystander;
mod idle;
mod large;
mod mcp;
mod programs;
mod reports;
mod run;
mod servers;
mod strings;

use libtest_mimic::Arguments;

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(run::LAUNCH) {
        return run::launch(arguments);
    }
    let trials =
        [servers::trials(), mcp::trials(), programs::trials(), strings::trials(), idle::trials(), large::trials()];
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().flatten().collect()).exit();
}
