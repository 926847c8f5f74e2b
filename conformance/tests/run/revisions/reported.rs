//! Every report names the revision of each endpoint, and how it is known.

use super::memories::{Manner, serve};
use super::{SECOND, http, mcp, run};
use conformance::report::{FORMATS, terminal};

const TOLD: &str = "memory@2 (ADR-020, recognised: more than 10 entries came, more than 3 contexts came)";

#[tokio::test]
async fn every_report_names_the_revision_and_how_it_is_known() {
    let server = serve(Manner::of(SECOND));
    let log = run(vec![http(&server), mcp(&server)]).await;
    let on_a_terminal = terminal::render(&log, terminal::Style { width: 200, ..terminal::Style::default() });
    assert!(on_a_terminal.contains(&format!("{TOLD} over http")), "{on_a_terminal}");
    assert!(on_a_terminal.contains("memory@2  mcp-http (legacy)"), "{on_a_terminal}");
    for format in &FORMATS {
        let mut report = Vec::new();
        format.write(&log, &mut report).unwrap();
        let report = String::from_utf8(report).unwrap();
        let due = match format.name {
            "markdown" => {
                r"| memory\@2 (ADR-020, recognised: more than 10 entries came, more than 3 contexts came) | http |"
            }
            "junit" => &format!(r#"name="contract-revision" value="{TOLD}""#),
            // The name is set as code.
            "html" => TOLD.strip_prefix("memory@2 ").unwrap(),
            // The parts of it, for programs.
            "json" | "log" => "more than 10 entries came",
            _ => TOLD,
        };
        assert!(report.contains(due), "{}: {due}", format.name);
    }
}
