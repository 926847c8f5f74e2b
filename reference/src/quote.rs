//! How a message repeats a value.

/// The most characters of a value that a message repeats.
const LONGEST: usize = 60;

/// In quotes, escaped, and not all of a very long text.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

/// Not all of a very long text.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
