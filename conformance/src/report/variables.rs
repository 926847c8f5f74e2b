//! Secrets in a command: variables of the shell in place of what was taken out of a request.

use crate::text::shell::{self, HoldsNul};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What was sent in an exchange, with a mark in place of each secret that was taken out of it.
pub(super) struct Sent<'e> {
    pub(super) value: Cow<'e, Value>,
    /// A character that nothing else of it holds: a mark is this, the number of a variable, and this again.
    mark: char,
    variables: Vec<Variable>,
}

/// A variable that stands for a secret.
struct Variable {
    /// What was written in place of the secret.
    label: String,
    name: String,
    /// The name of the secret, and what was done to it.
    of: String,
}

impl<'e> Sent<'e> {
    pub(super) fn of(exchange: &'e Value) -> Self {
        let value = &exchange["request"]["sent"];
        let marks = exchange["redacted"].as_object().into_iter().flatten();
        let inside: BTreeMap<&str, &Value> =
            marks.filter_map(|(at, labels)| Some((at.strip_prefix("/request/sent")?, labels))).collect();
        let labels = inside.values().flat_map(|labels| labels.as_array().into_iter().flatten());
        let mut variables: Vec<Variable> = labels.filter_map(|label| Variable::of(label.as_str()?)).collect();
        variables.sort_by(|one, other| one.name.cmp(&other.name));
        variables.dedup_by(|one, other| one.name == other.name);
        let text = if variables.is_empty() { String::new() } else { value.to_string() };
        let mark = ('\u{e000}'..='\u{f8ff}').find(|mark| !text.contains(*mark)).filter(|_| !variables.is_empty());
        let mut sent = Self { value: Cow::Borrowed(value), mark: mark.unwrap_or_default(), variables };
        if mark.is_some() {
            let mut marked = value.clone();
            for (at, labels) in inside {
                if let Some(part) = marked.pointer_mut(at) {
                    sent.put_marks(part, labels);
                }
            }
            sent.value = Cow::Owned(marked);
        }
        sent
    }

    /// Puts marks in place of these labels. Another text that looks like one is data.
    fn put_marks(&self, value: &mut Value, labels: &Value) {
        match value {
            Value::String(text) => {
                for (number, variable) in self.variables.iter().enumerate() {
                    if labels.as_array().is_some_and(|labels| labels.iter().any(|one| *one == *variable.label)) {
                        *text = text.replace(&variable.label, &format!("{}{number}{}", self.mark, self.mark));
                    }
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.put_marks(value, labels)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.put_marks(value, labels)),
            _ => {}
        }
    }

    /// A word as a shell reads it, with variables in place of the marks.
    ///
    /// # Errors
    /// When no shell can pass it.
    pub(super) fn word(&self, word: &str) -> Result<String, HoldsNul> {
        if self.variables.is_empty() || !word.contains(self.mark) {
            return shell::word(word);
        }
        let parts = word.split(self.mark).enumerate().map(|(at, part)| match (at % 2, part.parse::<usize>()) {
            (1, Ok(number)) => {
                Ok(self.variables.get(number).map(|one| format!("\"${}\"", one.name)).unwrap_or_default())
            }
            _ if part.is_empty() => Ok(String::new()),
            _ => shell::word(part),
        });
        parts.collect()
    }

    /// What to set before the command is run, a comment of the shell for each variable in it.
    pub(super) fn notes(&self, command: &str) -> Vec<String> {
        let used = self.variables.iter().filter(|one| command.contains(&format!("\"${}\"", one.name)));
        used.map(|one| format!("# set {} first: {}, which is not written here", one.name, one.of)).collect()
    }
}

impl Variable {
    /// Of `[redacted: NAME]`, or `[redacted: NAME, base64]` where something was done to the secret.
    fn of(label: &str) -> Option<Self> {
        let secret = label.strip_prefix("[redacted: ")?.strip_suffix(']')?;
        let (name, of) = match secret.split_once(", ") {
            None => (secret.to_owned(), "the secret".to_owned()),
            Some((name, how)) => {
                let letter =
                    |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
                let way: String = how.replace(", ", "_").chars().map(letter).collect();
                (format!("{name}_{way}"), format!("the secret {name} as {how}"))
            }
        };
        let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        is_name.then(|| Self { label: label.to_owned(), name, of })
    }
}
