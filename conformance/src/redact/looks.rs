//! What looks like a secret in a text of any form, by what is before it.

use regex::{Captures, Regex};
use std::sync::LazyLock;

/// The password of an address.
static PASSWORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"://[^/\s"'`@:]*:([^/\s"'`@]+)@"#).ok());

/// A name with a value behind it, as in TOML, JSON, a query and a header.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| with_value(r#"([\w.-]*\w)["']?\s*[:=]\s*"#));

/// An option of a command line with the word behind it.
static OPTION: LazyLock<Option<Regex>> = LazyLock::new(|| with_value(r"(--?\w[\w-]*)\s+"));

fn with_value(name: &str) -> Option<Regex> {
    let values = [r#""((?:[^"\\]|\\.)+)"#, r"'([^']+)", r#"((?:(?i:bearer|basic|token)\s+)?[^\s"'`&,;})\]]+)"#];
    Regex::new(&format!("{name}(?:{})", values.join("|"))).ok()
}

/// Values with their names; one without a name is a password.
pub(super) fn named(text: &str) -> Vec<(Option<&str>, &str)> {
    let mut found: Vec<(Option<&str>, &str)> = Vec::new();
    if let Some(pattern) = &*PASSWORD {
        found.extend(pattern.captures_iter(text).filter_map(|groups| Some((None, value(&groups, 1)?))));
    }
    for pattern in [&*NAMED, &*OPTION].into_iter().flatten() {
        let mut at = 0;
        while let Some(groups) = pattern.captures_at(text, at) {
            let Some(name) = groups.get(1) else { break };
            let given = (2..=4).find_map(|number| value(&groups, number));
            found.extend(given.map(|given| (Some(name.as_str()), given)));
            // A value may hold names itself, so the search goes on right behind the name.
            at = name.end();
        }
    }
    found
}

fn value<'t>(groups: &Captures<'t>, number: usize) -> Option<&'t str> {
    groups.get(number).map(|group| group.as_str())
}
