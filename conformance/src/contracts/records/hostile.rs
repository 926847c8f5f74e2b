//! A store of notes with hostile front matter and bodies, and links of every kind.

use super::shape::NOTES;
use crate::contracts::hostile::{Share, any_text, some_text};
use crate::contracts::shape::{Corpus, piece};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};

const TYPES: [&str; 5] = ["fleeting", "literature", "permanent", "moc", "x\\y"];
const LINKS: [&str; 4] = ["related", "supports", "part-of", "x:y"];
const TAGS: [&str; 6] = ["bark", "a.b", "C++", "標", "\"x\"", "🌱"];
/// Times of every length; some notes share one, and some have none.
const TIMES: [&str; 6] = [
    "2024-01-01T00:00:00Z",
    "2024-01-01T01:00:00+01:00",
    "2024-01-01T00:00:00.123456789Z",
    "1969-12-31T23:59:59Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
];

/// About so many notes.
pub(super) fn corpus(size: usize, share: Share) -> BoxedStrategy<Corpus> {
    let link = (any::<Index>(), select(&LINKS[..]), any::<bool>());
    let note = (
        // An id is one word. What random calls compare of summaries, they compare of ids that begin with these letters.
        (
            select(vec!["f", "s", "p", "n", "f.b", "s's", "p[1]", "n鍵", "🔑", "A"]),
            select(&TYPES[..]),
            option::of(select(&TIMES[..])),
        ),
        (some_text(share), subsequence(TAGS.to_vec(), 0..=3)),
        (
            option::weighted(0.4, any_text(share)),
            option::weighted(0.3, any_text(share)),
            option::weighted(0.8, any_text(share)),
        ),
        (vec(link, 0..3), vec((some_text(share), any_text(share)), 0..2)),
    );
    // A store without notes is no store that anything can be asked of.
    let corpus = vec(note, size.max(1)).prop_map(|notes| {
        let ids: Vec<String> = notes.iter().enumerate().map(|(at, ((id, ..), ..))| format!("qp-{id}{at}")).collect();
        let pieces = notes.into_iter().zip(&ids).map(|(note, id)| {
            let ((_, kind, created), (title, tags), (summary, section, body), (links, sources)) = note;
            let (inline, typed): (Vec<_>, Vec<_>) = links.into_iter().partition(|(.., is_inline)| *is_inline);
            let typed = typed.iter().map(|(to, kind, _)| json!({ "type": kind, "id": to.get(&ids) }));
            let inline = inline.iter().map(|(to, ..)| to.get(&ids).as_str());
            let sources = sources.iter().map(|(url, title)| json!({ "url": url, "title": title }));
            let value = json!({ "id": id, "type": kind, "created": created, "title": title, "tags": tags, "summary": summary,
                                "section": section, "body": body, "links": typed.collect::<Value>(),
                                "inline": inline.collect::<Value>(), "sources": sources.collect::<Value>() });
            piece(NOTES, value)
        });
        Corpus { pieces: pieces.collect() }
    });
    corpus.boxed()
}
