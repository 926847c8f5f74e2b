//! What legal answers of memory do to values.

use crate::contracts::{Function, NamedFunction};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::Value;

pub(super) const FUNCTIONS: &[NamedFunction] = &[
    ("in-utc", Function::Value(in_utc)),
    ("mail-time", Function::Value(mail_time)),
    ("milliseconds", Function::Value(milliseconds)),
    ("turn-ties", Function::Value(turn_ties)),
    ("without-zone", Function::Value(without_zone)),
];

/// The instant of a time in RFC 3339.
fn instant(value: &Value) -> Option<DateTime<Utc>> {
    Some(DateTime::parse_from_rfc3339(value.as_str()?).ok()?.to_utc())
}

/// A time in UTC, with milliseconds.
fn in_utc(value: &mut Value) {
    if let Some(instant) = instant(value) {
        *value = instant.to_rfc3339_opts(SecondsFormat::Millis, true).into();
    }
}

/// A time as letters write it, in RFC 2822.
fn mail_time(value: &mut Value) {
    if let Some(instant) = instant(value) {
        *value = instant.to_rfc2822().into();
    }
}

/// A time as milliseconds since 1970.
fn milliseconds(value: &mut Value) {
    if let Some(instant) = instant(value) {
        *value = instant.timestamp_millis().into();
    }
}

/// A list of results in which those of one score come in the other order.
fn turn_ties(value: &mut Value) {
    let Some(results) = value.as_array_mut() else { return };
    results.chunk_by_mut(|left, right| left["score"] == right["score"]).for_each(|ties| ties.reverse());
}

/// A time in UTC that does not say so.
fn without_zone(value: &mut Value) {
    if let Some(instant) = instant(value) {
        *value = instant.naive_utc().format("%Y-%m-%dT%H:%M:%S%.f").to_string().into();
    }
}
