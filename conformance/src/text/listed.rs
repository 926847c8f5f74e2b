//! The beginning of a list.

/// The first names of a list that has `all` of them, in one line, as in `a, b and 3 more`.
pub fn listed(first: &[impl AsRef<str>], all: usize) -> String {
    let names: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
    match all.saturating_sub(names.len()) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
