//! Reports, all rendered from one [`RunLog`]. They are pure: text in, text out.

use crate::log::RunLog;
use crate::model::TransportKind;

pub mod ctrf;
pub mod diff;
pub mod html;
pub mod inert;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod repeat;
pub mod terminal;

/// The contracts and transports of a run, in the order of its ledger.
fn places(log: &RunLog) -> Vec<(&str, TransportKind)> {
    let mut places: Vec<(&str, TransportKind)> = Vec::new();
    for row in &log.ledger.rows {
        if !places.contains(&(row.contract.as_str(), row.transport)) {
            places.push((&row.contract, row.transport));
        }
    }
    places
}
