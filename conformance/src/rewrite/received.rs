//! The values and the texts of what arrived, opened for edits and closed again.

use crate::model::{Body, Received, SplitAt};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// The value that an answer means.
    Meant,
    /// The result of an MCP call.
    Result,
}

/// What arrived, read once for all the edits that begin with it.
#[derive(Debug, Default)]
pub(crate) struct Opened(OnceLock<Vec<Option<Reading>>>);

/// A body that is JSON.
#[derive(Debug)]
struct Reading {
    value: Value,
    /// How we write it.
    written: OnceLock<String>,
    /// What the texts of an MCP result mean, where they are JSON.
    texts: Vec<Option<Value>>,
}

impl Opened {
    fn readings(&self, received: &Received) -> &[Option<Reading>] {
        self.0.get_or_init(|| received.bodies().iter().map(Reading::of).collect())
    }
}

impl Reading {
    fn of(body: &Body) -> Option<Self> {
        let mut value: Value = serde_json::from_slice(&body.0).ok()?;
        let texts = value.get_mut("result").into_iter().flat_map(texts).map(|text| json_of(text)).collect();
        Some(Self { value, written: OnceLock::new(), texts })
    }

    /// Edits a body that says what was read.
    fn edit(&self, body: &mut Body, edit: impl FnOnce(&mut Value) -> bool) {
        let mut value = self.value.clone();
        if !edit(&mut value) {
            return;
        }
        // As text, since the order of keys may be all that changes.
        let after = value.to_string();
        if after != *self.written.get_or_init(|| self.value.to_string()) {
            body.0 = after.into_bytes();
        }
    }
}

/// Edits each JSON value that an answer means, or the result of an MCP call. An edit says whether it may have changed something;
/// what no edit changes keeps its bytes.
pub(super) fn each_value(
    received: &mut Received,
    opened: &Opened,
    root: Root,
    edit: &mut impl FnMut(&mut Value) -> bool,
) {
    let readings = opened.readings(received);
    let first = readings.first().and_then(Option::as_ref);
    match (received, first) {
        (Received::Response { headers, body, .. }, Some(reading)) if root == Root::Meant => {
            reading.edit(body, edit);
            measure(headers, body);
        }
        (Received::Process { stdout, .. }, Some(reading)) if root == Root::Meant => reading.edit(stdout, edit),
        (Received::Tool { message: Some(message), .. }, Some(reading)) => reading.edit(message, |message| {
            let Some(result) = message.get_mut("result") else { return false };
            match root {
                Root::Result => edit(result),
                Root::Meant => in_result(result, &reading.texts, edit),
            }
        }),
        (Received::Tools { pages, .. }, _) => {
            for (page, reading) in pages.iter_mut().zip(readings) {
                let Some(reading) = reading else { continue };
                reading.edit(page, |message| message.get_mut("result").is_some_and(&mut *edit));
            }
        }
        _ => {}
    }
}

/// The structured content of a result and each of its texts that is JSON, alike.
fn in_result(result: &mut Value, read: &[Option<Value>], edit: &mut impl FnMut(&mut Value) -> bool) -> bool {
    let mut may_differ = result.get_mut("structuredContent").is_some_and(&mut *edit);
    for (text, before) in texts(result).zip(read) {
        let Some(before) = before else { continue };
        let mut value = before.clone();
        if edit(&mut value) && value != *before {
            *text = value.to_string();
            may_differ = true;
        }
    }
    may_differ
}

/// Edits the lines of each text of an accepted answer that is not JSON.
pub(super) fn each_text(received: &mut Received, edit: &mut impl FnMut(&mut Vec<String>)) {
    let mut in_text = |text: &mut String| {
        if json_of(text).is_some() {
            return false;
        }
        let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        edit(&mut lines);
        let edited = lines.join("\n");
        let differs = edited != *text;
        *text = edited;
        differs
    };
    match received {
        Received::Process { exit: Some(0), stdout: body, .. } | Received::Response { status: 200..=299, body, .. } => {
            if let Ok(mut text) = String::from_utf8(body.0.clone()) {
                in_text(&mut text);
                body.0 = text.into_bytes();
            }
        }
        Received::Tool { message: Some(message), .. } => in_json(message, |message| {
            let result = message.get_mut("result").filter(|result| result["isError"] != true);
            let mut differs = false;
            for text in result.into_iter().flat_map(texts) {
                differs |= in_text(text);
            }
            differs
        }),
        _ => {}
    }
    if let Received::Response { headers, body, .. } = received {
        measure(headers, body);
    }
}

/// Splits the texts of an accepted MCP result into several blocks.
pub(super) fn split(received: &mut Received, at: SplitAt) {
    let Received::Tool { message: Some(message), .. } = received else { return };
    in_json(message, |message| {
        let result = message.get_mut("result").filter(|result| result["isError"] != true);
        let Some(blocks) = result.and_then(|result| result["content"].as_array_mut()) else { return false };
        let whole = std::mem::take(blocks);
        for block in whole {
            match block["text"].as_str() {
                Some(text) => blocks.extend(parts(text, at).map(|part| json!({ "type": "text", "text": part }))),
                None => blocks.push(block),
            }
        }
        true
    });
}

fn parts(text: &str, at: SplitAt) -> impl Iterator<Item = &str> {
    let parts: Vec<&str> = match at {
        SplitAt::Middle => {
            let middle = text.char_indices().nth(text.chars().count() / 2).map_or(text.len(), |(at, _)| at);
            let (left, right) = text.split_at(middle);
            vec![left, right]
        }
        SplitAt::Lines => text.split_inclusive('\n').collect(),
    };
    parts.into_iter()
}

/// The texts of an MCP result.
fn texts(result: &mut Value) -> impl Iterator<Item = &mut String> {
    let blocks = result.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten();
    blocks.filter_map(|block| match block.get_mut("text") {
        Some(Value::String(text)) => Some(text),
        _ => None,
    })
}

/// An object or a list; a text that is a number or a word is a text.
fn json_of(text: &str) -> Option<Value> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    serde_json::from_str(text).ok().filter(|value: &Value| value.is_object() || value.is_array())
}

fn in_json(body: &mut Body, edit: impl FnOnce(&mut Value) -> bool) {
    if let Some(reading) = Reading::of(body) {
        reading.edit(body, edit);
    }
}

/// The length that the headers give is the one of the body.
pub(super) fn measure(headers: &mut Map<String, Value>, body: &Body) {
    if let Some(length) = headers.get_mut("content-length") {
        *length = Value::from(body.0.len().to_string());
    }
}
