//! Documents that the one side accepts and the other refuses.

use super::change::Witness;
use super::sample;
use super::shape::{self, Schemas};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What looks for documents that two versions of a schema tell apart.
pub(super) struct Search<'l> {
    before: Validator,
    now: Validator,
    /// Whole documents to change in one place.
    documents: Vec<Value>,
    /// The other places that differ, if there are any: a witness shows one of them alone.
    others: Option<Others<'l>>,
}

/// Makes the schemas of both sides in which one of several places alone differs.
type Alone<'l> = dyn Fn(&[String], &str) -> [Value; 2] + 'l;

/// Several places that differ.
pub(super) struct Others<'l> {
    /// All of them.
    pub(super) touched: Vec<String>,
    /// Makes the schemas of both sides in which one of them alone differs.
    pub(super) alone: Box<Alone<'l>>,
}

/// What may be done to a place.
pub(super) enum Try<'v> {
    /// Put these there, one after another.
    Values(&'v [Value]),
    /// Make the list there as long as bounds of these schemas say, of the elements that it has.
    Lengths(&'v Value, &'v Value),
    /// Leave it out.
    Without,
    /// Leave the documents as they are.
    Whole,
    /// Leave out what stands in each of these places, and put it into documents that lack it: one, and two at a time.
    Members(&'v [String]),
    /// Put a member there that no schema names.
    Stranger,
}

/// Which side accepts what the other one refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accepted {
    Before,
    Now,
}

impl Accepted {
    pub(super) fn shows(self) -> &'static str {
        match self {
            Self::Before => "accepted before, refused now",
            Self::Now => "refused before, accepted now",
        }
    }
}

impl<'l> Search<'l> {
    /// Over the schemas of both sides, with documents that were seen besides.
    pub(super) fn new(
        (before, was): (Schemas<'_>, &str),
        (now, is): (Schemas<'_>, &str),
        seen: &[Value],
        others: Option<Others<'l>>,
    ) -> Option<Self> {
        let search = Self::of_bundles([before.bundle(was), now.bundle(is)], &[])?;
        let documents = search.few(seen).into_iter().chain(&search.documents).cloned().collect();
        Some(Self { documents, others, ..search })
    }

    /// Of recorded documents the smallest that have all places between them, for each way in which the two sides judge them. They are
    /// many and alike, and what follows tries each with each.
    fn few<'v>(&self, seen: &'v [Value]) -> Vec<&'v Value> {
        let mut all: Vec<&Value> = seen.iter().collect();
        all.sort_by_cached_key(|document| document.to_string().len());
        let mut known = BTreeSet::new();
        all.retain(|document| {
            let judged = (self.before.is_valid(document), self.now.is_valid(document));
            let mut places = BTreeSet::new();
            gather(document, "", &mut places);
            let before = known.len();
            known.extend(places.into_iter().map(|place| (judged, place)));
            known.len() > before
        });
        all
    }

    /// Over two schemas that need no other.
    fn of_bundles(bundles: [Value; 2], seen: &[Value]) -> Option<Self> {
        let mut documents = seen.to_vec();
        for bundle in &bundles {
            documents.extend(sample::whole(bundle, false));
            documents.extend(sample::whole(bundle, true));
            documents.extend(sample::near(bundle));
        }
        let [before, now] = bundles.map(|bundle| shape::compiled(&bundle).ok());
        Some(Self { before: before?, now: now?, documents, others: None })
    }

    /// The smallest document that one side accepts and the other refuses, after something was done to a place.
    ///
    /// Where several places differ, it differs in this one alone from a document that both sides accept. Where there is none, the
    /// others are opened to any value on both sides.
    pub(super) fn find(&self, accepted: Accepted, path: &str, what: &Try<'_>) -> Option<Witness> {
        let Some(others) = self.others.as_ref().filter(|others| others.touched.iter().any(|other| other != path))
        else {
            return self.smallest(accepted, path, what, false);
        };
        self.smallest(accepted, path, what, true).or_else(|| {
            let alone = Search::of_bundles((others.alone)(&others.touched, path), &self.documents)?;
            let found = alone.smallest(accepted, path, what, false)?;
            Some(Witness { shows: format!("{}, by this change alone", found.shows), ..found })
        })
    }

    fn smallest(&self, accepted: Accepted, path: &str, what: &Try<'_>, has_twin: bool) -> Option<Witness> {
        let steps = steps(path);
        let changed = self.documents.iter().filter(|document| !has_twin || self.has_twin(document, &steps, what));
        let changed = changed.flat_map(|document| match what {
            Try::Whole => vec![document.clone()],
            Try::Members(paths) => {
                let once = self.members(document, paths);
                once.iter().flat_map(|document| self.members(document, paths)).chain(once.clone()).collect()
            }
            Try::Values(values) => values.iter().flat_map(|value| with(document, &steps, &Edit::Put(value))).collect(),
            Try::Lengths(one, other) => {
                let lengths = sample::lengths(one).into_iter().chain(sample::lengths(other));
                lengths.flat_map(|length| with(document, &steps, &Edit::Repeat(length))).collect()
            }
            Try::Without => with(document, &steps, &Edit::Remove),
            Try::Stranger => with(document, &steps, &Edit::Stranger),
        });
        let told = changed.filter(|document| match accepted {
            Accepted::Before => self.before.is_valid(document) && !self.now.is_valid(document),
            Accepted::Now => self.now.is_valid(document) && !self.before.is_valid(document),
        });
        let smallest = told.min_by_key(|document| document.to_string().len())?;
        Some(Witness { shows: accepted.shows().to_owned(), document: smallest })
    }

    /// Whether both sides accept a document, or the same one with something else in the place where it is looked at as a whole.
    fn has_twin(&self, document: &Value, steps: &[Step], what: &Try<'_>) -> bool {
        let is_common = |document: &Value| self.before.is_valid(document) && self.now.is_valid(document);
        match what {
            Try::Whole => {
                let values = self.documents.iter().filter_map(|other| at(other, steps));
                let mut twins = values.flat_map(|value| with(document, steps, &Edit::Put(value)));
                twins.any(|twin| is_common(&twin)) || with(document, steps, &Edit::Remove).iter().any(is_common)
            }
            _ => is_common(document),
        }
    }

    fn members(&self, document: &Value, paths: &[String]) -> Vec<Value> {
        let mut all = Vec::new();
        for path in paths {
            let steps = steps(path);
            match self.documents.iter().find_map(|other| at(other, &steps)) {
                Some(value) if !reaches(document, &steps) => all.extend(with(document, &steps, &Edit::Put(value))),
                _ => all.extend(with(document, &steps, &Edit::Remove)),
            }
        }
        all
    }

    /// The smallest document that the side before accepts and that has, or has not, something in a place. It says what it says of
    /// the other places that differ, as far as it can.
    pub(super) fn example(&self, path: &str, is_there: bool) -> Option<Value> {
        let own = steps(path);
        let fits = |document: &Value| reaches(document, &own) == is_there && self.before.is_valid(document);
        let others = self.others.iter().flat_map(|others| &others.touched);
        let others: Vec<&String> = others.filter(|other| *other != path).collect();
        let settled = |document: &Value| {
            others.iter().fold(document.clone(), |document, other| {
                let other = steps(other);
                if reaches(&document, &other) {
                    return document;
                }
                let values = self.documents.iter().filter_map(|from| at(from, &other));
                let mut filled = values.flat_map(|value| with(&document, &other, &Edit::Put(value)));
                filled.find(|filled| fits(filled) && self.now.is_valid(filled)).unwrap_or(document)
            })
        };
        let says = |document: &Value| others.iter().filter(|other| !reaches(document, &steps(other))).count();
        let all = self.documents.iter().map(settled).filter(|document| fits(document));
        all.min_by_key(|document| (!self.now.is_valid(document), says(document), document.to_string().len()))
    }
}

enum Step {
    Member(String),
    Element,
    AnyMember,
}

/// The steps of a path of [`super::shape::Field`].
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let name = part.trim_end_matches("[]");
        match name {
            "" => {}
            "*" => steps.push(Step::AnyMember),
            name => steps.push(Step::Member(name.to_owned())),
        }
        steps.extend((0..(part.len() - name.len()) / 2).map(|_| Step::Element));
    }
    steps
}

enum Edit<'v> {
    Put(&'v Value),
    Repeat(usize),
    Remove,
    Stranger,
}

/// The document with the edit done in each of the places that the steps lead to, one at a time.
fn with(document: &Value, steps: &[Step], edit: &Edit<'_>) -> Vec<Value> {
    let Some((step, rest)) = steps.split_first() else {
        return match (edit, document) {
            (Edit::Put(value), _) => vec![(*value).clone()],
            (Edit::Repeat(length), Value::Array(elements)) if !elements.is_empty() => {
                vec![Value::Array(elements.iter().cycle().take(*length).cloned().collect())]
            }
            (Edit::Stranger, Value::Object(members)) => {
                let mut members = members.clone();
                members.insert("stranger".to_owned(), json!("text"));
                vec![Value::Object(members)]
            }
            _ => Vec::new(),
        };
    };
    match (step, document) {
        (Step::Member(name), Value::Object(members)) => {
            let replaced = |inside: Option<Value>| {
                let mut members = members.clone();
                match inside {
                    Some(inside) => members.insert(name.clone(), inside),
                    None => members.remove(name),
                };
                Value::Object(members)
            };
            match (rest.is_empty(), edit, members.get(name)) {
                (true, Edit::Remove, Some(_)) => vec![replaced(None)],
                (true, Edit::Put(value), _) => vec![replaced(Some((*value).clone()))],
                (_, _, Some(inside)) => {
                    with(inside, rest, edit).into_iter().map(|inside| replaced(Some(inside))).collect()
                }
                _ => Vec::new(),
            }
        }
        (Step::AnyMember, Value::Object(members)) => {
            let names: Vec<String> = members.keys().cloned().chain(["x".to_owned()]).collect();
            let each = names.into_iter().flat_map(|name| {
                let way: Vec<Step> = vec![Step::Member(name)];
                let inside = members.get(match &way[0] {
                    Step::Member(name) => name.as_str(),
                    _ => "",
                });
                match (rest.is_empty(), inside) {
                    (true, _) => with(document, &way, edit),
                    (false, Some(inside)) => with(inside, rest, edit)
                        .iter()
                        .flat_map(|inside| with(document, &way, &Edit::Put(inside)))
                        .collect(),
                    _ => Vec::new(),
                }
            });
            each.collect()
        }
        (Step::Element, Value::Array(elements)) => {
            let mut all = Vec::new();
            for (at, element) in elements.iter().enumerate() {
                for inside in with(element, rest, edit) {
                    let mut elements = elements.clone();
                    elements[at] = inside;
                    all.push(Value::Array(elements));
                }
            }
            if let (true, Edit::Put(value), true) = (rest.is_empty(), edit, elements.is_empty()) {
                all.push(json!([value]));
            }
            all
        }
        _ => Vec::new(),
    }
}

/// The first value that the steps lead to.
fn at<'d>(document: &'d Value, steps: &[Step]) -> Option<&'d Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(document) };
    match (step, document) {
        (Step::Member(name), Value::Object(members)) => at(members.get(name)?, rest),
        (Step::AnyMember, Value::Object(members)) => members.values().find_map(|inside| at(inside, rest)),
        (Step::Element, Value::Array(elements)) => elements.iter().find_map(|inside| at(inside, rest)),
        _ => None,
    }
}

/// The places in a document, each with the type of what is there.
fn gather(document: &Value, place: &str, places: &mut BTreeSet<String>) {
    let kind = match document {
        Value::Object(members) => {
            members.iter().for_each(|(name, inside)| gather(inside, &format!("{place}.{name}"), places));
            "object"
        }
        Value::Array(elements) => {
            elements.iter().for_each(|inside| gather(inside, &format!("{place}[]"), places));
            if elements.is_empty() { "nothing" } else { "array" }
        }
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        Value::Null => "null",
    };
    places.insert(format!("{place} {kind}"));
}

fn reaches(document: &Value, steps: &[Step]) -> bool {
    at(document, steps).is_some()
}
