//! `cargo xtask dev official-mcp`: the official MCP conformance tool against the reference.

use crate::shared::workspace;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask dev official-mcp
  cargo xtask dev official-mcp --scenario tools-list

It needs npm, which fetches the tool and the Node that it asks for into target/tools. What a server of tools alone cannot
pass stands with its reason in reference/official-mcp.yml.

Exit codes:
  0 everything passes that is not expected to fail   1 something else fails, or passes that should not   2 it cannot be run";

/// The release of the tool that the list of expected failures was made for.
const TOOL: &str = "@modelcontextprotocol/conformance@0.1.16";
/// The tool needs a newer Node than many machines have; npm brings it.
const NODE: &str = "node@22";

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this scenario of the tool
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
}

/// Installs the tool, serves the reference and runs the tool against it; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let root = workspace::root()?;
    let tool = install(&root)?;
    let (server, address) = serve()?;
    let mut command = Command::new(tool.join("node_modules/.bin/node"));
    command.arg(tool.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"));
    command.args(["server", "--url", &format!("{address}/mcp")]);
    command.arg("--expected-failures").arg(root.join("reference/official-mcp.yml"));
    match &arguments.scenario {
        Some(scenario) => command.args(["--scenario", scenario]),
        None => command.args(["--suite", "active"]),
    };
    let status = command.status().context("the official tool cannot be started");
    drop(server);
    Ok(u8::from(!status?.success()))
}

/// Installs the tool if necessary; returns its folder.
fn install(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target/tools/official-mcp");
    let done = folder.join("installed");
    let wanted = format!("{TOOL} {NODE}");
    if std::fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    eprintln!("installing {wanted} into {}", folder.display());
    let status = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
        .arg(&folder)
        .args([TOOL, NODE])
        .status()
        .context("npm cannot be started: install Node with npm, or leave this step out")?;
    if !status.success() {
        bail!("npm ended with {status}: it could not install {wanted}");
    }
    std::fs::write(&done, wanted).with_context(|| format!("{} cannot be written", done.display()))?;
    Ok(folder)
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
fn serve() -> Result<(Server, String)> {
    let (program, words) = workspace::reference_start(&workspace::suite()?, 0)?;
    let mut child = Command::new(&program)
        .args(words)
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
