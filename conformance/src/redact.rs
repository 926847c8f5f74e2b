//! What may be written or shown: evidence without its secrets.

use serde_json::{Map, Value};

/// What is done to every exchange before anybody sees it: secrets are taken out.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    secrets: Vec<String>,
}

impl Redactor {
    /// Takes out these texts wherever they occur. Very short ones would take out everything and are ignored.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        Self { secrets: secrets.into_iter().filter(|secret| secret.len() >= 4).collect() }
    }

    /// Whether there is nothing to take out.
    pub(crate) fn is_idle(&self) -> bool {
        self.secrets.is_empty()
    }

    pub(crate) fn text(&self, text: &mut String) {
        for secret in self.secrets.iter().filter(|secret| !secret.is_empty()) {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), "[redacted]");
            }
        }
    }

    pub(crate) fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.value(value)),
            Value::Object(fields) => {
                let taken = std::mem::take(fields).into_iter().map(|(mut key, mut value)| {
                    self.text(&mut key);
                    self.value(&mut value);
                    (key, value)
                });
                *fields = taken.collect();
            }
            _ => {}
        }
    }

    /// The same for arguments, which a client that nobody asked may fill with anything.
    pub(crate) fn arguments(&self, with: &mut Map<String, Value>) {
        with.values_mut().for_each(|value| self.value(value));
    }
}
