//! What is read out of a Markdown body besides its summary: the inline links.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// The ids that `[[id]]` and `[[id|label]]` name, in order, repeats kept; code holds no links.
pub(crate) fn inline_links(body: &str) -> Vec<String> {
    Parser::new_ext(body, Options::ENABLE_WIKILINKS)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { link_type: LinkType::WikiLink { .. }, dest_url, .. }) => {
                Some(dest_url.trim().to_owned())
            }
            _ => None,
        })
        .collect()
}
