//! The goldens of outline, computed again from its corpus.
//!
//! Records are put below each other by looking through all of them again and again: slow, and simple enough to be believed.

use crate::{json_file, root};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

/// A golden's file and the scan that computes it.
type Golden = (&'static str, fn(&Corpus) -> Value);

/// Every golden of outline.
const GOLDENS: &[Golden] = &[
    ("references.json", |corpus| corpus.rows(is_ordinary, Corpus::reference)),
    ("hostile-references.json", |corpus| corpus.rows(is_hostile, Corpus::reference)),
    ("ids.json", |corpus| corpus.shown(is_ordinary, &["id"])),
    ("hostile.json", |corpus| corpus.shown(is_hostile, &["id", "state", "parent"])),
    ("knots.json", |corpus| corpus.shown(|id| id.starts_with('K'), &["id", "parent"])),
    ("waifs.json", |corpus| corpus.shown(|id| id.starts_with('W'), &["id", "parent"])),
    ("other-ids.json", |corpus| corpus.shown(|id| id.contains(['-', '_']), &["id", "state", "title", "parent"])),
    ("order.json", |corpus| corpus.shown(|_| true, &["id"])),
    ("overview-roots.json", |corpus| corpus.rows(|id| is_ordinary(id) && corpus.is_root(id), id_alone)),
    ("overview-open.json", |corpus| corpus.rows(|id| is_ordinary(id) && corpus.get(id)["state"] == "OPEN", id_alone)),
    ("overview-later.json", |corpus| corpus.rows(|id| is_ordinary(id) && corpus.get(id)["state"] == "LATER", id_alone)),
    ("overview.json", overview),
    ("overview-2.json", second_overview),
    ("sections-2.json", second_sections),
];

#[test]
fn every_golden_of_outline_is_what_a_naive_scan_finds() {
    let corpus = Corpus::read();
    for (file, compute) in GOLDENS {
        let golden = json_file(&root().join("fixtures/outline/goldens").join(file));
        assert_eq!(golden, compute(&corpus), "{file}");
    }
}

#[test]
fn no_golden_of_outline_is_forgotten() {
    let folder = fs::read_dir(root().join("fixtures/outline/goldens")).unwrap();
    let files: BTreeSet<String> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(files, GOLDENS.iter().map(|(file, _)| (*file).to_owned()).collect());
}

#[test]
fn words_that_are_searched_for_stand_where_the_cases_say() {
    let corpus = Corpus::read();
    for (query, due) in [
        ("Thimblewood", vec!["R051"]),
        ("Brackenfoot", vec!["R052"]),
        ("Lanternjaw", vec!["R053"]),
        ("Zzyzxquill", vec![]),
        ("Copperlake", vec!["R058", "R059"]),
        ("Copperlake Silverlake", vec!["R058"]),
        ("Saffronmoor", vec!["R054", "R055"]),
        ("pennywhistle", vec!["R056", "R057"]),
        ("Oldharbour", vec!["q-17"]),
    ] {
        let holds = |record: &&Value| {
            let texts = ["title", "summary", "body"].map(|key| record[key].as_str().unwrap_or("").to_lowercase());
            query.to_lowercase().split(' ').all(|word| texts.concat().contains(word))
        };
        let found: Vec<&str> = corpus.0.iter().filter(holds).map(|record| record["id"].as_str().unwrap()).collect();
        assert_eq!(found, due, "{query}");
    }
}

#[test]
fn summaries_around_fifty_characters_are_as_long_as_they_say() {
    let corpus = Corpus::read();
    for (id, length) in [("R411", 49), ("R412", 50), ("R413", 51), ("R414", 50)] {
        assert_eq!(corpus.get(id)["summary"].as_str().unwrap().chars().count(), length, "{id}");
    }
}

/// The records in the order of the file.
struct Corpus(Vec<Value>);

/// A record in an outline: its id, and the id of the record that it stands below.
type Place = (String, Option<String>);

impl Corpus {
    fn read() -> Self {
        let text = fs::read_to_string(root().join("fixtures/outline/corpus/records.ndjson")).unwrap();
        Self(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    fn ids(&self) -> Vec<String> {
        self.0.iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
    }

    fn get(&self, id: &str) -> &Value {
        self.0.iter().find(|record| record["id"] == id).unwrap()
    }

    fn in_state(&self, state: &str) -> Vec<String> {
        self.ids().into_iter().filter(|id| self.get(id)["state"] == state).collect()
    }

    fn is_root(&self, id: &str) -> bool {
        let parent = self.get(id)["parent_id"].as_str();
        !self.ids().iter().any(|other| Some(other.as_str()) == parent)
    }

    fn reference(&self, id: &str) -> Value {
        let record = self.get(id);
        let children: Vec<&Value> = self.0.iter().filter(|child| child["parent_id"] == id).collect();
        let open = children.iter().filter(|child| child["state"] == "OPEN").count();
        json!({ "id": id, "type": record["type"], "title": record["title"], "summary": record["summary"],
                "state": record["state"], "parent_id": record["parent_id"],
                "children_count": children.len(), "open_children_count": open })
    }

    /// A row for each wanted record, in the order of the file.
    fn rows(&self, wanted: impl Fn(&str) -> bool, row: impl Fn(&Self, &str) -> Value) -> Value {
        self.ids().iter().filter(|id| wanted(id)).map(|id| row(self, id)).collect()
    }

    /// Fields of the wanted records, in the order of an outline of all.
    fn shown(&self, wanted: impl Fn(&str) -> bool, fields: &[&str]) -> Value {
        let rows = self.outline(&self.ids()).into_iter().filter(|(id, _)| wanted(id)).map(|(id, parent)| {
            let record = self.get(&id);
            let field = |name: &&str| match *name {
                "id" => ("id".to_owned(), json!(id)),
                "parent" => ("parent".to_owned(), json!(parent)),
                name => (name.to_owned(), record[name].clone()),
            };
            Value::Object(fields.iter().map(field).collect())
        });
        rows.collect()
    }

    /// Records depth first; one whose parent is not among them, and the first of a ring, stands at the left edge.
    fn outline(&self, ids: &[String]) -> Vec<Place> {
        let parents: Vec<Option<String>> = ids.iter().map(|id| self.parent_among(ids, id)).collect();
        let mut places = Vec::new();
        descend(ids, &parents, None, &mut places);
        places
    }

    fn parent_among(&self, ids: &[String], id: &str) -> Option<String> {
        let above = |id: &str| {
            let parent = self.get(id)["parent_id"].as_str()?;
            ids.iter().find(|other| *other == parent).cloned()
        };
        let parent = above(id)?;
        // A record is in a ring when going up from it comes back to it.
        let mut ring = vec![id.to_owned()];
        let mut next = parent.clone();
        while next != id && ring.len() <= ids.len() {
            ring.push(next.clone());
            next = match above(&next) {
                Some(next) => next,
                None => return Some(parent),
            };
        }
        let first = ids.iter().find(|other| ring.contains(other));
        (next != id || first.map(String::as_str) != Some(id)).then_some(parent)
    }
}

/// Adds the records that stand right below `parent`, each with what stands below it.
fn descend(ids: &[String], parents: &[Option<String>], parent: Option<&String>, places: &mut Vec<Place>) {
    for (id, _) in ids.iter().zip(parents).filter(|(_, above)| above.as_ref() == parent) {
        places.push((id.clone(), parent.cloned()));
        descend(ids, parents, Some(id), places);
    }
}

/// The sections of the overview of revision 2, in their order.
const SECOND_SECTIONS: [&str; 3] = ["OPEN", "LATER", "RESOLVED"];

fn overview(corpus: &Corpus) -> Value {
    let in_state = |state: &str| corpus.in_state(state);
    let roots = corpus.ids().into_iter().filter(|id| corpus.is_root(id)).map(|id| (id, None)).collect();
    let (open, later) = (corpus.outline(&in_state("OPEN")), corpus.outline(&in_state("LATER")));
    let sections: [(&str, Vec<Place>); 3] = [("ROOT", roots), ("OPEN", open), ("LATER", later)];
    let rows = sections.into_iter().flat_map(|(section, places)| {
        let ordinary = places.into_iter().filter(|(id, _)| is_ordinary(id));
        ordinary.map(move |(id, parent)| json!({ "section": section, "id": id, "parent": parent }))
    });
    rows.collect()
}

/// The overview of revision 2: sections by state alone.
fn second_overview(corpus: &Corpus) -> Value {
    let rows = SECOND_SECTIONS.into_iter().flat_map(|state| {
        let ordinary = corpus.outline(&corpus.in_state(state)).into_iter().filter(|(id, _)| is_ordinary(id));
        ordinary.map(move |(id, parent)| json!({ "section": state, "id": id, "parent": parent }))
    });
    rows.collect()
}

/// Its headings: each counts the records of its state.
fn second_sections(corpus: &Corpus) -> Value {
    SECOND_SECTIONS.into_iter().flat_map(|state| [json!(state), json!(corpus.in_state(state).len())]).collect()
}

fn id_alone(_: &Corpus, id: &str) -> Value {
    json!({ "id": id })
}

/// Records without any trick.
fn is_ordinary(id: &str) -> bool {
    id.starts_with('R') && ("R000".."R300").contains(&id)
}

/// Records whose words imitate structure.
fn is_hostile(id: &str) -> bool {
    id.starts_with('R') && ("R300".."R500").contains(&id)
}
