//! Corpora in other forms: read back by what they are made for, they are what they were.

use super::xtask;
use insta::assert_snapshot;
use rstest::rstest;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::Value;
use std::fs;
use std::path::Path;
use testing::{Script, corpus, said};

fn exported(contract: &str, format: &str) -> String {
    let said = said(&mut xtask(&["export", contract, "--format", format]));
    assert_eq!(said.code, Some(0), "{}", said.err);
    said.out
}

fn lines(file: &Path) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[rstest]
#[case("recall", &["frames"])]
#[case("memory", &["contexts", "entries", "memories"])]
#[case("outline", &["records"])]
#[case("remnote", &["rems"])]
fn sqlite_gives_back_every_document(#[case] contract: &str, #[case] tables: &[&str]) {
    let database = Connection::open_in_memory().unwrap();
    let text = exported(contract, "sql");
    database.execute_batch(&text).unwrap();
    database.execute_batch(&text).expect("a second time takes the place of the first");
    for table in tables {
        let documents = lines(&corpus(contract).join(format!("{table}.ndjson")));
        let mut statement = database.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query([]).unwrap();
        for document in &documents {
            let row = rows.next().unwrap().unwrap();
            for (at, name) in names.iter().enumerate() {
                let due = &document[name];
                match (row.get_ref(at).unwrap(), due) {
                    (ValueRef::Null, Value::Null) => {}
                    (ValueRef::Integer(found), Value::Bool(due)) => assert_eq!(found, i64::from(*due)),
                    (ValueRef::Integer(found), due) => assert_eq!(Some(found), due.as_i64()),
                    (ValueRef::Real(found), due) => assert_eq!(Some(found), due.as_f64()),
                    (ValueRef::Text(found), Value::String(due)) => assert_eq!(found, due.as_bytes()),
                    (ValueRef::Text(found), due) => {
                        assert_eq!(&serde_json::from_slice::<Value>(found).unwrap(), due);
                    }
                    (found, due) => panic!("{name} is {found:?}, where {due} is due"),
                }
            }
        }
        assert!(rows.next().unwrap().is_none(), "{table} has rows that no document made");
    }
}

#[rstest]
#[case("recall", "frames.ndjson")]
#[case("outline", "records.ndjson")]
fn a_single_file_is_printed_as_it_is(#[case] contract: &str, #[case] file: &str) {
    assert_eq!(exported(contract, "ndjson"), fs::read_to_string(corpus(contract).join(file)).unwrap());
}

#[test]
fn several_files_go_to_a_folder() {
    let place = Script::new("");
    let folder = place.file("seed/memory");
    let alone = said(&mut xtask(&["export", "memory", "--format", "ndjson"]));
    assert_eq!(alone.code, Some(2));
    assert!(alone.err.contains("that is 3 files: give a folder with --output"), "{}", alone.err);
    let said = said(xtask(&["export", "memory", "--format", "ndjson", "--output"]).arg(&folder));
    assert_eq!(said.code, Some(0), "{}", said.err);
    for file in ["contexts.ndjson", "entries.ndjson", "memories.ndjson"] {
        let read = |folder: &Path| fs::read(folder.join(file)).unwrap();
        assert_eq!(read(&folder), read(&corpus("memory")));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn stores_of_notes_are_copied_with_their_attachments() {
    let place = Script::new("");
    let folder = place.file("stores");
    let said = said(xtask(&["export", "records", "--format", "markdown", "--output"]).arg(&folder));
    assert_eq!(said.code, Some(0), "{}", said.err);
    for file in
        ["garden/.qipu/notes/qp-b3k8-soil-is-alive.md", "garden/.qipu/attachments/cast.png", "tiny/.qipu/config.toml"]
    {
        assert_eq!(fs::read(folder.join(file)).unwrap(), fs::read(corpus("records").join(file)).unwrap(), "{file}");
    }
    let lines: Vec<Value> =
        exported("records", "ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in lines {
        let file = folder.join(line["store"].as_str().unwrap()).join(line["path"].as_str().unwrap());
        let bytes = fs::read(&file).unwrap();
        match line["text"].as_str() {
            Some(text) => assert_eq!(bytes, text.as_bytes(), "{}", file.display()),
            None => assert!(line["base64"].is_string() && std::str::from_utf8(&bytes).is_err(), "{}", file.display()),
        }
    }
}

#[test]
fn rems_are_nested_lists() {
    let text = exported("remnote", "markdown");
    let from = |start: &str, most: usize| {
        let rest = text.lines().skip_while(|line| !line.starts_with(start));
        rest.take(most).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!([from("- Ballast", 8), from("- Orchard atlas", 8), from("- The **spring**", 14)].join("\n…\n"));
}

#[rstest]
#[case("outline", "markdown", "the corpus of outline has no form in Markdown; it has sql and ndjson")]
#[case("records", "sql", "the corpus of records is stores of notes; it has ndjson and markdown")]
#[case("recal", "sql", "unknown contract `recal`; did you mean `recall`?")]
fn a_form_that_there_is_not_is_answered_with_those_that_there_are(
    #[case] contract: &str,
    #[case] format: &str,
    #[case] due: &str,
) {
    let said = said(&mut xtask(&["export", contract, "--format", format]));
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
    assert!(said.err.contains(due), "{}", said.err);
}
