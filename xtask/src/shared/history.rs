//! Earlier contracts: folders made from revisions of git.

use crate::shared::{program, workspace};
use anyhow::{Context, Result, bail};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with `schemas/` and `fixtures/` in it.
pub(crate) struct Folder {
    /// The folder.
    pub(crate) path: PathBuf,
    /// Its name in reports: a folder, or a revision with its commit.
    pub(crate) name: String,
    /// Deletes a temporary folder when it is dropped.
    _made: Option<TempDir>,
}

impl Folder {
    /// The present content of a folder.
    pub(crate) fn present(path: &Path, name: &str) -> Self {
        Self { path: path.to_owned(), name: name.to_owned(), _made: None }
    }

    /// A folder by its path, or a revision of git by any name that git knows.
    pub(crate) fn named(name: &str, root: &Path) -> Result<Self> {
        let path = Path::new(name);
        if path.is_dir() {
            return Ok(Self::present(path, name));
        }
        Self::of_commit(&commit(name, root)?, name, root)
    }

    fn of_commit(commit: &str, name: &str, root: &Path) -> Result<Self> {
        let made = TempDir::new().context("a folder for the other revision cannot be made")?;
        unpack(commit, root, made.path()).with_context(|| format!("the contracts of {name} cannot be read"))?;
        let short = &commit[..commit.len().min(10)];
        let name = if commit.starts_with(name) { short.to_owned() } else { format!("{name} ({short})") };
        Ok(Self { path: made.path().to_owned(), name, _made: Some(made) })
    }
}

/// The checkout of contracts around the current folder, else our own.
pub(crate) fn checkout() -> Result<PathBuf> {
    let here = std::env::current_dir().ok();
    let top = here.and_then(|here| git(&here, &["rev-parse", "--show-toplevel"]).ok()).map(PathBuf::from);
    match top.filter(|top| top.join("schemas").is_dir() && top.join("fixtures").is_dir()) {
        Some(top) => Ok(top),
        None => workspace::root(),
    }
}

/// The contracts at the commit where the current branch left the main branch.
pub(crate) fn merge_base(root: &Path) -> Result<Folder> {
    for main in ["main", "origin/main", "master", "origin/master"] {
        if let Ok(commit) = git(root, &["merge-base", "HEAD", main]) {
            return Folder::of_commit(&commit, main, root);
        }
    }
    bail!(
        "there is no branch main or master to compare with in {}; name a revision or a folder: {} diff BASE",
        root.display(),
        program::name()
    )
}

/// The files of contracts with changes that are not committed.
pub(crate) fn uncommitted(root: &Path) -> Result<Vec<String>> {
    let status = git(root, &["status", "--porcelain", "--", "schemas", "fixtures"])?;
    Ok(status.lines().map(|line| line.trim().to_owned()).collect())
}

fn commit(name: &str, root: &Path) -> Result<String> {
    is_repository(root)?;
    git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")]).map_err(|_| {
        anyhow::anyhow!("`{name}` is neither a folder nor a revision that git knows in {}", root.display())
    })
}

/// Writes the contracts of a commit into a folder.
fn unpack(commit: &str, root: &Path, to: &Path) -> Result<()> {
    let listed = git(root, &["ls-tree", "--name-only", commit, "schemas", "fixtures"])?;
    let folders: Vec<&str> = listed.lines().collect();
    if folders.is_empty() {
        bail!("it is older than this layout: it has neither schemas/ nor fixtures/");
    }
    let mut archive = Command::new("git");
    archive.current_dir(root).args(["archive", "--format=tar", commit, "--"]).args(folders);
    let mut child = archive.stdout(Stdio::piped()).spawn().context("git cannot be started")?;
    let mut stream = child.stdout.take().context("git writes nothing")?;
    let unpacked = tar::Archive::new(&mut stream).unpack(to).context("what git archives cannot be unpacked");
    // The archive ends before the stream does, and git fails if it cannot write the rest.
    io::copy(&mut stream, &mut io::sink())?;
    let status = child.wait()?;
    unpacked?;
    if !status.success() {
        bail!("git archive ended with {status}");
    }
    Ok(())
}

/// Refuses a folder that is in no repository.
fn is_repository(root: &Path) -> Result<()> {
    if !run(root, &["rev-parse", "--git-dir"])?.status.success() {
        bail!(
            "{} is not in a git repository: name two folders, or two revisions of a contract, as in {} diff CONTRACT@1 CONTRACT@2",
            root.display(),
            program::name()
        );
    }
    Ok(())
}

fn run(root: &Path, words: &[&str]) -> Result<Output> {
    Command::new("git").current_dir(root).args(words).output().context("git cannot be started")
}

/// The output of a git command, trimmed.
fn git(root: &Path, words: &[&str]) -> Result<String> {
    let output = run(root, words)?;
    if !output.status.success() {
        is_repository(root)?;
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("git {} in {}: {}", words.join(" "), root.display(), said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}
