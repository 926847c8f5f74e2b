//! Texts as a search that is free in such things compares them.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A text in lower case and normal width, without combining marks, and with single blanks.
pub(crate) fn folded(text: &str) -> String {
    let plain: String = text.to_lowercase().nfkd().filter(|character| !is_combining_mark(*character)).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
