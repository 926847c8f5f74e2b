//! Rems as nested lists. Tags and cards are written with RemNote's own marks. Aliases, and how a daily document or a portal differs from any
//! other Rem, have no form in Markdown and are left out.

use serde_json::Value;
use std::collections::BTreeMap;

/// Every top-level Rem, each with its descendants below it.
pub(super) fn nested_list(rems: &[Value]) -> String {
    let by_id: BTreeMap<&str, &Value> = rems.iter().filter_map(|rem| Some((rem["id"].as_str()?, rem))).collect();
    let mut text = String::new();
    for rem in rems.iter().filter(|rem| rem.get("parent").is_none()) {
        item(&mut text, rem, 0, &by_id);
    }
    text
}

fn item(to: &mut String, rem: &Value, depth: usize, by_id: &BTreeMap<&str, &Value>) {
    let mut line = inline(&rem["text"], by_id, true);
    if let Some(back) = rem.get("back") {
        line = format!("{line} {} {}", arrow(rem), inline(back, by_id, true));
    }
    for tag in rem["tags"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        line.push_str(&format!(" #[[{tag}]]"));
    }
    to.push_str(&format!("{}- {}\n", "    ".repeat(depth), line.replace('\n', " ")));
    for child in rem["children"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if let Some(child) = by_id.get(child) {
            item(to, child, depth + 1, by_id);
        }
    }
}

/// The mark between the two sides of a card.
fn arrow(rem: &Value) -> &'static str {
    let is = |kind: &str| rem["kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|one| one == kind));
    match rem["practice"].as_str().unwrap_or("none") {
        _ if is("concept") => "::",
        _ if is("descriptor") => ";;",
        "reverse" => "<<",
        "bidirectional" => "<>",
        "none" => ">-",
        _ => ">>",
    }
}

/// Rich text. A reference shows the text of its Rem, without the references in that text.
fn inline(rich: &Value, by_id: &BTreeMap<&str, &Value>, follows: bool) -> String {
    rich.as_array().into_iter().flatten().map(|part| piece(part, by_id, follows)).collect()
}

fn piece(part: &Value, by_id: &BTreeMap<&str, &Value>, follows: bool) -> String {
    if let Some(text) = part.as_str() {
        return text.to_owned();
    }
    if let Some(id) = part["rem"].as_str() {
        if !follows {
            return "…".to_owned();
        }
        let text = by_id.get(id).map(|rem| inline(&rem["text"], by_id, false));
        return format!("[[{}]]", text.unwrap_or_default());
    }
    if let Some(formula) = part["latex"].as_str() {
        return format!("$${formula}$$");
    }
    if let Some(address) = part["image"].as_str().or(part["audio"].as_str()) {
        return format!("![]({address})");
    }
    let text = part["text"].as_str().or(part["global"].as_str()).unwrap_or_default();
    match part {
        _ if part["bold"] == true => format!("**{text}**"),
        _ if part["italic"] == true => format!("*{text}*"),
        _ if part["code"] == true => format!("`{text}`"),
        _ if part["cloze"] == true => format!("{{{{{text}}}}}"),
        Value::Object(fields) if fields.contains_key("link") => {
            format!("[{text}]({})", part["link"].as_str().unwrap_or_default())
        }
        _ => text.to_owned(),
    }
}
