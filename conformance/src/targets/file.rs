//! The shapes of a target file, and reading one.

use super::known;
use super::{Address, EndpointFile, TargetError};
use crate::files;
use crate::load::{ContractSuite, Suite};
use crate::model::{ContractKey, Eras, KnownFailure, KnownFile, Protocol, Rate, Unsupported};
use crate::redact::without_secrets;
use crate::text::suggest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    /// The folder with the contracts of the user's own that its endpoints speak, relative to the target file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// The target file of a program whose answers are declared sound, relative to this one: `verify --prove` proves contracts of the
    /// user's own by them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<PathBuf>,
    /// A server to start before the run and to stop after it. `{port}` is a free port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<String>>,
    /// A command that stops the server. A `start` that launches a server elsewhere and ends needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Vec<String>>,
    /// The address that answers 2xx once the server is ready. Without it, each endpoint has to answer anything but 502 and 503.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<String>,
    /// How long the server may take until it is ready, and the seed until it is done, in seconds; 60 when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_timeout: Option<u64>,
    /// A command that puts the corpus into the server. `{corpus}` is the folder of corpora, by contract; so is `$CORPUS`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Vec<String>>,
    /// How long a corpus is waited for that is not all there, in seconds: an index may need a while. 30 after a `seed`, or else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<u64>,
    /// That the server holds the corpus already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<CorpusState>,
    /// The folder to start everything in, relative to the target file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
    /// A file of certificates to trust besides those of the system, in PEM, relative to the target file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_cert: Option<PathBuf>,
    /// Take any certificate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub insecure: bool,
    /// Additions to the environment of everything that is started. `${NAME}` is taken from our own.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Variables of the environment that are secret, besides those in headers and arguments whose names say so: their values are
    /// taken out of everything that is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secret: Vec<String>,
    /// How often a server is asked over HTTP at most, all endpoints together, as in `5/s`, `100/m` or `1000/h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// How long one call may take, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// How often a request is sent again that nobody took, or whose connection broke before any answer; each is reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u32>,
    /// The share of the binding requirements that has to be exercised at each endpoint, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require_exercised: Option<u8>,
    /// How many cases run at once, and how many requests are under way at its servers at most: 8 when left out and every endpoint is
    /// at an address that the suite does not start, else as many as there are processors. A server that cannot keep up is sent fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
}

/// What a target says of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CorpusState {
    /// It holds the corpus.
    Loaded,
}

impl TargetFile {
    /// Reads a target file.
    ///
    /// # Errors
    /// When it cannot be read, has unknown keys, or names contracts and requirements that do not exist.
    pub fn read(path: &Path, suite: &Suite) -> Result<Self, TargetError> {
        // A message may quote a line of the file, and nobody knows yet what is secret in it.
        let wrong = |message: String| TargetError::File {
            file: path.display().to_string(),
            message: without_secrets(&message),
        };
        let text = files::text(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let mut file: Self = toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        file.beside(path.parent().unwrap_or(Path::new("")));
        match file.problems(suite) {
            problems if problems.is_empty() => Ok(file),
            problems => Err(wrong(problems.join("\n  "))),
        }
    }

    /// The folder of contracts of the user's own that a target file names: they are read before the rest of the file can be understood.
    /// What is wrong with the file is found when it is [read](Self::read).
    pub fn suite_of(path: &Path) -> Option<PathBuf> {
        let read: toml::Table = toml::from_str(&files::text(path).ok()?).ok()?;
        Some(path.parent().unwrap_or(Path::new("")).join(read.get("suite")?.as_str()?))
    }

    /// The same of one that was not read from a file.
    ///
    /// # Errors
    /// When it names contracts and requirements that do not exist, or an endpoint has no way to reach it.
    pub(crate) fn check(&self, suite: &Suite) -> Result<(), TargetError> {
        match self.problems(suite) {
            problems if problems.is_empty() => Ok(()),
            problems => Err(TargetError::File { file: self.name.clone(), message: problems.join("\n  ") }),
        }
    }

    /// Adds words to every command that serves: what starts the server, and the programs of its endpoints.
    pub fn add_words(&mut self, words: &[String]) {
        self.start.iter_mut().for_each(|start| start.extend_from_slice(words));
        for endpoint in &mut self.endpoints {
            if let Address::Cli(command) | Address::McpStdio(command) = &mut endpoint.address {
                command.extend_from_slice(words);
            }
        }
    }

    /// Has every endpoint that speaks MCP judged in these eras.
    ///
    /// # Errors
    /// When none does.
    pub fn judge_in(&mut self, eras: Eras) -> Result<(), TargetError> {
        let of_mcp = |endpoint: &&mut EndpointFile| endpoint.address.kind().protocol() == Protocol::Mcp;
        let mut endpoints = self.endpoints.iter_mut().filter(of_mcp).peekable();
        if endpoints.peek().is_none() {
            let message = "no endpoint speaks MCP, so an era of MCP says nothing".to_owned();
            return Err(TargetError::File { file: self.name.clone(), message });
        }
        endpoints.for_each(|endpoint| endpoint.eras = eras);
        Ok(())
    }

    /// Pins the revisions of contracts, for each endpoint that has no pin of its own.
    ///
    /// # Errors
    /// When one of them is not a contract of this target, or no revision of it.
    pub fn pin(&mut self, keys: &[ContractKey], suite: &Suite) -> Result<(), TargetError> {
        let wrong = |message: String| TargetError::File { file: self.name.clone(), message };
        for key in keys {
            suite.view(key).map_err(|error| wrong(error.to_string()))?;
            let mut its = self.endpoints.iter().filter(|endpoint| endpoint.contract.name() == key.name()).peekable();
            if its.peek().is_none() {
                return Err(wrong(format!("no endpoint speaks {}, so {} says nothing", key.name(), key.full())));
            }
            if its.all(|endpoint| endpoint.is_pinned && endpoint.contract != *key) {
                return Err(wrong(format!(
                    "every endpoint of {} pins another revision than {}",
                    key.name(),
                    key.full()
                )));
            }
        }
        for endpoint in self.endpoints.iter_mut().filter(|endpoint| !endpoint.is_pinned) {
            if let Some(key) = keys.iter().find(|key| key.name() == endpoint.contract.name()) {
                (endpoint.contract, endpoint.is_pinned) = (key.clone(), true);
            }
        }
        Ok(())
    }

    /// Takes in what a file of known failures adds.
    ///
    /// # Errors
    /// When it names what is named already.
    pub fn add(&mut self, more: KnownFile, from: &Path) -> Result<(), TargetError> {
        self.known_failures.extend(more.known_failures);
        self.unsupported.extend(more.unsupported);
        match known::twice(&self.known_failures, &self.unsupported) {
            problems if problems.is_empty() => Ok(()),
            problems => Err(TargetError::known(from, &problems)),
        }
    }

    /// Every name in it that leads nowhere.
    fn problems(&self, suite: &Suite) -> Vec<String> {
        let mut problems: Vec<String> = self
            .endpoints
            .iter()
            .filter_map(|endpoint| suite.view(&endpoint.contract).err().map(|error| error.to_string()))
            .collect();
        problems.extend(known::problems(&self.known_failures, &self.unsupported, suite));
        if let Some(percent) = self.require_exercised.filter(|percent| *percent > 100) {
            problems.push(format!("`require-exercised` is {percent}: it is a share in percent, from 0 to 100"));
        }
        for (key, seconds) in [("timeout", self.timeout), ("start-timeout", self.start_timeout)] {
            if seconds == Some(0) {
                problems.push(format!("`{key}` is 0 seconds: nothing is done in no time"));
            }
        }
        if self.endpoints.is_empty() {
            problems.push("names no [[endpoint]]".to_owned());
        }
        for endpoint in &self.endpoints {
            let operations =
                suite.keyed(&endpoint.contract).into_iter().flat_map(|one| one.contract.operations.values());
            let known = operations.flat_map(|operation| &operation.arguments).map(String::as_str);
            let strangers = endpoint.arguments.keys().filter(|name| !known.clone().any(|known| known == *name));
            problems.extend(strangers.map(|name| {
                let hint = suggest::hint(name, known.clone());
                format!("no operation of {} has an argument `{name}`{hint}", endpoint.contract)
            }));
        }
        for endpoint in &self.endpoints {
            problems.extend(suite.keyed(&endpoint.contract).and_then(|contract| named_by_document(endpoint, contract)));
        }
        problems
    }

    /// Makes paths relative to the target file relative to the current directory.
    fn beside(&mut self, folder: &Path) {
        let cwd = self.cwd.take().map_or_else(|| folder.to_owned(), |cwd| folder.join(cwd));
        self.cwd = Some(cwd).filter(|cwd| !cwd.as_os_str().is_empty());
        for file in [&mut self.ca_cert, &mut self.suite, &mut self.reference] {
            *file = file.take().map(|file| folder.join(file));
        }
    }
}

/// What is wrong with names that an endpoint gives to what the document names itself.
fn named_by_document(endpoint: &EndpointFile, contract: &ContractSuite) -> Option<String> {
    let operations = || contract.contract.operations.values();
    let is_path_free = operations().any(|one| one.http.as_ref().is_some_and(|http| http.free_path));
    let is_tool_free = operations().any(|one| one.mcp.as_ref().is_some_and(|mcp| !mcp.known_by.is_empty()));
    let names = &endpoint.names;
    let given = [
        ("method", &names.method, is_path_free),
        ("path", &names.path, is_path_free),
        ("tool", &names.tool, is_tool_free),
    ];
    let (key, ..) = given.into_iter().find(|(_, name, is_free)| name.is_some() && !is_free)?;
    Some(format!("the document of {} gives the {key} itself, so `{key}` changes nothing", endpoint.contract))
}
