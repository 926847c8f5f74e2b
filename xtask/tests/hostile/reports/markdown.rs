//! Markdown, as GitHub reads it.

use super::MARK;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What the table of times and tokens folds under.
const NUMBERS: &str =
    "<details><summary>What answers took, and the tokens (o200k_base) that a model reads in them</summary>";

/// At most 1 MiB; the only markup is ours, and evidence stands in sentences and blocks of code alone.
pub(super) fn assert_whole(text: &str, code: i32) {
    assert!(text.len() <= 1 << 20, "{} bytes", text.len());
    assert!(text.ends_with(&format!(", exit code {code}\n")), "{text}");
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let (mut folds, mut heading, mut code_block) = (0, false, false);
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Html(html) if html.trim() == "</details>" => folds -= 1,
            Event::Html(html) if html.trim() == NUMBERS => folds += 1,
            Event::Html(html) => {
                let known = html.trim().strip_prefix("<details open><summary>in ");
                let known = known.and_then(|rest| rest.strip_suffix("</summary>"));
                let is_ours = known.is_some_and(|known| !known.contains(['<', '>', '&']) && !known.contains(MARK));
                assert!(is_ours, "{html} stands in {text}");
                folds += 1;
            }
            Event::Start(Tag::Heading { .. }) => heading = true,
            Event::End(TagEnd::Heading(_)) => heading = false,
            Event::Start(Tag::CodeBlock(_)) => code_block = true,
            Event::End(TagEnd::CodeBlock) => code_block = false,
            Event::Code(_) => {}
            Event::Text(words) => {
                assert!(!(heading && words.contains(MARK)), "{text}");
                // GitHub would make a link of it, unless it is broken by an escape.
                let is_link = ["://", "www."].iter().any(|start| words.contains(start));
                assert!(code_block || !is_link, "{words} is a link in {text}");
            }
            Event::SoftBreak => {}
            Event::Start(
                Tag::Paragraph
                | Tag::HtmlBlock
                | Tag::List(None)
                | Tag::Item
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell,
            )
            | Event::End(_) => {}
            other => panic!("{other:?} stands in {text}"),
        }
    }
    assert_eq!(folds, 0, "{text}");
}
