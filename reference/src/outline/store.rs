//! The records in the order of their file, with their parents and children.

use super::record::{Record, State};
use super::search::Index;
use super::variant::Variant;
use super::version::Version;
use crate::data::{DataError, lines};
use std::collections::HashMap;
use std::path::Path;

/// All records. A place is the position of a record in the file.
pub(crate) struct Store {
    records: Vec<Record>,
    places: HashMap<String, usize>,
    /// The places of the children of each record, in order.
    children: Vec<Vec<usize>>,
    index: Index,
    pub(super) variant: Option<Variant>,
    pub(super) version: Version,
}

impl Store {
    /// No records.
    pub(crate) fn empty() -> Result<Self, DataError> {
        Self::of(Vec::new(), HashMap::new())
    }

    /// Loads `records.ndjson`, one record a line.
    pub(crate) fn load(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join("records.ndjson");
        let (mut records, mut places) = (Vec::new(), HashMap::new());
        for line in lines(&path)? {
            let (line, record): (_, Record) = line?;
            let wrong = |problem| Err(DataError::line(&path, line, problem));
            if !is_id(&record.id) {
                let rule = "is no id; it has letters, digits, - and _, a letter or digit first";
                return wrong(format!("{:?} {rule}", record.id));
            }
            if let Some(first) = places.insert(record.id.clone(), records.len()) {
                return wrong(format!("line {} has the id {} too", first + 1, record.id));
            }
            records.push(record);
        }
        Self::of(records, places)
    }

    fn of(records: Vec<Record>, places: HashMap<String, usize>) -> Result<Self, DataError> {
        let mut children = vec![Vec::new(); records.len()];
        for (place, record) in records.iter().enumerate() {
            if let Some(parent) = record.parent_id.as_ref().and_then(|id| places.get(id)) {
                children[*parent].push(place);
            }
        }
        let index = Index::of(&records)?;
        Ok(Self { records, places, children, index, variant: None, version: Version::default() })
    }

    /// The places of all records, in order.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        0..self.records.len()
    }

    /// The places of the records that hold every word, best first.
    pub(crate) fn find(&self, words: &[String]) -> rusqlite::Result<Vec<usize>> {
        self.index.find(&self.records, words, self.variant)
    }

    pub(crate) fn record(&self, place: usize) -> &Record {
        &self.records[place]
    }

    /// The place of the record with this id.
    pub(crate) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// The place of a record's parent; an orphan has none.
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
