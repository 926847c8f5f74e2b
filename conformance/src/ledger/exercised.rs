//! How much was exercised, and the endpoints at which that is not enough.

use super::row::Row;
use crate::model::{CaseRun, Exercised, Place, Shown};
use std::collections::BTreeMap;

/// How much of what binds was exercised at each of these endpoints.
pub(super) fn shares<'p>(rows: &[Row], places: impl Iterator<Item = &'p Place>) -> Vec<Exercised> {
    let share = |place: &Place| {
        let binding = rows.iter().filter(|row| row.is_at(place) && row.is_of_contract() && row.requirement.binds());
        let (mut exercised, mut all) = (0, 0);
        for row in binding {
            all += 1;
            exercised += usize::from(row.is_exercised());
        }
        Exercised { place: place.clone(), exercised, binding: all }
    };
    let mut shares: Vec<Exercised> = places.map(share).collect();
    shares.sort_by(|left, right| left.place.cmp(&right.place));
    shares
}

/// Endpoints at which nothing was exercised. That a transport works says nothing of a contract, unless nothing else was
/// asked for; nor does what is declared to be unsupported.
pub(super) fn idle(rows: &[Row]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for row in rows {
        if !places.iter().any(|place| row.is_at(place)) {
            places.push(Place { contract: row.contract.clone(), transport: row.transport });
        }
    }
    places.retain(|place| {
        let here = || rows.iter().filter(|row| row.is_at(place));
        let has_own = here().any(Row::is_of_contract);
        !here().filter(|row| row.is_of_contract() || !has_own).any(Row::is_exercised)
    });
    places
}

/// Endpoints that were searched, and of which no answer holds an item that can be read.
pub(super) fn blind(cases: &[CaseRun]) -> Vec<Place> {
    let mut places: BTreeMap<Place, Shown> = BTreeMap::new();
    for case in cases {
        *places.entry(case.place()).or_default() += case.shown;
    }
    let blind = places.into_iter().filter(|(_, shown)| shown.answers > 0 && shown.with_items == 0);
    blind.map(|(place, _)| place).collect()
}
