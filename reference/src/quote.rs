//! How a message repeats what it was given.

/// How much of a value a message repeats, in characters.
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
