//! The report as one page that needs nothing else: no network, no other file.
//!
//! Markup is static and complete without scripts; scripts filter, search and copy. Evidence goes into the page as text
//! nodes alone, so nothing of it can act. Requirements are grouped by contract, not by endpoint, so that a sentence is on the page once.

mod anchor;
mod cases;
pub(super) mod evidence;
mod judged;
mod overview;
mod requirement;

use super::{conclusion, exercised};
use crate::ledger::RunLog;
use crate::model::{Conclusion, Outcome};
use crate::text::{inert, plural};
use judged::Judged;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The page.
pub fn render(log: &RunLog) -> String {
    let target = inert::line(&log.header.title());
    let title = format!("{target}: {}", conclusion(log));
    let contracts = Judged::all(log);
    let body = html! {
        header {
            h1 { "Conformance of " (target) }
            p class=(format!("conclusion {}", conclusion_class(log.totals.conclusion))) role="status" {
                strong { (conclusion(log)) } ", exit code " (log.totals.exit_code)
            }
            (overview::provenance(log, &contracts))
        }
        main {
            (overview::remarks(log))
            (overview::violations(log, &contracts))
            (overview::picture(log))
            @let shares = exercised(log);
            @if let [share] = shares.as_slice() { p { (share) " of what binds" } }
            (controls(&contracts))
            p id="none" hidden { "Nothing matches." }
            @for judged in &contracts { (contract(log, judged)) }
            (overview::measured(log))
        }
        script { (PreEscaped(include_str!("page.js"))) }
    };
    document(&title, body)
}

/// A whole document with our style and nothing from elsewhere.
pub(super) fn document(title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

fn conclusion_class(conclusion: Conclusion) -> &'static str {
    if conclusion == Conclusion::Conforms { "verified" } else { "violated" }
}

/// Every outcome, what is verified last, as the page sorts and filters them.
fn outcomes(log: &RunLog) -> Vec<Outcome> {
    let mut outcomes = super::outcomes(log);
    outcomes.rotate_left(1);
    outcomes
}

/// The class of an outcome: `known-failure`.
pub(super) fn class(outcome: Outcome) -> String {
    outcome.to_string().replace(' ', "-")
}

fn controls(contracts: &[Judged<'_>]) -> Markup {
    let count = |outcome| {
        let all = contracts.iter().flat_map(|judged| &judged.requirements);
        all.filter(|whole| whole.outcomes().contains(&outcome)).count()
    };
    let mut outcomes = Outcome::ALL;
    outcomes.rotate_left(1);
    html! {
        form class="controls" role="search" {
            label { "Search " input type="search" id="search" placeholder="id, sentence, case" autocomplete="off"; }
            fieldset {
                legend { "Show" }
                @for outcome in outcomes.into_iter().filter(|outcome| count(*outcome) > 0) {
                    label class=(class(outcome)) {
                        input type="checkbox" name="outcome" value=(class(outcome)) checked;
                        " " (outcome.to_string()) " (" (count(outcome)) ")"
                    }
                }
            }
            span class="buttons" {
                button type="button" id="open" { "Unfold all" } " "
                button type="button" id="close" { "Fold all" }
            }
        }
    }
}

fn contract(log: &RunLog, judged: &Judged<'_>) -> Markup {
    let excluded = log.excluded.get(&judged.contract.to_string()).copied().unwrap_or(0);
    html! {
        section class="contract" id=(judged.contract) {
            h2 { (judged.contract.full()) " over " (overview::endpoints(log, &judged.places)) }
            p class="dim" {
                (plural(judged.requirements.len(), "requirement")) "; " (plural(excluded, "sentence"))
                " of the document cannot be tested."
            }
            @for whole in &judged.requirements { (requirement::requirement(log, judged, whole)) }
            (cases::cases(judged))
        }
    }
}
