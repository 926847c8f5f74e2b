//! The goldens of records, and the summaries in its cases.

use crate::store::{self, Note, Store};
use crate::{json_file, root};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// A golden's file and the scan that computes it.
type Golden = (&'static str, fn() -> Value);

/// Every golden.
const GOLDENS: &[Golden] = &[
    ("attic-bodies.json", || with_bodies("attic", "bodies/attic")),
    ("attic-notes.json", || notes(&store("attic"))),
    ("attic-pack-contents.json", || contents("attic")),
    ("garden-bodies.json", || with_bodies("garden", "bodies/one-by-one")),
    ("garden-notes.json", || notes(&store("garden"))),
    ("garden-pack-contents.json", || contents("garden")),
    ("garden-path.json", || {
        let call = call("edges/path");
        let paths = shortest(&store("garden"), call["from"].as_str().unwrap(), call["to"].as_str().unwrap());
        assert_eq!(paths.len(), 1, "a golden path has to be the only shortest one: {paths:?}");
        json!(paths[0])
    }),
    ("thorns-bodies.json", || with_bodies("thorns", "bodies/hostile")),
    ("thorns-crlf-body.json", || with_bodies("thorns", "bodies/crlf")),
    ("thorns-titles.json", || {
        let store = store("thorns");
        let root = call("notes/hostile-titles")["id"].as_str().unwrap().to_owned();
        connected(&store, &root).iter().map(|id| json!({ "id": id, "title": store[id].title })).collect()
    }),
];

/// What N lines say of the notes of a store.
fn notes(store: &Store) -> Value {
    let row =
        |(id, note): (&String, &Note)| json!({ "id": id, "type": note.kind, "title": note.title, "tags": note.tags });
    store.iter().map(row).collect()
}

/// The bodies of a store, as a pack holds them.
fn contents(name: &str) -> Value {
    store(name).iter().map(|(id, note)| json!({ "id": id, "content": note.body })).collect()
}

#[test]
fn every_golden_is_what_a_naive_scan_finds() {
    for (file, compute) in GOLDENS {
        let golden = json_file(&root().join("fixtures/records/goldens").join(file));
        assert_eq!(in_order(file, golden), in_order(file, compute()), "{file}");
    }
}

/// The lists of the always-checks of a requirement, each with its part of the corpus.
fn listed(requirement: &str) -> Vec<(Store, Value)> {
    let always = json_file(&root().join("fixtures/records/always.json"));
    let of_it =
        always["checks"].as_array().unwrap().iter().filter(|always| always["check"]["requirement"] == requirement);
    let lists = of_it.filter(|always| always["check"]["args"].get("of").is_some());
    lists.map(|always| (store(always["corpus"][0].as_str().unwrap()), always["check"]["args"]["of"].clone())).collect()
}

#[test]
fn what_always_checks_list_is_what_a_naive_scan_finds() {
    let lists = listed("records.note-metadata");
    assert_eq!(lists.len(), 3);
    for (store, due) in lists {
        assert_eq!(due, notes(&store));
    }
    for (store, due) in listed("records.moc-metadata") {
        let maps = store.iter().filter(|(_, note)| note.kind == "moc");
        let maps: Value = maps.map(|(id, note)| json!({ "id": id, "title": note.title, "tags": note.tags })).collect();
        assert_eq!(due, maps);
    }
    let lists = listed("records.edges-true");
    assert_eq!(lists.len(), 2);
    for (store, due) in lists {
        assert_eq!(due, links(&store));
    }
    for requirement in ["records.summary-first-paragraph", "records.summary-in-link-modes"] {
        for (store, due) in listed(requirement) {
            for note in due.as_array().unwrap() {
                assert_eq!(json!(store[note["id"].as_str().unwrap()].summary()), note["summary"], "{}", note["id"]);
            }
        }
    }
}

#[test]
fn titles_and_bodies_written_in_cases_are_those_of_the_store() {
    let store = store("thorns");
    let mut compared = BTreeSet::new();
    for case in
        ["bodies/crlf", "bodies/hostile", "notes/hostile-map-titles", "notes/hostile-titles", "pack/hostile-titles"]
    {
        let case = json_file(&file(case));
        let of = case["checks"].as_array().unwrap().iter().filter_map(|check| check["args"]["of"].as_array());
        for row in of.flatten() {
            let note = &store[row["id"].as_str().unwrap()];
            compared.insert(row["id"].to_string());
            if let Some(body) = row["body"].as_str() {
                assert_eq!(body, note.body);
            }
            let mut rest = note.title.as_str();
            for part in row["parts"].as_array().into_iter().flatten() {
                rest = rest.split_once(part.as_str().unwrap()).unwrap_or_else(|| panic!("{part} in {rest:?}")).1;
            }
        }
    }
    assert_eq!(compared.len(), 20, "notes whose title or body was compared: {compared:?}");
}

/// The links of a store; those of a text have no type.
fn links(store: &Store) -> Value {
    let of_note = |(from, note): (&String, &Note)| {
        let kinds = note.types.iter().map(Some).chain(std::iter::repeat(None));
        let links = note.links.iter().zip(kinds).map(|(to, kind)| match kind {
            Some(kind) => json!({ "from": from, "type": kind, "to": to }),
            None => json!({ "from": from, "to": to }),
        });
        links.collect::<Vec<_>>()
    };
    store.iter().flat_map(of_note).collect()
}

#[test]
fn no_golden_is_forgotten() {
    let folder = fs::read_dir(root().join("fixtures/records/goldens")).unwrap();
    let files: BTreeSet<String> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let computed: BTreeSet<String> = GOLDENS.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(files, computed);
}

#[test]
fn summaries_written_in_cases_are_what_a_naive_scan_finds() {
    let mut compared = BTreeSet::new();
    for entry in fs::read_dir(root().join("fixtures/records/cases/summaries")).unwrap() {
        let file = entry.unwrap().path();
        let case = json_file(&file);
        let store = store(case["needs"][0].as_str().unwrap().strip_prefix("corpus/").unwrap());
        for (id, due) in case["checks"].as_array().unwrap().iter().flat_map(summaries) {
            assert_eq!(json!(store[&id].summary()), due, "{id} in {}", file.display());
            compared.insert(id);
        }
    }
    assert_eq!(compared.len(), 23, "notes whose summary was compared: {compared:?}");
}

/// The summaries that a check expects: those it lists, or the one note that its path is about.
fn summaries(check: &Value) -> Vec<(String, Value)> {
    if let Some(all) = check["args"]["of"].as_array() {
        return all.iter().map(|note| (note["id"].as_str().unwrap().to_owned(), words(&note["summary"]))).collect();
    }
    let path = check["select"].as_str().unwrap_or_default();
    let id = path.split_once("@.id == '").and_then(|(_, rest)| rest.split_once('\''));
    match (id, check.get("equals")) {
        (Some((id, _)), Some(due)) => vec![(id.to_owned(), due.clone())],
        _ => Vec::new(),
    }
}

/// A summary with its lines joined, however a line break is shown.
fn words(summary: &Value) -> Value {
    summary.as_str().map_or(Value::Null, |summary| summary.replace("\\n", " ").into())
}

/// The bodies of the notes that a case asks for; a blank one is not printed.
fn with_bodies(part: &str, case: &str) -> Value {
    let store = store(part);
    let bodies = ids_of(case);
    let bodies = bodies.iter().map(|id| json!({ "id": id, "body": store[id.as_str().unwrap()].body }));
    bodies.filter(|row| row["body"] != "").collect()
}

/// The notes that the first step of a case asks for.
fn ids_of(case: &str) -> Vec<Value> {
    let over = json_file(&file(case))["steps"][0]["sweep"]["over"].as_array().cloned();
    over.unwrap_or_else(|| vec![call(case)["note"].clone()])
}

/// Every shortest path along the links, found by making all paths longer by one link at a time.
fn shortest(store: &Store, from: &str, to: &str) -> Vec<Vec<String>> {
    let mut paths = vec![vec![from.to_owned()]];
    for _ in store {
        let arrived: Vec<_> = paths.iter().filter(|path| path.last().unwrap() == to).cloned().collect();
        if !arrived.is_empty() {
            return arrived;
        }
        let longer = |path: &Vec<String>| {
            let next: BTreeSet<&String> = store[path.last().unwrap()].links.iter().collect();
            next.into_iter().map(|next| [path.clone(), vec![next.clone()]].concat()).collect::<Vec<_>>()
        };
        paths = paths.iter().flat_map(longer).collect();
    }
    Vec::new()
}

/// The notes that are linked with a note in either direction, over any number of links.
fn connected(store: &Store, root: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::from([root.to_owned()]);
    for _ in store {
        for (from, note) in store {
            for to in &note.links {
                if reached.contains(from) || reached.contains(to) {
                    reached.extend([from.clone(), to.clone()]);
                }
            }
        }
    }
    reached
}

/// The arguments of the first call of a case.
fn call(case: &str) -> Value {
    json_file(&file(case))["steps"][0]["with"].clone()
}

fn file(case: &str) -> PathBuf {
    root().join("fixtures/records/cases").join(case).with_extension("json")
}

/// A golden as it is when it is a path; otherwise by id, since its order is free.
fn in_order(file: &str, golden: Value) -> Vec<Value> {
    let rows = golden.as_array().unwrap().clone();
    if file.ends_with("-path.json") {
        return rows;
    }
    let by_id: BTreeMap<String, Value> = rows.iter().map(|row| (row["id"].to_string(), row.clone())).collect();
    assert_eq!(by_id.len(), rows.len(), "{file} names a note twice");
    by_id.into_values().collect()
}

fn store(part: &str) -> Store {
    store::read(part)
}
