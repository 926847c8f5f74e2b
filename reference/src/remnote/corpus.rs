//! The knowledge base: every Rem in the order in which the SDK knows them, and what the SDK finds.

use super::rem::Rem;
use crate::contract::Options;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// All Rems, and the SDK's hits where they are recorded.
#[derive(Default)]
pub(crate) struct Corpus {
    rems: Vec<Rem>,
    places: HashMap<String, usize>,
    recorded: Recorded,
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

/// Why a corpus could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CorpusError {
    #[error("could not read {path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("line {line} of {path} is no Rem: {problem}")]
    Rem { path: PathBuf, line: usize, problem: String },
    #[error("{path} cannot be used: {source}")]
    Hits { path: PathBuf, source: serde_json::Error },
    #[error("{path} records {id:?} as a hit for {asked:?}, and no Rem has that id")]
    UnknownHit { path: PathBuf, id: String, asked: String },
}

impl Corpus {
    /// The knowledge base that the options name, or an empty one.
    pub(crate) fn of(options: &Options) -> Result<Self, CorpusError> {
        options.corpus_of("remnote").as_deref().map_or_else(|| Ok(Self::default()), Self::load)
    }

    /// Loads `rems.ndjson` and, where it is there, `hits.json`.
    fn load(folder: &Path) -> Result<Self, CorpusError> {
        let path = folder.join("rems.ndjson");
        let mut corpus = Self::default();
        for (number, line) in (1..).zip(read(&path)?.lines()) {
            let wrong = |problem| CorpusError::Rem { path: path.clone(), line: number, problem };
            let rem: Rem = from_json(line).map_err(|problem| wrong(problem.to_string()))?;
            let place = corpus.rems.len();
            if let Some(first) = corpus.places.insert(rem.id.clone(), place) {
                return Err(wrong(format!("line {} has the id {:?} too", first + 1, rem.id)));
            }
            corpus.rems.push(rem);
        }
        for (number, rem) in (1..).zip(&corpus.rems) {
            if let Some(id) = rem.parent.iter().chain(&rem.children).find(|id| corpus.rem(id).is_none()) {
                let problem = format!("its parent or child {id:?} is not there");
                return Err(CorpusError::Rem { path, line: number, problem });
            }
        }
        corpus.recorded = corpus.recorded(folder.join("hits.json"))?;
        Ok(corpus)
    }

    /// The Rem of that id.
    pub(crate) fn rem(&self, id: &str) -> Option<&Rem> {
        self.places.get(id).map(|place| &self.rems[*place])
    }

    /// The SDK's first hits for a query, at most `count`: those recorded, else the Rems, without rows, whose title holds the
    /// query. `title` is what the SDK searches of a Rem.
    pub(crate) fn hits(&self, query: &str, count: usize, title: impl Fn(&Rem) -> String) -> Vec<&Rem> {
        match self.recorded.search.get(query) {
            Some(ids) => self.all(ids, count),
            None => {
                let query = query.to_ascii_lowercase();
                let found = |rem: &&Rem| !rem.is_row() && title(rem).to_ascii_lowercase().contains(&query);
                self.rems.iter().filter(found).take(count).collect()
            }
        }
    }

    /// All hits of the SDK for a tag: those recorded, else every Rem that has the tag.
    pub(crate) fn tagged(&self, tag: &str) -> Vec<&Rem> {
        match self.recorded.tag.get(tag) {
            Some(ids) => self.all(ids, ids.len()),
            None => self.rems.iter().filter(|rem| rem.tags.iter().any(|name| name == tag)).collect(),
        }
    }

    fn all(&self, ids: &[String], count: usize) -> Vec<&Rem> {
        ids.iter().take(count).filter_map(|id| self.rem(id)).collect()
    }

    fn recorded(&self, path: PathBuf) -> Result<Recorded, CorpusError> {
        if !path.exists() {
            return Ok(Recorded::default());
        }
        let text = read(&path)?;
        let recorded: Recorded = from_json(&text).map_err(|source| CorpusError::Hits { path: path.clone(), source })?;
        let lists = recorded.search.iter().chain(&recorded.tag);
        let mut hits = lists.flat_map(|(asked, ids)| ids.iter().map(move |id| (asked, id)));
        match hits.find(|(_, id)| self.rem(id).is_none()) {
            Some((asked, id)) => Err(CorpusError::UnknownHit { path, id: id.clone(), asked: asked.clone() }),
            None => Ok(recorded),
        }
    }
}

fn read(path: &Path) -> Result<String, CorpusError> {
    std::fs::read_to_string(path).map_err(|source| CorpusError::File { path: path.to_owned(), source })
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}
