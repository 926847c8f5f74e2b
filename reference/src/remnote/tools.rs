//! The tools of the remnote contract.

use super::arguments::{ByTag, Read, Refusal, Search, Unknown};
use super::corpus::Corpus;
use super::search::{read_note, search, search_by_tag};
use super::{input, output};
use crate::json::JsonObject;
use crate::tool::{Answer, Tool, over};
use serde::Serialize;
use std::sync::Arc;

pub(super) fn tools(corpus: &Arc<Corpus>) -> Vec<Tool> {
    let call = |answer: fn(&Corpus, &JsonObject) -> Result<Answer, Refusal>| over(corpus, answer);
    let revision = corpus.revision;
    vec![
        Tool {
            name: "remnote_search",
            title: "Search notes",
            description: format!(
                "Finds Rems by their text: documents and concepts first, daily documents, portals, descriptors \
                 and plain text after them. Ask for {} to get what stands below each.",
                revision.mode()
            )
            .into(),
            input: input::search(revision),
            output: Some(output::results(revision)),
            call: call(|corpus, arguments| {
                let asked = Search::parse(arguments, corpus.revision, Unknown::Refused)?;
                Ok(json(search(corpus, &asked)?))
            }),
        },
        Tool {
            name: "remnote_search_by_tag",
            title: "Search notes by tag",
            description:
                "Finds what a tag stands for: for each tagged Rem the nearest document above it, else the Rem \
                              directly above it, else itself. Results are those of remnote_search."
                    .into(),
            input: input::by_tag(revision),
            output: Some(output::results(revision)),
            call: call(|corpus, arguments| {
                let asked = ByTag::parse(arguments, corpus.revision, Unknown::Refused)?;
                Ok(json(search_by_tag(corpus, &asked)?))
            }),
        },
        Tool {
            name: "remnote_read_note",
            title: "Read a note",
            description: "Reads one Rem by its id, with what stands below it as indented markdown.".into(),
            input: input::read_note(revision),
            output: Some(output::note(revision)),
            call: call(|corpus, arguments| {
                let asked = Read::parse(arguments, corpus.revision, Unknown::Refused)?;
                Ok(json(read_note(corpus, &asked)?))
            }),
        },
    ]
}

fn json(answer: impl Serialize) -> Answer {
    Answer::Json(serde_json::to_value(answer).expect("answers have names for keys and nothing that JSON lacks"))
}
