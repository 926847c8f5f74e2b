//! `--corpus`: a folder for each contract that has data.

use crate::support::http::Server;
use crate::support::{corpus, ended, text_of};
use rstest::rstest;
use serde_json::json;

const MEMORY: &str = r#"{"memoryId":"m","title":"M"}"#;
const ENTRY: &str =
    r#"{"memoryId":"m","entryId":"e","creationTime":"2025-01-04T12:00:00Z","summary":"S","rawEntry":"R"}"#;

#[test]
fn a_contract_without_a_folder_has_no_data() {
    let folder = corpus("memory", &[("memories.ndjson", MEMORY), ("entries.ndjson", ENTRY), ("contexts.ndjson", "")]);
    for (arguments, count) in [(vec![], 0), (vec!["--corpus", text_of(folder.path())], 1)] {
        let server = Server::start(&arguments);
        let (_, memory) = server.post("/v0/search", &[], &json!({ "memoryId": "m", "query": "s" }).to_string());
        assert_eq!(memory["count"], count);
        assert_eq!(server.get("/api/v1/search?start_time=0").1["pagination"]["total"], 0);
    }
}

#[rstest]
#[case::misspelt("nowhere", "No such file or directory")]
#[case::of_one_contract("memory", "it holds no folder CONTRACT/corpus")]
#[case::a_file("memory/corpus/memories.ndjson", "Not a directory")]
fn a_folder_without_corpora_is_refused(#[case] path: &str, #[case] problem: &str) {
    let folder = corpus("memory", &[("memories.ndjson", "")]);
    let path = folder.path().join(path);
    for command in ["serve", "mcp", "bridge"] {
        let output = ended(&[command, "--corpus", text_of(&path)]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(problem), "{message}");
    }
}
