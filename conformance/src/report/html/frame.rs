//! What every page of ours has: one document with its style, and the classes of outcomes.

use crate::ledger::RunLog;
use crate::model::{Header, Outcome};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A whole document with our style and nothing from elsewhere.
pub(crate) fn document(title: &str, body: Markup) -> String {
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

/// The outcomes of a run that have requirements, what is verified last, as pages sort and filter them.
pub(super) fn outcomes(log: &RunLog) -> Vec<Outcome> {
    let mut outcomes = Outcome::ALL;
    outcomes.rotate_left(1);
    outcomes.into_iter().filter(|outcome| log.ledger.count(*outcome) > 0).collect()
}

/// The class of an outcome: `known-failure`.
pub(super) fn class(outcome: Outcome) -> String {
    outcome.to_string().replace(' ', "-")
}

/// Where the endpoints that were judged were reached, each with its place.
pub(super) fn addresses(log: &RunLog) -> Vec<(String, String)> {
    let mut addresses: Vec<(String, String)> = Vec::new();
    for place in log.ledger.places() {
        let name = Header::address_key(&place);
        if let Some(address) = log.header.addresses.get(&name) {
            addresses.push((name, log.header.with_port(address)));
        }
    }
    addresses.dedup();
    addresses
}
