//! Limits of children over data that nobody knows, with empty lines perhaps: whether those count before they are left out is
//! free, so a list may be shorter than its limit.

use super::bullets::{differs, first_children};
use super::limits::longest;
use super::lines::{Line, lines, shown};
use crate::model::Detail;
use crate::path::field;
use crate::rules::{Input, Ruling, whole};
use serde_json::Value;

/// In each exchange, the nodes or the content of each item are the first ones of the whole tree of the same Rem, as far as
/// `childLimit` of its request allows. Over all exchanges, some list has as many entries as allowed.
pub(super) fn first_children_of_each(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    let (mut can_be_full, mut is_full) = (false, false);
    for exchange in input.all("value") {
        let limit = field(exchange.value, "/request/with/childLimit").and_then(Value::as_u64);
        let Some(limit) = limit.and_then(|limit| usize::try_from(limit).ok()) else { continue };
        for (at, item) in exchange.value["items"].as_array().into_iter().flatten().enumerate() {
            let Some(whole) = input.all("whole").iter().find(|whole| whole.value["remId"] == item["remId"]) else {
                continue;
            };
            let Some((cut, all)) = outline(item).zip(outline(whole.value)) else { continue };
            exercised += cut.lines.len().max(1);
            can_be_full |= all.longest > limit;
            is_full |= cut.longest == limit;
            let allowed = first_children(all.lines, limit);
            let mut ahead = allowed.iter();
            if let Some(line) = cut.lines.iter().position(|found| !ahead.any(|allowed| allowed == found)) {
                let place = format!("{}/items/{at}/{}", exchange.pointer, cut.field);
                details.push(differs(line, allowed.get(line), cut.lines.get(line)).at(place));
            }
        }
    }
    if can_be_full && !is_full {
        details.push(Detail::new("no list has as many children as `childLimit` allows, though longer ones were seen"));
    }
    match exercised {
        0 => Ruling::skip("no tree of a Rem was received twice"),
        _ => Ruling::of(exercised, details),
    }
}

/// What a note shows of its subtree.
struct Outline {
    field: &'static str,
    /// The lines that show something.
    lines: Vec<Line>,
    /// How many entries the longest list has, empty ones included.
    longest: usize,
}

/// The nodes of a note that has some, else its content; a missing tree is an empty one. Nothing of a content that its length
/// clipped, or whose lines are not as many as the note says: a headline may be printed with its line breaks.
fn outline(note: &Value) -> Option<Outline> {
    let nothing = Value::Array(Vec::new());
    let shown_in = ["contentStructured", "content"].into_iter().find_map(|field| Some((field, note.get(field)?)));
    let (field, tree) = shown_in.unwrap_or(("contentStructured", &nothing));
    let all = lines(tree)?;
    let counts = &note["contentProperties"];
    let is_whole =
        || counts["contentTruncated"] == false && whole(&counts["childrenRendered"]) == Some(all.len() as u64);
    (field != "content" || is_whole()).then(|| Outline { field, longest: longest(&all), lines: shown(all) })
}
