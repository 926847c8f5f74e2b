//! Runs side by side, and reports without content.

use crate::xtask;
use insta::assert_snapshot;
use rstest::{fixture, rstest};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::{TempDir, tempdir};
use testing::said;

/// A run of the reference, one in which no page holds anything, and the same of another target.
struct Logs {
    folder: TempDir,
}

#[fixture]
fn logs() -> Logs {
    let folder = tempdir().unwrap();
    let sound = folder.path().join("sound.ndjson");
    let ran = said(xtask(&["verify", "recall", "--case", "paging", "-q", "--log"]).arg(&sound));
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let text = fs::read_to_string(&sound).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in lines.iter_mut().filter(|line| line.get("exchange").is_some()) {
        line["exchange"]["evidence"]["items"] = json!([]);
    }
    let logs = Logs { folder };
    let write = |name: &str, lines: &[Value]| {
        fs::write(logs.file(name), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    };
    write("empty.ndjson", &lines);
    lines[0]["target"] = json!("<b>another</b>");
    write("another.ndjson", &lines);
    logs
}

impl Logs {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

#[rstest]
fn two_runs_of_one_target(logs: Logs) {
    let worse = said(xtask(&["compare"]).args([logs.file("sound.ndjson"), logs.file("empty.ndjson")]));
    assert_eq!(worse.code, Some(1), "{}", worse.err);
    assert_snapshot!(worse.out);
    let better = said(xtask(&["compare"]).args([logs.file("empty.ndjson"), logs.file("sound.ndjson")]));
    assert_eq!(better.code, Some(0));
    assert!(better.out.contains("  better    recall.walk-complete over http: violated → verified"), "{}", better.out);
    let same = said(xtask(&["compare"]).args([logs.file("sound.ndjson"), logs.file("sound.ndjson")]));
    assert_eq!(same.code, Some(0));
    assert!(same.out.contains("every requirement has the same outcome"), "{}", same.out);
    assert!(same.out.ends_with("  nothing changed\n"), "{}", same.out);
}

#[rstest]
fn targets_side_by_side(logs: Logs) {
    let page = logs.file("table.html");
    let all = [logs.file("sound.ndjson"), logs.file("another.ndjson"), logs.file("empty.ndjson")];
    let said = said(xtask(&["compare", "--all", "--html"]).arg(&page).args(all));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("  1: reference over http: ") && said.out.contains("  2: <b>another</b> over http: "));
    assert!(!said.out.contains("Between the two runs"));
    let rows = said.out.lines().filter(|line| line.contains(" yes ") && line.contains(" NO "));
    assert!(rows.count() > 0, "{}", said.out);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("&lt;b&gt;another&lt;/b&gt;") && !page.contains("<b>another"));
    // A result leads to its evidence, which is there once.
    let cell = r##"<td class="violated"><a href="#recall.walk-complete:3">violated</a></td>"##;
    assert!(page.contains(cell), "{page}");
    let (_, evidence) = page.split_once(r#"<div class="cell" id="recall.walk-complete:3">"#).unwrap();
    let (evidence, _) = evidence.split_once("</div>").unwrap();
    for part in ["3: reference over http: ", "in <code>paging/", "curl -sS", "request and answer, "] {
        assert!(evidence.contains(part), "{part}: {evidence}");
    }
    // Where each run is from, and by what it was judged.
    for part in ["recall@1, the only one", "suite that ran it", "seed", "http://127.0.0.1:", "only some cases ran"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// Nothing of a large log stays in memory or on the page but a little for each result.
#[rstest]
fn long_evidence_is_cut(logs: Logs) {
    let text = fs::read_to_string(logs.file("empty.ndjson")).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in lines.iter_mut().filter(|line| line.get("exchange").is_some()) {
        line["exchange"]["evidence"]["answer"]["body"]["long"] = "long ".repeat(4000).into();
    }
    let (long, page) = (logs.file("long.ndjson"), logs.file("long.html"));
    fs::write(&long, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let said = said(xtask(&["compare", "--html"]).arg(&page).arg(logs.file("sound.ndjson")).arg(&long));
    assert_eq!(said.code, Some(1), "{}", said.err);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("request and answer, ") && page.len() < 200_000, "{} bytes", page.len());
}

/// A log without content as a report in every format and at the terminal.
fn without_content(logs: &Logs, log: &str) -> String {
    let reports = ["--html", "--markdown", "--junit", "--ctrf", "--json"];
    let files: Vec<PathBuf> = reports.iter().map(|kind| logs.file(&format!("report{kind}"))).collect();
    let mut command = xtask(&["judge", "-v", "--content", "hash"]);
    for (kind, file) in reports.iter().zip(&files) {
        command.arg(kind).arg(file);
    }
    let said = said(command.arg(logs.file(log)));
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("VIOLATED recall.walk-complete"), "{}", said.out);
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<String>() + &said.out
}

/// Our own wording, corpus and arguments are public. What else a target holds is hidden, and so is what else it was asked.
#[rstest]
fn reports_without_content(logs: Logs) {
    let text = fs::read_to_string(logs.file("empty.ndjson")).unwrap();
    fs::write(logs.file("private.ndjson"), text.replace("Stillframe", "Secretdiary")).unwrap();
    let shown = without_content(&logs, "private.ndjson");
    assert!(!shown.contains("Secretdiary") && shown.contains(" characters, "), "{shown}");
    assert!(shown.contains("curl -sS") && shown.contains("start_time="), "our own request can be repeated: {shown}");
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in lines.iter_mut().filter(|line| line.get("exchange").is_some()) {
        let request = &mut line["exchange"]["evidence"]["request"];
        request["with"]["app_name"] = json!("Secretdiary");
        request["sent"]["url"] = json!("http://127.0.0.1:9/search?app_name=Secretdiary");
    }
    fs::write(logs.file("asked.ndjson"), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let shown = without_content(&logs, "asked.ndjson");
    assert!(!shown.contains("Secretdiary") && !shown.contains("curl"), "{shown}");
    assert!(shown.contains("cargo xtask verify recall --case paging/") && shown.contains(" --seed "), "{shown}");
}

#[rstest]
fn a_log_without_content_is_refused_before_anything_runs() {
    let said = said(&mut xtask(&["verify", "--cli", "true", "--content", "hash", "--log", "run.ndjson"]));
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("leave out --log or --content hash"), "{}", said.err);
}
