//! `cargo xtask dev bench`: what judging costs, as ratios to a plain client that sends the same requests. Absolute numbers differ from
//! machine to machine.

mod calls;
mod measured;
mod probe;
mod sizes;
mod slow;
mod start;
mod whole;

use crate::shared::print::say;
use crate::shared::program;
use anyhow::Result;
use clap::ValueEnum;
use measured::Measured;
use probe::Probe;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask dev bench                                           the quick ones
  cargo xtask dev bench calls growth
  cargo xtask dev bench peak                                      the room of the whole suite, without the proof and with it
  cargo xtask dev bench slow                                      a minute: servers that are 200 ms away
  cargo xtask dev bench sizes --largest 1000000                   minutes: a million of everything
  cargo xtask dev bench build                                     the main job with nothing built, in a folder of its own

A debug build says so: its numbers are those of debugging. `cargo xtask-release dev bench` measures a release build.";

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to measure; start, calls, growth and whole when nothing is named
    #[arg(value_enum)]
    what: Vec<What>,
    /// How many times each is measured; the median counts
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    times: usize,
    /// The largest corpus for `sizes`: this many documents
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    largest: usize,
    /// One measurement in this process alone, as JSON
    #[arg(long, value_name = "WHAT", hide = true)]
    probe: Option<Probe>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// How long until the first output
    Start,
    /// Calls with their checks over the same calls of a plain client
    Calls,
    /// A hundred, a thousand and ten thousand cases: time for each, and memory
    Growth,
    /// All contracts over all transports over the time that the slowest target takes by itself
    Whole,
    /// The most room that the whole suite takes at once, over what it may take
    Peak,
    /// A server that is 200 ms away, over the time that its requests have to take
    Slow,
    /// The reference with corpora of several sizes
    Sizes,
    /// From nothing built to a verdict
    Build,
}

/// Measures and prints; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    if let Some(probe) = arguments.probe {
        say!("{}", serde_json::to_string(&probe::here(probe)?)?);
        return Ok(0);
    }
    let all = [What::Start, What::Calls, What::Growth, What::Whole];
    let wanted: &[What] = if arguments.what.is_empty() { &all } else { &arguments.what };
    let profile = if cfg!(debug_assertions) { "a debug build, so numbers of debugging" } else { "a release build" };
    say!("{}: {profile}, {} processors", program::name(), std::thread::available_parallelism()?);
    for what in wanted {
        let times = arguments.times.max(1);
        let lines = match what {
            What::Start => start::measure(times)?,
            What::Calls => calls::measure(times)?,
            What::Growth => probe::growth()?,
            What::Whole => whole::measure()?,
            What::Peak => probe::peak()?,
            What::Slow => slow::measure()?,
            What::Sizes => sizes::measure(arguments.largest, times)?,
            What::Build => start::build()?,
        };
        for Measured { what, value, goal } in lines {
            let goal = goal.map_or_else(String::new, |goal| format!("   (goal: {goal})"));
            say!("  {what:<38} {value}{goal}");
        }
    }
    Ok(0)
}
