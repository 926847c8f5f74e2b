//! The files that are written, with comments for their next reader. Pure.

use super::arguments::{Ci, TARGET};
use crate::shared::program;
use conformance::ledger::RunLog;
use conformance::load::Suite;
use conformance::model::{Channel, KnownBy, Outcome, Speaks};
use conformance::targets::{Address, EndpointFile, TargetFile};
use conformance::text::inert;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A placeholder for the suite's repository, when it was not given.
const PLACEHOLDER: &str = "OWNER/REPOSITORY";

/// The target file. `speaks` is what an endpoint was found to speak, where its contract has several revisions.
pub(super) fn target<'s>(
    target: &TargetFile,
    suite: &Suite,
    speaks: impl Fn(&EndpointFile) -> Option<&'s Speaks>,
) -> String {
    let mut lines = vec![
        format!(
            "# What is tested, how it is reached, and what is known to be wrong. `{} verify --target {TARGET}`",
            program::name()
        ),
        "# runs it.".to_owned(),
        String::new(),
        "# What reports call it.".to_owned(),
        format!("name = {}", quoted(&target.name)),
    ];
    let is_server = target.endpoints.iter().any(|one| one.address.url().is_some());
    if is_server {
        lines.push(String::new());
        lines.push("# What starts it, and is ended afterwards with all its children. {port} is a free port, here and in the addresses.".to_owned());
        lines.push(match &target.start {
            Some(words) => format!("start = {}", list(words)),
            None => r#"# start = ["node", "dist/index.js", "--port", "{port}"]"#.to_owned(),
        });
    }
    if target.endpoints.iter().any(|one| !one.address.kind().brings_corpus()) {
        lines.push(String::new());
        lines.push("# A server that holds the corpus is asked everything, any other what live data can answer. {corpus} is the folder".to_owned());
        lines.push("# with the corpora.".to_owned());
        lines.push(match (&target.seed, target.corpus.is_some()) {
            (Some(words), _) => format!("seed = {}", list(words)),
            (None, true) => r#"corpus = "loaded""#.to_owned(),
            (None, false) => {
                let corpus = target.endpoints.first().map_or("CONTRACT", |endpoint| endpoint.contract.name());
                format!(
                    "# seed = [\"python3\", \"seed.py\", \"{{corpus}}/{corpus}/corpus\"]     # or: corpus = \"loaded\""
                )
            }
        });
    }
    if let Some(file) = &target.ca_cert {
        lines.extend([String::new(), "# Certificates to trust besides those of the system.".to_owned()]);
        lines.push(format!("ca-cert = {}", quoted(&file.display().to_string())));
    }
    if !target.secret.is_empty() {
        lines.extend([String::new(), "# Variables whose values are shown nowhere.".to_owned()]);
        lines.push(format!("secret = {}", list(&target.secret)));
    }
    for endpoint in &target.endpoints {
        lines.push(String::new());
        lines.extend(one(endpoint, suite, speaks(endpoint)));
    }
    lines.join("\n") + "\n"
}

fn one(endpoint: &EndpointFile, suite: &Suite, speaks: Option<&Speaks>) -> Vec<String> {
    let mut lines = Vec::new();
    let contract = suite.keyed(&endpoint.contract);
    lines.extend(contract.map(|one| format!("# {}: {}", one.contract.title, one.contract.document)));
    lines.extend(["[[endpoint]]".to_owned(), format!("contract = {}", quoted(endpoint.contract.name()))]);
    lines.extend(speaks.map(|speaks| revision(speaks, suite)));
    lines.push(match &endpoint.address {
        Address::Cli(words) => format!("cli = {}", list(words)),
        Address::Http(url) => format!("http = {}", quoted(url)),
        Address::McpHttp(url) => format!("mcp = {{ url = {} }}", quoted(url)),
        Address::McpStdio(words) => format!("mcp = {{ command = {} }}", list(words)),
    });
    if endpoint.address.url().is_some() {
        let pairs: Vec<String> =
            endpoint.headers.iter().map(|(name, value)| format!("{} = {}", quoted(name), quoted(value))).collect();
        lines.push(match pairs.is_empty() {
            true => "# headers = { Authorization = \"Bearer ${TOKEN}\" }     # ${TOKEN} comes from the environment"
                .to_owned(),
            false => format!("headers = {{ {} }}", pairs.join(", ")),
        });
    }
    let operations = contract.into_iter().flat_map(|one| one.contract.operations.values());
    let given: BTreeSet<&String> = operations.flat_map(|operation| &operation.given).collect();
    for name in given {
        lines.push(format!(
            "# arguments = {{ {name} = \"one of yours\" }}     # without the corpus, cases that need one are skipped"
        ));
    }
    lines
}

/// The line of the revision that an endpoint speaks: a pin where it was recognised, else what can be pinned.
fn revision(speaks: &Speaks, suite: &Suite) -> String {
    let key = &speaks.place.contract;
    if speaks.by == KnownBy::Recognised {
        let shown = inert::line(&speaks.signs.join(", "));
        return format!("revision = {}     # {}: {shown}", key.revision(), speaks.name);
    }
    let all = suite.revisions(key.name()).iter().filter(|one| one.unsupported.is_none());
    let all: Vec<String> = all.map(|one| format!("{} is {}", one.revision, one.name)).collect();
    let known = match speaks.by {
        KnownBy::Undecided => "what it shows belongs to none of them",
        _ => "nothing shows which, so the first is assumed",
    };
    format!("# revision = {}     # {}; {known}", key.revision(), all.join(", "))
}

/// The path of the CI file.
pub(super) fn ci_path(ci: Ci) -> Option<PathBuf> {
    match ci {
        Ci::Github => Some(PathBuf::from(".github/workflows/conformance.yml")),
        // An existing file is not overwritten: it can include ours.
        Ci::Gitlab if PathBuf::from(".gitlab-ci.yml").exists() => Some(PathBuf::from("conformance.gitlab-ci.yml")),
        Ci::Gitlab => Some(PathBuf::from(".gitlab-ci.yml")),
        Ci::None => None,
    }
}

/// The content of the CI file.
pub(super) fn ci(ci: Ci, suite: Option<&str>, target: &TargetFile) -> String {
    let before = match needs_a_step(target) {
        true => {
            "      # What builds and starts what is tested goes here, unless `start` in conformance.toml starts it.\n      # - run: make\n"
        }
        false => "      # What builds what is tested goes here.\n      # - run: make\n",
    };
    match ci {
        Ci::Github => format!(
            "name: conformance\non: [push, pull_request]\npermissions:\n  contents: read\njobs:\n  conformance:\n    \
             runs-on: ubuntu-latest\n    timeout-minutes: 30\n    steps:\n      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1\n{before}      \
             - run: rustup toolchain install stable --profile minimal && rustup default stable\n{}      \
             # The reports hold what the target answered; where that is somebody's own, leave this out.\n      \
             - if: always()\n        uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0\n        with:\n          name: conformance\n          \
             path: conformance-report/\n",
            github(suite)
        ),
        Ci::Gitlab => format!(
            "conformance:\n  image: rust:bookworm\n  variables:\n    CONTRACTS: {}\n    \
             RETRIEVAL_CONTRACTS_CACHE: $CI_PROJECT_DIR/.contracts/data\n  script:\n{}    \
             - cargo install --quiet --locked --git \"$CONTRACTS\" --root .contracts retrieval-contracts\n    \
             - .contracts/bin/retrieval-contracts verify --target {TARGET} --junit junit.xml --html report.html\n  cache:\n    \
             key: retrieval-contracts\n    paths: [.contracts/]\n  artifacts:\n    when: always\n    paths: [report.html]\n    \
             reports:\n      junit: junit.xml\n",
            suite.unwrap_or("https://HOST/OWNER/REPOSITORY"),
            before.replace("      ", "    ").replace("- run: make", "- make"),
        ),
        Ci::None => String::new(),
    }
}

/// The judging steps of a workflow: the action if the suite is on GitHub, else the program.
fn github(suite: Option<&str>) -> String {
    let on_github = suite.map_or(Some(PLACEHOLDER), |suite| suite.strip_prefix("https://github.com/"));
    if let Some(repository) = on_github {
        let repository = repository.trim_end_matches('/').trim_end_matches(".git");
        return format!("      - uses: {repository}@main\n        with:\n          target: {TARGET}\n");
    }
    format!(
        "      - uses: actions/cache@27d5ce7f107fe9357f9df03efb73ab90386fccae # v5.0.5\n        with:\n          path: ~/contracts\n          \
         key: retrieval-contracts-${{{{ runner.os }}}}-${{{{ github.run_id }}}}\n          \
         restore-keys: retrieval-contracts-${{{{ runner.os }}}}-\n      \
         - run: cargo install --quiet --locked --git {} --root ~/contracts retrieval-contracts\n      \
         - run: |\n          mkdir -p conformance-report\n          ~/contracts/bin/retrieval-contracts verify --target {TARGET} \\\n            \
         --html conformance-report/report.html --junit conformance-report/junit.xml\n",
        suite.unwrap_or_default()
    )
}

/// Whether the target needs a CI step that starts it, because conformance.toml does not.
fn needs_a_step(target: &TargetFile) -> bool {
    target.start.is_none() && target.endpoints.iter().any(|endpoint| endpoint.address.url().is_some())
}

/// What remains to be done by hand.
pub(super) fn remarks(ci: Ci, path: &std::path::Path, has_suite: bool, target: &TargetFile) -> Vec<String> {
    let mut remarks = Vec::new();
    if !has_suite {
        remarks.push(format!(
            "Put the address of the suite's repository in the place of {PLACEHOLDER} in {}.",
            path.display()
        ));
    }
    if needs_a_step(target) {
        remarks
            .push(format!("In CI nothing runs yet at that address: give {TARGET} a `start`, or the CI file a step."));
    }
    if ci == Ci::Gitlab && !path.ends_with(".gitlab-ci.yml") {
        remarks.push(format!("Add to .gitlab-ci.yml: include: {{ local: {} }}", path.display()));
    }
    remarks
}

/// The violated requirements of a run, each with its transport and era, or with none if it is violated at all of them.
pub(super) fn failures(log: &RunLog) -> Vec<(String, Option<Channel>)> {
    let mut over: BTreeMap<&str, BTreeSet<Channel>> = BTreeMap::new();
    for row in log.ledger.rows.iter().filter(|row| row.outcome == Outcome::Violated) {
        over.entry(&row.requirement.id).or_default().insert(row.transport);
    }
    let mut failures = Vec::new();
    for (id, violated) in over {
        let is_judged = |outcome| !matches!(outcome, Outcome::NotExercised | Outcome::Violated);
        let holds = log.ledger.rows.iter().any(|row| row.requirement.id == id && is_judged(row.outcome));
        match holds {
            true => failures.extend(violated.into_iter().map(|channel| (id.to_owned(), Some(channel)))),
            false => failures.push((id.to_owned(), None)),
        }
    }
    failures
}

/// Known failures as a target file has them.
pub(super) fn known_failures(log: &RunLog, failures: &[(String, Option<Channel>)], reason: &str) -> String {
    let mut text = format!(
        "\n# What the run of {} found. Each needs a reason, and goes when it is mended; `until = 2027-03-01` sets it a time.\n",
        log.header.started.date_naive()
    );
    for (id, channel) in failures {
        let sentence = log.requirements.first(id).map_or("", |requirement| requirement.text.as_str());
        text += &format!("\n# {}\n[[known-failure]]\nrequirement = {}\n", inert::line(sentence), quoted(id));
        if let Some(channel) = channel {
            text += &format!("transport = {}\n", quoted(&channel.kind().to_string()));
            if let Some(era) = channel.era() {
                text += &format!("era = {}\n", quoted(&era.to_string()));
            }
        }
        text += &format!("reason = {}\n", quoted(reason));
    }
    text
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A TOML string. TOML escapes like JSON, and one more character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}
