//! What a comparison finds, and how it is told apart from other findings.

use crate::text::fingerprint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What a change means for one side of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Class {
    /// What did right before may do wrong now.
    Breaking,
    /// What did right before does right now.
    Compatible,
    /// It says the same in other words.
    Editorial,
}

/// Something in a contract that is not as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The contract.
    pub contract: String,
    /// Its kind: `argument-range`, `field-removed`, `requirement-added`, ….
    pub kind: String,
    /// What it is about: `search: top_ke`, an id, a file.
    pub subject: String,
    /// Where the same thing stands besides, when one piece of a schema serves several places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// What happened, in a sentence.
    pub says: String,
    /// What stood there; `null` for nothing.
    pub was: Value,
    /// What stands there; `null` for nothing.
    pub now: Value,
    /// What it means for a program that implements the contract as it was.
    pub implementations: Class,
    /// What it means for a program that calls others by the contract as it was.
    pub clients: Class,
    /// A document that shows it; a breaking change without one is a suspicion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// What its author has to say of it, where nothing here can tell what it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// What is missing beside it, such as a case that reaches a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    /// Nothing but a number is otherwise, which is a bound of an argument: the reason is that of the bound.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// The requirements that it touches, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
}

/// A document that the one side accepts and the other refuses, or takes for something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Witness {
    /// What it shows: `accepted before, refused now`.
    pub shows: String,
    /// The document.
    pub document: Value,
}

impl Change {
    /// A change that is told in these words and means this for implementations and for clients.
    pub(super) fn new(
        contract: &str,
        kind: &str,
        subject: &str,
        (was, now): (Value, Value),
        says: String,
        (implementations, clients): (Class, Class),
    ) -> Self {
        Self {
            contract: contract.to_owned(),
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            also: Vec::new(),
            says,
            was,
            now,
            implementations,
            clients,
            witness: None,
            asks: None,
            lacks: None,
            follows: false,
            requirements: Vec::new(),
        }
    }

    /// Whether it breaks somebody.
    pub fn breaks(&self) -> bool {
        self.implementations == Class::Breaking || self.clients == Class::Breaking
    }

    /// Whether somebody has to say why it is made. `is_frozen` says that the revision has shipped.
    pub fn needs_reason(&self, is_frozen: bool) -> bool {
        !self.follows && (self.breaks() || self.asks.is_some() || is_frozen && self.is_of_promise())
    }

    /// Whether it changes what the list of a frozen revision holds: requirements with their levels and sentences, arguments, answers,
    /// and how operations are called. Checks and cases belong to the version of the suite.
    pub fn is_of_promise(&self) -> bool {
        let all = ["requirement-", "argument-", "field-", "operation-", "binding-", "format", "revision-removed"];
        // Where a sentence stands, and what the suite calls an operation, nobody relies on.
        let free = ["requirement-section", "requirement-unjudged", "operation-renamed"];
        all.iter().any(|kind| self.kind.starts_with(kind)) && !free.contains(&self.kind.as_str())
    }

    /// Whether nothing shows that it breaks somebody.
    pub fn is_suspicion(&self) -> bool {
        self.breaks() && self.witness.is_none()
    }

    /// What it is approved by: the same as long as the same thing changes from the same to the same, whatever else does. Six
    /// bytes of SHA-256, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        let mut digest = Sha256::new();
        let (was, now) = (sorted(&self.was), sorted(&self.now));
        for part in [&self.contract, &self.kind, &self.subject, &was.to_string(), &now.to_string()] {
            digest.update(part.len().to_le_bytes());
            digest.update(part.as_bytes());
        }
        fingerprint::first(digest, 6)
    }
}

/// The same value, the members of its objects in the order of their names.
pub(super) fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut all: Vec<(String, Value)> =
                members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            all.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(all.into_iter().collect())
        }
        Value::Array(values) => values.iter().map(sorted).collect(),
        other => other.clone(),
    }
}
