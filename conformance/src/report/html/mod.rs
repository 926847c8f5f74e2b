//! The report as one page that needs nothing else: no network, no other file.
//!
//! Markup is static and complete without scripts; scripts filter, search and copy. Evidence goes into the page as text
//! nodes alone, so nothing of it can act. Requirements are grouped by contract, not by endpoint, so that a sentence is on the page once.

mod anchor;
mod cases;
pub mod compared;
mod evidence;
mod frame;
mod judged;
mod overview;
mod requirement;

use super::{conclusion, exercised};
use crate::ledger::RunLog;
use crate::model::Conclusion;
use crate::text::{inert, plural};
pub(crate) use frame::document;
use frame::{class, outcomes};
use judged::Judged;
use maud::{Markup, PreEscaped, html};

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
            (controls(log, &contracts))
            p id="none" hidden { "Nothing matches." }
            @for judged in &contracts { (contract(log, judged)) }
            (overview::measured(log))
        }
        script { (PreEscaped(include_str!("page.js"))) }
    };
    document(&title, body)
}

fn conclusion_class(conclusion: Conclusion) -> &'static str {
    if conclusion == Conclusion::Conforms { "verified" } else { "violated" }
}

fn controls(log: &RunLog, contracts: &[Judged<'_>]) -> Markup {
    let count = |outcome| {
        let all = contracts.iter().flat_map(|judged| &judged.requirements);
        all.filter(|whole| whole.outcomes().contains(&outcome)).count()
    };
    html! {
        form class="controls" role="search" {
            label { "Search " input type="search" id="search" placeholder="id, sentence, case" autocomplete="off"; }
            fieldset {
                legend { "Show" }
                @for outcome in outcomes(log) {
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
