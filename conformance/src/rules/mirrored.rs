//! Arguments of tools that are mirrored in headers (MCP 2026-07-28, server/tools, x-mcp-header).

use super::{Input, Ruling};
use crate::format::mirrored;
use crate::model::Detail;

/// Each annotation in these input schemas stands at a whole number, a text or a truth value that is reached by `properties` alone, and
/// names a header by a token; the names of one schema differ, whatever their case.
pub(super) fn header_annotations(input: &Input<'_, '_>) -> Ruling {
    let (mut annotations, mut details) = (0, Vec::new());
    for node in input.all("value") {
        let (count, wrong) = mirrored::look(node.value);
        annotations += count;
        let at = |(place, why): (String, String)| Detail::new(why).at(format!("{}{place}", node.pointer));
        details.extend(wrong.into_iter().map(at));
    }
    if annotations == 0 {
        return Ruling::skip("no argument is mirrored in a header");
    }
    Ruling::of(annotations, details)
}
