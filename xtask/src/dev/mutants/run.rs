//! Running cargo-mutants over a copy of the workspace.

use super::kept::Found;
use super::mutant::{self, Fate, Mutant};
use crate::shared::workspace;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use walkdir::{DirEntry, WalkDir};

/// The release of cargo-mutants to install. Other releases name mutants differently.
const VERSION: &str = "27.1.0";
/// A run of tests hangs if it takes this many times as long as without a mutant, and at least this many seconds: a slow machine must not
/// count as a caught mutant.
const PATIENCE: (u64, u64) = (10, 60);
/// Folders that are not copied.
const LEFT_OUT: [&str; 3] = [".git", "target", "runs"];

/// cargo-mutants, and a copy of the workspace that it may break.
///
/// The copy and its build are kept between runs, so that a mutant costs one small build: the path of the copy, which is compiled into the
/// tests, stays the same, and unchanged files are not copied again.
pub(super) struct Runner {
    tool: PathBuf,
    tree: PathBuf,
    folder: PathBuf,
    /// Held as long as this value, because two runs would break each other's copy.
    _lock: File,
}

impl Runner {
    /// Installs the tool where it is missing, and copies the workspace.
    pub(super) fn ready() -> Result<Self> {
        let root = workspace::root()?;
        let folder = root.join("target/mutants");
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        let lock = File::create(folder.join("lock")).context("the lock of the copy cannot be made")?;
        lock.try_lock().context("another `cargo xtask dev mutants` is running")?;
        let tree = folder.join("tree");
        copy(&root, &tree).with_context(|| format!("the workspace cannot be copied to {}", tree.display()))?;
        Ok(Self { tool: install(&root)?, tree, folder, _lock: lock })
    }

    /// Mutates a contract: what binds in the suite first, then all of the suite, then the reference's own tests, each on what the one
    /// before let through.
    ///
    /// `only` is a regular expression for the names of the mutants.
    pub(super) fn contract(&self, contract: &str, only: Option<&str>) -> Result<Found> {
        let mut only: Vec<String> = only.into_iter().map(str::to_owned).collect();
        let mut rounds = Vec::new();
        for tests in [Tests::binding(contract), Tests::suite(contract), Tests::own(contract)] {
            let mutants = self.mutate(contract, &tests, &only)?;
            let let_through = mutants.iter().filter(|mutant| mutant.fate == Fate::Survived);
            only = let_through.map(|mutant| exactly(&mutant.full_name)).collect();
            rounds.push(mutants);
            if only.is_empty() {
                break;
            }
        }
        Ok(Found::new(&rounds))
    }

    /// Runs tests on every mutant of a contract, or on those whose name matches one of `only`; what became of each.
    fn mutate(&self, contract: &str, tests: &Tests, only: &[String]) -> Result<Vec<Mutant>> {
        eprintln!("{contract}: {}", tests.about);
        let patience = (self.pass(tests)?.as_secs() * PATIENCE.0).max(PATIENCE.1).to_string();
        let out = self.folder.join(contract).join(tests.name);
        fs::create_dir_all(&out).with_context(|| format!("{} cannot be made", out.display()))?;
        let mut command = self.command(&self.tool, tests);
        command.args(["mutants", "--in-place", "--no-config", "--no-shuffle", "--baseline", "skip", "--caught"]);
        command.args(["--timeout", &patience, "--file", &format!("reference/src/{contract}/**"), "--output"]).arg(&out);
        command.args(only.iter().flat_map(|name| ["--re", name]));
        command.args(["--test-package", tests.package]);
        command.args(tests.targets.iter().map(|target| format!("--cargo-arg={target}")));
        command.args(["--", "--"]).args(&tests.words);
        let status = command.status().context("cargo-mutants cannot be started")?;
        // 2: some survived; 3: some did not end.
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            bail!("cargo-mutants ended with {status}");
        }
        let outcomes = out.join("mutants.out/outcomes.json");
        let text = fs::read_to_string(&outcomes).with_context(|| format!("{} cannot be read", outcomes.display()))?;
        mutant::read(&text)
    }

    /// Runs tests on what is not mutated: they must pass, and they must run at all. How long they take.
    fn pass(&self, tests: &Tests) -> Result<Duration> {
        let mut took = Duration::ZERO;
        for built in [false, true] {
            let mut command = self.command(&cargo(), tests);
            command.args(["test", "--quiet", "--package", tests.package]).args(&tests.targets);
            match built {
                true => command.arg("--").args(&tests.words),
                false => command.arg("--no-run"),
            };
            let started = Instant::now();
            let output = command.output().context("cargo cannot be started")?;
            if !output.status.success() {
                let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                bail!("the tests fail on what is not mutated:\n{out}{err}");
            }
            took = started.elapsed();
        }
        Ok(took)
    }

    /// A program in the copy, which builds beside it, and runs tests.
    fn command(&self, program: &Path, tests: &Tests) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.tree).env("CARGO_TARGET_DIR", self.folder.join("build"));
        // Each mutant is a small change, so the build is incremental; debug information is not needed.
        command.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_DEV_DEBUG", "false");
        // A case that fails is enough, and others may hang.
        command.env("FIRST_FAILURE_ENDS", "1");
        if tests.only_what_binds {
            command.env("ONLY_WHAT_BINDS", "1");
        }
        command
    }
}

/// The tests that run on a mutant.
struct Tests {
    /// What their folder is called.
    name: &'static str,
    about: &'static str,
    /// Whether advice fails none of them.
    only_what_binds: bool,
    package: &'static str,
    targets: Vec<String>,
    words: Vec<String>,
}

impl Tests {
    /// The same as `suite`, without advice.
    fn binding(contract: &str) -> Self {
        let about = "every mutant, judged by what binds in the suite";
        Self { name: "binding", about, only_what_binds: true, ..Self::suite(contract) }
    }

    /// The cases of a contract, judged. Their counterexamples would notice changed answers without the judge.
    fn suite(contract: &str) -> Self {
        Self {
            name: "suite",
            about: "what breaks nothing that binds, judged by all of the suite",
            only_what_binds: false,
            // Nothing of it carries the reference, so that it is not built again for every mutant.
            package: "conformance",
            targets: vec!["--test=cases".to_owned()],
            words: vec![format!("{contract}::"), "--skip".to_owned(), "::counterexamples".to_owned()],
        }
    }

    /// The reference's own tests of a contract.
    fn own(contract: &str) -> Self {
        Self {
            name: "reference",
            about: "what the suite let through, held against the reference's own tests",
            only_what_binds: false,
            package: "reference",
            targets: vec!["--lib".to_owned(), format!("--test={contract}")],
            words: Vec::new(),
        }
    }
}

/// A regular expression that matches exactly this name.
fn exactly(name: &str) -> String {
    format!("^{}$", regex::escape(name))
}

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// Installs cargo-mutants if necessary; returns the program.
fn install(root: &Path) -> Result<PathBuf> {
    let tools = root.join("target/tools");
    let tool = tools.join(format!("bin/cargo-mutants{}", std::env::consts::EXE_SUFFIX));
    let said = Command::new(&tool).args(["mutants", "--version"]).output();
    if said.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).trim() == format!("cargo-mutants {VERSION}")) {
        return Ok(tool);
    }
    eprintln!("installing cargo-mutants {VERSION} into {}", tools.display());
    let build = tools.join("build");
    let mut install = Command::new(cargo());
    install.args(["install", "cargo-mutants", "--version", VERSION, "--locked", "--quiet", "--root"]).arg(&tools);
    let status = install.env("CARGO_TARGET_DIR", &build).status().context("cargo cannot be started")?;
    if !status.success() {
        bail!("cargo-mutants {VERSION} cannot be installed: {status}");
    }
    fs::remove_dir_all(&build).with_context(|| format!("{} cannot be removed", build.display()))?;
    Ok(tool)
}

/// Updates the copy. A file that did not change is not touched, so nothing is built again for it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let belongs = |entry: &DirEntry| entry.depth() != 1 || !LEFT_OUT.iter().any(|name| entry.file_name() == *name);
    for entry in WalkDir::new(from).into_iter().filter_entry(belongs) {
        let entry = entry?;
        let copied = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&copied)?;
        } else if fs::read(&copied).ok() != Some(fs::read(entry.path())?) {
            fs::copy(entry.path(), &copied)?;
        }
    }
    for entry in WalkDir::new(to).contents_first(true) {
        let entry = entry?;
        if !from.join(entry.path().strip_prefix(to)?).exists() {
            if entry.file_type().is_dir() { fs::remove_dir(entry.path())? } else { fs::remove_file(entry.path())? }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::copy;
    use std::fs;

    #[test]
    fn a_copy_holds_what_the_workspace_holds_and_nothing_else() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (name, text) in [("src/a.rs", "a"), ("src/target/b", "b"), ("target/c", "c"), (".git/d", "d")] {
            let file = from.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        fs::create_dir_all(to.path().join("old")).unwrap();
        fs::write(to.path().join("old/e"), "e").unwrap();
        copy(from.path(), to.path()).unwrap();
        let read = |name: &str| fs::read_to_string(to.path().join(name)).ok();
        assert_eq!(read("src/a.rs").as_deref(), Some("a"));
        assert_eq!(read("src/target/b").as_deref(), Some("b"));
        assert!(
            !to.path().join("old").exists() && !to.path().join("target").exists() && !to.path().join(".git").exists()
        );

        // What cargo-mutants left changed when it was interrupted is put right; the same text is not written again.
        let untouched = fs::metadata(to.path().join("src/target/b")).unwrap().modified().unwrap();
        fs::write(to.path().join("src/a.rs"), "mutated").unwrap();
        copy(from.path(), to.path()).unwrap();
        assert_eq!(read("src/a.rs").as_deref(), Some("a"));
        assert_eq!(fs::metadata(to.path().join("src/target/b")).unwrap().modified().unwrap(), untouched);
    }
}
