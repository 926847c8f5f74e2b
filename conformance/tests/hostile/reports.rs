//! Whatever a target says, reports of it come whole and cannot act on a terminal, an XML reader or a JSON reader.

use crate::trial::on_a_terminal;
use conformance::ledger::RunLog;
use conformance::report::{ctrf, html, json, junit, markdown};
use serde_json::Value;
use testing::assert_inert;

/// Every report of a run is whole and inert.
pub(crate) fn assert_whole_and_inert(log: &RunLog) {
    let exit = format!("exit {}\n", log.totals.exit_code);
    for verbose in [false, true] {
        let text = on_a_terminal(log, verbose);
        assert_inert(&text);
        assert!(text.ends_with(&exit), "{text}");
    }
    let text = junit::render(log).unwrap();
    assert_inert(&text);
    let own = log.totals.problems.len() + log.ledger.idle.len() + log.ledger.stale.len() + log.totals.blind.len();
    assert_eq!(text.matches("<testcase ").count(), log.ledger.entries.len() + own, "{text}");
    assert!(text.trim_end().ends_with("</testsuites>"), "{text}");
    let text = json::text(log);
    assert_inert(&text);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json::render(log));
    let text = ctrf::text(log);
    assert_inert(&text);
    let read: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read["results"]["summary"]["tests"], log.ledger.entries.len() + own);
    let text = markdown::render(log);
    assert_inert(&text);
    assert!(text.len() <= 1 << 20 && text.trim_end().ends_with(&format!("exit code {}", log.totals.exit_code)));
    let text = html::render(log);
    assert_inert(&text);
    assert_no_markup(&text);
    let mut text = Vec::new();
    log.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_inert(&text);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.last().unwrap()["totals"]["exit_code"], log.totals.exit_code);
}

/// Nothing that a server said is markup: the only elements are those that the page itself is made of.
fn assert_no_markup(page: &str) {
    let body = &page[page.find("<body>").unwrap()..page.rfind("<script>").unwrap()];
    for element in body.split('<').skip(1) {
        let name = element.trim_start_matches('/').split([' ', '>']).next().unwrap();
        let known = "body header h1 h2 p strong main table caption thead tbody tr th td a div span form label input \
                     fieldset legend button section details summary code pre del ins ul li nav dl dt dd";
        assert!(known.split_whitespace().any(|known| known == name), "<{name}> stands in the page");
    }
}
