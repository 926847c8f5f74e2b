//! What legal answers of recall do to values and replies.

use super::frame::Frame;
use crate::contracts::{Function, NamedFunction};
use crate::model::{Body, RawReply, Received};
use serde_json::{Map, Value, json};

pub(super) const FUNCTIONS: &[NamedFunction] = &[
    ("escape-html", Function::Value(escape_html)),
    ("flag-as-number", Function::Value(flag_as_number)),
    ("lengthen", Function::Value(lengthen)),
    ("lose-precision", Function::Value(lose_precision)),
    ("mark-words", Function::Value(mark_words)),
    ("nest-most-fields", Function::Value(nest_most_fields)),
    ("newest-first", Function::Value(newest_first)),
    ("no-content", Function::Reply(no_content)),
    ("picture", Function::Reply(picture)),
    ("redirect", Function::Reply(redirect)),
    ("repeat-a-key", Function::Reply(repeat_a_key)),
];

/// A text whose reserved characters are entities of HTML.
fn escape_html(value: &mut Value) {
    let Some(text) = value.as_str() else { return };
    let entities = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")];
    *value = entities.iter().fold(text.to_owned(), |text, (plain, entity)| text.replace(plain, entity)).into();
}

/// A flag as 1 or 0, as databases without flags keep it.
fn flag_as_number(value: &mut Value) {
    if let Some(flag) = value.as_bool() {
        *value = u8::from(flag).into();
    }
}

/// A text of two lines that repeats itself up to 600 characters.
fn lengthen(value: &mut Value) {
    const LENGTH: usize = 600;
    let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { return };
    let lines = format!("{}\n", text.replacen(' ', "\n", 1));
    *value = lines.chars().cycle().take(LENGTH).collect::<String>().into();
}

/// A time with a fraction, a tenth of a millisecond later.
fn lose_precision(value: &mut Value) {
    if let Some(time) = value.as_f64().filter(|time| time.fract() != 0.0) {
        *value = (time + 0.0001).into();
    }
}

/// Marks each fourth word, as a search engine marks what it found, and shows that the text goes on at both ends.
fn mark_words(value: &mut Value) {
    let Some(text) = value.as_str() else { return };
    let mark = |(at, word): (usize, &str)| if at % 4 == 3 { format!("<b>{word}</b>") } else { word.to_owned() };
    let words: Vec<String> = text.split(' ').enumerate().map(mark).collect();
    *value = format!("… {} …", words.join(" ")).into();
}

/// An item whose fields are in `content`, but for its address and its time.
fn nest_most_fields(value: &mut Value) {
    let Some(fields) = value.as_object_mut() else { return };
    let is_outside = |name: &str| ["frame_url", "timestamp"].contains(&name);
    let (mut outside, content): (Map<_, _>, Map<_, _>) =
        std::mem::take(fields).into_iter().partition(|(name, _)| is_outside(name));
    outside.insert("content".to_owned(), content.into());
    *fields = outside;
}

/// A page from its newest item to its oldest.
fn newest_first(value: &mut Value) {
    let time = |item: &Value| Frame(item).time().unwrap_or_default();
    if let Some(items) = value.as_array_mut() {
        items.sort_by(|left, right| time(right).total_cmp(&time(left)));
    }
}

/// An empty page as HTTP's own "no content".
fn no_content(reply: &mut RawReply) {
    let Received::Response { status, body, headers } = &mut reply.received else { return };
    let value: Value = serde_json::from_slice(&body.0).unwrap_or_default();
    if value["data"] == json!([]) {
        (*status, *body) = (204, Body::default());
        headers.retain(|name, _| !name.starts_with("content-"));
    }
}

/// A frame as the beginning of a picture.
fn picture(reply: &mut RawReply) {
    let Received::Response { status: 200, body, headers } = &mut reply.received else { return };
    *body = Body(b"\x89PNG\r\n\x1a\n".to_vec());
    headers.insert("content-type".to_owned(), "image/png".into());
    headers.shift_remove("content-length");
}

/// A frame that is kept elsewhere.
fn redirect(reply: &mut RawReply) {
    let Received::Response { status, body, headers } = &mut reply.received else { return };
    if *status == 200 {
        (*status, *body) = (302, Body::default());
        headers.retain(|name, _| !name.starts_with("content-"));
        headers.insert("location".to_owned(), "https://pictures.example/1".into());
    }
}

/// An object whose first key stands in it twice, with the same value: a program that reads JSON takes either.
fn repeat_a_key(reply: &mut RawReply) {
    let Received::Response { body, headers, .. } = &mut reply.received else { return };
    let value: Value = serde_json::from_slice(&body.0).unwrap_or_default();
    let Some((key, first)) = value.as_object().and_then(|members| members.iter().next()) else { return };
    let text = format!("{{{}:{first},{}", Value::from(key.as_str()), body.text().trim_start().trim_start_matches('{'));
    body.0 = text.into_bytes();
    headers.shift_remove("content-length");
}
