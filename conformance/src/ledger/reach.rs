//! What of the suite a run can reach, and what is due elsewhere.

use crate::load::{Suite, runs_at};
use crate::model::{Header, Place, Selection};
use std::collections::BTreeSet;

/// The requirements of a contract that nothing of every exchange judges at an endpoint: where no case of theirs is run,
/// they are not due there.
pub(super) fn elsewhere<'s>(suite: &'s Suite, place: &'s Place) -> impl Iterator<Item = (Place, String)> {
    let suite = suite.keyed(&place.contract);
    let judged = suite.map(|suite| suite.always_judged_over(place.transport)).unwrap_or_default();
    let all = suite.into_iter().flat_map(|suite| &suite.contract.requirements);
    let elsewhere = all.filter(move |requirement| !judged.contains(requirement.id.as_str()));
    elsewhere.map(|requirement| (place.clone(), requirement.id.clone()))
}

/// What the cases of other shards judge, at which endpoint.
pub(super) fn other_shards(suite: &Suite, header: &Header) -> BTreeSet<(Place, String)> {
    let mut judged = BTreeSet::new();
    if header.selection.shard.is_none() {
        return judged;
    }
    let all = Selection { shard: None, ..header.selection.clone() };
    for (at, place) in header.endpoints.iter().enumerate() {
        let Some(contract) = suite.keyed(&place.contract).filter(|_| all.has_contract(place.contract.name())) else {
            continue;
        };
        for (_, case) in all.cases(suite, contract, place.transport) {
            if runs_at(&header.endpoints, header.spoken_at(place), at, case, &contract.contract) {
                let ids = case.requirements().into_iter();
                judged.extend(ids.map(|id| (place.clone(), id.to_owned())));
            }
        }
    }
    judged
}
