//! What legal answers of memory do to values.

use crate::contracts::{Function, NamedFunction};
use chrono::DateTime;
use serde_json::Value;

pub(super) const FUNCTIONS: &[NamedFunction] = &[("without-zone", Function::Value(without_zone))];

/// A time in UTC that does not say so.
fn without_zone(value: &mut Value) {
    if let Some(time) = value.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok()) {
        *value = time.naive_utc().format("%Y-%m-%dT%H:%M:%S%.f").to_string().into();
    }
}
