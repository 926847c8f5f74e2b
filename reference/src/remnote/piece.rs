//! The pieces of rich text, as a line of the corpus gives them.

use serde::Deserialize;
use serde_json::Value;

/// One piece of rich text.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) enum Piece {
    /// Text with what makes it look different.
    Text(String, Marks),
    /// The source of a formula.
    Latex(String),
    /// The title of a picture, perhaps empty.
    Image(String),
    Audio,
    Drawing,
    /// The id of another Rem, which may be gone.
    Reference(String),
    /// The name of something that every knowledge base knows.
    Global(String),
    /// Where the front of a card ends and its back begins.
    Delimiter,
}

/// How a piece of text is marked in markdown. Underline and highlight have no markdown, a cloze is shown.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    bold: bool,
    italic: bool,
    code: bool,
    link: Option<String>,
}

/// The pieces before the first card delimiter, and the rest with the delimiter, which renders as nothing.
pub(crate) fn split_at_delimiter(pieces: &[Piece]) -> (&[Piece], &[Piece]) {
    let is_delimiter = |piece: &Piece| matches!(piece, Piece::Delimiter);
    pieces.split_at(pieces.iter().position(is_delimiter).unwrap_or(pieces.len()))
}

impl Marks {
    /// Code is innermost, a link outermost. An empty text has no marks: they would show as text.
    pub(crate) fn around(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        let code = if self.code { "`" } else { "" };
        let stars = match (self.bold, self.italic) {
            (true, true) => "***",
            (true, false) => "**",
            (false, true) => "*",
            (false, false) => "",
        };
        let marked = format!("{stars}{code}{text}{code}{stars}");
        match &self.link {
            Some(url) => format!("[{marked}]({url})"),
            None => marked,
        }
    }
}

/// A piece as JSON: a string, or an object with one of the members that say what it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    text: Option<String>,
    #[serde(default)]
    bold: bool,
    #[serde(default)]
    italic: bool,
    #[serde(default)]
    code: bool,
    link: Option<String>,
    #[serde(default, rename = "underline")]
    _underline: bool,
    #[serde(default, rename = "highlight")]
    _highlight: bool,
    #[serde(default, rename = "cloze")]
    _cloze: bool,
    latex: Option<String>,
    image: Option<String>,
    audio: Option<String>,
    drawing: Option<bool>,
    rem: Option<String>,
    global: Option<String>,
    delimiter: Option<bool>,
}

impl TryFrom<Value> for Piece {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        if let Value::String(text) = value {
            return Ok(Self::Text(text, Marks::default()));
        }
        let form: Form = serde_json::from_value(value).map_err(|problem| format!("rich text: {problem}"))?;
        let marks = Marks { bold: form.bold, italic: form.italic, code: form.code, link: form.link };
        let pieces = [
            form.text.map(|text| Self::Text(text, marks)),
            form.latex.map(Self::Latex),
            form.image.map(Self::Image),
            form.audio.map(|_| Self::Audio),
            form.drawing.map(|_| Self::Drawing),
            form.rem.map(Self::Reference),
            form.global.map(Self::Global),
            form.delimiter.map(|_| Self::Delimiter),
        ];
        let mut found = pieces.into_iter().flatten();
        match (found.next(), found.next()) {
            (Some(piece), None) => Ok(piece),
            _ => {
                Err("rich text: a piece has exactly one of text, latex, image, audio, drawing, rem, global, delimiter"
                    .to_owned())
            }
        }
    }
}
