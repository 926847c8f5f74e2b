//! The text for people at a terminal.

/// The colours that the report itself uses.
const OURS: [&str; 9] = ["0", "1", "2", "31", "32", "33", "35", "1;31", "1;32"];

/// The text without our own colours: whatever else escapes stays, and is found.
pub(super) fn without_colours(text: &str) -> String {
    let mut plain = text.to_owned();
    for code in OURS {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_ne!(plain, text, "it was asked for in colour");
    plain
}

/// It ends with its conclusion, and no line of evidence can be taken for one of ours.
pub(super) fn assert_whole(text: &str, code: i32) {
    assert!(text.ends_with(&format!(", exit {code}\n")), "{text}");
    let ends = text.lines().filter(|line| !line.starts_with(' ') && line.contains(", exit "));
    assert_eq!(ends.count(), 1, "{text}");
}
