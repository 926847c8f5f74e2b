//! Titles and summaries beside those of the full answer, as far as their words are settled. "Encoding Rules", 3 and 4.

use super::format::BODY_MARK;
use super::pairs::{Compared, Pair, Pairs, text};
use crate::model::Detail;
use crate::rules::Ruling;
use serde_json::Value;

/// What a summary of "~50 characters" is at most, so that it need not be cut.
const SHORT: usize = 50;
/// A summary that is shorter may be a phrase that other texts have as well.
const TELLING: usize = 12;
/// What is left of a character that was cut in two.
const BROKEN: char = '\u{FFFD}';

/// How much of a summary is due.
#[derive(Clone, Copy)]
enum Length {
    /// The whole, the first line, or the beginning of either and dots.
    Free,
    Whole,
}

impl Pairs<'_> {
    pub(super) fn title(&self, pair: &Pair<'_>) -> Compared {
        self.title_by(pair, words)
    }

    /// A title in which no program has a reason to change anything is as it was, and any other has its words.
    pub(super) fn settled_title(&self, pair: &Pair<'_>) -> Compared {
        self.settled_title_by(pair, words)
    }

    /// As [`settled_title`](Self::settled_title). A search may show its matches in bold.
    pub(super) fn settled_title_but_for_bold(&self, pair: &Pair<'_>) -> Compared {
        self.settled_title_by(pair, |title| words(&title.replace("**", "")))
    }

    fn settled_title_by(&self, pair: &Pair<'_>, read: fn(&str) -> String) -> Compared {
        let title = text(pair.full, "title");
        match has_marks(title) || title.contains(breaks) {
            true => self.marked_title(pair),
            false => self.title_by(pair, read),
        }
    }

    /// The title is the same at each place. `read` is what is compared of it.
    fn title_by(&self, pair: &Pair<'_>, read: fn(&str) -> String) -> Compared {
        let expected = read(text(pair.full, "title"));
        // The document does not say what is shown for a blank title.
        if expected.is_empty() {
            return None;
        }
        self.everywhere(pair, |at, shown| {
            let same = expected == read(text(shown, "title"));
            self.unequal(at, "title", &pair.full["title"], &shown["title"], same)
        })
    }

    /// A title with characters that a program may escape has its words in their order. An escape may add others.
    fn marked_title(&self, pair: &Pair<'_>) -> Compared {
        let title = text(pair.full, "title");
        if !has_marks(title) || title.contains(breaks) || title.trim_end().ends_with(BODY_MARK) {
            return None;
        }
        self.everywhere(pair, |at, shown| {
            let mut rest = text(shown, "title");
            let same = title.split(|one: char| !one.is_alphanumeric()).all(|word| {
                let behind = rest.split_once(word).map(|(_, behind)| behind);
                rest = behind.unwrap_or(rest);
                behind.is_some()
            });
            self.unequal(at, "title", &pair.full["title"], &shown["title"], same)
        })
    }

    /// A title with brackets or parentheses and no line end is as it was.
    pub(super) fn title_as_is(&self, pair: &Pair<'_>) -> Compared {
        let title = text(pair.full, "title");
        (title.contains(['[', ']', '(', ')']) && !title.contains(breaks)).then(|| self.title(pair)).flatten()
    }

    pub(super) fn spoken_summary(&self, pair: &Pair<'_>) -> Compared {
        self.summary(pair, spoken, Length::Free)
    }

    pub(super) fn exact_summary(&self, pair: &Pair<'_>) -> Compared {
        self.summary(pair, words, Length::Free)
    }

    /// Where an outline shows summaries at all, a record that is open or for later shows its own, whole; another one may have none. In
    /// a deep tree three dots may stand for any.
    pub(super) fn whole_summary(&self, pair: &Pair<'_>) -> Compared {
        let shows = |record: &Value| !record["summary"].is_null();
        let may_lack = pair.full["state"] != "OPEN" && pair.full["state"] != "LATER";
        let lacks = !pair.places.iter().any(|at| shows(&self.records[*at]));
        if lacks && (may_lack || !self.records.iter().any(shows)) {
            return None;
        }
        self.summary(pair, spoken, Length::Whole)
    }

    /// Where a record that is open or for later has a summary, the outline shows one.
    pub(super) fn any_summary(&self) -> Ruling {
        let is_asked = |pair: &&Pair<'_>| {
            let state = &pair.full["state"];
            let has_one = !words(text(pair.full, "summary")).is_empty();
            pair.shown.is_some() && has_one && (state == "OPEN" || state == "LATER")
        };
        if !self.all.iter().any(|pair| is_asked(&pair)) {
            return Ruling::skip("no record that is open or for later has a summary");
        }
        let shows = self.records.iter().any(|record| !record["summary"].is_null());
        let none = || Detail::new("the outline shows no summary").at(&self.outline.pointer);
        Ruling::of(1, (!shows).then(none).into_iter().collect())
    }

    /// The whole summary, its first line, or the beginning of one of them and dots. A record with several places shows its
    /// summary at one of them at least, and no other text at any. `read` is what is compared of a text.
    fn summary(&self, pair: &Pair<'_>, read: fn(&str) -> String, length: Length) -> Compared {
        let (at, shown) = pair.shown?;
        let full = text(pair.full, "summary");
        let (whole, first) = (read(full), read(&first_line(full)));
        let same = |at: &usize| {
            let shown = text(&self.records[*at], "summary").trim_end();
            if shown.contains(BROKEN) && !full.contains(BROKEN) {
                return false;
            }
            let stem = shown.strip_suffix("...").or_else(|| shown.strip_suffix('…')).map(read);
            let begins = |stem: String| !stem.is_empty() && (whole.starts_with(&stem) || first.starts_with(&stem));
            let has_lines = shown.trim().contains(breaks);
            let is_cut = match length {
                Length::Free => stem.is_some_and(begins),
                Length::Whole => matches!(shown.trim(), "..." | "…"),
            };
            let came = read(shown);
            // On several lines a long word may be broken.
            let is_wrapped = || has_lines && letters(&came) == letters(&whole);
            let is_first = matches!(length, Length::Free) && came == first && has_marks_of(&first_line(full), shown);
            is_cut || is_first || (came == whole || is_wrapped()) && has_marks_of(full, shown)
        };
        // What is shown for a blank summary is a matter of form, unless it is another record's.
        if whole.is_empty() {
            return self.own_summary(pair).filter(Option::is_some);
        }
        let shows = |at: &&usize| !self.records[**at]["summary"].is_null();
        let wrong = pair.places.iter().filter(shows).find(|at| !same(at));
        Some(match (wrong, pair.places.iter().any(same)) {
            (Some(at), _) => {
                let shown = &self.records[*at]["summary"];
                self.unequal(*at, "summary", &pair.full["summary"], shown, false)
            }
            (None, is_shown) => self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], is_shown),
        })
    }

    /// A snippet may stand in the line of a summary, so the text below a hit is free, but it is not the summary of another
    /// record.
    pub(super) fn own_summary(&self, pair: &Pair<'_>) -> Compared {
        let own = spoken(text(pair.full, "summary"));
        self.everywhere(pair, |at, shown| {
            let came = spoken(text(shown, "summary"));
            let has_own = !own.is_empty() && (own.contains(&came) || came.contains(&own));
            let is_foreign = came.chars().count() >= TELLING && !has_own;
            let of_another = |other: &&Pair<'_>| other.id != pair.id && spoken(text(other.full, "summary")) == came;
            let is_wrong = is_foreign && self.all.iter().any(|other| of_another(&other));
            self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], !is_wrong)
        })
    }

    /// Nothing stands for a summary that is blank.
    pub(super) fn blank_summary(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        words(text(pair.full, "summary")).is_empty().then(|| {
            let same = shown["summary"].is_null();
            self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], same)
        })
    }

    /// A summary of one line and fifty characters need not be cut.
    pub(super) fn short_summary(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let whole = words(text(pair.full, "summary"));
        let is_short =
            !whole.is_empty() && whole.chars().count() <= SHORT && whole == first_line(text(pair.full, "summary"));
        is_short.then(|| {
            let same = whole == words(text(shown, "summary"));
            self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], same)
        })
    }
}

/// Whether a text has the letters, digits and marks of sentences of another one, in their order: an escape may add characters, and
/// without a last full stop the text is cut. Two marks in a row may have become one character.
fn has_marks_of(full: &str, shown: &str) -> bool {
    let is_telling = |one: char| {
        let is_picture = ('\u{1F300}'..='\u{1FAFF}').contains(&one);
        one.is_alphanumeric() || is_picture || ".,;:?!%。，、？！".contains(one)
    };
    let mut rest = shown.chars();
    full.replace("..", "").chars().filter(|one| is_telling(*one)).all(|one| rest.any(|came| came == one))
}

/// Whether no program has a reason to change the summary: nothing in it reads as structure or breaks a line.
pub(super) fn is_plain_summary(full: &Value) -> bool {
    text(full, "summary").split('\n').all(|line| {
        let starts = |line: &str| line.starts_with(['[', '#', '>', '\\', '-', '*', '(', ':']);
        !starts(line.trim_start()) && !line.contains(breaks)
    })
}

fn has_marks(title: &str) -> bool {
    title.contains(['[', ']', '(', ')', '\\', '`'])
}

fn breaks(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// The first line that is not blank, white space as single spaces.
fn first_line(text: &str) -> String {
    words(text.lines().find(|line| !line.trim().is_empty()).unwrap_or(""))
}

/// The letters and digits of a text, by words. What joins the lines of a text and how marks are escaped is free; a text
/// without letters is as it is.
fn spoken(text: &str) -> String {
    let unescaped = ["\\n", "\\r", "\\t"].iter().fold(text.to_owned(), |text, escape| text.replace(escape, " "));
    let parts = unescaped.split(|character: char| !character.is_alphanumeric());
    let spoken = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if spoken.is_empty() { words(text) } else { spoken }
}

/// White space and control characters as single spaces, none at the ends.
pub(super) fn words(text: &str) -> String {
    let parts = text.split(|character: char| character.is_whitespace() || character.is_control());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text without its white space.
fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}
