//! Calls that reveal an argument which is not looked at, made of frames that a walk showed: each call differs from one that finds a
//! known frame in a single argument, or asks for a part of the walk whose frames are known.

use super::again::{FILTERS, inner_words};
use super::frame::{AROUND, Frame, earlier};
use super::words::{longest_word, most_common, most_shown_word};
use crate::path::{Located, part};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// No text goes on like this.
const NONSENSE: &str = "qxvkzj";
/// A longer beginning of a value says no more.
const LONGEST: usize = 60;
/// A window of so many frames fits a page.
const WINDOW: usize = 18;
/// What is asked for where the page size does not matter.
const PAGE: usize = 20;
/// So far from a frame a bound is beside it, in seconds.
const NEAR: f64 = 0.1;
/// Fewer frames show too little.
const FEWEST: usize = 9;

/// Which calls.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rows {
    of: Kind,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// Everything that a frame shows, around its time, with a word of its text too, and a later page of all frames.
    Whole,
    /// The same of another kind of content.
    Audio,
    /// The same without a start.
    WithoutStart,
    /// The same with one filter that the frame does not pass, and filters behind the first page.
    OtherFilters,
    /// The same in a window that begins after the frame.
    Later,
    /// The same in a window that ends before the frame.
    Sooner,
    /// Filters of a single mark that the frame does not have.
    Marks,
    /// The same with a word that no frame has.
    OtherWords,
    /// Windows whose frames are known.
    Windows,
    /// Windows within a second, beside a frame.
    Gaps,
    /// Everything that a frame shows, with a word of its text, in a window of seconds and in one of a part of a second.
    Fractions,
    /// The first page of a word that many frames show, and one just before the last of them.
    Behind,
    /// Pages of them behind the first, at no multiple of the page size.
    Pages,
    /// One window with each focus and without one.
    Focus,
    /// A word that many frames of a window show.
    Words,
}

/// The calls of a kind, each an object of arguments.
pub(super) fn rows(args: &Rows, items: &[Located<'_>]) -> Vec<Value> {
    let walked = Walked::of(items);
    let rows = match args.of {
        Kind::Whole => walked.whole(),
        Kind::Audio => {
            walked.whole().iter().map(|whole| with(whole, &row(json!({ "content_type": "audio" })))).collect()
        }
        Kind::WithoutStart => walked.whole().into_iter().map(without_start).collect(),
        Kind::OtherFilters => walked.other_filters(),
        Kind::Later => walked.beside(AROUND, 2.0 * AROUND),
        Kind::Sooner => walked.beside(-2.0 * AROUND, -AROUND),
        Kind::Marks => walked.marks(),
        Kind::OtherWords => walked.other_words(),
        Kind::Windows => walked.windows(),
        Kind::Gaps => walked.gaps(),
        Kind::Fractions => walked.fractions(),
        Kind::Behind => walked.behind(),
        Kind::Pages => walked.pages(),
        Kind::Focus => walked.each_focus(),
        Kind::Words => walked.words(),
    };
    rows.into_iter().map(Value::Object).collect()
}

type Row = Map<String, Value>;

/// Frames that a walk showed, newest first.
pub(super) struct Walked<'v> {
    frames: Vec<(f64, Frame<'v>)>,
}

impl<'v> Walked<'v> {
    pub(super) fn of(items: &[Located<'v>]) -> Self {
        let frames = items.iter().map(|item| Frame(item.value));
        let mut frames: Vec<_> = frames.filter_map(|frame| Some((frame.time()?, frame))).collect();
        frames.sort_by(|left, right| right.0.total_cmp(&left.0));
        Self { frames }
    }

    /// The frame that shows most, and everything that it shows.
    fn witness(&self) -> Option<(f64, Frame<'v>, Row)> {
        let shown = self.frames.iter().map(|(time, frame)| (*time, *frame, shown(*frame)));
        shown.max_by_key(|(time, frame, shown)| (shown.len(), longest_word(*frame).is_some(), self.is_lone(*time)))
    }

    fn whole(&self) -> Vec<Row> {
        let Some((time, frame, shown)) = self.witness() else { return Vec::new() };
        let whole = with(&around(time), &shown);
        let searched = longest_word(frame).map(|word| with(&whole, &row(json!({ "q": word }))));
        let behind = self.wide().map(|wide| with(&wide, &row(json!({ "limit": 5, "offset": 5 }))));
        std::iter::once(whole).chain(searched).chain(behind).collect()
    }

    fn other_filters(&self) -> Vec<Row> {
        let Some((time, frame, shown)) = self.witness() else { return Vec::new() };
        // Another frame of this moment may pass where this one does not.
        let differs = |name: &&String| *name != "focused" || self.is_lone(time);
        let names: Vec<&String> = shown.keys().filter(differs).collect();
        let others = || names.iter().filter_map(|name| other(frame, name));
        let base = with(&with(&around(time), &shown), &row(json!({ "limit": PAGE })));
        let browsed = others().map(|other| with(&base, &other));
        let word = longest_word(frame).map(|word| row(json!({ "q": word })));
        let searched = word.iter().flat_map(|word| others().map(|other| with(&with(&base, word), &other)));
        // Beside one that the frame passes, and without a limit.
        let pairs = names.iter().zip(names.iter().cycle().skip(1)).filter_map(|(known, name)| {
            let mut window = row(json!({ "start_time": base["start_time"], "end_time": base["end_time"] }));
            // No frame of any window has this part, but one of another focus may pass.
            if *name != "focused" {
                window.remove("end_time");
            }
            let known = with(&window, &row(json!({ known.as_str(): shown[*known] })));
            Some(with(&known, &other(frame, name)?))
        });
        let wide = self.wide().map(|wide| with(&wide, &row(json!({ "limit": 5, "offset": 5 }))));
        let parts = || FILTERS.into_iter().filter_map(|name| other(frame, name));
        let behind = wide.iter().flat_map(|wide| parts().map(|other| with(wide, &other)));
        browsed.chain(searched).chain(pairs).chain(behind).collect()
    }

    /// Everything that a frame shows in a window near its time that no frame is in, with a word of its text too.
    fn beside(&self, start: f64, end: f64) -> Vec<Row> {
        let Some((time, frame, shown)) = self.witness().filter(|(time, ..)| self.is_lone(*time)) else {
            return Vec::new();
        };
        let window = row(json!({ "start_time": time + start, "end_time": time + end }));
        let browsed = with(&with(&around(time), &shown), &window);
        let searched = longest_word(frame).map(|word| with(&browsed, &row(json!({ "q": word }))));
        std::iter::once(browsed).chain(searched).collect()
    }

    /// Whether this is the only frame near its time, also where times are shown in whole seconds, and older and newer ones are known.
    fn is_lone(&self, time: f64) -> bool {
        let near =
            self.frames.iter().filter(|(other, _)| time - 3.0 * AROUND <= *other && *other <= time + 2.0 * AROUND);
        let ends = self.frames.first().zip(self.frames.last());
        near.count() == 1 && ends.is_some_and(|(newest, oldest)| oldest.0 < time && time < newest.0)
    }

    /// Characters that are wildcards elsewhere, alone or in place of a letter, in filters that a frame does not pass.
    fn marks(&self) -> Vec<Row> {
        let Some((time, frame, _)) = self.witness().filter(|(time, ..)| self.is_lone(*time)) else {
            return Vec::new();
        };
        let marks = FILTERS.into_iter().zip(["_", "%", "*"]);
        let marks = marks.map(|(name, mark)| (name, mark.to_owned()));
        let dotted = FILTERS.into_iter().filter_map(|name| Some((name, dotted(&shown_part(frame, name)?)?)));
        let lacks = |name: &str, filter: &str| {
            frame.text(name).is_some_and(|text| !text.to_lowercase().contains(&filter.to_lowercase()))
        };
        let lacking = marks.chain(dotted).filter(|(name, filter)| lacks(name, filter));
        lacking.map(|(name, filter)| with(&around(time), &row(json!({ name: filter })))).collect()
    }

    fn other_words(&self) -> Vec<Row> {
        let Some((time, frame, shown)) = self.witness() else { return Vec::new() };
        let word = row(json!({ "q": longest_word(frame).unwrap_or_default() + NONSENSE }));
        let wide = self.wide().into_iter();
        let whole = with(&with(&with(&around(time), &shown), &row(json!({ "limit": PAGE }))), &word);
        let paged = wide.flat_map(|wide| {
            let open = row(json!({ "start_time": wide["start_time"] }));
            [open, with(&wide, &row(json!({ "limit": 5, "offset": 5 })))]
        });
        std::iter::once(whole).chain(paged.map(|row| with(&row, &word))).collect()
    }

    fn windows(&self) -> Vec<Row> {
        let window = self.varied(known_focus).into_iter();
        let browsed = window.flat_map(|window| [json!({}), json!({ "q": "" })].map(|more| with(&window, &row(more))));
        browsed.chain(self.fraction(|_| true).map(|(time, _)| near(time))).collect()
    }

    /// Windows of fractions of a second, behind a frame and before it.
    fn gaps(&self) -> Vec<Row> {
        let windows = [(NEAR / 2.0, NEAR), (-NEAR, -NEAR / 2.0)];
        let of =
            |time: f64| windows.map(|(start, end)| row(json!({ "start_time": time + start, "end_time": time + end })));
        self.fraction(|_| true).map(|(time, _)| of(time)).into_iter().flatten().collect()
    }

    fn fractions(&self) -> Vec<Row> {
        let Some((time, frame)) = self.fraction(|frame| longest_word(frame).is_some()) else { return Vec::new() };
        let Some(word) = longest_word(frame) else { return Vec::new() };
        let shown = with(&shown(frame), &row(json!({ "q": word })));
        [around(time), with(&around(time), &near(time))].map(|window| with(&window, &shown)).into()
    }

    /// A frame that is wanted, whose time is far from whole seconds, and if possible in one second with another frame.
    fn fraction(&self, is_wanted: impl Fn(Frame<'v>) -> bool) -> Option<(f64, Frame<'v>)> {
        let times = || self.frames.iter().map(|(time, _)| *time);
        let shares = |time: f64| times().any(|other| other.floor() == time.floor() && (other - time).abs() > NEAR);
        let mut between = self
            .frames
            .iter()
            .copied()
            .filter(|(time, frame)| (0.2..0.8).contains(&time.rem_euclid(1.0)) && is_wanted(*frame));
        let first = between.clone().next();
        between.find(|(time, _)| shares(*time)).or(first)
    }

    fn behind(&self) -> Vec<Row> {
        let Some(wide) = self.wide() else { return Vec::new() };
        let inside = self.inside(&wide);
        let Some(word) = most_shown_word(&inside) else { return Vec::new() };
        let showing = inside.iter().filter(|frame| inner_words(**frame).contains(&word.as_str())).count();
        let offsets = [0, showing.saturating_sub(2)];
        offsets.map(|offset| with(&wide, &row(json!({ "q": word, "limit": 5, "offset": offset })))).into()
    }

    fn pages(&self) -> Vec<Row> {
        let last = self.varied(known_focus).map(|window| {
            let but_two = self.inside(&window).len().saturating_sub(2);
            with(&window, &row(json!({ "offset": but_two })))
        });
        let filtered = self.wide().map(|wide| {
            let page = row(json!({ "offset": 2, "content_type": "ocr" }));
            with(&with(&wide, &self.common_parts()), &page)
        });
        last.into_iter().chain(filtered).collect()
    }

    fn each_focus(&self) -> Vec<Row> {
        let window = self.varied(known_focus);
        let asked = [json!({ "focused": true }), json!({}), json!({ "focused": false })];
        window.iter().flat_map(|window| asked.iter().map(|asked| with(window, &row(asked.clone())))).collect()
    }

    fn words(&self) -> Vec<Row> {
        let url = |frame: Frame<'_>| frame.text("browser_url").map(str::to_owned);
        let windows = [self.varied(known_focus), self.varied(url)];
        let rows = windows.into_iter().flatten().filter_map(|window| {
            let inside = self.inside(&window);
            Some(with(&window, &row(json!({ "q": most_shown_word(&inside)? }))))
        });
        rows.collect()
    }

    /// The window of all frames but those of the oldest moments, of which the walk may have shown only some.
    fn wide(&self) -> Option<Row> {
        let oldest = (1..self.frames.len()).rev().find_map(|at| self.before(at))?;
        Some(row(json!({ "start_time": oldest, "end_time": self.frames[0].0 + AROUND })))
    }

    /// The window of some frames, in which this value varies most.
    pub(super) fn varied(&self, value: impl Fn(Frame<'v>) -> Option<String>) -> Option<Row> {
        let windows = (0..self.frames.len()).filter_map(|newest| {
            let end = if newest == 0 { self.frames[0].0 + AROUND } else { self.before(newest)? };
            let longest = (newest + WINDOW).min(self.frames.len().checked_sub(1)?);
            let (after, start) =
                (newest + FEWEST..=longest).rev().find_map(|after| Some((after, self.before(after)?)))?;
            let values: BTreeSet<_> = self.frames[newest..after].iter().map(|(_, frame)| value(*frame)).collect();
            Some((values.len(), newest, row(json!({ "start_time": start, "end_time": end }))))
        });
        windows.min_by_key(|(values, newest, _)| (Reverse(*values), *newest)).map(|(.., row)| row)
    }

    /// The frames inside a window.
    pub(super) fn inside(&self, window: &Row) -> Vec<Frame<'v>> {
        let bound = |name: &str| window[name].as_f64().unwrap_or_default();
        let (start, end) = (bound("start_time"), bound("end_time"));
        let inside = self.frames.iter().filter(|(time, _)| earlier(start, *time) && earlier(*time, end));
        inside.map(|(_, frame)| *frame).collect()
    }

    /// A moment between a frame and the next newer one. A server may show times in whole seconds.
    fn before(&self, at: usize) -> Option<f64> {
        let (older, newer) = (self.frames[at].0, self.frames[at - 1].0);
        (newer - older >= 2.0 * AROUND).then_some(older + AROUND)
    }

    /// For each filter a part that most frames have, and the focus where some of these have it.
    fn common_parts(&self) -> Row {
        let mut frames: Vec<Frame<'v>> = self.frames.iter().map(|(_, frame)| *frame).collect();
        let mut parts = Row::new();
        for name in FILTERS {
            let texts: Vec<String> = frames.iter().filter_map(|frame| frame.text(name).map(beginning)).collect();
            let Some(part) = most_common(&texts) else { continue };
            frames.retain(|frame| frame.text(name).is_some_and(|text| text.contains(&part)));
            parts.insert(name.to_owned(), part.into());
        }
        if frames.iter().filter(|frame| frame.focus() == Some(true)).count() > 2 {
            parts.insert("focused".to_owned(), true.into());
        }
        parts
    }
}

fn row(value: Value) -> Row {
    match value {
        Value::Object(row) => row,
        _ => Row::new(),
    }
}

fn with(row: &Row, more: &Row) -> Row {
    let mut row = row.clone();
    row.extend(more.clone());
    row
}

fn without_start(mut row: Row) -> Row {
    row.remove("start_time");
    row
}

fn around(time: f64) -> Row {
    row(json!({ "start_time": time - AROUND, "end_time": time + AROUND, "content_type": "ocr", "offset": 0 }))
}

fn near(time: f64) -> Row {
    row(json!({ "start_time": time - NEAR, "end_time": time + NEAR }))
}

/// What a frame shows of all that can be asked for.
fn shown(frame: Frame<'_>) -> Row {
    let parts = FILTERS.into_iter().filter_map(|name| Some((name.to_owned(), shown_part(frame, name)?.into())));
    // What is shown as unfocused may be unknown, which another search need not find.
    let focus = frame.focus().filter(|focus| *focus).map(|focus| ("focused".to_owned(), focus.into()));
    parts.chain(focus).collect()
}

fn shown_part(frame: Frame<'_>, name: &str) -> Option<String> {
    let text = [frame.text(name)];
    part(&text, false).or_else(|| part(&text, true)).map(|part| part.text)
}

/// A text with a dot in place of a letter in its middle.
fn dotted(text: &str) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    let middle = characters.len() / 2;
    *characters.get_mut(middle).filter(|one| one.is_alphanumeric())? = '.';
    (characters.len() > 2).then(|| characters.into_iter().collect())
}

/// A filter that the frame does not pass, although it begins as the value does.
fn other(frame: Frame<'_>, name: &str) -> Option<Row> {
    let value = match name {
        "focused" => (!frame.focus()?).into(),
        _ => Value::from(beginning(frame.text(name)?) + NONSENSE),
    };
    Some(row(json!({ name: value })))
}

/// The beginning of a text, as far as no server reads it in another way.
fn beginning(text: &str) -> String {
    text.chars().take(LONGEST).take_while(|character| !character.is_control()).collect()
}

fn known_focus(frame: Frame<'_>) -> Option<String> {
    frame.focus().map(|focus| focus.to_string())
}
