//! The programs of the command, from npm.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The tool lists files in a way that older releases of Node do not have.
const OLDEST_NODE: u32 = 22;
const NODE: &str = "node@22";

/// Node: the machine's where it is new enough, else one that npm brings.
pub(super) fn node(folder: &Path) -> Result<PathBuf> {
    let theirs = Command::new("node").arg("--version").stderr(Stdio::null()).output().ok();
    let version = theirs.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let major = version.trim().strip_prefix('v').and_then(|rest| rest.split('.').next()?.parse().ok());
    if major.is_some_and(|major: u32| major >= OLDEST_NODE) {
        return Ok("node".into());
    }
    let folder = folder.join("node");
    install(&folder, NODE)?;
    Ok(folder.join("node_modules/.bin/node"))
}

/// The script of a release of the tool.
pub(super) fn tool(folder: &Path, package: &str) -> Result<PathBuf> {
    install(folder, package)?;
    Ok(folder.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"))
}

/// Installs a package into a folder of its own, unless it is there.
fn install(folder: &Path, package: &str) -> Result<()> {
    let done = folder.join("installed");
    if std::fs::read_to_string(&done).is_ok_and(|installed| installed == package) {
        return Ok(());
    }
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    eprintln!("installing {package} into {}", folder.display());
    let status = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
        .arg(folder)
        .arg(package)
        .status()
        .context("npm cannot be started: install Node with npm, or leave this step out")?;
    if !status.success() {
        bail!("npm ended with {status}: it could not install {package}");
    }
    std::fs::write(&done, package).with_context(|| format!("{} cannot be written", done.display()))
}
