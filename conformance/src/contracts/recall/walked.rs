//! Searches of windows that a walk has shown: what they find is known.

use super::again::{Asked, largest_page};
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
    compare(input, "a walk of this window showed other frames than", same_times)
}

/// Such a page begins with the frame that it has to begin with. Whether it ends too early is judged elsewhere.
pub(super) fn begin_as_walked(input: &Input<'_, '_>) -> Ruling {
    compare(input, "a walk of this window showed other frames where this begins:", |found, expected| {
        let begins = found.len() <= expected.len() && same_times(found, &expected[..found.len()]);
        begins && found.is_empty() == expected.is_empty()
    })
}

/// Such a page does not end although there are more frames.
pub(super) fn end_as_walked(input: &Input<'_, '_>) -> Ruling {
    compare(input, "a walk of this window showed more frames than", |found, expected| {
        found.len() >= expected.len() || found.is_empty() || !same_times(found, &expected[..found.len()])
    })
}

fn same_times(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(one, due)| same_time(*one, *due))
}

fn compare(input: &Input<'_, '_>, why: &str, is_right: impl Fn(&[f64], &[f64]) -> bool) -> Ruling {
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
        if !is_right(&times, &expected) {
            let why = format!("{why} {}", brief(asked.value));
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
    (!free).then(|| times.into_iter().skip(with.offset).take(with.page(largest_page(walked))).collect())
}

/// A page has as many results as are asked for, unless a walk of the same frames shows no more.
pub(super) fn page_granted(input: &Input<'_, '_>) -> Ruling {
    let items = input.all("items");
    let Some(limit) = input.one("limit").and_then(|limit| limit.value.as_u64()) else {
        return Ruling::skip("no limit is asked for");
    };
    let Some((first, walked)) = items.first().zip(Some(input.all("walked").len())) else {
        return Ruling::skip("the page is empty");
    };
    match (items.len() < walked && (items.len() as u64) < limit, walked as u64 >= limit) {
        (true, _) => Ruling::fail(
            Detail::new(format!("the page holds {} although {limit} are asked for and there are more", items.len()))
                .at(&first.pointer),
        ),
        (false, true) => Ruling::pass(items.len()),
        _ => Ruling::skip("fewer frames are known than a page holds"),
    }
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
