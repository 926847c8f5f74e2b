//! Limits that one answer breaks by itself, whatever is below its notes.

use super::lines::{Line, lines};
use crate::model::Detail;
use crate::rules::{Input, Ruling, whole};
use serde::Deserialize;
use serde_json::Value;

/// What is limited, and the limit where the request gives none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limited {
    /// The field that shows the outline.
    r#in: String,
    most: Most,
    otherwise: u64,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Most {
    /// Entries of one list, on any level: whether `childLimit` counts the children of each node or of all is free.
    Children,
    Levels,
}

/// No list of an outline is longer than `childLimit`, or no line is deeper than `depth`. A limit that is no whole number from 1
/// means nothing. A text is passed over where its lines are not as many as the note says: a headline may be printed with its line
/// breaks.
pub(super) fn within_limit(args: &Limited, input: &Input<'_, '_>) -> Ruling {
    let limit = input.one("limit").map_or(Some(args.otherwise), |node| whole(node.value)).filter(|limit| *limit > 0);
    let Some(limit) = limit else {
        return Ruling::skip("no limit");
    };
    let (mut exercised, mut details) = (0, Vec::new());
    let field = args.r#in.as_str();
    for (note, lines) in input.all("value").iter().filter_map(|note| Some((note, outline(note.value, field)?))) {
        exercised += lines.len();
        let reached = match args.most {
            Most::Children => longest(&lines),
            Most::Levels => lines.iter().map(|line| line.level + 1).max().unwrap_or_default(),
        } as u64;
        if reached > limit {
            let what = match args.most {
                Most::Children => "a list has more children than `childLimit` allows",
                Most::Levels => "there are more levels than `depth` allows",
            };
            let detail = Detail::new(what).at(format!("{}/{field}", note.pointer));
            details.push(detail.compare(format!("at most {limit}").into(), reached.into()));
        }
    }
    match exercised {
        0 => Ruling::skip("no outline is there"),
        _ => Ruling::of(exercised, details),
    }
}

/// The lines of a field of a note; nothing of a text whose lines cannot be told from those of its headlines.
fn outline(note: &Value, field: &str) -> Option<Vec<Line>> {
    let lines = lines(note.get(field)?)?;
    let is_counted = || whole(&note["contentProperties"]["childrenRendered"]) == Some(lines.len() as u64);
    (field != "content" || is_counted()).then_some(lines)
}

/// How many entries the longest list has, on any level.
pub(super) fn longest(lines: &[Line]) -> usize {
    let mut open: Vec<usize> = Vec::new();
    let mut longest = 0;
    for line in lines {
        open.resize(line.level + 1, 0);
        open[line.level] += 1;
        longest = longest.max(open[line.level]);
    }
    longest
}
