//! Documents as a table of SQLite.

use serde_json::Value;

/// The statements that create and fill a table. They drop a table of that name first.
pub(super) fn table(name: &str, rows: &[Value]) -> String {
    let columns = columns(rows);
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let typed: Vec<String> = columns.iter().map(|(name, kind)| format!("{} {kind}", quoted(name))).collect();
    let table = quoted(name);
    let mut text = format!("BEGIN;\nDROP TABLE IF EXISTS {table};\nCREATE TABLE {table} ({});\n", typed.join(", "));
    for row in rows {
        let values: Vec<String> = columns.iter().map(|(name, _)| literal(&row[name.as_str()])).collect();
        text.push_str(&format!("INSERT INTO {table} VALUES ({});\n", values.join(", ")));
    }
    text + "COMMIT;\n"
}

/// The fields in the order of their first use, each with the type that holds all its values.
fn columns(rows: &[Value]) -> Vec<(String, &'static str)> {
    let mut columns: Vec<(String, &'static str)> = Vec::new();
    for (name, value) in rows.iter().filter_map(Value::as_object).flatten() {
        let kind = match value {
            Value::Null => "",
            Value::Bool(_) => "INTEGER",
            Value::Number(number) if number.is_f64() => "REAL",
            Value::Number(_) => "INTEGER",
            _ => "TEXT",
        };
        match columns.iter_mut().find(|(known, _)| known == name) {
            None => columns.push((name.clone(), kind)),
            Some((_, known)) if known.is_empty() || (*known, kind) == ("INTEGER", "REAL") => *known = kind,
            Some(_) => {}
        }
    }
    columns
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => self::text(text),
        nested => text(&nested.to_string()),
    }
}

/// A text literal. A text with control characters is written as bytes: a NUL would cut it, and a shell could change it.
fn text(text: &str) -> String {
    match text.chars().any(char::is_control) {
        false => format!("'{}'", text.replace('\'', "''")),
        true => {
            let bytes: String = text.bytes().map(|byte| format!("{byte:02X}")).collect();
            format!("CAST(X'{bytes}' AS TEXT)")
        }
    }
}
