//! One reader of times, for every rule that compares them.
//!
//! A time is a date with a time of day. RFC 3339 and its relaxations are read (a blank for `T`, no zone, `+0100`), RFC 2822, and
//! seconds, milliseconds or microseconds since 1970. A time without a zone is read as UTC.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, TimeDelta, Utc};
use serde_json::Value;

/// An instant, as precisely as it was shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    instant: DateTime<Utc>,
    /// Whether a fraction of a second was shown.
    is_fine: bool,
}

impl Moment {
    /// Servers show fractions in one field and none in another: less than a second apart is the same where one shows none.
    pub(super) fn is_same(self, other: Self) -> bool {
        let tolerance = if self.is_fine && other.is_fine { TimeDelta::milliseconds(1) } else { TimeDelta::seconds(1) };
        (self.instant - other.instant).abs() < tolerance
    }

    /// A server may keep minutes alone.
    pub(super) fn is_about(self, other: Self) -> bool {
        (self.instant - other.instant).abs() < TimeDelta::minutes(1)
    }

    pub(super) fn is_newer(self, other: Self) -> bool {
        self.instant > other.instant && !self.is_same(other)
    }
}

/// The time that a value is.
pub(super) fn moment(value: &Value) -> Option<Moment> {
    match value {
        Value::Number(number) => since_epoch(number.as_f64()?),
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(number) => since_epoch(number),
            Err(_) => written(text.trim()),
        },
        _ => None,
    }
}

/// The times that a value shows: itself, or members of an object and of objects in it. A number is a time only under a name that
/// says so.
pub(super) fn moments(value: &Value) -> Vec<Moment> {
    let Value::Object(members) = value else { return moment(value).into_iter().collect() };
    let shown = members.iter().filter(|(name, value)| !is_number(value) || names_a_time(name));
    shown.flat_map(|(_, value)| moments(value)).collect()
}

fn is_number(value: &Value) -> bool {
    value.is_number() || value.as_str().is_some_and(|text| text.trim().parse::<f64>().is_ok())
}

fn names_a_time(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["time", "date", "created"].iter().any(|word| lower.contains(word))
        || name.ends_with("At")
        || lower.ends_with("_at")
}

/// Seconds, milliseconds or microseconds of the years 1973 to 5138; other numbers are no times.
fn since_epoch(number: f64) -> Option<Moment> {
    let micros = match number.abs() {
        1e8..1e11 => number * 1e6,
        1e11..1e14 => number * 1e3,
        1e14..1e17 => number,
        _ => return None,
    };
    Some(Moment {
        instant: DateTime::from_timestamp_micros(micros as i64)?,
        is_fine: number.fract() != 0.0 || number >= 1e11,
    })
}

fn written(text: &str) -> Option<Moment> {
    if let Ok(time) = DateTime::parse_from_rfc2822(text) {
        return Some(Moment { instant: time.to_utc(), is_fine: false });
    }
    let date = NaiveDate::parse_from_str(text.get(..10)?, "%Y-%m-%d").ok()?;
    let rest = text[10..].strip_prefix(['T', 't', ' ', '_'])?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && !":.,".contains(c)).unwrap_or(rest.len());
    let clock = rest[..end].replace(',', ".");
    let formats = ["%H:%M:%S%.f", "%H:%M"];
    let time = formats.iter().find_map(|format| NaiveTime::parse_from_str(&clock, format).ok())?;
    let instant = date.and_time(time).and_local_timezone(zone(rest[end..].trim())?).single()?;
    Some(Moment { instant: instant.to_utc(), is_fine: clock.contains('.') })
}

/// `Z`, `UTC`, `+01:00`, `+0100`, `+01`, also with the name of the zone behind it; nothing is UTC.
fn zone(text: &str) -> Option<FixedOffset> {
    let offset = text.split_whitespace().next().unwrap_or("Z");
    if ["Z", "UTC", "GMT"].iter().any(|utc| offset.eq_ignore_ascii_case(utc)) {
        return FixedOffset::east_opt(0);
    }
    let (sign, digits) = match offset.split_at_checked(1)? {
        ("+", digits) => (1, digits.replace(':', "")),
        ("-" | "\u{2212}", digits) => (-1, digits.replace(':', "")),
        _ => return None,
    };
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 = match digits.len() {
        2 => 0,
        4 => digits[2..].parse().ok()?,
        _ => return None,
    };
    FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60))
}
