//! Targets: the file that describes one, and making it ready to be called.

use crate::collect::Redactor;
use crate::load::Suite;
use crate::model::TransportKind;
use crate::suggest;
use crate::transport::{Cli, Limits, Transport, TransportError};
use chrono::NaiveDate;
use regex::{Captures, Regex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// A target file: what is tested, how it is reached, and what is known to be wrong with it.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TargetFile {
    /// What reports call it.
    pub name: String,
    /// Its endpoints.
    #[serde(default, rename = "endpoint")]
    pub endpoints: Vec<EndpointFile>,
    /// Failures that are known, each with a reason.
    #[serde(default, rename = "known-failure")]
    pub known_failures: Vec<KnownFailure>,
    /// Requirements that it does not claim to support, each with a reason.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
    /// Additions to the environment of everything that is started. `${NAME}` is taken from our own.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// How long one call may take, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// How many cases run at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
}

/// One contract at one transport of a target.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EndpointFile {
    /// The contract.
    pub contract: String,
    /// A command line: the program and its leading arguments.
    pub cli: Vec<String>,
}

/// A failure that is known.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownFailure {
    /// The requirement that is violated.
    pub requirement: String,
    /// The case in which it is; any when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The transport over which it is; any when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<TransportKind>,
    /// What was observed, or where it is tracked.
    pub reason: String,
    /// The day after which it is no longer excused.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "day")]
    #[schemars(with = "Option<String>")]
    pub until: Option<NaiveDate>,
}

/// A requirement that a target does not claim to support.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unsupported {
    /// The requirement.
    pub requirement: String,
    /// Why.
    pub reason: String,
}

/// A target that can be called.
pub struct Target {
    /// What reports call it.
    pub name: String,
    /// Its endpoints.
    pub endpoints: Vec<Endpoint>,
    /// What is known to be wrong with it.
    pub known_failures: Vec<KnownFailure>,
    /// What it does not claim to support.
    pub unsupported: Vec<Unsupported>,
    /// How many cases run at once.
    pub jobs: usize,
    /// Takes secrets out of evidence.
    pub redactor: Redactor,
}

/// One contract at one transport, ready to be called.
pub struct Endpoint {
    /// The contract.
    pub contract: String,
    /// The way to reach it.
    pub transport: Box<dyn Transport>,
}

/// Why a target cannot be tested.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The file cannot be read or says something that makes no sense.
    #[error("the target file {file}: {message}")]
    File {
        /// The file.
        file: String,
        /// What is wrong, with its place.
        message: String,
    },
    /// The target is not there.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

impl TargetFile {
    /// Reads a target file.
    ///
    /// # Errors
    /// When it cannot be read, has unknown keys, or names contracts and requirements that do not exist.
    pub fn read(path: &Path, suite: &Suite) -> Result<Self, TargetError> {
        let wrong = |message: String| TargetError::File { file: path.display().to_string(), message };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let file: Self = toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        match file.problems(suite) {
            problems if problems.is_empty() => Ok(file),
            problems => Err(wrong(problems.join("\n  "))),
        }
    }

    /// Every name in it that leads nowhere.
    fn problems(&self, suite: &Suite) -> Vec<String> {
        let contracts = suite.contracts.iter().map(|contract| contract.contract.name.as_str());
        let mut problems: Vec<String> = self
            .endpoints
            .iter()
            .filter(|endpoint| suite.contract(&endpoint.contract).is_none())
            .map(|endpoint| {
                let hint = suggest::hint(&endpoint.contract, contracts.clone());
                format!("unknown contract `{}`{hint}", endpoint.contract)
            })
            .collect();
        let known = self.known_failures.iter().map(|known| &known.requirement);
        for id in known.chain(self.unsupported.iter().map(|unsupported| &unsupported.requirement)) {
            if suite.requirement(id).is_none() {
                let ids = suite.requirements().map(|requirement| requirement.id.as_str());
                problems.push(format!("unknown requirement `{id}`{}", suggest::hint(id, ids)));
            }
        }
        let cases = suite.contracts.iter().flat_map(|contract| &contract.cases).map(|case| case.name.as_str());
        for case in self.known_failures.iter().filter_map(|known| known.case.as_deref()) {
            if !cases.clone().any(|name| name == case) {
                problems.push(format!("unknown case `{case}`{}", suggest::hint(case, cases.clone())));
            }
        }
        if self.endpoints.is_empty() {
            problems.push("names no [[endpoint]]".to_owned());
        }
        problems
    }

    /// Makes the target ready. `places` are texts to put in for `{name}`, such as the path of the reference.
    ///
    /// # Errors
    /// When a variable of the environment is not set, or a program is not there.
    pub fn ready(
        &self,
        places: &BTreeMap<String, String>,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Target, TargetError> {
        let mut filler = Filler { places, environment, secrets: Vec::new(), missing: Vec::new() };
        let env = self.env.iter().map(|(name, value)| (name.clone(), filler.fill(value))).collect::<BTreeMap<_, _>>();
        let limits =
            Limits { time: self.timeout.map_or(Limits::default().time, Duration::from_secs), ..Limits::default() };
        let commands: Vec<Vec<String>> =
            self.endpoints.iter().map(|endpoint| endpoint.cli.iter().map(|part| filler.fill(part)).collect()).collect();
        if !filler.missing.is_empty() {
            let message = format!("the environment has no {}; set it, or leave it out", filler.missing.join(", "));
            return Err(TargetError::File { file: self.name.clone(), message });
        }
        let mut endpoints = Vec::new();
        for (endpoint, command) in self.endpoints.iter().zip(commands) {
            let transport = Cli::new(&command, env.clone(), limits)?;
            endpoints.push(Endpoint { contract: endpoint.contract.clone(), transport: Box::new(transport) });
        }
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Target {
            name: self.name.clone(),
            endpoints,
            known_failures: self.known_failures.clone(),
            unsupported: self.unsupported.clone(),
            jobs: self.jobs.unwrap_or(processors).max(1),
            redactor: Redactor::new(filler.secrets),
        })
    }
}

/// Puts values in for `${NAME}` (from the environment, secret) and `{name}` (from us).
struct Filler<'f> {
    places: &'f BTreeMap<String, String>,
    environment: &'f dyn Fn(&str) -> Option<String>,
    secrets: Vec<String>,
    missing: Vec<String>,
}

impl Filler<'_> {
    fn fill(&mut self, text: &str) -> String {
        let Ok(place) = Regex::new(r"\$\{(\w+)\}|\{(\w+)\}") else {
            return text.to_owned();
        };
        place
            .replace_all(text, |found: &Captures<'_>| match (found.get(1), found.get(2)) {
                (Some(variable), _) => self.variable(variable.as_str()),
                (_, Some(name)) => self.places.get(name.as_str()).cloned().unwrap_or_else(|| found[0].to_owned()),
                _ => found[0].to_owned(),
            })
            .into_owned()
    }

    fn variable(&mut self, name: &str) -> String {
        match (self.environment)(name) {
            Some(value) => {
                self.secrets.push(value.clone());
                value
            }
            None => {
                self.missing.push(name.to_owned());
                String::new()
            }
        }
    }
}

/// A TOML date, `2027-03-01`.
mod day {
    use chrono::NaiveDate;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<NaiveDate>, D::Error> {
        let written = toml::value::Datetime::deserialize(from)?.to_string();
        NaiveDate::parse_from_str(&written, "%Y-%m-%d")
            .map(Some)
            .map_err(|_| D::Error::custom(format!("`{written}` is no day, as in 2027-03-01")))
    }

    pub(super) fn serialize<S: Serializer>(day: &Option<NaiveDate>, to: S) -> Result<S::Ok, S::Error> {
        day.map(|day| day.to_string()).serialize(to)
    }
}
