//! Media types.

/// The media type that a Content-Type names, without its parameters and in small letters; empty if there is none.
pub(crate) fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
