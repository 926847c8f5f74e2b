//! The knowledge base: every Rem in the order in which the SDK knows them, and what the SDK finds.

use super::rem::Rem;
use super::revision::Revision;
use super::variant::Variant;
use crate::contract::Options;
use crate::data::{DataError, lines, text};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

/// All Rems, and the SDK's hits where they are recorded.
#[derive(Default)]
pub(crate) struct Corpus {
    rems: Vec<Rem>,
    places: HashMap<String, usize>,
    recorded: Recorded,
    /// What the SDK searches of each Rem, in small letters, once anything was searched.
    searched: OnceLock<Vec<String>>,
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
        let revision = Revision::of(options.switch.revision("remnote"));
        let mut corpus = Self { revision, variant: options.switch.variant(), ..Self::default() };
        if let Some(folder) = options.corpus_of("remnote") {
            corpus.load(&folder)?;
        }
        if revision.has_pages() {
            corpus.rems.iter_mut().for_each(Rem::document_first);
        }
        if corpus.variant == Some(Variant::DocumentWins) {
            corpus.rems.iter_mut().for_each(Rem::prefer_document);
        }
        Ok(corpus)
    }

    /// Loads `rems.ndjson` and, where it is there, `hits.json`; from 0.7 on, `more.ndjson` and `more-hits.json` too.
    fn load(&mut self, folder: &Path) -> Result<(), DataError> {
        self.add(&folder.join("rems.ndjson"))?;
        let more = folder.join("more.ndjson");
        let has_more = self.revision.holds_more() && more.exists();
        if has_more {
            self.add(&more)?;
        }
        self.recorded = self.recorded(&folder.join("hits.json"))?;
        if has_more {
            let Recorded { search, tag } = self.recorded(&folder.join("more-hits.json"))?;
            self.recorded.search.extend(search);
            self.recorded.tag.extend(tag);
        }
        Ok(())
    }

    /// Adds the Rems of a file. Their parents and children are in it too.
    fn add(&mut self, path: &Path) -> Result<(), DataError> {
        let before = self.rems.len();
        for line in lines(path)? {
            let (line, rem): (_, Rem) = line?;
            if let Some(first) = self.places.insert(rem.id.clone(), self.rems.len()) {
                let problem = format_args!("line {} has the id {:?} too", first + 1, rem.id);
                return Err(DataError::line(path, line, problem));
            }
            self.rems.push(rem);
        }
        for (line, rem) in (1..).zip(&self.rems[before..]) {
            if let Some(id) = rem.parent.iter().chain(&rem.children).find(|id| self.rem(id).is_none()) {
                return Err(DataError::line(path, line, format_args!("its parent or child {id:?} is not there")));
            }
        }
        Ok(())
    }

    /// The Rem of that id.
    pub(crate) fn rem(&self, id: &str) -> Option<&Rem> {
        self.places.get(id).map(|place| &self.rems[*place])
    }

    /// The SDK's hits for a query, none of them a row: those recorded, else the Rems whose title has the query in it. `title` is
    /// what the SDK searches of a Rem.
    pub(crate) fn hits<'a>(&'a self, query: &str, title: impl Fn(&Rem) -> String) -> impl Iterator<Item = &'a Rem> {
        let hits: Box<dyn Iterator<Item = &'a Rem> + 'a> = match self.recorded.search.get(query) {
            Some(ids) => Box::new(ids.iter().filter_map(|id| self.rem(id))),
            None => {
                let (query, whole_words) = (query.to_ascii_lowercase(), self.variant == Some(Variant::WholeWords));
                let matches = move |title: &str| match whole_words && !query.is_empty() {
                    true => words(&query).all(|word| words(title).any(|other| word == other)),
                    false => title.contains(&query),
                };
                let lower = |rem| title(rem).to_ascii_lowercase();
                let searched = self.searched.get_or_init(|| self.rems.iter().map(lower).collect());
                let found = self.rems.iter().zip(searched).filter(move |(_, title)| matches(title));
                Box::new(found.map(|(rem, _)| rem))
            }
        };
        hits.filter(|rem| !rem.is_row())
    }

    /// All hits of the SDK for a tag: those recorded, else every Rem that has the tag.
    pub(crate) fn tagged(&self, tag: &str) -> Vec<&Rem> {
        let has = |rem: &&Rem| rem.tags.iter().any(|id| id == tag || self.has_name(id, tag));
        match self.recorded.tag.get(tag) {
            // What no Rem is has no hits.
            _ if self.revision.tags_are_rems() && self.rem(tag).is_none() => Vec::new(),
            Some(ids) => ids.iter().filter_map(|id| self.rem(id)).collect(),
            None => self.rems.iter().filter(has).collect(),
        }
    }

    /// Whether the Rem that is a tag is called so. Before 0.15 that counts.
    fn has_name(&self, id: &str, name: &str) -> bool {
        !self.revision.tags_are_rems() && self.rem(id).is_some_and(|tag| tag.is_called(name))
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
