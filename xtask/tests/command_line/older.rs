//! Logs from before the eras of MCP were told apart: all MCP in them is legacy, and they are judged, compared and merged as ever.

use crate::xtask;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;
use testing::{Said, said};

/// A log of the memory contract in the legacy era, as it was written before: without eras, and of the form before this one.
fn older(folder: &Path, name: &str, shard: &[&str]) -> PathBuf {
    let log = folder.join(name);
    let mut command = xtask(&["verify", "memory", "--quiet", "--seed", "1", "--mcp-era", "legacy"]);
    let run = said(command.args(shard).arg("--log").arg(&log));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let text = fs::read_to_string(&log).unwrap();
    let lines = text.lines().map(|line| {
        let mut line = without_eras(serde_json::from_str(line).unwrap());
        if let Some(header) = line.as_object_mut().filter(|line| line.contains_key("format")) {
            header.insert("format".to_owned(), "conformance-run/2".into());
            header.remove("spoken");
        }
        format!("{line}\n")
    });
    let older = folder.join(format!("older-{name}"));
    fs::write(&older, lines.collect::<String>()).unwrap();
    assert!(!fs::read_to_string(&older).unwrap().contains("\"era\""));
    older
}

fn without_eras(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let others = members.into_iter().filter(|(name, _)| name != "era");
            others.map(|(name, value)| (name, without_eras(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(without_eras).collect(),
        other => other,
    }
}

/// Where MCP is spoken in a log, with the era.
fn channels(log: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(log).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let places = header["endpoints"].as_array().unwrap().iter();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    places.map(|place| (word(&place["transport"]), word(&place["era"]))).collect()
}

fn assert_fine(said: &Said) {
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
}

#[test]
fn they_are_judged_and_compared_as_legacy() {
    let folder = tempdir().unwrap();
    let older = older(folder.path(), "run.ndjson", &[]);
    let again = folder.path().join("again.ndjson");
    assert_fine(&said(xtask(&["judge", "--quiet", "--log"]).arg(&again).arg(&older)));
    let channels = channels(&again);
    let has = |transport: &str| channels.contains(&(transport.to_owned(), "legacy".to_owned()));
    assert!(has("mcp-stdio") && has("mcp-http"), "{channels:?}");
    assert!(channels.iter().all(|(transport, era)| (era == "legacy") == transport.starts_with("mcp")));
    let run = folder.path().join("run.ndjson");
    for pair in [[&older, &run], [&run, &older], [&older, &again]] {
        let compared = said(xtask(&["compare"]).args(pair));
        assert_fine(&compared);
    }
}

#[test]
fn they_are_merged() {
    let folder = tempdir().unwrap();
    let shards =
        ["1/2", "2/2"].map(|shard| older(folder.path(), &format!("{}.ndjson", &shard[..1]), &["--shard", shard]));
    let merged = folder.path().join("merged.ndjson");
    assert_fine(&said(xtask(&["merge"]).args(&shards).arg("-o").arg(&merged)));
    assert_fine(&said(xtask(&["judge", "--quiet"]).arg(&merged)));
}
