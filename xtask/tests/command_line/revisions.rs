//! Each revision of a contract lets its own server pass, and condemns that of its neighbours for exactly what changed between them.

use crate::xtask;
use rstest::rstest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The places at which the reference speaks a contract over HTTP and MCP.
const WEB: [&str; 2] = [r#"http = "http://127.0.0.1:{port}""#, r#"mcp = { url = "http://127.0.0.1:{port}/mcp" }"#];

/// Writes a target file: the reference speaking one revision, to be judged by another one.
fn target(folder: &Path, contract: &str, speaks: u32, by: u32, places: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_xtask");
    let endpoints = places.iter().map(|place| {
        let place = place.replace("{reference}", program);
        format!("[[endpoint]]\ncontract = \"{contract}\"\nrevision = {by}\n{place}\n")
    });
    let file = folder.join("target.toml");
    let text = format!(
        "name = \"the reference\"\ncorpus = \"loaded\"\nstart = [\"{program}\", \"reference\", \"serve\", \"--port\", \"{{port}}\", \
         \"--corpus\", \"{{corpus}}\", \"--revision\", \"{contract}@{speaks}\"]\n{}",
        endpoints.collect::<String>()
    );
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// The requirements that bind and are violated, and the exit code.
fn condemned(contract: &str, speaks: u32, by: u32, places: &[&str]) -> (BTreeSet<String>, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    let file = target(folder.path(), contract, speaks, by, places);
    let said = testing::said(&mut xtask(&["verify", "--target", &file, "--format", "json"]));
    let report: Value = serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.err));
    let rows = report["requirements"].as_array().unwrap();
    let violated = rows.iter().filter(|row| row["outcome"] == "violated");
    (violated.map(|row| row["requirement"].as_str().unwrap().to_owned()).collect(), said.code)
}

#[rstest]
#[case::memory_1_by_1("memory", 1, 1, &[])]
#[case::memory_2_by_2("memory", 2, 2, &[])]
// A server of ADR-017 refuses what ADR-020 allows, and describes itself so.
#[case::memory_1_by_2(
    "memory",
    1,
    2,
    &[
        "memory.search-offered", "memory.tool-schema", "memory.tool-top-kc-range", "memory.tool-top-ke-range",
        "memory.top-kc-range", "memory.top-ke-range",
    ]
)]
// One of ADR-020 brings more than ADR-017 allows, and describes itself so.
#[case::memory_2_by_1(
    "memory",
    2,
    1,
    &[
        "memory.most-contexts", "memory.most-entries", "memory.tool-schema", "memory.tool-top-kc-range",
        "memory.tool-top-ke-range",
    ]
)]
fn a_server_is_condemned_for_what_changed(
    #[case] contract: &str,
    #[case] speaks: u32,
    #[case] by: u32,
    #[case] expected: &[&str],
) {
    let (violated, code) = condemned(contract, speaks, by, &WEB);
    assert_eq!(violated, expected.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>());
    assert_eq!(code, Some(i32::from(!expected.is_empty())));
}
