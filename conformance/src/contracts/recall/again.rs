//! Frames that were received are found again by what they show.

use super::frame::{Frame, earlier, seconds};
use super::paging::identity;
use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use serde_json::Value;

/// The filters, which keep the frames that show them.
pub(super) const FILTERS: [&str; 3] = ["app_name", "window_name", "browser_url"];
/// The page size where none is asked for.
const PAGE: usize = 20;

/// Each frame of `own` that shows what a search asks for, and whose time is inside its window, is found by it. `asked` and `found`
/// belong together by their exchanges. Behind a full page there may be older ones, and the first page alone begins with the newest.
pub(super) fn found_again(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value).filter(Asked::is_certain) else { continue };
        let found: Vec<_> = input.all("found").iter().filter(|item| item.is_beside(asked)).collect();
        let known: Vec<_> = found.iter().filter_map(|item| identity(item.value)).collect();
        let times = found.iter().filter_map(|item| Frame(item.value).time());
        let oldest = times.reduce(f64::min).filter(|_| found.len() >= with.page);
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
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value).filter(|with| with.offset == 0) else { continue };
        let Some(word) = with.q else { continue };
        let found: Vec<_> = input.all("found").iter().filter(|item| item.is_beside(asked)).collect();
        let known: Vec<_> = found.iter().filter_map(|item| Frame(item.value).id()).collect();
        let frames = input.all("own").iter().map(|item| Frame(item.value));
        let showing = frames.filter(|frame| {
            let is_covered = frame.time().is_some_and(|time| with.covers(*frame, time));
            is_covered && inner_words(*frame).contains(&word)
        });
        let (again, missing): (Vec<_>, Vec<_>) =
            showing.filter_map(|frame| Some((frame.id()?, frame))).partition(|(id, _)| known.contains(id));
        if again.is_empty() || found.len() >= with.page {
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

/// The words of a snippet between white space, but for the first and the last, which may be cut.
fn inner_words(frame: Frame<'_>) -> Vec<&str> {
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
    pub(super) page: usize,
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
            page: number("limit").unwrap_or(PAGE),
            offset: number("offset").unwrap_or_default(),
        })
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
