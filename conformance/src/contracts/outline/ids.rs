//! Ids as outlines write them: whole, without hyphens and underscores, or as a number alone.

use std::collections::{BTreeMap, HashMap, HashSet};

/// Letters and digits, as the grammar of the document has them.
pub(super) fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|character| character.is_ascii_alphanumeric())
}

/// Whether a written id can name this record.
pub(super) fn names(written: &str, id: &str) -> bool {
    let (short, whole) = (bare(written), bare(id));
    written == id || (!short.is_empty() && short == whole) || (is_digits(written) && number(written) == number(id))
}

/// Which of the written ids of an outline name which record.
///
/// Where ids are shortened to their numbers, it is the most frequent letter that is left out: other ids stay as they are.
pub(super) struct Names<'e> {
    exact: HashMap<&'e str, Vec<usize>>,
    loose: HashMap<String, Vec<usize>>,
    /// The known ids by key. Where more than one has a key, none: only its exact id names such a record.
    known: HashMap<String, Option<&'e str>>,
    /// What is left out of shortened ids.
    prefix: Option<char>,
}

impl<'e> Names<'e> {
    pub(super) fn of(written: &[&'e str], known: &[&'e str]) -> Self {
        let exact_known: HashSet<&'e str> = known.iter().copied().collect();
        let is_short = |id: &&&str| is_digits(id) && !exact_known.contains(**id);
        let is_shortened = written.iter().any(|id| is_short(&id)) && !known.iter().any(|id| is_digits(id));
        let prefix = most_frequent(known.iter().filter_map(|id| letter(id))).filter(|_| is_shortened);
        let mut names = Self { exact: HashMap::new(), loose: HashMap::new(), known: HashMap::new(), prefix };
        for id in exact_known.iter().copied() {
            let key = names.key(id);
            let only = Some(id).filter(|_| !key.is_empty() && !names.known.contains_key(&key));
            names.known.insert(key, only);
        }
        for (at, id) in written.iter().copied().enumerate() {
            match exact_known.contains(id) {
                true => names.exact.entry(id).or_default().push(at),
                false => names.loose.entry(names.key(id)).or_default().push(at),
            }
        }
        names
    }

    /// The places of the written ids that name a record.
    pub(super) fn places(&self, id: &str) -> &[usize] {
        let key = self.key(id);
        let loosely = || self.loose.get(&key).filter(|_| self.known.get(&key).is_some_and(Option::is_some));
        self.exact.get(id).or_else(loosely).map_or(&[], Vec::as_slice)
    }

    /// The id of the record that a written id names; the written one where it names none.
    pub(super) fn whole<'w>(&self, written: &'w str) -> &'w str
    where
        'e: 'w,
    {
        match self.exact.contains_key(written) {
            true => written,
            false => self.known.get(&self.key(written)).copied().flatten().unwrap_or(written),
        }
    }

    fn key(&self, id: &str) -> String {
        let is_shortened = |id: &str| is_digits(id) || letter(id) == self.prefix;
        let number = number(id).filter(|_| self.prefix.is_some() && is_shortened(id));
        number.map_or_else(|| bare(id), |number| number.to_string())
    }
}

/// Letters and digits: what is left of an id where nothing else can stand.
fn bare(id: &str) -> String {
    id.chars().filter(char::is_ascii_alphanumeric).collect()
}

fn is_digits(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|character| character.is_ascii_digit())
}

/// The letter of an id that is one letter and a number.
fn letter(id: &str) -> Option<char> {
    number(id)?;
    id.chars().next().filter(char::is_ascii_alphabetic)
}

fn most_frequent(letters: impl Iterator<Item = char>) -> Option<char> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    letters.for_each(|letter| *counts.entry(letter).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(letter, _)| letter)
}

/// The number of an id that is one letter and a number, or a number alone: 7 of `R007` and of `7`.
fn number(id: &str) -> Option<u64> {
    let digits = id.strip_prefix(|first: char| first.is_ascii_alphabetic()).unwrap_or(id);
    is_digits(digits).then(|| digits.parse().ok()).flatten()
}
