//! Full-text search over titles, summaries and bodies.

use super::record::Record;
use super::variant::Variant;
use crate::words::{TOKENIZER, cleaned, has_token, phrase, window};
use rusqlite::Connection;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Most Unicode scalar values of a snippet, without its marks.
const LONGEST_SNIPPET: usize = 120;

/// The words of all records, in memory.
pub(crate) struct Index(Mutex<Connection>);

impl Index {
    pub(crate) fn of(records: &[Record]) -> rusqlite::Result<Self> {
        let connection = Connection::open_in_memory()?;
        let create = format!("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = \"{TOKENIZER}\")");
        connection.execute_batch(&create)?;
        let transaction = connection.unchecked_transaction()?;
        for (place, record) in (0_i64..).zip(records) {
            transaction.execute("INSERT INTO words (rowid, text) VALUES (?1, ?2)", (place, whole_text(record)))?;
        }
        transaction.commit()?;
        Ok(Self(Mutex::new(connection)))
    }

    /// The places of the records that hold every word literally, best first. `records` are those that were indexed. A word in
    /// which the index sees no token is looked for in every record and adds nothing to the score.
    pub(crate) fn find(
        &self,
        records: &[Record],
        words: &[String],
        variant: Option<Variant>,
    ) -> rusqlite::Result<Vec<usize>> {
        let phrases: Vec<String> = words.iter().filter(|word| has_token(word)).map(|word| phrase(word)).collect();
        let candidates = match phrases.is_empty() {
            true => (0..records.len()).collect(),
            false => self.ranked(&phrases.join(" "), variant)?,
        };
        let holds_all = |place: &usize| {
            let text = whole_text(&records[*place]).to_ascii_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        Ok(candidates.into_iter().filter(holds_all).collect())
    }

    fn ranked(&self, phrases: &str, variant: Option<Variant>) -> rusqlite::Result<Vec<usize>> {
        // A panic of another request leaves nothing half done under this lock.
        let connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // bm25 is more negative for a better match; equal matches are in the store's order.
        let order = match variant {
            Some(Variant::StoreOrder) => "rowid",
            _ => "bm25(words), rowid",
        };
        let select = format!("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY {order}");
        let mut statement = connection.prepare(&select)?;
        let places = statement.query_map([phrases], |row| row.get::<_, i64>(0))?;
        // Row ids are places, which index a list.
        places.map(|place| place.map(|place| usize::try_from(place).unwrap_or_default())).collect()
    }
}

/// The surroundings of the first match, matches in bold: of the body where it has one, else of the summary, else of the title.
pub(crate) fn snippet(record: &Record, words: &[String]) -> String {
    let matches = |text: &&str| {
        let folded = text.to_ascii_lowercase();
        words.iter().any(|word| folded.contains(word.as_str()))
    };
    let texts = [record.body.as_str(), &record.summary, &record.title].map(cleaned);
    let shown = texts.iter().map(String::as_str).find(matches).unwrap_or_default();
    let part = whole_words(shown, window(shown, words, LONGEST_SNIPPET));
    let before = if part.start > 0 { "..." } else { "" };
    let behind = if part.end < shown.trim_end().len() { "..." } else { "" };
    format!("{before}{}{behind}", bold(&shown[part], words))
}

/// A part without the beginning of a word at its end, unless that is most of it.
fn whole_words(text: &str, part: Range<usize>) -> Range<usize> {
    let is_cut = text[part.end..].starts_with(|next: char| !next.is_whitespace());
    let gap = text[part.clone()].rfind(' ').filter(|gap| is_cut && gap * 2 > part.len());
    part.start..gap.map_or(part.end, |gap| part.start + gap)
}

/// Each match between `**`; matches that touch or overlap are one.
fn bold(text: &str, words: &[String]) -> String {
    let folded = text.to_ascii_lowercase();
    let found =
        words.iter().flat_map(|word| folded.match_indices(word.as_str()).map(|(at, word)| (at, at + word.len())));
    let mut found: Vec<(usize, usize)> = found.collect();
    found.sort_unstable();
    let (mut shown, mut done) = (String::new(), 0);
    let mut found = found.into_iter().peekable();
    while let Some((start, mut end)) = found.next() {
        while let Some((_, other)) = found.next_if(|(start, _)| *start <= end) {
            end = end.max(other);
        }
        shown += &format!("{}**{}**", &text[done..start], &text[start..end]);
        done = end;
    }
    shown + &text[done..]
}

/// What is searched of a record.
fn whole_text(record: &Record) -> String {
    format!("{}\n{}\n{}", record.title, record.summary, record.body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::between_two_words("seven is x", 0..8, "seven is")]
    #[case::in_a_word("four five", 0..7, "four")]
    #[case::behind_the_start("xx four five", 3..10, "four")]
    #[case::a_word_that_is_most_of_it("a bcdefgh", 0..6, "a bcde")]
    #[case::a_word_that_is_half_of_it("one two", 0..6, "one tw")]
    #[case::at_the_end("four five", 0..9, "four five")]
    fn a_part_ends_with_a_word(#[case] text: &str, #[case] part: Range<usize>, #[case] due: &str) {
        assert_eq!(&text[whole_words(text, part)], due);
    }

    #[rstest]
    #[case::apart("one two one", &["one"], "**one** two **one**")]
    #[case::in_another_case("An OBOE.", &["oboe"], "An **OBOE**.")]
    #[case::touching("a foobar b", &["foo", "bar"], "a **foobar** b")]
    #[case::overlapping("banana", &["ana", "nana"], "b**anana**")]
    #[case::one_in_the_other("a needle b", &["need", "needle", "e"], "a **needle** b")]
    #[case::nothing("a b", &["c"], "a b")]
    fn matches_are_bold(#[case] text: &str, #[case] words: &[&str], #[case] due: &str) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(bold(text, &words), due);
    }
}
