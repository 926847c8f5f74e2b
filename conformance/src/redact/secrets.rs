//! What is secret: values that a target file or a request gives by names of secrets, and variables that are declared so.

use super::forms::{SHORTEST, forms};
use super::looks::{is_no_word, is_token, named, options, users};
use super::names::{is_secret, is_secret_field, is_suspect, may_be_secret, variable};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// So many secrets of exchanges are looked for beside those that were declared: each answer may have new ones.
const MOST_OF_EXCHANGES: usize = 100;

/// Secrets by the names that stand in their places.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Names and values; no two are equal.
    known: Vec<(String, String)>,
    /// The names of those that are too short.
    short: BTreeSet<String>,
}

impl Secrets {
    /// A secret by its name, such as a variable of the environment.
    pub fn add(&mut self, name: &str, value: &str) {
        let (name, value) = (variable(name), value.trim());
        match value.chars().count() {
            0 => {}
            1..SHORTEST => _ = self.short.insert(name),
            _ => self.keep(name, value),
        }
    }

    pub(super) fn keep(&mut self, name: String, value: &str) {
        if value.chars().count() < SHORTEST || self.known.iter().any(|(_, known)| known == value) {
            return;
        }
        let is_taken = |name: &str| self.known.iter().any(|(known, _)| known == name);
        let mut others = (2..).map(|number| format!("{name}_{number}"));
        let name = if is_taken(&name) { others.find(|other| !is_taken(other)).unwrap_or(name) } else { name };
        self.known.push((name, value.to_owned()));
    }

    /// The value of a header, of an option, of a variable or of an argument in an address, where its name is one of a secret; and
    /// what an address in it tells.
    pub fn named(&mut self, name: &str, value: &str) {
        if value.contains("://") {
            self.address(value);
        }
        if !(is_secret(name) || may_be_secret(name) && is_token(value)) {
            return;
        }
        let lower = name.to_lowercase();
        if lower.contains("cookie") {
            self.cookies(name, value);
        } else {
            self.credentials(name, value);
        }
    }

    /// `Bearer TOKEN`, `Basic` with a user and a password, or a secret alone.
    fn credentials(&mut self, name: &str, value: &str) {
        // What is before the first blank says how to read the secret.
        let schemed = name.to_lowercase().contains("authorization").then(|| value.trim().split_once(' ')).flatten();
        let Some((scheme, secret)) = schemed else {
            // The name of a data source may hold a password, as in `user:password@tcp(host)/name`.
            if let Some((user, password)) = value.rsplit_once('@').and_then(|(before, _)| before.split_once(':')) {
                self.keep("PASSWORD".to_owned(), password);
                self.keep("USER_AND_PASSWORD".to_owned(), &format!("{user}:{password}"));
            }
            return self.add(name, value);
        };
        match scheme.to_lowercase().as_str() {
            "bearer" | "token" => self.add("TOKEN", secret),
            "basic" => {
                self.add("CREDENTIALS", secret);
                let pair = STANDARD.decode(secret.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
                if let Some((user, password)) = pair.as_deref().and_then(|pair| pair.split_once(':')) {
                    self.user(user, password);
                }
            }
            _ => self.add(name, secret),
        }
    }

    /// Every value of a header of cookies, and all of it.
    fn cookies(&mut self, name: &str, value: &str) {
        self.add(name, value);
        let pairs = value.split(';').filter_map(|pair| pair.split_once('='));
        let is_of_browser = |name: &str| {
            ["path", "domain", "expires", "max-age", "samesite"].contains(&name.trim().to_lowercase().as_str())
        };
        pairs
            .filter(|(name, _)| !is_of_browser(name))
            .for_each(|(name, value)| self.keep(variable(name.trim()), value.trim()));
    }

    /// Who asks, where a token can be the user.
    fn user(&mut self, user: &str, password: &str) {
        if password.is_empty() || is_token(user) {
            self.keep("TOKEN".to_owned(), user);
        }
        if password.is_empty() {
            return;
        }
        self.add("PASSWORD", password);
        // Both together are what `Basic` encodes.
        self.keep("USER_AND_PASSWORD".to_owned(), &format!("{user}:{password}"));
    }

    /// What an address tells: its user and password, and arguments by names of secrets.
    pub fn address(&mut self, address: &str) {
        let Ok(url) = Url::parse(address) else { return self.text(address) };
        let plain = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        self.user(&plain(url.username()), &plain(url.password().unwrap_or_default()));
        let pairs = [url.query(), url.fragment()].into_iter().flatten().flat_map(|part| part.split('&'));
        for (name, written) in pairs.filter_map(|pair| pair.split_once('=')) {
            let (name, value) = (plain(&name.replace('+', " ")), plain(&written.replace('+', " ")));
            self.argument(&name, &value);
            // A value may be written as no encoder writes it, such as with small and capital digits.
            if written.contains('%') && is_secret(&name) && !forms(&value).contains_key(written) {
                self.argument(&name, written);
            }
        }
    }

    /// An argument of an address may be another address, which is read once.
    fn argument(&mut self, name: &str, value: &str) {
        if value.contains("://") {
            return self.text(value);
        }
        self.named(name, value);
    }

    /// What the words of a command tell: `--api-key KEY`, `--api-key=KEY`, `API_KEY=KEY` and addresses.
    pub fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        let mut option = None;
        for word in words {
            if let Some((name, value)) = word.split_once('=') {
                self.named(name, value);
            }
            if word.contains("://") {
                self.address(word);
            } else if word.contains(": ") {
                self.text(word);
            }
            match option.take() {
                Some(name) if !word.starts_with('-') => self.named(name, word),
                _ => {}
            }
            option = word.starts_with('-').then_some(word);
        }
    }

    /// What an exchange tells by itself: headers of both directions, the address, variables, arguments and fields.
    pub(super) fn of_exchange(exchange: &Value) -> Self {
        let mut secrets = Self::default();
        secrets.exchange(exchange);
        secrets
    }

    fn exchange(&mut self, exchange: &Value) {
        let sent = &exchange["request"]["sent"];
        for named in [&sent["headers"], &sent["environment"], &exchange["answer"]["headers"]] {
            for (name, value) in named.as_object().into_iter().flatten() {
                value.as_str().into_iter().for_each(|value| self.named(name, value));
            }
        }
        sent["url"].as_str().into_iter().for_each(|url| self.address(url));
        for words in [&sent["argv"], &sent["command"]] {
            self.words(words.as_array().into_iter().flatten().filter_map(Value::as_str));
        }
        for value in
            [&exchange["request"]["with"], &sent["message"], &sent["body"], &exchange["answer"], &exchange["items"]]
        {
            self.fields(value);
        }
    }

    /// What looks like a secret in a text of any form: the user and the password of an address, and what follows a name of a
    /// secret.
    pub(crate) fn text(&mut self, text: &str) {
        users(text).for_each(|(user, password)| self.user(user, password));
        let named: Vec<_> = named(text, is_suspect).chain(options(text)).collect();
        // An address in it was read.
        named.iter().filter(|(_, value)| !value.contains("://")).for_each(|(name, value)| self.named(name, value));
    }

    /// The same in what others said, where a name may be a word of a sentence.
    pub(super) fn said(&mut self, text: &str) {
        let is_reserved = |user: &str| user.chars().count() >= SHORTEST && is_no_word(user);
        let users = users(text).filter(|(user, password)| !password.is_empty() || is_reserved(user));
        users.for_each(|(user, password)| self.user(user, password));
        for (name, value) in named(text, is_suspect) {
            let secret = value.rsplit(char::is_whitespace).next().unwrap_or(value);
            if is_secret_field(name) && is_no_word(secret) || is_token(secret) {
                self.named(name, value);
            }
        }
    }

    /// Whether no more secrets of exchanges are taken in.
    pub(crate) fn is_full(&self) -> bool {
        self.known.len() >= MOST_OF_EXCHANGES
    }

    /// Takes over others.
    pub fn extend(&mut self, others: &Self) {
        others.known.iter().for_each(|(name, value)| self.keep(name.clone(), value));
        self.short.extend(others.short.iter().cloned());
    }

    /// Whether a value is one of them, or a part of one that is long enough to be a secret itself.
    pub(crate) fn holds(&self, value: &str) -> bool {
        let is_long = value.chars().count() >= SHORTEST;
        self.known.iter().any(|(_, known)| known == value || is_long && known.contains(value))
    }

    pub(super) fn known(&self) -> impl Iterator<Item = (&str, &str)> {
        self.known.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn knows(&self, others: &Self) -> bool {
        others.known.iter().all(|(_, value)| self.known.iter().any(|(_, known)| known == value))
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let warning = |name: &String| {
            format!("the secret {name} has fewer than {SHORTEST} characters and is not redacted: take a longer one")
        };
        self.short.iter().map(warning).collect()
    }
}

/// The names alone: values are shown to nobody.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.known.iter().map(|(name, _)| name)).finish()
    }
}
