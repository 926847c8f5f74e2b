//! The input schemas of the tools, at each revision and with its names.

use super::revision::Revision;
use crate::json::JsonObject;
use crate::tool::{renamed, schema};

/// The arguments of `remnote_search`.
pub(super) fn search(revision: Revision) -> JsonObject {
    let text = match revision {
        _ if revision.has_scopes() => include_str!("../../../schemas/remnote/search.input.6.schema.json"),
        _ if revision.has_pages() => include_str!("../../../schemas/remnote/search.input.5.schema.json"),
        _ => include_str!("../../../schemas/remnote/search.input.schema.json"),
    };
    named(text, revision)
}

/// The arguments of `remnote_search_by_tag`.
pub(super) fn by_tag(revision: Revision) -> JsonObject {
    let text = match revision {
        _ if revision.has_pages() => include_str!("../../../schemas/remnote/search-by-tag.input.5.schema.json"),
        _ if revision.tags_are_rems() => include_str!("../../../schemas/remnote/search-by-tag.input.4.schema.json"),
        _ => include_str!("../../../schemas/remnote/search-by-tag.input.schema.json"),
    };
    named(text, revision)
}

/// The arguments of `remnote_read_note`.
pub(super) fn read_note(revision: Revision) -> JsonObject {
    let text = match revision {
        _ if revision.has_pages() => include_str!("../../../schemas/remnote/read-note.input.5.schema.json"),
        _ if revision.reads_nodes() => include_str!("../../../schemas/remnote/read-note.input.2.schema.json"),
        _ => include_str!("../../../schemas/remnote/read-note.input.schema.json"),
    };
    named(text, revision)
}

/// The schema with the arguments as they are called on the wire.
fn named(text: &str, revision: Revision) -> JsonObject {
    renamed(schema(text), |name| match name {
        "includeContent" => revision.mode().to_owned(),
        "tag" => revision.tag().to_owned(),
        other => other.to_owned(),
    })
}
