//! What an answer costs. "Token Savings Estimates" of the outline document.

use crate::model::Detail;
use crate::rules::{Input, Ruling};
use crate::text::tokens::count;

/// The text takes at most half the tokens of the JSON, printed with an indent of two spaces. The figure for JSON without
/// white space is told beside it.
pub(super) fn half_the_tokens(input: &Input<'_, '_>) -> Ruling {
    let (Some(lines), Some(full)) = (input.one("lines"), input.one("full")) else {
        return Ruling::skip("no text or no JSON");
    };
    let texts = lines.value.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(|line| line.as_str());
    let outline = texts.collect::<Vec<_>>().join("\n");
    let (Some(outline), Some(pretty)) = (count(&outline), count(&format!("{:#}", full.value))) else {
        return Ruling::incomplete(Detail::new("the answers are too large to be counted").at(&lines.pointer));
    };
    match outline * 2 <= pretty {
        true => Ruling::pass(1),
        false => {
            let bare = count(&full.value.to_string())
                .map_or_else(String::new, |bare| format!(" and {bare} without white space"));
            let message = format!("{outline} tokens, where the JSON takes {pretty} indented{bare}");
            let due = format!("at most {} tokens", pretty / 2);
            Ruling::fail(Detail::new(message).at(&lines.pointer).compare(due.into(), outline.into()))
        }
    }
}
