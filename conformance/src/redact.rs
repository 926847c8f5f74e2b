//! What may be written or shown: evidence without its secrets.

use crate::model::{Exchange, Failure};
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

    /// Takes secrets out of an exchange whose text, if it is one, is not parsed yet.
    pub(crate) fn exchange(&self, exchange: &mut Exchange) {
        if self.secrets.is_empty() {
            return;
        }
        if let Some(lines) = &mut exchange.lines {
            // A secret may be several lines long.
            let mut text = lines.join("\n");
            self.text(&mut text);
            *lines = text.split('\n').map(str::to_owned).collect();
        }
        self.value(&mut exchange.request.sent);
        self.value(&mut exchange.answer);
        exchange.items.iter_mut().for_each(|items| self.value(items));
        exchange.problems.iter_mut().for_each(|problem| self.text(&mut problem.message));
        if let Some(Failure::Broken(why) | Failure::NotAsked(why) | Failure::Hindered(why)) = &mut exchange.raw.failure
        {
            self.text(why);
        }
    }

    pub(crate) fn text(&self, text: &mut String) {
        for secret in self.secrets.iter().filter(|secret| !secret.is_empty()) {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), "[redacted]");
            }
        }
    }

    fn value(&self, value: &mut Value) {
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
