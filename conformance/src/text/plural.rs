//! A number of things.

/// A number with a noun that takes an `s` for more than one.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
