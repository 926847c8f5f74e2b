//! Finding secrets in texts.

use super::cut;
use super::decoder::Decoder;
use super::forms::{self, SHORTEST};
use super::names::{is_secret_field, variable};
use super::secrets::Secrets;
use crate::text::pointer::escaped;
use aho_corasick::AhoCorasick;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Takes secrets out of what is written or shown.
#[derive(Clone, Default)]
pub struct Redactor {
    pub(super) secrets: Secrets,
    patterns: Option<Arc<Patterns>>,
}

/// What is looked for.
struct Patterns {
    finder: AhoCorasick,
    /// By pattern.
    forms: Vec<String>,
    /// What stands in the place of each.
    labels: Vec<String>,
    /// Finds other spellings.
    decoder: Option<Decoder>,
}

/// Where something was taken out of a value, by JSON Pointers, and what stands there now.
pub(super) type Marks = BTreeMap<String, Vec<String>>;

impl Redactor {
    /// Takes these out, in every form, wherever they occur.
    pub fn new(secrets: Secrets) -> Self {
        let patterns = Patterns::of(&secrets).map(Arc::new);
        Self { secrets, patterns }
    }

    /// What a person should know: which secrets are too short to be taken out.
    pub fn warnings(&self) -> Vec<String> {
        self.secrets.warnings()
    }

    /// Whether there is nothing to look for.
    pub(super) fn knows_nothing(&self) -> bool {
        self.patterns.is_none()
    }

    /// The text without secrets.
    pub fn redacted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        self.text(&mut text, false);
        text
    }

    /// Takes secrets out of a text, which may end in a cut; returns what stands in their places.
    pub(super) fn text(&self, text: &mut String, ends_in_a_cut: bool) -> Vec<String> {
        let Some(patterns) = &self.patterns else { return Vec::new() };
        let found = patterns.find(text, ends_in_a_cut);
        if found.is_empty() {
            return Vec::new();
        }
        let (mut redacted, mut labels, mut at) = (String::with_capacity(text.len()), Vec::new(), 0);
        for (range, label) in found {
            redacted.push_str(&text[at..range.start]);
            redacted.push_str(&label);
            at = range.end;
            labels.push(label);
        }
        redacted.push_str(&text[at..]);
        *text = redacted;
        labels
    }

    /// A field whose name is one of a secret goes, whether it is known or not: there may be too many to know.
    fn field(&self, name: &str, value: &mut Value, ends_in_cuts: bool) -> Marks {
        let found = self.value(value, ends_in_cuts);
        match value {
            Value::String(text) if found.is_empty() && is_secret_field(name) && text.chars().count() >= SHORTEST => {
                let label = format!("[redacted: {}]", variable(name));
                text.clone_from(&label);
                Marks::from([(String::new(), vec![label])])
            }
            _ => found,
        }
    }

    /// Takes secrets out of all texts and keys of a value; marks where. A key is marked by the object that it is in.
    pub(super) fn value(&self, value: &mut Value, ends_in_cuts: bool) -> Marks {
        let mut marks = Marks::new();
        match value {
            Value::String(text) => {
                let labels = self.text(text, ends_in_cuts);
                if !labels.is_empty() {
                    marks.insert(String::new(), labels);
                }
            }
            Value::Array(values) => {
                for (at, value) in values.iter_mut().enumerate() {
                    let found = self.value(value, ends_in_cuts);
                    if !found.is_empty() {
                        below(&mut marks, &format!("/{at}"), found);
                    }
                }
            }
            Value::Object(fields) => {
                for (key, value) in fields.iter_mut() {
                    let found = self.field(key, value, ends_in_cuts);
                    if !found.is_empty() {
                        below(&mut marks, &format!("/{}", escaped(key)), found);
                    }
                }
                if fields.keys().any(|key| !self.text(&mut key.clone(), ends_in_cuts).is_empty()) {
                    // What is below goes by other names now.
                    let mut labels: Vec<String> = std::mem::take(&mut marks).into_values().flatten().collect();
                    for (mut key, value) in std::mem::take(fields) {
                        labels.extend(self.text(&mut key, ends_in_cuts));
                        // Two keys that differ in a secret stay two.
                        while fields.contains_key(&key) {
                            key.push('\'');
                        }
                        fields.insert(key, value);
                    }
                    marks.insert(String::new(), labels);
                }
            }
            Value::Number(number) if !self.knows_nothing() => {
                let mut text = number.to_string();
                let labels = self.text(&mut text, false);
                if !labels.is_empty() {
                    *value = Value::String(text);
                    marks.insert(String::new(), labels);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        marks
    }
}

/// Takes over marks of what is at a place.
pub(super) fn below(marks: &mut Marks, at: &str, more: Marks) {
    marks.extend(more.into_iter().map(|(rest, labels)| (format!("{at}{rest}"), labels)));
}

impl Patterns {
    fn of(secrets: &Secrets) -> Option<Self> {
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in secrets.known() {
            for (form, how) in forms::forms(value) {
                let label =
                    if how.is_empty() { format!("[redacted: {name}]") } else { format!("[redacted: {name}, {how}]") };
                known.entry(form).or_insert(label);
            }
        }
        let (forms, labels): (Vec<String>, Vec<String>) = known.into_iter().unzip();
        // Only more patterns than any list of secrets has are too many for it.
        let finder = AhoCorasick::new(&forms).ok().filter(|_| !forms.is_empty())?;
        let decoder = Decoder::of(secrets.known());
        Some(Self { finder, forms, labels, decoder })
    }

    /// The ranges of a text that hold secrets, none touching another, with what replaces them: of forms that overlap, the
    /// longest gives the name.
    fn find(&self, text: &str, ends_in_a_cut: bool) -> Vec<(Range<usize>, String)> {
        let whole = self.finder.find_overlapping_iter(text).map(|found| {
            let label = self.labels[found.pattern()].clone();
            (found.range(), label)
        });
        let parts = cut::parts(text, ends_in_a_cut, &self.forms).into_iter();
        let known = merged(whole.chain(parts.map(|part| (part, "[redacted]".to_owned()))).collect());
        let mut hidden = self.decoder.as_ref().map_or_else(Vec::new, |decoder| decoder.find(text));
        // What base64 mixes with what is around a secret tells nothing of it.
        hidden.retain(|one| {
            let before = known.partition_point(|(range, _)| range.end + 4 < one.range.end);
            known.get(before).is_none_or(|(range, _)| range.start > one.range.start + 2)
        });
        if hidden.is_empty() {
            return known;
        }
        let hidden = hidden.into_iter().map(|one| {
            let range = text.floor_char_boundary(one.range.start)..text.ceil_char_boundary(one.range.end);
            (range, format!("[redacted: {}, {}]", one.name, one.ways.join(", ")))
        });
        merged(known.into_iter().chain(hidden).collect())
    }
}

/// Ranges that overlap as one, by the label of the longest.
fn merged(mut found: Vec<(Range<usize>, String)>) -> Vec<(Range<usize>, String)> {
    found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut merged: Vec<(Range<usize>, String, usize)> = Vec::new();
    for (range, label) in found {
        match merged.last_mut() {
            Some((before, name, longest)) if range.start < before.end => {
                before.end = before.end.max(range.end);
                if range.len() > *longest {
                    (*name, *longest) = (label, range.len());
                }
            }
            _ => {
                let length = range.len();
                merged.push((range, label, length));
            }
        }
    }
    merged.into_iter().map(|(range, label, _)| (range, label)).collect()
}

/// Secrets are shown to nobody.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").field("secrets", &self.secrets).finish_non_exhaustive()
    }
}
