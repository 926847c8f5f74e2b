//! The reference against the whole suite: each case, the surface of each contract, and random corpora.
//!
//! Each case at each endpoint is two tests: the reference passes all its checks, and all its counterexamples are noticed.
//! `cargo xtask dev mutants` runs the first of them alone, by the name of a contract and `--skip ::counterexamples`, so that only
//! the judge says what it notices.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod explored;
mod probe;
mod surface;

use conformance::load::Suite;
use libtest_mimic::{Arguments, Trial};
use probe::{Probe, World};
use std::process::ExitCode;
use std::sync::Arc;

/// Exit code where the reference does not compile, so that `cargo xtask dev mutants` does not take that for a failed case.
const UNBUILT: u8 = 3;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let suite = match Suite::load(testing::root()) {
        Ok(suite) => Arc::new(suite),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let program = match testing::reference() {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(UNBUILT);
        }
    };
    let world = Arc::new(World::new(suite, program).unwrap());
    let probes = Probe::all(&world);
    let mut trials: Vec<Trial> = probes.iter().flat_map(Probe::trials).collect();
    trials.extend(surface::trials(&probes));
    trials.extend(explored::trials(&world.suite, program));
    let conclusion = libtest_mimic::run(&arguments, trials);
    world.end();
    conclusion.exit_code()
}
