//! A job of GitHub that uses the action: its steps in order, each with the environment, the conditions and the files that a runner
//! gives it.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use testing::{Said, root, said};

/// The action as data.
pub(crate) fn action() -> Value {
    serde_saphyr::from_str(&fs::read_to_string(root().join("action.yml")).unwrap()).unwrap()
}

/// Installs what was built, says how often, and knows no other way to be called.
const CARGO: &str = r#"#!/bin/sh
[ "$*" = "install --quiet --locked --force --path xtask --root built" ] || exit 101
mkdir -p built/bin
ln -sf "${0%/*}/built" built/bin/retrieval-contracts
echo installed >>"${0%/*}/log"
"#;

/// What a job leaves behind.
pub(crate) struct Job {
    pub(crate) folder: TempDir,
    /// What the step that judges said.
    pub(crate) last: Said,
    /// What the step after it said, which comments.
    pub(crate) commented: Option<Said>,
    /// The outputs of the step that judges.
    pub(crate) outputs: BTreeMap<String, String>,
    /// What tells the cache of what the program is built.
    pub(crate) source: String,
    /// The summary of the job.
    pub(crate) summary: String,
}

impl Job {
    /// How often the program was built.
    pub(crate) fn built(&self) -> usize {
        fs::read_to_string(self.folder.path().join("programs/log")).unwrap_or_default().lines().count()
    }

    /// A report.
    pub(crate) fn report(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join("caller/conformance-report").join(name)).unwrap()
    }
}

/// What a job is given besides its inputs.
#[derive(Default)]
pub(crate) struct Around<'a> {
    /// Done to the folder of the action before the first step.
    pub(crate) prepare: Option<&'a dyn Fn(&Path)>,
    /// Values of expressions, such as `github.server_url`.
    pub(crate) known: Vec<(&'a str, String)>,
    /// The environment that the runner gives to every step.
    pub(crate) environment: Vec<(&'a str, String)>,
    /// The folder of the caller, when it is there already.
    pub(crate) caller: Option<PathBuf>,
}

/// Runs the action in a folder of the caller's, with these inputs.
pub(crate) fn job(inputs: &[(&str, &str)]) -> Job {
    job_in(inputs, &Around::default())
}

/// The same, after something was done to the folder of the action.
pub(crate) fn job_after(inputs: &[(&str, &str)], prepare: impl Fn(&Path)) -> Job {
    job_in(inputs, &Around { prepare: Some(&prepare), ..Around::default() })
}

/// The same, in other circumstances.
pub(crate) fn job_in(inputs: &[(&str, &str)], around: &Around<'_>) -> Job {
    let mut runner = Runner::new(around);
    let root = prepared(runner.folder.path());
    if let Some(prepare) = around.prepare {
        prepare(&root);
    }
    let before =
        known(&root, inputs).into_iter().filter(|(name, _)| !runner.known.contains_key(name)).collect::<Vec<_>>();
    runner.known.extend(before);
    let caller = match &around.caller {
        Some(caller) => caller.clone(),
        None => runner.folder.path().join("caller"),
    };
    fs::create_dir_all(&caller).unwrap();
    for step in action()["runs"]["steps"].as_array().unwrap() {
        assert!(step["run"].is_null() || step["shell"] == "bash");
        runner.step(step, &caller);
    }
    let prefix = "steps.verify.outputs.";
    let outputs = runner.known.iter().filter_map(|(name, value)| Some((name.strip_prefix(prefix)?, value)));
    Job {
        outputs: outputs.map(|(name, value)| (name.to_owned(), value.clone())).collect(),
        commented: runner.said.remove(""),
        last: ["verify", "build", "release", "key"].iter().find_map(|id| runner.said.remove(*id)).unwrap(),
        source: runner.known["steps.key.outputs.source"].clone(),
        summary: runner.summary(),
        folder: runner.folder,
    }
}

/// What a runner of GitHub knows while it goes through the steps of a job.
pub(crate) struct Runner {
    pub(crate) folder: TempDir,
    /// The values of expressions.
    pub(crate) known: BTreeMap<String, String>,
    environment: Vec<(String, String)>,
    path: String,
    has_failed: bool,
    /// What the steps said, by their ids.
    pub(crate) said: BTreeMap<String, Said>,
}

impl Runner {
    pub(crate) fn new(around: &Around<'_>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = programs(folder.path());
        let owned =
            |pairs: &[(&str, String)]| pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let environment: Vec<(String, String)> = owned(&around.environment);
        let known: Vec<(String, String)> = owned(&around.known);
        let known = known.into_iter().collect();
        Self { folder, known, environment, path, has_failed: false, said: BTreeMap::new() }
    }

    /// Whether a step is due: the conditions of GitHub, as far as our files use them.
    pub(crate) fn is_due(&self, step: &Value) -> bool {
        let condition = step["if"].as_str().unwrap_or("success()");
        (!self.has_failed || condition.contains("always()")) && holds(condition, &self.known)
    }

    /// Runs the script of a step, if it has one and is due.
    pub(crate) fn step(&mut self, step: &Value, cwd: &Path) {
        let Some(script) = step["run"].as_str().filter(|_| self.is_due(step)) else { return };
        let at = |name: &str| self.folder.path().join(name);
        let (file, output, path) = (at("step.sh"), at("output"), at("path"));
        fs::write(&file, script).unwrap();
        fs::write(&output, "").unwrap();
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&file).current_dir(cwd);
        bash.env("GITHUB_OUTPUT", &output).env("GITHUB_PATH", &path).env("GITHUB_STEP_SUMMARY", at("summary"));
        bash.env("PATH", &self.path)
            .env("NO_COLOR", "1")
            .env_remove("GITHUB_TOKEN")
            .envs(self.environment.iter().cloned());
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            bash.env(name, filled(value.as_str().unwrap(), &self.known));
        }
        let said = said(&mut bash);
        self.has_failed |= said.code != Some(0);
        let id = step["id"].as_str().unwrap_or_default().to_owned();
        let lines = fs::read_to_string(&output).unwrap();
        for (name, value) in lines.lines().map(|line| line.split_once('=').unwrap()) {
            self.known.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
        }
        for folder in fs::read_to_string(&path).unwrap_or_default().lines() {
            self.path = format!("{folder}:{}", self.path);
        }
        self.known
            .insert(format!("steps.{id}.outcome"), if said.code == Some(0) { "success" } else { "failure" }.to_owned());
        self.said.insert(id, said);
    }

    /// Notes how a step ended that is no script.
    pub(crate) fn note(&mut self, code: Option<i32>) {
        self.has_failed |= code != Some(0);
    }

    /// The summary of the job.
    pub(crate) fn summary(&self) -> String {
        fs::read_to_string(self.folder.path().join("summary")).unwrap_or_default()
    }

    /// Adds a program to the search path.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let program = self.folder.path().join("programs").join(name);
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        said(Command::new("chmod").arg("+x").arg(program));
    }
}

/// The search path of a machine on which the program is built already: cargo puts it where it is told to.
fn programs(folder: &Path) -> String {
    let programs = folder.join("programs");
    fs::create_dir(&programs).unwrap();
    symlink(env!("CARGO_BIN_EXE_xtask"), programs.join("built")).unwrap();
    fs::write(programs.join("cargo"), CARGO).unwrap();
    said(Command::new("chmod").arg("+x").arg(programs.join("cargo")));
    format!("{}:{}", programs.display(), std::env::var("PATH").unwrap())
}

/// The folder of the action, with what its steps need of the repository.
fn prepared(folder: &Path) -> PathBuf {
    let action = folder.join("action");
    for folder in ["xtask", ".ci"] {
        fs::create_dir_all(action.join(folder)).unwrap();
    }
    for file in ["Cargo.toml", "install.sh", ".ci/fingerprint"] {
        fs::copy(root().join(file), action.join(file)).unwrap();
    }
    fs::write(action.join("Cargo.lock"), "").unwrap();
    action
}

/// The values of expressions before the first step.
fn known(root: &Path, inputs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let mut known = BTreeMap::from(
        [
            ("github.action_path", root.to_str().unwrap()),
            // Nothing listens there, so there is no release.
            ("github.server_url", "http://127.0.0.1:9"),
            ("github.action_repository", "o/r"),
            ("github.token", "the-token-of-the-job"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    for (name, input) in action()["inputs"].as_object().unwrap() {
        let default = filled(input["default"].as_str().unwrap(), &known);
        known.insert(format!("inputs.{name}"), default);
    }
    for (name, value) in inputs {
        known.insert(format!("inputs.{name}"), (*value).to_owned()).unwrap();
    }
    known
}

/// A text with its expressions put in. An output that no step gave is empty.
pub(crate) fn filled(text: &str, known: &BTreeMap<String, String>) -> String {
    let Some((before, rest)) = text.split_once("${{ ") else { return text.to_owned() };
    let (expression, after) = rest.split_once(" }}").unwrap();
    format!("{before}{}{}", value(expression, known), filled(after, known))
}

fn value(expression: &str, known: &BTreeMap<String, String>) -> String {
    match known.get(expression) {
        Some(value) => value.clone(),
        None if expression.starts_with("steps.") => String::new(),
        None => panic!("nothing says what {expression} is"),
    }
}

/// Whether a condition holds: comparisons with texts, joined by `&&`.
fn holds(condition: &str, known: &BTreeMap<String, String>) -> bool {
    condition.split(" && ").all(|part| {
        if ["always()", "success()"].contains(&part) {
            return true;
        }
        let (left, is_equal, right) = match part.split_once(" == ") {
            Some((left, right)) => (left, true, right),
            None => part.split_once(" != ").map(|(left, right)| (left, false, right)).unwrap(),
        };
        (value(left, known) == right.trim_matches('\'')) == is_equal
    })
}
