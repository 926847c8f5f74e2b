//! What the numbers of a target are made of. It stays small however long a run is: of the texts of answers, a few are kept.

use super::{Cost, Elapsed, Numbers, Place};
use crate::text::tokens;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// So many answers of an operation are the sample in which one of about median size is looked for.
const SAMPLE: usize = 15;
/// So many bytes are kept of the text of an answer of the sample, and of the text of the largest. Of what is longer, the beginning is
/// counted and the rest estimated.
const KEPT_OF_SAMPLE: usize = 32 << 10;
const KEPT_OF_LARGEST: usize = 256 << 10;

/// What answers took and what they were, by endpoint and operation. It does not depend on the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Measured(BTreeMap<(Place, String), Operation>);

#[derive(Debug, Clone, Default)]
struct Operation {
    /// Of every answer, in seconds.
    elapsed: Vec<f64>,
    /// Of every accepted answer, in bytes.
    sizes: Vec<usize>,
    /// The accepted answers of the lowest draws, in their order.
    sample: Vec<Answer>,
    largest: Option<Answer>,
}

/// An accepted answer. The lowest draws are the sample.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Answer {
    draw: [u8; 8],
    bytes: usize,
    /// The length of the text, in bytes.
    length: usize,
    /// The text, or its beginning.
    text: String,
}

/// The text of an answer as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Read {
    /// The text, or its beginning.
    pub(crate) text: String,
    /// The length of all of it, in bytes.
    pub(crate) length: usize,
}

impl Measured {
    /// Notes that an answer came, and how long it took, in seconds.
    pub(crate) fn took(&mut self, place: &Place, operation: &str, seconds: f64) {
        self.operation(place, operation).elapsed.push(seconds);
    }

    /// Notes an accepted answer of so many bytes. `name` tells it from the others of its endpoint, in every run alike.
    pub(crate) fn accepted(
        &mut self,
        (place, operation): (&Place, &str),
        name: &str,
        bytes: usize,
        read: impl FnOnce() -> Read,
    ) {
        let mut draw = [0; 8];
        draw.copy_from_slice(&Sha256::digest(format!("{place} {operation} {name}"))[..8]);
        let known = self.operation(place, operation);
        known.sizes.push(bytes);
        let is_drawn = known.sample.len() < SAMPLE || known.sample.last().is_some_and(|last| draw <= last.draw);
        let is_largest = known.largest.as_ref().is_none_or(|largest| bytes >= largest.bytes);
        if is_drawn || is_largest {
            let Read { text, length } = read();
            known.add(Answer { draw, bytes, length, text });
        }
    }

    /// Adds what was measured elsewhere.
    pub(crate) fn append(&mut self, other: Self) {
        for (key, more) in other.0 {
            let known = self.0.entry(key).or_default();
            known.elapsed.extend(more.elapsed);
            known.sizes.extend(more.sizes);
            more.sample.into_iter().chain(more.largest).for_each(|answer| known.add(answer));
        }
    }

    /// The numbers, by endpoint and operation. Tokens are counted where that is wanted: it takes the vocabulary.
    pub(crate) fn numbers(&self, with_tokens: bool) -> Vec<Numbers> {
        let numbers = self.0.iter().filter_map(|((place, operation), measured)| {
            Some(Numbers {
                contract: place.contract.clone(),
                transport: place.transport,
                operation: operation.clone(),
                answers: measured.elapsed.len(),
                elapsed: Elapsed::of(measured.elapsed.clone())?,
                median: measured.median().map(|answer| answer.cost(with_tokens)),
                largest: measured.largest.as_ref().map(|answer| answer.cost(with_tokens)),
            })
        });
        numbers.collect()
    }

    fn operation(&mut self, place: &Place, operation: &str) -> &mut Operation {
        self.0.entry((place.clone(), operation.to_owned())).or_default()
    }
}

impl Operation {
    /// The answer of the sample whose size is nearest to the median of all.
    fn median(&self) -> Option<&Answer> {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        let median = *sizes.get(sizes.len().saturating_sub(1) / 2)?;
        self.sample.iter().min_by_key(|answer| (answer.bytes.abs_diff(median), answer.draw))
    }

    fn add(&mut self, answer: Answer) {
        let size = |answer: &Answer| (answer.bytes, std::cmp::Reverse(answer.draw));
        if self.largest.as_ref().is_none_or(|largest| size(&answer) > size(largest)) {
            self.largest = Some(answer.kept(KEPT_OF_LARGEST));
        }
        let answer = answer.kept(KEPT_OF_SAMPLE);
        if let Err(at) = self.sample.binary_search(&answer) {
            self.sample.insert(at, answer);
            self.sample.truncate(SAMPLE);
        }
    }
}

impl Answer {
    /// With so many bytes of its text at most.
    fn kept(&self, most: usize) -> Self {
        let end = self.text.floor_char_boundary(most);
        Self { text: self.text[..end].to_owned(), ..*self }
    }

    fn cost(&self, with_tokens: bool) -> Cost {
        let (bytes, counted) = (self.bytes, with_tokens.then(|| tokens::counted_or_estimated(&self.text, self.length)));
        let (tokens, about) = counted.map_or((None, false), |(tokens, about)| (Some(tokens), about));
        Cost { bytes, tokens, about }
    }
}

#[cfg(test)]
mod tests {
    use super::{Measured, Read};
    use crate::model::{Channel, ContractKey, Cost, Elapsed, Place, TransportKind};

    fn place() -> Place {
        Place { contract: ContractKey::new("m"), transport: Channel::new(TransportKind::Http, None) }
    }

    /// An answer of so many words, which are so many tokens, after as many seconds.
    fn answer(words: usize) -> Measured {
        let mut measured = Measured::default();
        let text = vec!["word"; words].join(" ");
        measured.took(&place(), "read", words as f64);
        measured.accepted((&place(), "read"), &words.to_string(), text.len(), || Read { length: text.len(), text });
        measured
    }

    fn all(words: impl Iterator<Item = usize>) -> Measured {
        words.map(answer).fold(Measured::default(), |mut all, one| {
            all.append(one);
            all
        })
    }

    #[test]
    fn the_order_of_answers_does_not_matter() {
        let (one, other) = (all(1..=100).numbers(true), all((1..=100).rev()).numbers(true));
        assert_eq!(one, other);
        assert_eq!((one.len(), one[0].answers), (1, 100));
        assert_eq!(one[0].elapsed, Elapsed { p50: 50.0, p95: 95.0, max: 100.0 });
        assert_eq!(one[0].largest.and_then(|cost| cost.tokens), Some(100));
        let median = one[0].median.and_then(|cost| cost.tokens).unwrap_or_default();
        assert!((40..=60).contains(&median), "{median} is far from the median of 1 to 100");
    }

    #[test]
    fn a_few_texts_are_kept_of_many() {
        let measured = all(1..=100);
        let known: Vec<_> = measured.0.values().collect();
        assert_eq!((known.len(), known[0].sample.len()), (1, super::SAMPLE));
    }

    #[test]
    fn a_refusal_has_a_time_and_no_size() {
        let mut measured = Measured::default();
        measured.took(&place(), "read", 0.5);
        let numbers = measured.numbers(true);
        assert_eq!((numbers[0].answers, numbers[0].median, numbers[0].largest), (1, None, None));
    }

    #[test]
    fn a_long_text_is_estimated_from_its_beginning() {
        let words = 1 << 18;
        let cost = all(std::iter::once(words)).numbers(true)[0].largest;
        let Some(Cost { tokens: Some(tokens), about: true, .. }) = cost else { panic!("{cost:?}") };
        assert!(tokens.abs_diff(words) < words / 100, "{tokens} tokens of {words} words");
    }

    #[test]
    fn a_text_without_spaces_is_counted_in_pieces() {
        let mut measured = Measured::default();
        measured.took(&place(), "read", 0.5);
        let text = "[1,2,3],".repeat(4000);
        measured.accepted((&place(), "read"), "", text.len(), || Read { length: text.len(), text });
        let cost = measured.numbers(true)[0].largest;
        assert!(matches!(cost, Some(Cost { tokens: Some(20_000..30_000), about: true, .. })), "{cost:?}");
    }
}
