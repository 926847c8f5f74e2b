//! Searches of windows that a walk has shown: what they find is known.

use super::again::Asked;
use super::frame::{AROUND, Frame, earlier, same_time};
use super::snippets::shows;
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief};
use serde_json::Value;

/// The times of what a walk showed.
fn span(walked: &[Located<'_>]) -> Option<(f64, f64)> {
    let times = || walked.iter().filter_map(|item| Frame(item.value).time());
    Some((times().reduce(f64::min)?, times().reduce(f64::max)?))
}

/// A search that browses a window inside the walk finds the frames that the walk showed there and that have what the filters ask
/// for: this page of them, newest first. `asked` and `found` belong together by their exchanges.
///
/// Where it is free whether a frame passes a filter, because of its case or an unknown focus, the page is not judged. Frames of one
/// time may come in any order, so times are compared.
pub(super) fn as_walked(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for asked in input.all("asked") {
        let Some(with) = Asked::of(asked.value).filter(|with| with.q.is_none()) else { continue };
        let Some(expected) = expected(&with, input.all("walked")) else { continue };
        let found: Vec<_> = input.all("found").iter().filter(|item| item.is_beside(asked)).collect();
        let times: Vec<f64> = found.iter().filter_map(|item| Frame(item.value).time()).collect();
        if times.len() < found.len() {
            continue;
        }
        exercised += 1;
        let is_same =
            times.len() == expected.len() && times.iter().zip(&expected).all(|(one, due)| same_time(*one, *due));
        if !is_same {
            let why = format!("a walk of this window showed other frames than {}", brief(asked.value));
            details.push(Detail::new(why).at(&asked.pointer).compare(expected.into(), times.into()));
        }
    }
    match exercised {
        0 => Ruling::skip("no window inside the walk is asked for"),
        _ => Ruling::of(exercised, details),
    }
}

/// The times on the page of a search; nothing where they are free.
fn expected(with: &Asked<'_>, walked: &[Located<'_>]) -> Option<Vec<f64>> {
    if with.focused == Some(false) {
        return None;
    }
    let (oldest, newest) = span(walked)?;
    let end = with.end.filter(|end| *end <= newest + AROUND && earlier(oldest, with.start))?;
    let (mut times, mut free) = (Vec::new(), false);
    for item in walked {
        let frame = Frame(item.value);
        let Some(time) = frame.time() else { continue };
        let is_upon_a_bound = same_time(time, with.start) || same_time(time, end);
        let passes = with.covers(frame, time);
        times.extend(passes.then_some(time));
        // A server that ignores case may find it.
        free |= is_upon_a_bound || with.is_inside(time) && !passes && with.passes(frame, shows);
    }
    times.sort_by(|left, right| right.total_cmp(left));
    (!free).then(|| times.into_iter().skip(with.offset).take(with.page).collect())
}

/// What a search finds between the times of a walk over all frames, the walk has shown.
pub(super) fn walked(input: &Input<'_, '_>) -> Ruling {
    let walked = input.all("walked");
    let Some((oldest, newest)) = span(walked) else {
        return Ruling::skip("the walk shows no time");
    };
    let known: Vec<String> = walked.iter().filter_map(|item| Frame(item.value).id()).collect();
    let found: Vec<_> = input
        .all("found")
        .iter()
        .filter_map(|item| {
            let frame = Frame(item.value);
            let is_between = |time: &f64| earlier(oldest, *time) && earlier(*time, newest);
            Some((frame.time().filter(is_between)?, frame.id()?, item))
        })
        .collect();
    if found.is_empty() {
        return Ruling::skip("nothing is found between the times of the walk");
    }
    let unknown = found.iter().filter(|(_, id, _)| !known.contains(id));
    let details = unknown.map(|(time, _, item)| {
        Detail::new(format!("the frame of {} is not among the frames of its window", brief(&Value::from(*time))))
            .at(&item.pointer)
    });
    Ruling::of(found.len(), details.collect())
}

/// Where a walk ended at an empty page, no older frame is left.
pub(super) fn to_the_end(input: &Input<'_, '_>) -> Ruling {
    let pages = input.all("pages");
    let is_empty = |page: &&Located<'_>| {
        let items = page.value["items"].as_array();
        page.value["status"] == "accepted" && items.is_some_and(Vec::is_empty)
    };
    let older: Vec<_> = input.all("older").iter().filter_map(|item| Some((Frame(item.value).time()?, item))).collect();
    let Some(last) = pages.last().filter(is_empty) else {
        return match older.len() {
            0 => Ruling::skip("neither the walk nor the frames end"),
            count => Ruling::pass(count),
        };
    };
    let details = older.iter().map(|(time, item)| {
        Detail::new(format!("the pages end at {}, and the frame of {time} is on none of them", last.pointer))
            .at(&item.pointer)
    });
    Ruling::of(pages.len(), details.collect())
}
