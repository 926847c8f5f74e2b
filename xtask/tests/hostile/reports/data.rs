//! What programs read: our own JSON, the Common Test Report Format, and the run log.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// How many findings stand in a log.
pub(super) fn findings(log: &[Value]) -> usize {
    log.iter().filter(|line| line.get("finding").is_some()).count()
}

/// How many problems of the run itself, which belong to no check.
pub(super) fn own_problems(report: &Value) -> usize {
    let of_totals = ["problems", "blind", "short"].map(|name| &report["totals"][name]);
    let lists = [&report["stale"], &report["idle"]].into_iter().chain(of_totals);
    // An empty list of the totals is left out.
    lists.filter_map(Value::as_array).map(Vec::len).sum()
}

/// It is valid by the published schema, and says what the run came to.
pub(super) fn assert_json(report: &Value, code: i32) {
    static REPORT: LazyLock<Validator> =
        LazyLock::new(|| schema(include_str!("../../../../schemas/suite/report.schema.json")));
    assert_valid(&REPORT, report);
    assert_eq!(report["format"], "conformance-report/1");
    assert_eq!(report["totals"]["exit_code"], code);
}

/// What the format asks of a report: ctrf.io. Counts are those of the tests.
pub(super) fn assert_ctrf(report: &Value, cases: usize, code: i32) {
    assert_eq!(report["reportFormat"], "CTRF");
    let (results, summary) = (&report["results"], &report["results"]["summary"]);
    assert!(report["specVersion"].is_string() && results["tool"]["name"].is_string());
    assert!(summary["start"].as_i64().unwrap() <= summary["stop"].as_i64().unwrap());
    assert_eq!(summary["extra"]["exitCode"], code);
    let tests = results["tests"].as_array().unwrap();
    assert_eq!((tests.len(), &summary["tests"]), (cases, &json!(cases)));
    let statuses = ["passed", "failed", "skipped", "pending", "other"];
    for status in statuses {
        assert_eq!(summary[status], tests.iter().filter(|test| test["status"] == status).count());
    }
    for test in tests {
        assert!(test["name"].is_string() && test["duration"].is_u64(), "{test}");
        assert!(statuses.iter().any(|status| test["status"] == *status), "{test}");
        assert!(test.get("message").is_none_or(Value::is_string), "{test}");
    }
}

/// A header, cases with their exchanges and findings, and the totals; each is valid by the published schema.
pub(super) fn assert_log(log: &[Value], code: i32) {
    let [header, .., totals] = log else { panic!("{log:?}") };
    static LINE: LazyLock<Validator> =
        LazyLock::new(|| schema(include_str!("../../../../schemas/suite/run-log.schema.json")));
    log.iter().for_each(|line| assert_valid(&LINE, line));
    assert!(header["format"].is_string());
    assert_eq!(totals["totals"]["exit_code"], code);
}

fn assert_valid(schema: &Validator, value: &Value) {
    if let Some(error) = schema.iter_errors(value).next() {
        panic!("{error} at {}", error.instance_path());
    }
}

/// A published schema.
fn schema(text: &str) -> Validator {
    let schema: Value = serde_json::from_str(text).unwrap();
    jsonschema::options().offline().should_validate_formats(false).build(&schema).unwrap()
}
