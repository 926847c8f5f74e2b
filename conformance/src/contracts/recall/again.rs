//! Frames that were received are found again by what they show.

use super::frame::{Frame, earlier, seconds};
use super::paging::identity;
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief};
use serde_json::Value;

/// The filters, which keep the frames that show them.
pub(super) const FILTERS: [&str; 3] = ["app_name", "window_name", "browser_url"];

/// Each frame of `own` that shows what a search asks for, and whose time is inside its window, is found by it. `asked` and `found`
/// belong together by their exchanges. Behind a full page there may be older ones, and the first page alone begins with the newest.
/// A page is full with as many as are asked for, or as a page of `own` has, since a server may grant less.
pub(super) fn found_again(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    let granted = largest_page(input.all("own"));
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value).filter(Asked::is_certain) else { continue };
        let found = found_by(input, asked);
        let known: Vec<_> = found.iter().filter_map(|item| identity(item.value)).collect();
        let times = found.iter().filter_map(|item| Frame(item.value).time());
        let oldest = times.reduce(f64::min).filter(|_| found.len() >= with.page(granted));
        for item in input.all("own") {
            let (frame, key) = (Frame(item.value), identity(item.value));
            let is_on_the_page = |time| oldest.is_none_or(|oldest| earlier(oldest, time));
            let Some(time) = frame.time().filter(|time| with.covers(frame, *time) && is_on_the_page(*time)) else {
                continue;
            };
            exercised += 1;
            if key.is_some() && !known.iter().any(|known| Some(known) == key.as_ref()) {
                let why = format!("the frame of {time}, which shows it, is not found by {}", brief(asked.value));
                details.push(Detail::new(why).at(&asked.pointer));
            }
        }
    }
    match exercised {
        0 => Ruling::skip("no known frame shows what is asked for"),
        _ => Ruling::of(exercised, details),
    }
}

/// Where a word finds one of the frames of `own` that show it, it finds each of them: no word is indexed for some frames alone. A
/// word that finds none of them may be a stop word. `asked` and `found` belong together by their exchanges.
pub(super) fn with_word(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    let granted = largest_page(input.all("own"));
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value).filter(|with| with.offset == 0) else { continue };
        let Some(word) = with.q else { continue };
        let found = found_by(input, asked);
        let known: Vec<_> = found.iter().filter_map(|item| Frame(item.value).id()).collect();
        let frames = input.all("own").iter().map(|item| Frame(item.value));
        let showing = frames.filter(|frame| with.is_shown(*frame, word));
        let (again, missing): (Vec<_>, Vec<_>) =
            showing.filter_map(|frame| Some((frame.id()?, frame))).partition(|(id, _)| known.contains(id));
        if again.is_empty() || found.len() >= with.page(granted) {
            continue;
        }
        exercised += again.len() + missing.len();
        details.extend(missing.iter().map(|(_, frame)| {
            let time = frame.time().unwrap_or_default();
            Detail::new(format!("`{word}` finds other frames that show it and not the frame of {time}"))
                .at(&asked.pointer)
        }));
    }
    match exercised {
        0 => Ruling::skip("no word finds a known frame"),
        _ => Ruling::of(exercised, details),
    }
}

/// Where a word finds one of the frames of `own` that show it, its pages go on as long as there are such frames. Two searches with
/// one word belong together if they differ in the offset alone. `asked` and `found` belong together by their exchanges.
pub(super) fn behind(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value).filter(|with| with.offset > 0) else { continue };
        let Some(word) = with.q else { continue };
        let own = input.all("own").iter().map(|item| Frame(item.value));
        let showing: Vec<_> = own.filter(|frame| with.is_shown(*frame, word)).filter_map(Frame::id).collect();
        let begins = input.all("asked").iter().any(|other| {
            let is_first = Asked::of(other.value).is_some_and(|with| with.offset == 0);
            is_first
                && differ_in(asked.value, other.value, &["offset"])
                && found_by(input, other)
                    .iter()
                    .filter_map(|item| Frame(item.value).id())
                    .any(|id| showing.contains(&id))
        });
        if !begins || showing.len() <= with.offset {
            continue;
        }
        exercised += showing.len() - with.offset;
        if found_by(input, asked).iter().all(|item| Frame(item.value).id().is_none()) {
            let why = format!("{} frames show `{word}`, and none is found behind {}", showing.len(), with.offset);
            details.push(Detail::new(why).at(&asked.pointer));
        }
    }
    match exercised {
        0 => Ruling::skip("no word finds a known frame"),
        _ => Ruling::of(exercised, details),
    }
}

/// What a search finds inside the window of another one, which differs from it in the window alone, that one finds too. `asked` and
/// `found` belong together by their exchanges; `own` are pages that show how many results fill one.
pub(super) fn in_both_windows(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    let granted = largest_page(input.all("own"));
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value) else { continue };
        let found = found_by(input, asked);
        let known: Vec<_> = found.iter().filter_map(|item| identity(item.value)).collect();
        let others = input.all("asked").iter().filter(|other| other.pointer != asked.pointer);
        let beside: Vec<_> =
            others.filter(|other| differ_in(asked.value, other.value, &["start_time", "end_time"])).collect();
        for other in beside.into_iter().flat_map(|other| found_by(input, other)) {
            let Some(time) = Frame(other.value).time().filter(|time| with.is_inside(*time)) else { continue };
            let Some(key) = identity(other.value) else { continue };
            exercised += 1;
            if !known.contains(&key) && found.len() < with.page(granted) {
                let why =
                    format!("the frame of {time} is found at {}, and not by {}", other.pointer, brief(asked.value));
                details.push(Detail::new(why).at(&asked.pointer));
            }
        }
    }
    match exercised {
        0 => Ruling::skip("nothing is found inside both windows"),
        _ => Ruling::of(exercised, details),
    }
}

/// What a search found: `asked` and `found` belong together by their exchanges.
fn found_by<'i, 'v>(input: &'i Input<'_, 'v>, asked: &Located<'_>) -> Vec<&'i Located<'v>> {
    input.all("found").iter().filter(|item| item.is_beside(asked)).collect()
}

/// Whether what is asked for is the same but for these arguments.
fn differ_in(left: &Value, right: &Value, names: &[&str]) -> bool {
    let rest = |with: &Value| {
        let mut with = with.as_object().cloned().unwrap_or_default();
        with.retain(|name, _| !names.contains(&name.as_str()));
        with
    };
    rest(left) == rest(right)
}

/// How many items the largest page has.
pub(super) fn largest_page(items: &[Located<'_>]) -> usize {
    let pages = items.chunk_by(|left, right| left.is_beside(right));
    pages.map(<[_]>::len).max().unwrap_or_default()
}

/// The words of a snippet between white space, but for the first and the last, which may be cut.
pub(super) fn inner_words(frame: Frame<'_>) -> Vec<&str> {
    let words: Vec<&str> = frame.text("ocr_snippet").unwrap_or_default().split_whitespace().collect();
    words.get(1..words.len().saturating_sub(1)).unwrap_or_default().to_vec()
}

/// What a search asks for, and in which window.
pub(super) struct Asked<'v> {
    pub(super) filters: Vec<(&'static str, &'v str)>,
    pub(super) focused: Option<bool>,
    /// What is searched for; nothing where the search browses.
    pub(super) q: Option<&'v str>,
    pub(super) start: f64,
    pub(super) end: Option<f64>,
    /// The page size that is asked for.
    limit: Option<usize>,
    pub(super) offset: usize,
}

impl<'v> Asked<'v> {
    pub(super) fn of(with: &'v Value) -> Option<Self> {
        let filters = FILTERS.into_iter().filter_map(|name| Some((name, with.get(name)?.as_str()?)));
        let number = |name: &str| with.get(name).and_then(Value::as_u64).map(|number| number as usize);
        Some(Self {
            filters: filters.collect(),
            focused: with.get("focused").and_then(Value::as_bool),
            start: with.get("start_time").and_then(seconds)?,
            end: with.get("end_time").and_then(seconds),
            q: with.get("q").and_then(Value::as_str).filter(|q| !q.trim().is_empty()),
            limit: number("limit"),
            offset: number("offset").unwrap_or_default(),
        })
    }

    /// How many results fill a page, where a page of so many is granted. Without a limit, one result may fill it.
    pub(super) fn page(&self, granted: usize) -> usize {
        self.limit.unwrap_or(1).min(granted.max(1))
    }

    /// Whether a frame has what is asked for, and its snippet this word.
    fn is_shown(&self, frame: Frame<'_>, word: &str) -> bool {
        frame.time().is_some_and(|time| self.covers(frame, time)) && inner_words(frame).contains(&word)
    }

    /// Whether it is known what a search finds: what is shown as unfocused may be unknown, which need not be found.
    fn is_certain(&self) -> bool {
        self.q.is_none() && self.offset == 0 && self.focused != Some(false)
    }

    /// Whether a frame shows what is asked for, and is inside the window and not upon its bounds.
    pub(super) fn covers(&self, frame: Frame<'_>, time: f64) -> bool {
        self.is_inside(time) && self.passes(frame, |text, part| text.contains(part))
    }

    /// Whether a time is inside the window and not upon its bounds.
    pub(super) fn is_inside(&self, time: f64) -> bool {
        earlier(self.start, time) && self.end.is_none_or(|end| earlier(time, end))
    }

    /// Whether a frame shows what the filters ask for, where this says whether a text has a part.
    pub(super) fn passes(&self, frame: Frame<'_>, has: impl Fn(&str, &str) -> bool) -> bool {
        let shows = |(name, part): &(&str, &str)| frame.text(name).is_some_and(|text| has(text, part));
        self.filters.iter().all(shows) && self.focused.is_none_or(|focused| frame.focus() == Some(focused))
    }
}
