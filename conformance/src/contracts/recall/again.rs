//! Frames that were received are found again by what they show.

use super::frame::{Frame, earlier, seconds};
use super::paging::identity;
use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use serde_json::Value;

/// The filters, which keep the frames that show them.
const FILTERS: [&str; 3] = ["app_name", "window_name", "browser_url"];
/// The page size where none is asked for.
const PAGE: usize = 20;

/// Each frame of `own` that shows what a search asks for, and whose time is inside its window, is found by it. `asked` and `found`
/// belong together by their exchanges. Behind a full page there may be older ones.
pub(super) fn found_again(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value) else { continue };
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

/// What a search asks for, and in which window.
struct Asked<'v> {
    filters: Vec<(&'static str, &'v str)>,
    focused: Option<bool>,
    start: f64,
    end: Option<f64>,
    page: usize,
}

impl<'v> Asked<'v> {
    fn of(with: &'v Value) -> Option<Self> {
        let filters = FILTERS.into_iter().filter_map(|name| Some((name, with.get(name)?.as_str()?)));
        let page = with.get("limit").and_then(Value::as_u64).map_or(PAGE, |limit| limit as usize);
        Some(Self {
            filters: filters.collect(),
            focused: with.get("focused").and_then(Value::as_bool),
            start: with.get("start_time").and_then(seconds)?,
            end: with.get("end_time").and_then(seconds),
            page,
        })
    }

    /// Whether a frame shows what is asked for, and is inside the window and not upon its bounds.
    fn covers(&self, frame: Frame<'_>, time: f64) -> bool {
        let is_inside = earlier(self.start, time) && self.end.is_none_or(|end| earlier(time, end));
        let shows = |(name, part): &(&str, &str)| frame.text(name).is_some_and(|text| text.contains(part));
        is_inside && self.filters.iter().all(shows) && self.focused.is_none_or(|focused| frame.focus() == Some(focused))
    }
}
