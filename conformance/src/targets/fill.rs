//! Putting values into a target file: `${NAME}` from the environment, `{name}` from us. What is secret of it is noted.

use super::{Address, EndpointFile};
use crate::redact::{Secrets, is_secret};
use regex::{Captures, Regex};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\$\{(\w+)\}|\{(\w+)\}").ok());

/// Puts values in for `${NAME}` (from the environment) and `{name}` (from us).
pub(super) struct Filler<'f> {
    pub(super) places: &'f BTreeMap<String, String>,
    pub(super) environment: &'f dyn Fn(&str) -> Option<String>,
    /// What must not be written: variables that are declared secret, and values by names of secrets with the variables in them.
    pub(super) secrets: Secrets,
    pub(super) missing: Vec<String>,
    /// The header, variable or argument that is being filled.
    within: Option<String>,
}

impl<'f> Filler<'f> {
    /// `declared` are variables that are secret wherever they are used.
    pub(super) fn new(
        places: &'f BTreeMap<String, String>,
        environment: &'f dyn Fn(&str) -> Option<String>,
        declared: &[String],
    ) -> Self {
        let mut secrets = Secrets::default();
        for name in declared {
            environment(name).iter().for_each(|value| secrets.add(name, value));
        }
        Self { places, environment, secrets, missing: Vec::new(), within: None }
    }

    pub(super) fn fill(&mut self, text: &str) -> String {
        let Some(place) = &*PLACE else { return text.to_owned() };
        place
            .replace_all(text, |found: &Captures<'_>| match (found.get(1), found.get(2)) {
                (Some(variable), _) => self.variable(variable.as_str()),
                (_, Some(name)) => self.places.get(name.as_str()).cloned().unwrap_or_else(|| found[0].to_owned()),
                _ => found[0].to_owned(),
            })
            .into_owned()
    }

    /// An endpoint with every value put in.
    pub(super) fn endpoint(&mut self, endpoint: &EndpointFile) -> EndpointFile {
        let address = match &endpoint.address {
            Address::Cli(words) => Address::Cli(self.words(words)),
            Address::McpStdio(words) => Address::McpStdio(self.words(words)),
            Address::Http(url) => Address::Http(self.address(url)),
            Address::McpHttp(url) => Address::McpHttp(self.address(url)),
        };
        EndpointFile {
            contract: endpoint.contract.clone(),
            is_pinned: endpoint.is_pinned,
            address,
            headers: self.named(&endpoint.headers),
            results: endpoint.results.clone(),
            arguments: endpoint.arguments.iter().map(|(name, value)| (name.clone(), self.value(name, value))).collect(),
            names: endpoint.names.clone(),
            eras: endpoint.eras,
        }
    }

    /// Values by their names: headers, or variables of an environment.
    pub(super) fn named(&mut self, values: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        values.iter().map(|(name, value)| (name.clone(), self.one(name, value))).collect()
    }

    fn one(&mut self, name: &str, value: &str) -> String {
        self.within = Some(name.to_owned());
        let filled = self.fill(value);
        self.within = None;
        self.note(value, |secrets| {
            secrets.named(name, &filled);
            secrets.text(&filled);
        });
        filled
    }

    pub(super) fn address(&mut self, address: &str) -> String {
        let filled = self.fill(address);
        self.note(address, |secrets| secrets.address(&filled));
        filled
    }

    /// The words of a command.
    pub(super) fn words(&mut self, words: &[String]) -> Vec<String> {
        let filled: Vec<String> = words.iter().map(|word| self.fill(word)).collect();
        self.note(&words.join(" "), |secrets| secrets.words(filled.iter().map(String::as_str)));
        filled
    }

    fn value(&mut self, name: &str, value: &Value) -> Value {
        value.as_str().map_or_else(|| value.clone(), |text| self.one(name, text).into())
    }

    /// Notes what is secret of a text, variables in it by their own names: those whose names say so, and those in what is secret.
    fn note(&mut self, text: &str, find: impl FnOnce(&mut Secrets)) {
        let mut found = Secrets::default();
        find(&mut found);
        for groups in PLACE.iter().flat_map(|place| place.captures_iter(text)) {
            let Some(name) = groups.get(1).map(|name| name.as_str()) else { continue };
            let value = (self.environment)(name).filter(|value| found.holds(value) || is_secret(name));
            value.iter().for_each(|value| self.secrets.add(name, value));
        }
        self.secrets.extend(&found);
    }

    fn variable(&mut self, name: &str) -> String {
        (self.environment)(name).unwrap_or_else(|| {
            let by = self.within.as_ref().map_or_else(String::new, |within| format!(", which `{within}` uses,"));
            let missing = format!("${{{name}}}{by}");
            if !self.missing.contains(&missing) {
                self.missing.push(missing);
            }
            String::new()
        })
    }
}
