//! The knowledge base: every Rem in the order in which the SDK knows them, and what the SDK finds.

use super::rem::Rem;
use super::revision::Revision;
use super::variant::Variant;
use crate::contract::Options;
use crate::data::{DataError, lines, text};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// All Rems, and the SDK's hits where they are recorded.
#[derive(Default)]
pub(crate) struct Corpus {
    rems: Vec<Rem>,
    places: HashMap<String, usize>,
    recorded: Recorded,
    pub(super) variant: Option<Variant>,
    /// The revision of the document that is spoken.
    pub(super) revision: Revision,
}

/// What the SDK answered to some queries and tags: ids in its order, with its duplicates.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    #[serde(default)]
    search: HashMap<String, Vec<String>>,
    #[serde(default)]
    tag: HashMap<String, Vec<String>>,
}

impl Corpus {
    /// The knowledge base that the options name, or an empty one.
    pub(crate) fn of(options: &Options) -> Result<Self, DataError> {
        let mut corpus = options.corpus_of("remnote").as_deref().map_or_else(|| Ok(Self::default()), Self::load)?;
        corpus.variant = options.switch.variant();
        corpus.revision = Revision::of(options.switch.revision("remnote"));
        if corpus.variant == Some(Variant::DocumentWins) {
            corpus.rems.iter_mut().for_each(Rem::prefer_document);
        }
        Ok(corpus)
    }

    /// Loads `rems.ndjson` and, where it is there, `hits.json`.
    fn load(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join("rems.ndjson");
        let mut corpus = Self::default();
        for line in lines(&path)? {
            let (line, rem): (_, Rem) = line?;
            if let Some(first) = corpus.places.insert(rem.id.clone(), corpus.rems.len()) {
                let problem = format_args!("line {} has the id {:?} too", first + 1, rem.id);
                return Err(DataError::line(&path, line, problem));
            }
            corpus.rems.push(rem);
        }
        for (line, rem) in (1..).zip(&corpus.rems) {
            if let Some(id) = rem.parent.iter().chain(&rem.children).find(|id| corpus.rem(id).is_none()) {
                return Err(DataError::line(&path, line, format_args!("its parent or child {id:?} is not there")));
            }
        }
        corpus.recorded = corpus.recorded(&folder.join("hits.json"))?;
        Ok(corpus)
    }

    /// The Rem of that id.
    pub(crate) fn rem(&self, id: &str) -> Option<&Rem> {
        self.places.get(id).map(|place| &self.rems[*place])
    }

    /// The SDK's first hits for a query, at most `count` and none of them a row: those recorded, else the Rems whose title
    /// has the query in it. `title` is what the SDK searches of a Rem.
    pub(crate) fn hits(&self, query: &str, count: usize, title: impl Fn(&Rem) -> String) -> Vec<&Rem> {
        let hits: Box<dyn Iterator<Item = &Rem>> = match self.recorded.search.get(query) {
            Some(ids) => Box::new(ids.iter().filter_map(|id| self.rem(id))),
            None => {
                let (query, whole_words) = (query.to_ascii_lowercase(), self.variant == Some(Variant::WholeWords));
                let matches = move |title: &str| match whole_words && !query.is_empty() {
                    true => words(&query).all(|word| words(title).any(|other| word == other)),
                    false => title.contains(&query),
                };
                Box::new(self.rems.iter().filter(move |rem| matches(&title(rem).to_ascii_lowercase())))
            }
        };
        hits.filter(|rem| !rem.is_row()).take(count).collect()
    }

    /// All hits of the SDK for a tag: those recorded, else every Rem that has the tag.
    pub(crate) fn tagged(&self, tag: &str) -> Vec<&Rem> {
        match self.recorded.tag.get(tag) {
            Some(ids) => ids.iter().filter_map(|id| self.rem(id)).collect(),
            None => self.rems.iter().filter(|rem| rem.tags.iter().any(|name| name == tag)).collect(),
        }
    }

    fn recorded(&self, path: &Path) -> Result<Recorded, DataError> {
        if !path.exists() {
            return Ok(Recorded::default());
        }
        let recorded: Recorded =
            serde_json::from_str(&text(path)?).map_err(|problem| DataError::file(path, problem))?;
        let lists = recorded.search.iter().chain(&recorded.tag);
        let mut hits = lists.flat_map(|(asked, ids)| ids.iter().map(move |id| (asked, id)));
        match hits.find(|(_, id)| self.rem(id).is_none()) {
            Some((asked, id)) => {
                let problem = format_args!("it records {id:?} as a hit for {asked:?}, and no Rem has that id");
                Err(DataError::file(path, problem))
            }
            None => Ok(recorded),
        }
    }
}

/// The words of a text, between all that is neither letter nor digit.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}
