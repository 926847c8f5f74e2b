//! Putting values into a target file: `${NAME}` from the environment, `{name}` from us.

use super::EndpointFile;
use regex::{Captures, Regex};
use serde_json::Value;
use std::collections::BTreeMap;

/// Puts values in for `${NAME}` (from the environment, secret) and `{name}` (from us).
pub(super) struct Filler<'f> {
    pub(super) places: &'f BTreeMap<String, String>,
    pub(super) environment: &'f dyn Fn(&str) -> Option<String>,
    pub(super) secrets: Vec<String>,
    pub(super) missing: Vec<String>,
}

impl Filler<'_> {
    pub(super) fn fill(&mut self, text: &str) -> String {
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

    /// An endpoint with every value put in.
    pub(super) fn endpoint(&mut self, endpoint: &EndpointFile) -> EndpointFile {
        EndpointFile {
            contract: endpoint.contract.clone(),
            address: endpoint.address.map(|text| self.fill(text)),
            headers: endpoint.headers.iter().map(|(name, value)| (name.clone(), self.header(name, value))).collect(),
            results: endpoint.results.clone(),
            arguments: endpoint.arguments.iter().map(|(name, value)| (name.clone(), self.value(value))).collect(),
            names: endpoint.names.clone(),
        }
    }

    /// The value of a header, which is a secret by its name, wherever it comes from.
    fn header(&mut self, name: &str, value: &str) -> String {
        let (name, value) = (name.to_lowercase(), self.fill(value));
        if ["authorization", "cookie", "x-api-key"].contains(&name.as_str()) || name.contains("token") {
            // What stands before the first blank is how to read the secret, as in `Bearer`.
            let secret =
                value.split_once(' ').filter(|_| name == "authorization").map_or(&*value, |(_, secret)| secret);
            self.secrets.push(secret.to_owned());
        }
        value
    }

    fn value(&mut self, value: &Value) -> Value {
        value.as_str().map_or_else(|| value.clone(), |text| self.fill(text).into())
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
