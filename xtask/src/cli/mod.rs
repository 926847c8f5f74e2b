//! The command line: groups of commands by who uses them, and the way from an error to an exit code.

mod completions;
mod man;
mod moved;

#[cfg(feature = "checkout")]
use crate::dev;
#[cfg(unix)]
use crate::shared::guard;
use crate::shared::interrupts::{self, Expected, WRONG_USAGE};
use crate::shared::print::tell;
use crate::shared::program;
use crate::{author, implementation};
use anyhow::Result;
use clap::{ArgMatches, FromArgMatches, Subcommand};
use conformance::redact::without_secrets;
use conformance::text::inert;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// Commands of the program itself.
#[derive(Subcommand)]
enum Command {
    /// Be the reference: a command line, a server, an MCP server, a bridge
    #[command(disable_help_flag = true)]
    Reference {
        /// Its own command line; `--help` lists what it takes
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
        words: Vec<OsString>,
    },
    /// Print what a shell needs to complete our commands
    #[command(after_help = completions::examples())]
    Completions(completions::Arguments),
    /// Print the manual page of the runner, or of one of its commands
    #[command(after_help = man::examples())]
    Man(man::Arguments),
}

/// The command that holds the commands for this repository.
const DEV: &str = "dev";

/// Commands that need more of a checkout than its data. Help of the installed program hides them.
const OF_CHECKOUT: [&str; 1] = ["edits"];

/// The first command of each group, with the heading of the group.
const GROUPS: [(&str, &str); 4] = [
    ("verify", "For an implementation:"),
    ("diff", "For the author of a contract:"),
    (DEV, "For this repository:"),
    ("reference", "For the program itself:"),
];

/// The whole command line, with the name of the program that runs.
fn command() -> clap::Command {
    let runner = clap::Command::new(program::name()).bin_name(program::name()).version(env!("CARGO_PKG_VERSION"));
    let runner = runner.max_term_width(100).subcommand_required(true).arg_required_else_help(true);
    let runner = author::Command::augment_subcommands(implementation::Command::augment_subcommands(runner));
    let runner = Command::augment_subcommands(with_dev(runner));
    let runner = runner.about("Judges implementations of retrieval contracts").mut_subcommands(|command| {
        let hidden = program::is_installed() && OF_CHECKOUT.contains(&command.get_name());
        match command.get_after_help().map(|help| program::named(&help.to_string())) {
            Some(help) => command.after_help(help).hide(hidden),
            None => command.hide(hidden),
        }
    });
    let groups = grouped(runner.clone());
    runner.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n\nOptions:\n{{options}}"
    ))
}

/// Adds the commands for this repository, unless the program is installed.
#[cfg(feature = "checkout")]
fn with_dev(runner: clap::Command) -> clap::Command {
    if program::is_installed() {
        return runner;
    }
    let dev = clap::Command::new(DEV).subcommand_required(true).arg_required_else_help(true);
    let dev = dev::Command::augment_subcommands(dev);
    let names: Vec<&str> = dev.get_subcommands().map(clap::Command::get_name).collect();
    let about = format!("Work on the suite and the reference: {}", names.join(", "));
    runner.subcommand(dev.about(about))
}

#[cfg(not(feature = "checkout"))]
fn with_dev(runner: clap::Command) -> clap::Command {
    runner
}

/// The list of commands for help, with a heading before each group. clap has only one heading for all commands.
fn grouped(runner: clap::Command) -> String {
    let header = *runner.get_styles().get_header();
    let listed = runner.help_template("{subcommands}").render_help().ansi().to_string();
    let mut text = String::new();
    for line in listed.lines() {
        let plain = console::strip_ansi_codes(line);
        let name = plain.strip_prefix("  ").and_then(|rest| rest.split(' ').next());
        if let Some((_, heading)) = GROUPS.iter().find(|(first, _)| name == Some(first)) {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{header}{heading}{header:#}\n"));
        }
        text.push_str(&format!("{line}\n"));
    }
    text.trim_end().to_owned()
}

/// Commands that start programs. They run below a guard.
const STARTING: [&str; 9] = ["verify", "init", "tap", "serve", "explain", "bless", "edits", "variants", DEV];
/// Commands that report when a signal has ended them, whatever they do at that moment.
const REPORTING: [&str; 2] = ["verify", "tap"];

/// Runs the command of a command line and turns its result into an exit code; the words of the reference are for `reference`.
pub(crate) fn run(words: &[OsString], is_guarded: bool, reference: impl FnOnce(Vec<OsString>) -> ExitCode) -> ExitCode {
    let matches = command().try_get_matches_from(words).unwrap_or_else(|error| wrong_usage(moved::named(error)));
    let is_one = |commands: &[&str]| matches.subcommand_name().is_some_and(|name| commands.contains(&name));
    if is_one(&STARTING) {
        #[cfg(unix)]
        if let Err(error) = interrupts::possible() {
            tell!("error: this machine has too few file handles, so raise `ulimit -n`: {error}");
            return ExitCode::from(WRONG_USAGE);
        }
        #[cfg(unix)]
        if !is_guarded && let Some(code) = guard::around(words.iter().skip(1)) {
            return code;
        }
        interrupts::note();
    }
    let _expected = is_one(&REPORTING).then(Expected::new);
    let result = match Command::from_arg_matches(&matches) {
        Ok(Command::Reference { words }) => return reference(words),
        Ok(Command::Completions(arguments)) => completions::run(&arguments, command()),
        Ok(Command::Man(arguments)) => man::run(&arguments, command()),
        Err(_) => run_group(&matches),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            tell!("error: {}", without_secrets(&format!("{error:#}")));
            ExitCode::from(WRONG_USAGE)
        }
    }
}

/// Ends the program as clap does, with what it says made inert: a word of the command line may be of any kind.
fn wrong_usage(error: clap::Error) -> ! {
    let text = error.render();
    let coloured = if error.use_stderr() { console::colors_enabled_stderr() } else { console::colors_enabled() };
    let text = if coloured { text.ansi().to_string() } else { text.to_string() };
    let _ = match error.use_stderr() {
        true => io::stderr().write_all(inert::page(&text).as_bytes()),
        false => io::stdout().write_all(text.as_bytes()),
    };
    std::process::exit(error.exit_code())
}

/// Runs a command of one of the groups; returns the exit code.
fn run_group(matches: &ArgMatches) -> Result<u8> {
    #[cfg(feature = "checkout")]
    if let Some((DEV, words)) = matches.subcommand() {
        return dev::Command::from_arg_matches(words)?.run();
    }
    if let Ok(command) = author::Command::from_arg_matches(matches) {
        return command.run();
    }
    implementation::Command::from_arg_matches(matches)?.run()
}
