//! The example seeders, called as a target file calls them.

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use testing::{Script, root, said};

/// A seeder, with the environment that the suite gives it.
fn seeder(program: &str, name: &str) -> Command {
    let mut command = Command::new(program);
    command.arg(root().join("conformance/examples/seeders").join(name)).env("CORPUS", root().join("fixtures"));
    command
}

#[test]
fn memories_become_tables() {
    let place = Script::new("");
    let file = place.file("memories.sqlite");
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 here");
        return;
    }
    for _ in 0..2 {
        let said = said(seeder("python3", "sqlite-memories.py").arg(&file));
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    let database = Connection::open(file).unwrap();
    for (table, of) in
        [("memories", "memories"), ("entries", "entries"), ("contexts", "contexts"), ("entries_text", "entries")]
    {
        let lines =
            fs::read_to_string(root().join(format!("fixtures/memory/corpus/{of}.ndjson"))).unwrap().lines().count();
        let count = format!("SELECT count(*) FROM {table}");
        let count: i64 = database.query_row(&count, [], |row| row.get(0)).unwrap();
        assert_eq!(count, lines as i64, "{table}, after the second time too");
    }
    let newest = "SELECT context FROM contexts WHERE memory_id = 'lighthouse' ORDER BY created_us DESC";
    let newest: String = database.query_row(newest, [], |row| row.get(0)).unwrap();
    assert_eq!(newest, "The lamp has a new wick, and oil for two weeks.", "instants are in order, texts are not");
}

#[test]
fn a_store_is_put_in_the_place_of_what_was_there() {
    let place = Script::new("");
    let folder = place.file("notes");
    let seed = |store: &str| said(seeder("sh", "qipu-store.sh").arg(store).arg(&folder).env("QIPU", "echo"));
    assert_eq!(seed("garden").out, "index\n", "qipu is told to index it");
    assert_eq!(seed("tiny").code, Some(0));
    let notes = fs::read_dir(folder.join(".qipu/notes")).unwrap();
    let mut notes: Vec<_> = notes.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    notes.sort();
    assert_eq!(notes, ["qp-a1-oak.md", "qp-b2-ash.md", "qp-c3-fir.md"]);
    let unknown = seed("gardn");
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.err.contains("there is no store gardn"), "{}", unknown.err);
}

#[test]
fn a_server_gets_a_bridge_and_ends_by_itself() {
    let bridge = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = bridge.local_addr().unwrap().port().to_string();
    let mut command = seeder("sh", "remnote-bridge.sh");
    // The server ends with its input.
    command.args([&port, "cat"]).env("REFERENCE", testing::reference().unwrap());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut server = command.spawn().unwrap();
    let (connection, _) = bridge.accept().unwrap();
    let asks: Vec<String> =
        BufReader::new(connection).lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
    assert!(asks.iter().any(|line| line.eq_ignore_ascii_case("upgrade: websocket")), "{asks:?}");
    let group = Pid::from_child(&server);
    drop(server.stdin.take());
    assert!(server.wait().unwrap().success());
    kill_process_group(group, Signal::KILL).unwrap();
}
