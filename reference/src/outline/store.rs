//! The records in the order of their file, with their parents and children.

use super::record::{Record, State};
use super::search::Index;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Why the records could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("could not read {path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("line {line} of {path} is no record: {problem}")]
    Record { path: PathBuf, line: usize, problem: String },
    #[error("could not index the records: {0}")]
    Index(#[from] rusqlite::Error),
}

/// All records. A place is the position of a record in the file.
pub(crate) struct Store {
    records: Vec<Record>,
    places: HashMap<String, usize>,
    /// The places of the children of each record, in order.
    children: Vec<Vec<usize>>,
    index: Index,
}

impl Store {
    /// No records.
    pub(crate) fn empty() -> Result<Self, StoreError> {
        Self::of(Vec::new(), HashMap::new())
    }

    /// Loads `records.ndjson`, one record a line.
    pub(crate) fn load(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("records.ndjson");
        let text = std::fs::read_to_string(&path).map_err(|source| StoreError::File { path: path.clone(), source })?;
        let (mut records, mut places) = (Vec::new(), HashMap::new());
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |problem| StoreError::Record { path: path.clone(), line: number, problem };
            let record: Record = serde_json::from_str(line).map_err(|problem| wrong(problem.to_string()))?;
            if !is_id(&record.id) {
                let problem =
                    format!("{:?} is no id; it has letters, digits, - and _, a letter or digit first", record.id);
                return Err(wrong(problem));
            }
            if let Some(first) = places.insert(record.id.clone(), records.len()) {
                return Err(wrong(format!("line {} has the id {} too", first + 1, record.id)));
            }
            records.push(record);
        }
        Self::of(records, places)
    }

    fn of(records: Vec<Record>, places: HashMap<String, usize>) -> Result<Self, StoreError> {
        let mut children = vec![Vec::new(); records.len()];
        for (place, record) in records.iter().enumerate() {
            if let Some(parent) = record.parent_id.as_ref().and_then(|id| places.get(id)) {
                children[*parent].push(place);
            }
        }
        let index = Index::of(&records)?;
        Ok(Self { records, places, children, index })
    }

    /// The places of all records, in order.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        0..self.records.len()
    }

    /// The places of the records that hold every word, best first.
    pub(crate) fn find(&self, words: &[String]) -> rusqlite::Result<Vec<usize>> {
        self.index.find(&self.records, words)
    }

    pub(crate) fn record(&self, place: usize) -> &Record {
        &self.records[place]
    }

    /// Where the record of that id stands.
    pub(crate) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Where the parent of a record stands; an orphan has none.
    pub(crate) fn parent(&self, place: usize) -> Option<usize> {
        self.place(self.records[place].parent_id.as_deref()?)
    }

    pub(crate) fn children(&self, place: usize) -> &[usize] {
        &self.children[place]
    }

    /// How many children of a record are open, shown or not.
    pub(crate) fn open_children(&self, place: usize) -> usize {
        self.children[place].iter().filter(|child| self.records[**child].state == State::Open).count()
    }
}

fn is_id(id: &str) -> bool {
    id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_'))
}
