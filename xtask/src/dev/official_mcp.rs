//! `cargo xtask dev official-mcp`: the official MCP conformance tool against the reference, in both eras of the protocol.

mod install;

use crate::shared::print::say;
use crate::shared::workspace;
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask dev official-mcp
  cargo xtask dev official-mcp --era modern
  cargo xtask dev official-mcp --era legacy --scenario tools-list

Each era has its release of the tool, which runs against the reference as a server of both eras, and as one of that era alone.
It needs npm, which fetches the tool into target/tools, and Node where there is none that is new enough. What a server of our
tools cannot pass has its reason in reference/official-mcp-legacy.yml and reference/official-mcp-modern.yml.

Exit codes:
  0 everything passes that is not expected to fail   1 something else fails, or passes that should not   2 it cannot be run";

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this era
    #[arg(long, value_name = "ERA", value_enum)]
    era: Option<Era>,
    /// Only this scenario of the tool
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
}

/// An era of MCP, as `--era` of the reference names it.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Era {
    /// The revisions with a handshake, up to 2025-11-25
    Legacy,
    /// 2026-07-28
    Modern,
}

impl Era {
    fn name(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }

    /// The release that the list of expected failures was made for.
    fn package(self) -> &'static str {
        match self {
            Self::Legacy => "@modelcontextprotocol/conformance@0.1.16",
            Self::Modern => "@modelcontextprotocol/conformance@0.2.0-alpha.12",
        }
    }

    /// What the tool runs: every scenario of the revision, those too that its own server does not pass yet. The older release
    /// knows no later revision than 2025-11-25. What the newer one requires of 2026-07-28 (its `--requirements`) is a part of this.
    fn selection(self) -> &'static [&'static str] {
        match self {
            Self::Legacy => &["--suite", "all"],
            Self::Modern => &["--suite", "all", "--spec-version", "2026-07-28"],
        }
    }
}

/// Installs the tool, serves the reference and runs the tool against it; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let root = workspace::root()?;
    let folder = root.join("target/tools/official-mcp");
    let node = install::node(&folder)?;
    let mut summary = Vec::new();
    for era in [Era::Legacy, Era::Modern].into_iter().filter(|era| arguments.era.is_none_or(|only| only == *era)) {
        let tool = install::tool(&folder.join(era.name()), era.package())?;
        let expected = root.join(format!("reference/official-mcp-{}.yml", era.name()));
        for served in ["both", era.name()] {
            let title = format!("{} era, {} against a reference with --era {served}", era.name(), era.package());
            say!("\n== {title}");
            let (server, address) = serve(served)?;
            let mut command = Command::new(&node);
            command.arg(&tool).args(["server", "--url", &format!("{address}/mcp")]);
            command.arg("--expected-failures").arg(&expected);
            match &arguments.scenario {
                Some(scenario) => command.args(["--scenario", scenario]),
                None => command.args(era.selection()),
            };
            let said = Said::by(command)?;
            drop(server);
            let unused = if arguments.scenario.is_none() { said.unused(&expected)? } else { Vec::new() };
            let is_good = said.is_success && unused.is_empty();
            summary.push((title, said, unused, is_good));
        }
    }
    say!("");
    for (title, said, unused, is_good) in &summary {
        let verdict = if *is_good { "ok" } else { "FAILED" };
        say!("{verdict}: {title}: {} passed, {} failed as expected", said.passed, said.failed_as_expected.len());
        unused.iter().for_each(|entry| say!("  {entry} is expected to fail, and did not"));
    }
    Ok(u8::from(!summary.iter().all(|(.., is_good)| *is_good)))
}

/// What the tool says at the end of a run.
struct Said {
    is_success: bool,
    passed: usize,
    /// The lines of its list that it needed.
    failed_as_expected: Vec<String>,
}

impl Said {
    /// Runs the tool, repeats what it says, and reads it.
    fn by(mut command: Command) -> Result<Self> {
        let mut tool = command.stdout(Stdio::piped()).spawn().context("the official tool cannot be started")?;
        let output = tool.stdout.take().context("the official tool has no output")?;
        let mut said = Self { is_success: false, passed: 0, failed_as_expected: Vec::new() };
        for line in BufReader::new(output).lines() {
            let line = line.context("the official tool says what is not text")?;
            if let Some(entry) = line.strip_prefix("  ~ ") {
                said.failed_as_expected.push(entry.to_owned());
            }
            // Of a whole suite, or of one scenario.
            let count = line.strip_prefix("Total: ").or_else(|| line.strip_prefix("Passed: "));
            if let Some(count) = count.and_then(|rest| rest.split([' ', '/']).next()) {
                said.passed = count.parse().with_context(|| format!("the official tool counts {count:?}"))?;
            }
            say!("{line}");
        }
        // Having passed nothing is no success.
        said.is_success = tool.wait()?.success() && said.passed > 0;
        Ok(said)
    }

    /// The lines of the list that nothing was excused by. The tool is silent about a misspelt one.
    fn unused(&self, expected: &Path) -> Result<Vec<String>> {
        let list =
            std::fs::read_to_string(expected).with_context(|| format!("{} cannot be read", expected.display()))?;
        let entries = list.lines().filter_map(|line| line.trim_start().strip_prefix("- "));
        let is_unused = |entry: &&str| !self.failed_as_expected.iter().any(|failed| failed == entry);
        Ok(entries.map(str::trim).filter(is_unused).map(str::to_owned).collect())
    }
}

/// A server that is stopped when this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The reference on a free port, and its address.
fn serve(era: &str) -> Result<(Server, String)> {
    let (program, words) = workspace::reference_start(&workspace::suite()?, 0)?;
    let mut child = Command::new(&program)
        .args(words)
        .args(["--era", era])
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("{program} cannot be started"))?;
    let output = child.stdout.take().context("the reference has no output")?;
    let server = Server(child);
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).context("the reference says nothing")?;
    let address = line.trim().strip_prefix("listening on ").with_context(|| format!("the reference says {line:?}"))?;
    Ok((server, address.to_owned()))
}
