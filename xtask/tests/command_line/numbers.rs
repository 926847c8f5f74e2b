//! How long answers took and what they cost: in each report, and between two runs. Times are those of logs made by hand.

use crate::xtask;
use insta::assert_snapshot;
use rstest::{fixture, rstest};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::{TempDir, tempdir};
use testing::said;

struct Log {
    folder: TempDir,
    lines: Vec<Value>,
}

/// A run of one case by the reference.
#[fixture]
fn log() -> Log {
    let folder = tempdir().unwrap();
    let path = folder.path().join("run.ndjson");
    let ran = said(xtask(&["verify", "recall", "--case", "paging/browse-small", "--quiet", "--log"]).arg(&path));
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Log { folder, lines }
}

impl Log {
    /// Writes the log with these numbers, or without any.
    fn with(&mut self, name: &str, numbers: Option<Value>) -> PathBuf {
        let totals = self.lines.last_mut().unwrap()["totals"].as_object_mut().unwrap();
        totals.insert("elapsed".to_owned(), json!(1.0));
        totals.remove("numbers");
        totals.extend(numbers.map(|numbers| ("numbers".to_owned(), numbers)));
        let path = self.folder.path().join(name);
        fs::write(&path, self.lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        path
    }
}

/// One operation.
fn of(operation: &str, times: [f64; 3], tokens: [usize; 2], about: bool) -> Value {
    let [p50, p95, max] = times;
    let cost = |tokens: usize, about: bool| json!({ "bytes": 3 * tokens, "tokens": tokens, "about": about });
    json!({ "contract": "recall", "transport": "http", "operation": operation, "answers": 120,
            "elapsed": { "p50": p50, "p95": p95, "max": max },
            "median": cost(tokens[0], false), "largest": cost(tokens[1], about) })
}

fn before() -> Value {
    json!([
        of("frame", [0.0004, 0.002, 0.0099], [60, 110], false),
        of("search", [0.012, 0.018, 0.09], [520, 90_000], true)
    ])
}

#[rstest]
fn every_operation_or_what_stands_out(mut log: Log) {
    let path = log.with("fixed.ndjson", Some(before()));
    let end = |options: &[&str]| {
        let judged = said(xtask(&["judge"]).args(options).arg(&path));
        assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
        let numbers = ["slowest: ", "What answers took"].iter().find_map(|begin| judged.out.find(begin));
        numbers.map_or("", |at| &judged.out[at..]).split("conforms: ").next().unwrap().to_owned()
    };
    assert_snapshot!("what_stands_out", end(&[]));
    assert_snapshot!("every_operation", end(&["--verbose"]));
    assert!(!end(&["--quiet"]).contains("p95"));
}

#[rstest]
fn every_report_has_them(mut log: Log) {
    let path = log.with("fixed.ndjson", Some(before()));
    let report = |format: &str| {
        let file = path.with_extension(format);
        let judged = said(xtask(&["judge", "--quiet", &format!("--{format}")]).args([&file, &path]));
        assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.err);
        fs::read_to_string(file).unwrap()
    };
    for row in ["<td>search</td>", "<td class=\"number\">12 ms</td>", "<td class=\"number\">about 90000</td>"] {
        assert!(report("html").contains(row), "{row}");
    }
    let row = "| recall over http | search | 120 | 12 ms | 18 ms | 90 ms | 520 | about 90000 |";
    assert!(report("markdown").contains(row), "{}", report("markdown"));
    let words =
        "120 answers, p50 12 ms, p95 18 ms, max 90 ms, 520 tokens in the median answer, about 90000 tokens in the";
    assert!(report("junit").contains(&format!("name=\"numbers.search\" value=\"{words}")), "{}", report("junit"));
    let read = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    assert_eq!(read(report("json"))["totals"]["numbers"][1]["elapsed"]["p95"], json!(0.018));
    assert_eq!(read(report("ctrf"))["results"]["summary"]["extra"]["numbers"][0]["operation"], "frame");
}

#[rstest]
fn a_log_that_says_nothing_of_them_is_measured_by_its_evidence(mut log: Log) {
    for (number, line) in log.lines.iter_mut().filter(|line| line.get("exchange").is_some()).enumerate() {
        line["exchange"]["evidence"]["elapsed"] = json!(f64::from(u32::try_from(number).unwrap()) + 1.0);
    }
    let path = log.with("old.ndjson", None);
    let judged = said(xtask(&["judge", "--format", "json"]).arg(&path));
    let report: Value = serde_json::from_str(&judged.out).unwrap();
    let numbers = report["totals"]["numbers"].as_array().unwrap();
    assert_eq!((numbers.len(), &numbers[0]["operation"]), (1, &json!("search")));
    let answers = u32::try_from(numbers[0]["answers"].as_u64().unwrap()).unwrap();
    let of = |answers: u32| f64::from(answers);
    let due = json!({ "p50": of(answers.div_ceil(2)), "p95": of((answers * 95).div_ceil(100)), "max": of(answers) });
    assert_eq!((answers > 1, &numbers[0]["elapsed"]), (true, &due));
    assert!(numbers[0]["largest"]["tokens"].as_u64().unwrap() > 100, "{numbers:?}");

    // Where there is no answer, there is no number.
    log.lines.retain(|line| line.get("exchange").is_none());
    log.lines.iter_mut().filter(|line| line.get("case").is_some()).for_each(|line| line["case"]["steps"] = json!(0));
    let judged = said(xtask(&["judge", "--verbose"]).arg(log.with("empty.ndjson", None)));
    assert!(!judged.out.contains("What answers took"), "{}", judged.out);
}

#[rstest]
fn two_runs_show_what_changed_noticeably(mut log: Log) {
    let after = json!([
        of("frame", [0.0009, 0.009, 0.5], [60, 110], false),
        of("search", [0.012, 1.2, 1.9], [520, 120_000], true)
    ]);
    let (before, after) = (log.with("before.ndjson", Some(before())), log.with("after.ndjson", Some(after)));
    let page = log.folder.path().join("page.html");
    let compared = said(xtask(&["compare", "--html"]).args([&page, &before, &after]));
    assert_eq!(compared.code, Some(0), "{}", compared.err);
    assert_snapshot!("what_changed_noticeably", compared.out);
    assert!(fs::read_to_string(page).unwrap().contains("search of recall over http: p95 18 ms → 1.2 s"));
    let same = said(xtask(&["compare"]).args([&before, &before]));
    assert!(!same.out.contains("noticeably"), "{}", same.out);
}
